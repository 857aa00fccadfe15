package org.loam.common.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.mem.Mem;

/** What schedules switch at is named by hand: a new way to access memory must be named, too. */
@Tag("once")
class AccessInstrumenterTest {
  /** Methods of {@link Mem} that access no memory which threads share. */
  private static final Set<String> NO_ACCESSES =
      Set.of(
          "allocate",
          "free",
          "freeAllocatedBy",
          "liveBytes",
          "liveBytesOf",
          "describeLive",
          "register",
          "unregister",
          "poison",
          "unpoison",
          "loadFence",
          "storeFence",
          "fullFence",
          "newWindow",
          "aim",
          "addressOf",
          "unmap");

  @Test
  void eachAccessToMemoryIsKnown() {
    Set<String> methods = new TreeSet<>();
    for (Method method : Mem.class.getDeclaredMethods()) {
      if (!Modifier.isPrivate(method.getModifiers()) && !method.isSynthetic()) {
        methods.add(method.getName());
      }
    }
    methods.removeAll(NO_ACCESSES);
    Set<String> known = new TreeSet<>(AccessInstrumenter.ORDERED);
    known.addAll(AccessInstrumenter.PLAIN);
    assertThat(methods).as("methods of Mem that access memory").isEqualTo(known);
  }
}
