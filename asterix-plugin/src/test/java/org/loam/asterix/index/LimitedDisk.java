package org.loam.asterix.index;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.real.RealEnv;
import org.loam.common.error.DiskFullException;

/**
 * Real files, in a file system that has as much room as a test says: at first, as much as there is.
 * Thread-safe.
 */
final class LimitedDisk {
  private final StorageEnv real = RealEnv.create();
  private final AtomicLong freeBytes = new AtomicLong(Long.MAX_VALUE / 2);

  /** What happens instead of a call. */
  private interface Call {
    @Nullable Object of(Method method, Object[] arguments) throws Throwable;
  }

  StorageEnv env() {
    StorageFiles files = real.files();
    StorageFiles limited =
        over(
            StorageFiles.class,
            (method, arguments) ->
                switch (method.getName()) {
                  case "usableBytes" -> freeBytes.get();
                  case "delete" -> delete((Path) arguments[0]);
                  case "open" -> limited((StorageFile) call(files, method, arguments));
                  default -> call(files, method, arguments);
                });
    return new StorageEnv(limited, real.clock(), real.waiter(), real.tasks(), real.random());
  }

  /** From now on files can grow by so many bytes, and by what is deleted. */
  void freeBytes(long bytes) {
    freeBytes.set(bytes);
  }

  private @Nullable Object delete(Path path) {
    long size = path.toFile().length();
    real.files().delete(path);
    freeBytes.addAndGet(size);
    return null;
  }

  private StorageFile limited(StorageFile file) {
    return over(
        StorageFile.class,
        (method, arguments) -> {
          if (method.getName().equals("write")) {
            long end = (long) arguments[0] + (int) arguments[2];
            take(end - file.sizeBytes(), file.path());
          }
          return call(file, method, arguments);
        });
  }

  private void take(long bytes, Path path) {
    if (bytes > 0 && freeBytes.addAndGet(-bytes) < 0) {
      long free = freeBytes.addAndGet(bytes);
      throw new DiskFullException(
          "write of " + path + ": " + bytes + " bytes needed, " + free + " bytes free",
          bytes,
          free);
    }
  }

  private static <T> T over(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                call.of(method, arguments == null ? new Object[0] : arguments)));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
