package org.loam.workbench.peer.inline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.peer.Store;

/**
 * A B+-tree of {@link InlinePage}s. A value that is as long as before is replaced in its place; a
 * page that is full is split in the middle. One operation at a time.
 */
final class InlineTree {
  private final List<InlinePage> pages = new ArrayList<>();
  private int root;

  /** A page that was split off, and the least key in it. */
  private static final class Split {
    private final byte[] key;
    private final int page;

    private Split(byte[] key, int page) {
      this.key = key;
      this.page = page;
    }
  }

  InlineTree() {
    root = add(new InlinePage(true, -1));
  }

  private int add(InlinePage page) {
    pages.add(page);
    return pages.size() - 1;
  }

  synchronized void put(byte[] key, byte[] value) {
    Split split = put(root, key, value);
    if (split != null) {
      InlinePage above = new InlinePage(false, root);
      above.insert(0, split.key, InlinePage.childValue(split.page));
      root = add(above);
    }
  }

  private @Nullable Split put(int number, byte[] key, byte[] value) {
    InlinePage page = pages.get(number);
    if (page.isLeaf) {
      int found = page.find(key);
      if (found >= 0) {
        if (page.replace(found, value)) {
          return null;
        }
        page.remove(found);
      }
      return insert(page, key, value);
    }
    Split below = put(page.child(key), key, value);
    return below == null ? null : insert(page, below.key, InlinePage.childValue(below.page));
  }

  /** Inserts a key that is not there. */
  private @Nullable Split insert(InlinePage page, byte[] key, byte[] value) {
    if (page.insert(-1 - page.find(key), key, value)) {
      return null;
    }
    InlinePage upper = new InlinePage(page.isLeaf, page.link);
    page.moveUpperHalf(upper);
    int number = add(upper);
    byte[] least = upper.key(0);
    InlinePage target = Arrays.compareUnsigned(key, least) < 0 ? page : upper;
    if (!target.insert(-1 - target.find(key), key, value)) {
      throw new IllegalArgumentException(
          "a key of " + key.length + " and a value of " + value.length + " bytes, rule: 4 KiB");
    }
    if (page.isLeaf) {
      page.link = number;
    } else {
      upper.firstBecomesLink();
    }
    return new Split(least, number);
  }

  /** Of all pages, full or not. */
  synchronized long bytes() {
    return (long) pages.size() * InlinePage.BYTES;
  }

  private InlinePage leaf(byte[] key) {
    InlinePage page = pages.get(root);
    while (!page.isLeaf) {
      page = pages.get(page.child(key));
    }
    return page;
  }

  /** Copies a value; {@link Store#ABSENT} if there is none. */
  synchronized int get(byte[] key, byte[] target) {
    InlinePage page = leaf(key);
    int found = page.find(key);
    return found < 0 ? Store.ABSENT : page.copyValue(found, target);
  }

  /** See {@link Store.Session#scan}. */
  synchronized int scan(byte[] from, int limit, Store.RecordSink sink, byte[] key, byte[] value) {
    InlinePage page = leaf(from);
    int found = page.find(from);
    int slot = found >= 0 ? found : -1 - found;
    int shown = 0;
    while (shown < limit) {
      if (slot == page.count()) {
        if (page.link < 0) {
          return shown;
        }
        page = pages.get(page.link);
        slot = 0;
      } else {
        int keyLength = page.copyKey(slot, key);
        sink.record(key, keyLength, value, page.copyValue(slot, value));
        slot++;
        shown++;
      }
    }
    return shown;
  }
}
