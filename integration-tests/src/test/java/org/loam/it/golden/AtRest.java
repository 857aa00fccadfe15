package org.loam.it.golden;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.real.RealEnv;
import org.loam.common.key.Keys;
import org.loam.log.recover.LogDump;
import org.loam.log.recover.LogDump.Expected;
import org.loam.lsm.disk.SSTableDump;
import org.loam.lsm.manifest.ManifestDump;
import org.loam.lsm.manifest.ManifestDump.ComponentState;
import org.loam.lsm.manifest.ManifestDump.State;
import org.loam.lsm.manifest.ManifestDump.TreeState;

/**
 * A database that no engine has open, by its manifest, its tables and its log.
 *
 * @param directory of the database
 * @param state what the manifest says
 * @param log all frames of the log
 */
record AtRest(Path directory, State state, LogDump log) {
  private static final Pattern ORDER = Pattern.compile("order \\d+ of batch (\\d+); ");

  private static final SSTableDump.Limits ENTRIES = new SSTableDump.Limits(0, Long.MAX_VALUE);

  /** Reads a database, which must not be damaged. */
  static AtRest read(Path directory) {
    StorageEnv env = RealEnv.create();
    ManifestDump manifest = ManifestDump.read(env, directory);
    State state = manifest.state();
    if (state == null) {
      throw new AssertionError("no manifest can be read: " + manifest.damage());
    }
    Expected expected =
        new Expected(
            Long.parseUnsignedLong(state.identity().databaseId(), 16),
            state.log().truncationLsn(),
            state.log().maxComponentLsn() + 1);
    LogDump log =
        LogDump.read(env.files(), directory.resolve("log"), expected, Long.MAX_VALUE)
            .withDamage(manifest.damage());
    assertThat(log.damage()).isEmpty();
    return new AtRest(directory, state, log);
  }

  /** The batches that a recovery replays. */
  int loggedBatches() {
    return (int)
        log.frames().stream()
            .filter(frame -> frame.type().equals("BATCH") && frame.lsn() >= log.fromLsn())
            .count();
  }

  /**
   * Refuses a database whose {@code orders} were not flushed in parts: some write must be on disk
   * while an older one of another key is in the log only, and needed.
   *
   * @param last the last batch
   */
  void requirePartlyFlushed(int last) {
    TreeState orders = orders();
    long newestLsn =
        orders.components().stream().mapToLong(c -> c.lsns().maxLsn()).max().orElse(-1);
    assertThat(newestLsn).as("newest write in a table").isGreaterThan(orders.durableLsn());
    Set<String> onDisk = versionsOnDisk(orders);
    TreeSet<Integer> flushed = new TreeSet<>();
    TreeSet<Integer> loggedOnly = new TreeSet<>();
    GoldenContent.after(last, GoldenContent.ORDERS)
        .forEach(
            (key, value) -> {
              boolean isFlushed = onDisk.contains(version(Keys.describe(key), value.length));
              (isFlushed ? flushed : loggedOnly).add(batchOf(value));
            });
    assertThat(flushed).as("batches of present values on disk").isNotEmpty();
    assertThat(loggedOnly).as("batches of present values in the log only").isNotEmpty();
    // A flush of all of the tree would leave nothing older behind.
    assertThat(flushed.last()).as("newest batch on disk").isGreaterThan(loggedOnly.first());
    // The last frame is that of the last batch.
    assertThat(loggedOnly.first())
        .as("oldest batch in the log only, of %s", loggedBatches())
        .isGreaterThan(last - loggedBatches());
  }

  private TreeState orders() {
    return state.trees().stream()
        .filter(tree -> tree.name().equals(GoldenContent.ORDERS))
        .findFirst()
        .orElseThrow();
  }

  /** Keys with the lengths of values: the values of an order have another one in each batch. */
  private Set<String> versionsOnDisk(TreeState tree) {
    Set<String> versions = new HashSet<>();
    for (ComponentState component : tree.components()) {
      Path file = directory.resolve("data").resolve(component.file());
      SSTableDump table = SSTableDump.read(RealEnv.create().files(), file, ENTRIES);
      assertThat(table.damage()).isEmpty();
      for (SSTableDump.Entry entry : table.entries()) {
        if (entry.kind().equals("put")) {
          versions.add(version(entry.key(), entry.valueBytes()));
        }
      }
    }
    return versions;
  }

  private static String version(String key, int valueBytes) {
    return key + " of " + valueBytes;
  }

  private static int batchOf(byte[] value) {
    Matcher order = ORDER.matcher(new String(value, US_ASCII));
    assertThat(order.lookingAt()).isTrue();
    return Integer.parseInt(order.group(1));
  }
}
