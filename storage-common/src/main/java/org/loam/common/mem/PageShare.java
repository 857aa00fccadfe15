package org.loam.common.mem;

import java.util.ArrayList;
import java.util.List;

/**
 * The account of one quota: how many pages it may use, uses, and owes to others. Not thread-safe:
 * its pool's lock guards it. Only used and target pages may be read without the lock.
 *
 * <p>Invariant between calls: a share owes exactly the pages that it uses above its target. So the
 * sum over all shares of target and debt stays what it was, and the pages in use never exceed it.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
final class PageShare {
  final String name;
  private volatile int target;
  private volatile int used;
  private int owed;

  /** The oldest first: few. A deque that gets no heap to grow loses what it has. */
  private final List<Debt> debts = new ArrayList<>();

  /** The share that gets what is paid to this one: itself, or another once this is closed. */
  private PageShare heir = this;

  private static final class Debt {
    final PageShare to;
    int pages;

    Debt(PageShare to, int pages) {
      this.to = to;
      this.pages = pages;
    }
  }

  PageShare(String name, int target) {
    this.name = name;
    this.target = target;
  }

  int target() {
    return target;
  }

  int used() {
    return used;
  }

  int excess() {
    return Math.max(0, used - target);
  }

  boolean isClosed() {
    return heir != this;
  }

  /** Uses one page more; false if the target does not allow it. */
  boolean take() {
    if (used >= target) {
      return false;
    }
    used++;
    return true;
  }

  /** Uses one page less. */
  void giveBack() {
    used--;
    settle();
  }

  /**
   * Promises pages of the target to another share and pays what can be paid now. Without heap for
   * the debt it changes nothing.
   */
  void owe(PageShare to, int pages) {
    debts.add(new Debt(to, pages));
    target -= pages;
    owed += pages;
    settle();
  }

  /** Leaves the target, and what is still to be paid, to another share; no page may be in use. */
  void close(PageShare heir) {
    this.heir = heir;
    heir.target += target;
    target = 0;
    heir.settle();
  }

  /** Pays debts for as many pages as are no longer used, the oldest debt first. */
  private void settle() {
    while (owed > excess()) {
      Debt debt = debts.get(0);
      int pages = Math.min(debt.pages, owed - excess());
      owed -= pages;
      debt.pages -= pages;
      if (debt.pages == 0) {
        debts.remove(0);
      }
      PageShare receiver = debt.to.heir;
      receiver.target += pages;
      // The receiver may owe in turn. The chain ends, because every step pays some pages of a debt.
      receiver.settle();
    }
  }

  @Override
  public String toString() {
    return name + ": " + used + " of " + target + " pages";
  }
}
