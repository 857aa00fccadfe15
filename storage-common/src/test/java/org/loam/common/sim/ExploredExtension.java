package org.loam.common.sim;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Runs the test methods of {@link Explored} classes in a {@link LoamClassLoader}. */
final class ExploredExtension implements InvocationInterceptor {
  /** One for all: to load, and to compile, hundreds of classes takes longer than most tests. */
  private static final ClassLoader LOADER = LoamClassLoader.instrumented();

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> called,
      ExtensionContext context)
      throws Throwable {
    invocation.skip();
    Class<?> type = LOADER.loadClass(called.getTargetClass().getName());
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    Method original = called.getExecutable();
    Method method = type.getDeclaredMethod(original.getName(), original.getParameterTypes());
    method.setAccessible(true);
    try {
      method.invoke(constructor.newInstance(), called.getArguments().toArray());
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> called,
      ExtensionContext context)
      throws Throwable {
    interceptTestMethod(invocation, called, context);
  }
}
