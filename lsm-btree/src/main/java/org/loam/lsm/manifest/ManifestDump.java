package org.loam.lsm.manifest;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.StorageException;
import org.loam.common.key.Keys;
import org.loam.lsm.disk.SSTableMeta;
import org.loam.lsm.manifest.ManifestState.TreeRecord;

/**
 * A manifest to be looked at: as much as can be read of it, and what is damaged. Immutable.
 *
 * @param file the manifest file that counts, or the newest there is; null if there is none
 * @param fileBytes its size
 * @param readableBytes where its readable edits end
 * @param tornTail whether an edit follows that was not written whole, as a crash leaves it
 * @param state what the readable edits add up to, null if there are none
 * @param edits the readable edits, in order
 * @param damage what is wrong, one sentence each
 */
public record ManifestDump(
    @Nullable String file,
    long fileBytes,
    long readableBytes,
    boolean tornTail,
    @Nullable State state,
    List<Edit> edits,
    List<String> damage) {
  /**
   * What a database consists of. Its parts are groups of fields for the code; as JSON they are one.
   *
   * @param identity of the database
   * @param next ids that come next
   * @param log how much of it is needed
   * @param sealed whether the database was closed cleanly
   * @param dropped trees that are gone, with the LSN below which their log records are skipped
   * @param trees the trees, by id
   */
  public record State(
      @JsonUnwrapped Identity identity,
      @JsonUnwrapped NextIds next,
      @JsonUnwrapped LogBounds log,
      boolean sealed,
      Map<Integer, Long> dropped,
      List<TreeState> trees) {}

  /**
   * A database.
   *
   * @param databaseId random, in hexadecimal
   * @param pageBytes page size
   * @param featureBits what a reader must know
   * @param directoriesId that of its additional data directories, in hexadecimal
   */
  public record Identity(String databaseId, int pageBytes, long featureBits, String directoriesId) {
    /** Whether the log is that of a host: the database has none. */
    public boolean lacksLog() {
      return (featureBits & DatabaseIdentity.HOST_LOG) != 0;
    }
  }

  /**
   * Ids that come next.
   *
   * @param nextTreeId no tree has it yet
   * @param nextFileId no file has it yet
   */
  public record NextIds(int nextTreeId, int nextFileId, int nextDirectory) {}

  /**
   * How much of the log is needed.
   *
   * @param truncationLsn replay of the log starts here
   * @param maxComponentLsn the largest LSN in any component, -1 if there is none; the log was
   *     forced through it
   */
  public record LogBounds(long truncationLsn, long maxComponentLsn) {}

  /**
   * A tree.
   *
   * @param id its id
   * @param name its name
   * @param description what its owner says that it is for
   * @param keyPrefixLength bytes that its keys have in common
   * @param directory number of the data directory where its components are
   * @param durableLsn every write up to it is in the components; -1 if there was none
   * @param components its components in search order
   */
  public record TreeState(
      int id,
      String name,
      String description,
      int keyPrefixLength,
      int directory,
      long durableLsn,
      List<ComponentState> components) {}

  /**
   * An SSTable.
   *
   * @param file name of the file
   * @param level 0 for L0
   * @param group at L0, the group; a larger one is newer
   * @param sizeBytes size of the file
   * @param counts of entries
   * @param keys the range of keys
   * @param lsns the range of LSNs
   */
  public record ComponentState(
      String file,
      int level,
      long group,
      long sizeBytes,
      @JsonUnwrapped Counts counts,
      @JsonUnwrapped KeyBounds keys,
      @JsonUnwrapped LsnBounds lsns) {}

  /**
   * How much a file holds.
   *
   * @param entries its entries, anti-matter counted
   * @param antiMatter entries that are anti-matter
   */
  public record Counts(long entries, long antiMatter) {}

  /**
   * The range of keys.
   *
   * @param minKey smallest key
   * @param maxKey largest key
   */
  public record KeyBounds(String minKey, String maxKey) {}

  /**
   * The range of LSNs.
   *
   * @param minLsn smallest LSN
   * @param maxLsn largest LSN
   */
  public record LsnBounds(long minLsn, long maxLsn) {}

  /**
   * An edit.
   *
   * @param offset of its record in the file
   * @param sequence its number
   * @param changes one sentence each
   */
  public record Edit(long offset, long sequence, List<String> changes) {}

  /**
   * Reads the manifest of a database that no engine has open. It changes nothing, and reports
   * damage instead of throwing.
   */
  public static ManifestDump read(StorageEnv env, Path directory) {
    List<String> damage = new ArrayList<>();
    long number = -1;
    try {
      number = CurrentFile.read(env, directory);
    } catch (StorageException e) {
      damage.add(
          Manifest.exists(env, directory)
              ? String.valueOf(e.getMessage())
              : CurrentFile.path(directory) + " is missing; restore it from a backup");
      number = ManifestFile.newest(env.files(), directory);
    }
    if (number < 0) {
      return new ManifestDump(null, 0, 0, false, null, List.of(), damage);
    }
    Path path = ManifestFile.path(directory, number);
    List<Edit> edits = new ArrayList<>();
    ManifestReader reader;
    try {
      reader = ManifestReader.load(env, path, number);
    } catch (StorageException e) {
      damage.add(String.valueOf(e.getMessage()));
      return new ManifestDump(path.toString(), 0, 0, false, null, edits, damage);
    }
    boolean torn = false;
    try {
      reader.run((offset, sequence, edit) -> edits.add(edit(offset, sequence, edit)));
      torn = reader.hasTornTail();
    } catch (StorageException e) {
      damage.add(String.valueOf(e.getMessage()));
    }
    return new ManifestDump(
        path.toString(),
        reader.fileBytes(),
        reader.validBytes(),
        torn,
        reader.state().hasIdentity() ? state(reader.state()) : null,
        edits,
        damage);
  }

  private static Edit edit(long offset, long sequence, ManifestEdit edit) {
    return new Edit(offset, sequence, edit.changes().stream().map(ChangeText::of).toList());
  }

  private static State state(ManifestState state) {
    DatabaseIdentity identity = state.identity();
    return new State(
        new Identity(
            Long.toHexString(identity.databaseId()),
            identity.pageBytes(),
            identity.featureBits(),
            Long.toHexString(identity.directoriesId())),
        new NextIds(state.nextTreeId(), state.nextFileId(), state.nextDirectory()),
        new LogBounds(state.truncationLsn(), state.maxComponentLsn()),
        state.sealed(),
        new TreeMap<>(state.dropped()),
        state.trees().stream().map(ManifestDump::tree).toList());
  }

  private static TreeState tree(TreeRecord tree) {
    Comparator<ComponentRecord> searchOrder =
        Comparator.comparingInt(ComponentRecord::level)
            .thenComparing(ComponentRecord::group, Comparator.reverseOrder())
            .thenComparing(c -> c.meta().keys().min(), Arrays::compareUnsigned);
    return new TreeState(
        tree.treeId(),
        tree.name(),
        tree.description(),
        tree.keyPrefixLength(),
        tree.directory(),
        tree.durableLsn(),
        tree.components().stream().sorted(searchOrder).map(ManifestDump::component).toList());
  }

  private static ComponentState component(ComponentRecord component) {
    SSTableMeta meta = component.meta();
    return new ComponentState(
        meta.fileName(),
        component.level(),
        component.group(),
        meta.sizeBytes(),
        new Counts(meta.counts().entries(), meta.counts().antiMatter()),
        new KeyBounds(Keys.describe(meta.keys().min()), Keys.describe(meta.keys().max())),
        new LsnBounds(meta.lsns().min(), meta.lsns().max()));
  }
}
