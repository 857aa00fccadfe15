package org.loam.common.env.real;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentHashMap.KeySetView;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Loads classes before they are needed. A class that is loaded for the first time when something
 * has failed may not be found: its file needs a descriptor, and a lack of those may be what has
 * failed. Java then remembers for good that there is no such class.
 */
public final class LoadedClasses {
  private static final Logger LOGGER = LogManager.getLogger(LoadedClasses.class);
  private static final KeySetView<Class<?>, Boolean> DONE = ConcurrentHashMap.newKeySet();
  private static final String SUFFIX = ".class";

  private LoadedClasses() {}

  /**
   * Loads every class of the same program that a class names, or that one of those names; once in
   * the life of the process. Does nothing unless the class is in a directory: a jar stays open.
   *
   * @param prefix of the names of the program's classes, such as {@code org.loam.}
   * @return how many classes were looked for
   */
  public static int loadFrom(Class<?> root, String prefix) {
    if (!isInDirectory(root) || !DONE.add(root)) {
      return 0;
    }
    ClassLoader loader = root.getClassLoader();
    String internalPrefix = prefix.replace('.', '/');
    Set<String> seen = new HashSet<>();
    Deque<String> open = new ArrayDeque<>();
    open.add(root.getName().replace('.', '/'));
    while (!open.isEmpty()) {
      String name = open.remove();
      if (name.startsWith(internalPrefix) && seen.add(name)) {
        load(name, loader, open);
      }
    }
    return seen.size();
  }

  private static boolean isInDirectory(Class<?> root) {
    CodeSource source = root.getProtectionDomain().getCodeSource();
    URL location = source == null ? null : source.getLocation();
    return location != null && location.getPath().endsWith("/");
  }

  private static void load(String name, ClassLoader loader, Deque<String> found) {
    try (InputStream stream = loader.getResourceAsStream(name + SUFFIX)) {
      if (stream != null) {
        Class.forName(name.replace('/', '.'), false, loader);
        texts(stream.readAllBytes()).forEach(text -> addNamed(text, found));
      }
    } catch (IOException | ClassNotFoundException | LinkageError e) {
      // A class that is optional, or cannot be read now: as if this had not been tried.
      LOGGER.debug("cannot load {}: {}", name, e.toString());
    }
  }

  /** The texts in the constant pool of a class (JVMS 4.4): names of classes, and descriptors. */
  private static List<String> texts(byte[] classFile) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
    in.skipNBytes(8);
    List<String> texts = new ArrayList<>();
    int count = in.readUnsignedShort();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts.add(in.readUTF());
        case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
        case 5, 6 -> {
          in.skipNBytes(8);
          // It takes two places.
          i++;
        }
        default -> throw new IOException("constant of unknown type " + tag);
      }
    }
    return texts;
  }

  /** Adds what may be a class: the text itself, or each class that it names as a descriptor. */
  private static void addNamed(String text, Deque<String> found) {
    found.add(text);
    for (int at = text.indexOf('L'); at >= 0; at = text.indexOf('L', at + 1)) {
      int end = text.indexOf(';', at);
      if (end > 0) {
        found.add(text.substring(at + 1, end));
      }
    }
  }
}
