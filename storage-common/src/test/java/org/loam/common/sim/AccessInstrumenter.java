package org.loam.common.sim;

import java.util.Set;
import java.util.function.BiPredicate;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Turns accesses to memory that threads share into calls of {@link SwitchPoints}, in the bytes of a
 * class: volatile fields, atomic classes, concurrent collections, accesses through {@code Mem}, and
 * plain locks. So code in production pays nothing, and what is written next year is seen as well.
 *
 * <p>What it does not see: fields that are shared but neither volatile nor guarded by a lock,
 * orders that only a processor's or compiler's reordering can make, the steps of an iterator, and
 * calls of atomic classes by a method reference; a lambda in its place is seen. A concurrent
 * collection is seen by the type that it is declared as. The exit from a plain lock is no switching
 * point.
 */
final class AccessInstrumenter extends ClassVisitor {
  private static final String POINTS = "org/loam/common/sim/SwitchPoints";
  private static final String MEM = "org/loam/common/mem/Mem";
  private static final String ATOMIC = "java/util/concurrent/atomic/";

  /** Maps, their sets of keys, and queues. */
  private static final String CONCURRENT = "java/util/concurrent/Concurrent";

  /** What a synchronized method's body is moved to. */
  private static final String BODY_SUFFIX = "$locked";

  /** Accesses of {@code Mem} that order others. */
  static final Set<String> ORDERED =
      Set.of(
          "getIntVolatile",
          "putIntVolatile",
          "compareAndSetInt",
          "getLongVolatile",
          "putLongVolatile",
          "putLongRelease",
          "compareAndSetLong",
          "getAndAddLong",
          "touch");

  /** Its other accesses. */
  static final Set<String> PLAIN =
      Set.of(
          "getByte",
          "putByte",
          "getShort",
          "putShort",
          "getInt",
          "putInt",
          "getLong",
          "putLong",
          "copy",
          "copyIn",
          "copyOut",
          "fill",
          "compare",
          "mismatch",
          "zeroBytes",
          "getLongBigEndian");

  private final BiPredicate<String, String> isVolatile;
  private String owner = "";

  private AccessInstrumenter(ClassWriter writer, BiPredicate<String, String> isVolatile) {
    super(Opcodes.ASM9, writer);
    this.isVolatile = isVolatile;
  }

  /**
   * Instruments a class.
   *
   * @param isVolatile whether the class with an internal name has a volatile field of a name
   */
  static byte[] instrument(byte[] bytes, BiPredicate<String, String> isVolatile) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    reader.accept(new AccessInstrumenter(writer, isVolatile), 0);
    return writer.toByteArray();
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      String signature,
      String superName,
      String[] interfaces) {
    owner = name;
    super.visit(version, access, name, signature, superName, interfaces);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    if ((access & Opcodes.ACC_SYNCHRONIZED) == 0) {
      return new Accesses(
          super.visitMethod(access, name, descriptor, signature, exceptions),
          name.equals("<clinit>"));
    }
    int unlocked = access & ~Opcodes.ACC_SYNCHRONIZED;
    lockAround(
        super.visitMethod(unlocked, name, descriptor, signature, exceptions),
        unlocked,
        name,
        descriptor);
    int bodyAccess =
        (unlocked & (Opcodes.ACC_STATIC | Opcodes.ACC_FINAL))
            | Opcodes.ACC_PRIVATE
            | Opcodes.ACC_SYNTHETIC;
    return new Accesses(
        super.visitMethod(bodyAccess, name + BODY_SUFFIX, descriptor, null, exceptions), false);
  }

  /** A method that takes the lock, calls the body, and gives the lock back however that ends. */
  private void lockAround(MethodVisitor method, int access, String name, String descriptor) {
    boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
    Label from = new Label();
    Label to = new Label();
    Label failed = new Label();
    method.visitCode();
    method.visitTryCatchBlock(from, to, failed, null);
    loadLock(method, isStatic);
    callPoints(method, "enter", "(Ljava/lang/Object;)V");
    method.visitLabel(from);
    int local = 0;
    if (!isStatic) {
      method.visitVarInsn(Opcodes.ALOAD, local++);
    }
    for (Type argument : Type.getArgumentTypes(descriptor)) {
      method.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), local);
      local += argument.getSize();
    }
    method.visitMethodInsn(
        isStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL,
        owner,
        name + BODY_SUFFIX,
        descriptor,
        false);
    method.visitLabel(to);
    loadLock(method, isStatic);
    callPoints(method, "exit", "(Ljava/lang/Object;)V");
    method.visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
    method.visitLabel(failed);
    method.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {"java/lang/Throwable"});
    loadLock(method, isStatic);
    callPoints(method, "exit", "(Ljava/lang/Object;)V");
    method.visitInsn(Opcodes.ATHROW);
    method.visitMaxs(0, 0);
    method.visitEnd();
  }

  private void loadLock(MethodVisitor method, boolean isStatic) {
    if (isStatic) {
      method.visitLdcInsn(Type.getObjectType(owner));
    } else {
      method.visitVarInsn(Opcodes.ALOAD, 0);
    }
  }

  private static void callPoints(MethodVisitor method, String name, String descriptor) {
    method.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, name, descriptor, false);
  }

  /** One method. */
  private final class Accesses extends MethodVisitor {
    private final boolean isInitializer;

    Accesses(MethodVisitor next, boolean isInitializer) {
      super(Opcodes.ASM9, next);
      this.isInitializer = isInitializer;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (isInitializer) {
        // The JVM holds the lock of the class.
        callPoints(mv, "hold", "()V");
      }
    }

    @Override
    public void visitFieldInsn(int opcode, String type, String name, String descriptor) {
      if (isVolatile.test(type, name)) {
        callPoints(mv, "access", "()V");
      }
      super.visitFieldInsn(opcode, type, name, descriptor);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String type, String name, String descriptor, boolean isInterface) {
      if ((type.startsWith(ATOMIC) || type.startsWith(CONCURRENT)) && !name.equals("<init>")) {
        callPoints(mv, "access", "()V");
      } else if (type.equals(MEM) && ORDERED.contains(name)) {
        callPoints(mv, "access", "()V");
      } else if (type.equals(MEM) && PLAIN.contains(name)) {
        callPoints(mv, "plainAccess", "()V");
      } else if (type.equals("java/lang/Thread") && name.equals("getId")) {
        callPoints(mv, "threadId", "(Ljava/lang/Thread;)J");
        return;
      }
      super.visitMethodInsn(opcode, type, name, descriptor, isInterface);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.MONITORENTER) {
        callPoints(mv, "enter", "(Ljava/lang/Object;)V");
      } else if (opcode == Opcodes.MONITOREXIT) {
        callPoints(mv, "exit", "(Ljava/lang/Object;)V");
      } else {
        if (isInitializer && opcode == Opcodes.RETURN) {
          callPoints(mv, "release", "()V");
        }
        super.visitInsn(opcode);
      }
    }
  }
}
