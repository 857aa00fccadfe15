package org.loam.it.planted;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.loam.common.sim.LoamClassLoader;
import org.loam.it.SourceTree;
import org.loam.it.SourceTree.Source;

/**
 * Loam with a bug: its changed classes are compiled in memory and loaded beside the healthy ones.
 */
final class BuggyLoam {
  private static final JavaCompiler COMPILER = compiler();

  /** To open all jars of the class path takes longer than to compile a class. */
  private static final ThreadLocal<JavaFileManager> FILES =
      ThreadLocal.withInitial(() -> COMPILER.getStandardFileManager(null, null, null));

  /** Where classes come from that a bug cannot concern. */
  private static final ClassLoader PLAIN = BuggyLoam.class.getClassLoader();

  private static final ClassLoader INSTRUMENTED = LoamClassLoader.instrumented();

  private final Map<String, byte[]> changed;

  private BuggyLoam(Map<String, byte[]> changed) {
    this.changed = changed;
  }

  /** Loam as it is. */
  static BuggyLoam healthy() {
    return new BuggyLoam(Map.of());
  }

  /** Compiles the sources that a bug changes. */
  static BuggyLoam with(PlantedBug bug) {
    Map<String, String> texts = new TreeMap<>();
    for (PlantedBug.Change change : bug.changes()) {
      String before = texts.getOrDefault(change.type(), sourceOf(change.type()));
      texts.put(change.type(), change.applyTo(before));
    }
    return new BuggyLoam(compile(bug.name(), texts));
  }

  /** A new object of a class that takes seeds, in the world of this bug. */
  LongConsumer newTrial(PlantedBug.Suite suite) {
    try {
      ClassLoader healthy = suite.isInstrumented ? INSTRUMENTED : PLAIN;
      ClassLoader loader = changed.isEmpty() ? healthy : LoamClassLoader.over(healthy, changed);
      return (LongConsumer) loader.loadClass(suite.className).getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(suite.className, e);
    }
  }

  private static String sourceOf(String type) {
    String end = "/src/main/java/" + type.replace('.', '/') + ".java";
    for (Source source : SourceTree.main()) {
      if (source.path().endsWith(end)) {
        return source.text();
      }
    }
    throw new AssertionError("no source of " + type);
  }

  private static Map<String, byte[]> compile(String bug, Map<String, String> texts) {
    List<JavaFileObject> sources = new ArrayList<>();
    texts.forEach((type, text) -> sources.add(new TextFile(type, text)));
    List<String> options =
        List.of(
            "-proc:none",
            "-nowarn",
            "-XDignore.symbol.file",
            "-classpath",
            System.getProperty("java.class.path"));
    StringWriter messages = new StringWriter();
    ClassFiles classes = new ClassFiles(FILES.get());
    if (!COMPILER.getTask(messages, classes, null, options, null, sources).call()) {
      throw new AssertionError("the planted bug '" + bug + "' does not compile: " + messages);
    }
    return classes.bytes();
  }

  private static JavaCompiler compiler() {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new AssertionError("planting bugs takes a JDK, this is a Java runtime only");
    }
    return compiler;
  }

  /** Source text in memory. */
  private static final class TextFile extends SimpleJavaFileObject {
    private final String text;

    TextFile(String type, String text) {
      super(URI.create("text:///" + type.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Keeps what the compiler writes in memory; the files that it reads stay open. */
  private static final class ClassFiles extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> outputs = new HashMap<>();

    ClassFiles(JavaFileManager manager) {
      super(manager);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, @Nullable FileObject sibling) {
      URI uri = URI.create("class:///" + name.replace('.', '/') + kind.extension);
      return new SimpleJavaFileObject(uri, kind) {
        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream output = new ByteArrayOutputStream();
          outputs.put(name, output);
          return output;
        }
      };
    }

    Map<String, byte[]> bytes() {
      Map<String, byte[]> bytes = new HashMap<>();
      outputs.forEach((name, output) -> bytes.put(name, output.toByteArray()));
      return bytes;
    }
  }
}
