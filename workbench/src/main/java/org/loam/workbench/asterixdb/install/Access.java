package org.loam.workbench.asterixdb.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Set;

/**
 * What AsterixDB's own files let their users do. Root installs into distributions of other users,
 * and these must be able to read what is added.
 */
record Access(UserPrincipal owner, GroupPrincipal group, Set<PosixFilePermission> permissions) {
  private static final Set<PosixFilePermission> EXECUTE =
      EnumSet.of(
          PosixFilePermission.OWNER_EXECUTE,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_EXECUTE);

  /** That of a file. */
  static Access of(Path file) throws IOException {
    PosixFileAttributes found = view(file).readAttributes();
    return new Access(found.owner(), found.group(), found.permissions());
  }

  /** That of a file that is no program, for those that may read its directory. */
  static Access ofFileIn(Path directory) throws IOException {
    Access found = of(directory);
    Set<PosixFilePermission> permissions = EnumSet.copyOf(found.permissions);
    permissions.removeAll(EXECUTE);
    return new Access(found.owner, found.group, permissions);
  }

  /**
   * Gives it to a file of this process.
   *
   * @throws IOException if the file cannot have this owner or group: only root gives files away
   */
  void give(Path file) throws IOException {
    Access now = of(file);
    PosixFileAttributeView view = view(file);
    if (!now.group.equals(group)) {
      view.setGroup(group);
    }
    if (!now.owner.equals(owner)) {
      view.setOwner(owner);
    }
    view.setPermissions(permissions);
  }

  private static PosixFileAttributeView view(Path file) {
    return Files.getFileAttributeView(file, PosixFileAttributeView.class);
  }
}
