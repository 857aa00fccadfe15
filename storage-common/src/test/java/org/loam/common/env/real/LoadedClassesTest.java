package org.loam.common.env.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LoadedClassesTest {
  /** Names the others: one is called, one is thrown, one is only in a descriptor. */
  static final class Root {
    static Object use(boolean wrong) {
      if (wrong) {
        throw new Wrong();
      }
      Supplier<Described> none = () -> null;
      return new Object[] {Next.call(), none};
    }
  }

  static final class Next {
    static Object call() {
      return Last.class;
    }
  }

  static final class Last {}

  static final class Described {}

  static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void allClassesThatCanBeReachedAreLoadedOnce() throws Exception {
    Noting loader = new Noting(LoadedClassesTest.class.getProtectionDomain());
    Class<?> root = loader.loadClass(Root.class.getName());
    assertThat(loader.defined).containsExactly(Root.class.getName());
    assertThat(LoadedClasses.loadFrom(root, "org.loam.")).isGreaterThanOrEqualTo(5);
    assertThat(loader.defined)
        .contains(
            Next.class.getName(),
            Last.class.getName(),
            Described.class.getName(),
            Wrong.class.getName());
    assertThat(LoadedClasses.loadFrom(root, "org.loam.")).isZero();
  }

  /** Such as one that is compiled in memory: it has no file that could not be opened. */
  @Test
  void nothingIsLoadedForAClassOfNoDirectory() throws Exception {
    Noting loader = new Noting(null);
    Class<?> root = loader.loadClass(Root.class.getName());
    assertThat(LoadedClasses.loadFrom(root, "org.loam.")).isZero();
    assertThat(loader.defined).containsExactly(Root.class.getName());
  }

  /** Defines the classes of this test by itself and notes which. */
  private static final class Noting extends ClassLoader {
    private final Set<String> defined = new HashSet<>();

    private final @Nullable ProtectionDomain domain;

    Noting(@Nullable ProtectionDomain domain) {
      super(LoadedClassesTest.class.getClassLoader());
      this.domain = domain;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(LoadedClassesTest.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> before = findLoadedClass(name);
      if (before != null) {
        return before;
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        defined.add(name);
        return defineClass(name, bytes, 0, bytes.length, domain);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
