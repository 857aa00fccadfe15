package org.loam.lsm.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.cache.CacheCounters;
import org.loam.cache.frame.CacheMemory;
import org.loam.cache.frame.FrameCache;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Simulation;
import org.loam.lsm.disk.WriterMemory;
import org.loam.lsm.read.SortedCursor;

/** What is left of tables that were written and could not be opened. */
class TableOutputTest {
  private static final int PAGE_BYTES = 4096;
  private static final int TABLES = 3;

  /** Files that know how many are open. Off-heap memory lacks when one of the tables is read. */
  private static final class Files {
    private final int lacking;
    private int opened;
    private int open;

    /**
     * @param lacking counts the tables that are opened, from 1
     */
    Files(int lacking) {
      this.lacking = lacking;
    }

    StorageEnv in(StorageEnv env) {
      StorageFiles files =
          proxy(
              StorageFiles.class,
              (method, arguments) -> {
                Object result = invoke(method, env.files(), arguments);
                return result instanceof StorageFile file
                    ? file(file, arguments[1] == Mode.READ_PAGES && ++opened == lacking)
                    : result;
              });
      return new StorageEnv(files, env.clock(), env.waiter(), env.tasks(), env.random());
    }

    private StorageFile file(StorageFile file, boolean isLacking) {
      open++;
      return proxy(
          StorageFile.class,
          (method, arguments) -> {
            if (isLacking && method.getName().equals("read")) {
              throw new OutOfMemoryError("planned");
            }
            open -= method.getName().equals("close") ? 1 : 0;
            return invoke(method, file, arguments);
          });
    }

    private interface Call {
      @Nullable Object on(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, arguments) -> call.on(method, arguments)));
    }

    private static @Nullable Object invoke(Method method, Object target, Object[] arguments)
        throws Throwable {
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        throw e.getTargetException();
      }
    }
  }

  private static void write(TableOutput output) {
    List<SortedCursor.Entry> entries =
        IntStream.range(0, TABLES)
            .mapToObj(i -> new SortedCursor.Entry(key(i), 1, EntryKind.PUT, new byte[100]))
            .toList();
    try (SortedCursor cursor = new SortedCursor(entries)) {
      while (cursor.next()) {
        output.add(cursor, true);
      }
    }
  }

  private static byte[] key(int i) {
    return new byte[] {(byte) i};
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aTableThatCannotBeOpenedForLackOfMemoryLeavesNothing(int lacking) {
    Files files = new Files(lacking);
    try (Simulation sim = Simulation.seeded(1);
        PagePool pool = new PagePool(64, PAGE_BYTES);
        FixedMemory fixed = new FixedMemory(1 << 20)) {
      StorageEnv env = files.in(sim.env());
      CacheMemory memory = new CacheMemory(pool, pool.quota("cache", 64), fixed);
      try (FrameCache cache = new FrameCache(memory, env.waiter(), new CacheCounters())) {
        int[] id = new int[1];
        TableStore store =
            new TableStore(env, 0, sim.directory(), cache, new Epochs(env.waiter()), () -> ++id[0]);
        int bytes = 8 * PAGE_BYTES;
        WriterMemory work =
            new WriterMemory(
                fixed.allocate("pages", bytes, PAGE_BYTES),
                bytes,
                fixed.allocate("work", bytes, Long.BYTES),
                bytes);
        TableOutput output =
            new TableOutput(
                store,
                new TableSettings(PAGE_BYTES, 10, 1 << 20, 1 << 20),
                work,
                false,
                true,
                List.of(key(1), key(2)));
        write(output);
        long liveBytes = Mem.liveBytes();
        assertThatThrownBy(output::finish)
            .isInstanceOf(OutOfMemoryError.class)
            .hasMessage("planned");
        assertThat(files.open).as("open files").isZero();
        assertThat(Mem.liveBytes()).isEqualTo(liveBytes);
        assertThat(sim.env().files().list(sim.directory())).hasSize(TABLES);
        output.abandon();
        assertThat(sim.env().files().list(sim.directory())).isEmpty();
        fixed.free(work.pages());
        fixed.free(work.work());
      }
    }
  }
}
