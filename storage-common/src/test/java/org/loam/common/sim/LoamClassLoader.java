package org.loam.common.sim;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads classes of Loam anew, tests among them, some of them changed: so changed and unchanged ones
 * live in one JVM beside each other, and production code needs no switches. All other classes are
 * those of the parent; so are classes of Loam in modules below all changed ones, which know nothing
 * of these. To load and to compile hundreds of classes takes longer than many a trial.
 */
public final class LoamClassLoader extends ClassLoader {
  private static final String OURS = "org.loam.";

  /** These make the switching points, or are the memory itself. */
  private static final String SIMULATION = "org.loam.common.sim.";

  /** The modules of the engine, lower ones first; what has none of these names is above them. */
  private static final List<List<String>> LAYERS =
      List.of(
          List.of("org.loam.common."),
          List.of("org.loam.cache.", "org.loam.log.", "org.loam.scheduler.", "org.loam.tuner."),
          List.of("org.loam.lsm."),
          List.of("org.loam.engine."));

  private static final Set<String> MEMORY =
      Set.of("org.loam.common.mem.Mem", "org.loam.common.mem.MemRanges");

  /** Instrumented classes that are the same in every loader of their kind, by name. */
  private static final Map<String, byte[]> INSTRUMENTED = new ConcurrentHashMap<>();

  private final Map<String, byte[]> changed;
  private final boolean instrumented;

  /** Classes of layers below this one are those of the parent. */
  private final int firstOwnLayer;

  /** The volatile fields of each class, by internal name. */
  private final Map<String, Set<String>> volatileFields = new HashMap<>();

  /** Whether no volatile field comes or goes, so that unchanged classes access what they did. */
  private final boolean sharesInstrumented;

  /** Loads all classes anew, unchanged, with {@link SwitchPoints} at accesses to shared memory. */
  public static LoamClassLoader instrumented() {
    return new LoamClassLoader(LoamClassLoader.class.getClassLoader(), Map.of(), true);
  }

  /**
   * @param parent has the classes that are not loaded anew: instrumented ones, or plain ones
   * @param changed the bytes of classes by name, in place of those on the class path
   */
  public static LoamClassLoader over(ClassLoader parent, Map<String, byte[]> changed) {
    return new LoamClassLoader(parent, changed, parent instanceof LoamClassLoader);
  }

  private LoamClassLoader(ClassLoader parent, Map<String, byte[]> changed, boolean instrumented) {
    super(parent);
    this.changed = Map.copyOf(changed);
    this.instrumented = instrumented;
    this.firstOwnLayer = changed.keySet().stream().mapToInt(LoamClassLoader::layer).min().orElse(0);
    this.sharesInstrumented = this.changed.keySet().stream().allMatch(this::keepsVolatileFields);
  }

  private static int layer(String name) {
    int layer = 0;
    while (layer < LAYERS.size() && LAYERS.get(layer).stream().noneMatch(name::startsWith)) {
      layer++;
    }
    return layer;
  }

  private boolean keepsVolatileFields(String name) {
    try {
      return volatileFieldsOf(original(name)).equals(volatileFieldsOf(bytes(name)));
    } catch (ClassNotFoundException e) {
      // A new class, which the unchanged ones do not know.
      return true;
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS) || layer(name) < firstOwnLayer) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? findClass(name) : loaded;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes =
        instrumented && !name.startsWith(SIMULATION) && !MEMORY.contains(outermost(name))
            ? instrumented(name)
            : bytes(name);
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte[] instrumented(String name) throws ClassNotFoundException {
    boolean isShared = sharesInstrumented && !changed.containsKey(name);
    byte[] known = isShared ? INSTRUMENTED.get(name) : null;
    if (known != null) {
      return known;
    }
    byte[] made = AccessInstrumenter.instrument(bytes(name), this::isVolatile);
    if (isShared) {
      INSTRUMENTED.put(name, made);
    }
    return made;
  }

  private static String outermost(String name) {
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private byte[] bytes(String name) throws ClassNotFoundException {
    byte[] bytes = changed.get(name);
    return bytes == null ? original(name) : bytes;
  }

  private byte[] original(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private boolean isVolatile(String type, String field) {
    if (!type.startsWith(OURS.replace('.', '/'))) {
      return false;
    }
    synchronized (volatileFields) {
      return volatileFields.computeIfAbsent(type, this::volatileFieldsOf).contains(field);
    }
  }

  private Set<String> volatileFieldsOf(String type) {
    try {
      return volatileFieldsOf(bytes(type.replace('/', '.')));
    } catch (ClassNotFoundException e) {
      throw new LinkageError(type, e);
    }
  }

  private static Set<String> volatileFieldsOf(byte[] bytes) {
    Set<String> names = new HashSet<>();
    ClassVisitor visitor =
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public FieldVisitor visitField(
              int access, String name, String descriptor, String signature, Object value) {
            if ((access & Opcodes.ACC_VOLATILE) != 0) {
              names.add(name);
            }
            return null;
          }
        };
    new ClassReader(bytes).accept(visitor, ClassReader.SKIP_CODE);
    return names;
  }
}
