package org.loam.lsm.manifest;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.loam.lsm.disk.SSTableMeta;
import org.loam.lsm.manifest.ManifestEdit.Change;
import org.loam.lsm.manifest.ManifestEdit.CreateTree;
import org.loam.lsm.manifest.ManifestEdit.DescribeTree;
import org.loam.lsm.manifest.ManifestEdit.DropTree;
import org.loam.lsm.manifest.ManifestEdit.Identity;
import org.loam.lsm.manifest.ManifestEdit.PlaceTree;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.manifest.ManifestEdit.ReserveDirectories;
import org.loam.lsm.manifest.ManifestEdit.ReserveIds;
import org.loam.lsm.manifest.ManifestEdit.Seal;
import org.loam.lsm.manifest.ManifestEdit.Truncate;
import org.loam.scheduler.merge.KeyRange;

/** The bytes of an edit; docs/formats/manifest.md is the table. Integers little-endian. */
final class EditCodec {
  private static final byte IDENTITY = 1;
  private static final byte CREATE_TREE = 2;
  private static final byte DROP_TREE = 3;
  private static final byte REPLACE_COMPONENTS = 4;
  private static final byte RESERVE_IDS = 5;
  private static final byte TRUNCATE = 6;
  private static final byte SEAL = 7;
  private static final byte DESCRIBE_TREE = 8;
  private static final byte PLACE_TREE = 9;
  private static final byte RESERVE_DIRECTORIES = 10;

  private EditCodec() {}

  static byte[] encode(ManifestEdit edit) {
    Writer w = new Writer();
    w.putInt(edit.changes().size());
    for (Change change : edit.changes()) {
      encode(w, change);
    }
    return w.bytes();
  }

  private static void encode(Writer w, Change change) {
    if (change instanceof Identity i) {
      w.putByte(IDENTITY);
      encode(w, i.identity());
    } else if (change instanceof CreateTree c) {
      w.putByte(CREATE_TREE);
      w.putInt(c.treeId());
      w.putText(c.name());
      w.putInt(c.keyPrefixLength());
    } else if (change instanceof DescribeTree d) {
      w.putByte(DESCRIBE_TREE);
      w.putInt(d.treeId());
      w.putText(d.description());
    } else if (change instanceof PlaceTree p) {
      w.putByte(PLACE_TREE);
      w.putInt(p.treeId());
      w.putInt(p.directory());
    } else if (change instanceof ReserveDirectories r) {
      w.putByte(RESERVE_DIRECTORIES);
      w.putInt(r.next());
    } else if (change instanceof DropTree d) {
      w.putByte(DROP_TREE);
      w.putInt(d.treeId());
      w.putLong(d.lsn());
    } else if (change instanceof ReplaceComponents r) {
      encode(w, r);
    } else if (change instanceof ReserveIds r) {
      w.putByte(RESERVE_IDS);
      w.putInt(r.nextFileId());
      w.putInt(r.nextTreeId());
    } else if (change instanceof Truncate t) {
      w.putByte(TRUNCATE);
      w.putLong(t.lsn());
    } else if (change instanceof Seal) {
      w.putByte(SEAL);
    }
  }

  private static void encode(Writer w, DatabaseIdentity identity) {
    w.putLong(identity.databaseId());
    w.putInt(identity.pageBytes());
    w.putLong(identity.featureBits());
    if (identity.isOfCheckpoint()) {
      w.putLong(identity.directoriesId());
    }
  }

  private static void encode(Writer w, ReplaceComponents r) {
    w.putByte(REPLACE_COMPONENTS);
    w.putInt(r.treeId());
    w.putLong(r.durableLsn());
    w.putInt(r.removed().size());
    r.removed().forEach(w::putInt);
    w.putInt(r.added().size());
    for (ComponentRecord c : r.added()) {
      SSTableMeta m = c.meta();
      w.putInt(c.level());
      w.putLong(c.group());
      w.putInt(m.fileId());
      w.putLong(m.salt());
      w.putLong(m.sizeBytes());
      w.putInt(m.fileCrc());
      w.putLong(m.counts().entries());
      w.putLong(m.counts().antiMatter());
      w.putBytes(m.keys().min());
      w.putBytes(m.keys().max());
      w.putLong(m.lsns().min());
      w.putLong(m.lsns().max());
    }
  }

  /**
   * Decodes an edit whose checksum was right.
   *
   * @throws IllegalStateException if the bytes are no edit all the same
   */
  static ManifestEdit decode(ByteBuffer bytes) {
    ByteBuffer in = bytes.order(ByteOrder.LITTLE_ENDIAN);
    try {
      int count = in.getInt();
      List<Change> changes = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        changes.add(decodeChange(in));
      }
      if (in.hasRemaining()) {
        throw new IllegalStateException(in.remaining() + " bytes after the last change");
      }
      return new ManifestEdit(changes);
    } catch (BufferUnderflowException e) {
      throw new IllegalStateException("the edit ends in the middle of a change", e);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static DatabaseIdentity decodeIdentity(ByteBuffer in) {
    long id = in.getLong();
    int pageBytes = in.getInt();
    long features = in.getLong();
    boolean ofCheckpoint = (features & DatabaseIdentity.CHECKPOINT) != 0;
    return new DatabaseIdentity(id, pageBytes, features, ofCheckpoint ? in.getLong() : id);
  }

  private static Change decodeChange(ByteBuffer in) {
    byte type = in.get();
    return switch (type) {
      case IDENTITY -> new Identity(decodeIdentity(in));
      case CREATE_TREE -> new CreateTree(in.getInt(), getText(in), in.getInt());
      case DESCRIBE_TREE -> new DescribeTree(in.getInt(), getText(in));
      case PLACE_TREE -> new PlaceTree(in.getInt(), in.getInt());
      case RESERVE_DIRECTORIES -> new ReserveDirectories(in.getInt());
      case DROP_TREE -> new DropTree(in.getInt(), in.getLong());
      case REPLACE_COMPONENTS -> decodeReplace(in);
      case RESERVE_IDS -> new ReserveIds(in.getInt(), in.getInt());
      case TRUNCATE -> new Truncate(in.getLong());
      case SEAL -> new Seal();
      default -> throw new IllegalStateException("unknown change type " + type);
    };
  }

  private static ReplaceComponents decodeReplace(ByteBuffer in) {
    int treeId = in.getInt();
    long durableLsn = in.getLong();
    List<Integer> removed = new ArrayList<>();
    for (int n = in.getInt(); n > 0; n--) {
      removed.add(in.getInt());
    }
    List<ComponentRecord> added = new ArrayList<>();
    for (int n = in.getInt(); n > 0; n--) {
      int level = in.getInt();
      long group = in.getLong();
      SSTableMeta meta =
          new SSTableMeta(
              in.getInt(),
              in.getLong(),
              in.getLong(),
              in.getInt(),
              new SSTableMeta.Counts(in.getLong(), in.getLong()),
              new KeyRange(getBytes(in), getBytes(in)),
              new SSTableMeta.Lsns(in.getLong(), in.getLong()));
      added.add(new ComponentRecord(level, group, meta));
    }
    return new ReplaceComponents(treeId, removed, added, durableLsn);
  }

  private static String getText(ByteBuffer in) {
    return new String(getBytes(in), StandardCharsets.UTF_8);
  }

  private static byte[] getBytes(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static final class Writer {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(256);

    void putByte(byte v) {
      out.write(v);
    }

    void putInt(int v) {
      for (int shift = 0; shift < 32; shift += 8) {
        out.write(v >>> shift);
      }
    }

    void putLong(long v) {
      putInt((int) v);
      putInt((int) (v >>> 32));
    }

    void putText(String v) {
      putBytes(v.getBytes(StandardCharsets.UTF_8));
    }

    void putBytes(byte[] v) {
      putInt(v.length);
      out.writeBytes(v);
    }

    byte[] bytes() {
      return out.toByteArray();
    }
  }
}
