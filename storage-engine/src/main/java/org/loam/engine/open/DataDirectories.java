package org.loam.engine.open;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageEnv;
import org.loam.lsm.manifest.DatabaseIdentity;
import org.loam.lsm.manifest.DirectoryIdentity;
import org.loam.lsm.manifest.ManifestState;
import org.loam.lsm.manifest.ManifestState.TreeRecord;

/**
 * Finds out which of the directories given at open is which. The file in each says whose it is and
 * what number it has; the manifest says which numbers trees live in. Nothing is made before all of
 * it fits, and a new directory gets its file only when the manifest keeps its number.
 */
public final class DataDirectories {
  private final StorageEnv env;
  private final Path main;
  private final DatabaseIdentity identity;
  private final SortedMap<Integer, Path> known = new TreeMap<>();
  private final List<Path> fresh = new ArrayList<>();

  private DataDirectories(StorageEnv env, Path main, DatabaseIdentity identity) {
    this.env = env;
    this.main = main;
    this.identity = identity;
  }

  /**
   * The additional directories by number. New ones are made, without identity.
   *
   * @param main directory of the database, which is locked
   * @param identity of the database
   * @param given additional ones, in any order
   * @param trees of the database
   * @param next number of the next directory that is new
   * @throws IllegalArgumentException if one is missing, named twice, of another database, the one
   *     of this database's own tables, or new and not empty; names it and says what to do
   */
  static SortedMap<Integer, Path> resolve(
      StorageEnv env,
      Path main,
      DatabaseIdentity identity,
      List<Path> given,
      Collection<TreeRecord> trees,
      int next) {
    DataDirectories directories = new DataDirectories(env, main, identity);
    given.forEach(directories::recognise);
    directories.requireAll(trees);
    directories.numberFresh(next);
    return directories.known;
  }

  private void recognise(Path directory) {
    requireNotOwn(directory);
    DirectoryIdentity found = DirectoryIdentity.read(env, directory);
    if (found == null) {
      requireFresh(directory);
      fresh.add(directory);
      return;
    }
    if (found.databaseId() != identity.directoriesId()) {
      throw new IllegalArgumentException(
          "data directory "
              + directory
              + " belongs to "
              + (found.databaseId() == identity.databaseId()
                  ? "the database that the one in " + main + " is a checkpoint of"
                  : "another database than the one in " + main)
              + ": its id is "
              + Long.toHexString(found.databaseId())
              + ", and "
              + Long.toHexString(identity.directoriesId())
              + " is right; name a directory of this database, or an empty one");
    }
    Path other = known.put(found.number(), directory);
    if (other != null) {
      throw new IllegalArgumentException(
          "data directories "
              + other
              + " and "
              + directory
              + " are both number "
              + found.number()
              + " of the database in "
              + main
              + ": one directory named twice, or a copy of it; name each one once");
    }
  }

  /**
   * Refuses the directory of the database's own tables: each of its two numbers would take the
   * tables of the other one for orphans. A bind mount has a path of its own, so what is written in
   * one of the two and read in the other counts, too.
   */
  private void requireNotOwn(Path directory) {
    Path own = Storage.dataDirectory(main);
    DirectoryIdentity inOwn = DirectoryIdentity.read(env, own);
    if (isSame(own, directory)
        || (inOwn != null && inOwn.equals(DirectoryIdentity.read(env, directory)))) {
      throw new IllegalArgumentException(
          "data directory "
              + directory
              + " is "
              + own
              + ", where the database has its own tables already: that is number 0; leave it out");
    }
  }

  private void requireFresh(Path directory) {
    String stranger =
        env.files().exists(directory) ? DirectoryIdentity.stranger(env, directory) : null;
    if (stranger != null) {
      throw new IllegalArgumentException(
          "data directory "
              + directory
              + " is not one of the database in "
              + main
              + ", and not empty: there is "
              + stranger
              + "; name an empty directory, or restore the file named identity");
    }
    for (Path other : fresh) {
      if (isSame(other, directory)) {
        throw namedTwice(directory);
      }
    }
  }

  private boolean isSame(Path one, Path other) {
    return env.files().realPath(one).equals(env.files().realPath(other));
  }

  private static IllegalArgumentException namedTwice(Path directory) {
    return new IllegalArgumentException(
        "data directory " + directory + " is named twice; name each one once");
  }

  /** A directory without trees may be left out. */
  private void requireAll(Collection<TreeRecord> trees) {
    for (TreeRecord tree : trees) {
      int number = tree.directory();
      if (number > 0 && !known.containsKey(number)) {
        List<String> names =
            trees.stream().filter(t -> t.directory() == number).map(TreeRecord::name).toList();
        throw new IllegalArgumentException(
            "data directory "
                + number
                + " of the database in "
                + main
                + " is missing, where these trees live: "
                + String.join(", ", names)
                + "; name it at open (OpenOptions.withDirectories)"
                + (fresh.isEmpty() ? "" : unrecognised(fresh.get(0))));
      }
    }
  }

  private static String unrecognised(Path directory) {
    return "; " + directory + " has no file named identity: is its device mounted?";
  }

  /** Also one that is left out now keeps its number. */
  private void numberFresh(int free) {
    int next = known.isEmpty() ? free : Math.max(free, known.lastKey() + 1);
    for (Path directory : fresh) {
      create(env, directory);
      known.put(next, directory);
      next++;
    }
  }

  /**
   * Writes the numbers of new directories into them. The manifest on disk must keep these numbers
   * before: if this open fails, or the directory is left out from now on, no other one gets them.
   *
   * @param storage with the directories as {@link #resolve} gave them
   * @throws IllegalArgumentException if two of them prove to be one directory; names it
   */
  static void claim(Storage storage) {
    DatabaseIdentity identity = storage.manifest().read(ManifestState::identity);
    DataDirectories directories = new DataDirectories(storage.env(), storage.directory(), identity);
    storage.directories().tailMap(1).forEach(directories::claim);
  }

  private void claim(int number, Path directory) {
    DirectoryIdentity own = new DirectoryIdentity(identity.directoriesId(), number);
    DirectoryIdentity found = DirectoryIdentity.read(env, directory);
    if (found == null) {
      own.write(env, directory);
      requireNotOwn(directory);
    } else if (!found.equals(own)) {
      // A bind mount: it has just got an identity by its other name.
      throw namedTwice(directory);
    }
  }

  /** Makes a directory and its name durable, and those of its parents, if it is not there. */
  static void create(StorageEnv env, Path directory) {
    Deque<Path> missing = new ArrayDeque<>();
    @Nullable Path at = directory.toAbsolutePath();
    while (at != null && !env.files().exists(at)) {
      missing.push(at);
      at = at.getParent();
    }
    env.files().createDirectories(directory);
    for (Path made : missing) {
      Path parent = made.getParent();
      if (parent != null) {
        env.files().forceDirectory(parent);
      }
    }
  }

  /** Refuses the number of a data directory that there is not. */
  public static void require(SortedMap<Integer, Path> directories, int number) {
    if (!directories.containsKey(number)) {
      throw new IllegalArgumentException(
          "there is no data directory "
              + number
              + "; there are "
              + list(directories)
              + ". Name others at open (OpenOptions.withDirectories)");
    }
  }

  /** Says which directories there are. */
  static String list(Map<Integer, Path> directories) {
    List<String> all = new ArrayList<>();
    directories.forEach((number, path) -> all.add(number + " (" + path + ")"));
    return String.join(", ", all);
  }
}
