package org.loam.common.env;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Files for whose forces there may be no thread: a process can have as many threads as it may have.
 */
public final class ThreadlessFiles {
  private final String name;
  private volatile boolean exhausted;

  /**
   * @param name the files in question have names that begin with it
   */
  public ThreadlessFiles(String name) {
    this.name = name;
  }

  /** An environment with such files. */
  public StorageEnv in(StorageEnv env) {
    StorageFiles files =
        proxy(
            StorageFiles.class,
            (method, arguments) -> {
              Object result = invoke(method, env.files(), arguments);
              return result instanceof StorageFile file ? file(file) : result;
            });
    return new StorageEnv(files, env.clock(), env.waiter(), env.tasks(), env.random());
  }

  /** From now on there is no thread, or there is one again. */
  public void exhausted(boolean now) {
    exhausted = now;
  }

  private StorageFile file(StorageFile file) {
    boolean isOne = file.path().getFileName().toString().startsWith(name);
    return proxy(
        StorageFile.class,
        (method, arguments) -> {
          if (exhausted && isOne && method.getName().equals("force")) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return invoke(method, file, arguments);
        });
  }

  private interface Call {
    @Nullable Object on(Method method, Object @Nullable [] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call.on(method, arguments)));
  }

  private static @Nullable Object invoke(
      Method method, Object target, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
