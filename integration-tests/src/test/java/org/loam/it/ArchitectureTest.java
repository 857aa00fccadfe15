package org.loam.it;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which package may use which, checked on the compiled main classes of every module. */
@Tag("once")
class ArchitectureTest {
  /** One module: its package and the packages of the modules it may use. */
  record Module(String name, Set<String> mayUse) {
    static Module of(String name, String... mayUse) {
      return new Module(name, Set.of(mayUse));
    }

    String classes() {
      return "org.loam." + name + "..";
    }
  }

  /** The arrows of docs and poms, once more: a pom says what resolves, this says what is meant. */
  static Stream<Module> modules() {
    return Stream.of(
        Module.of("common"),
        Module.of("cache", "common"),
        Module.of("log", "common"),
        Module.of("scheduler", "common"),
        Module.of("tuner", "common"),
        Module.of("lsm", "cache", "log", "scheduler", "common"),
        Module.of("engine", "lsm", "cache", "log", "scheduler", "tuner", "common"),
        Module.of("dashboard", "engine", "tuner", "common"),
        Module.of(
            "workbench",
            "dashboard",
            "engine",
            "lsm",
            "cache",
            "log",
            "scheduler",
            "tuner",
            "common"),
        Module.of("asterix", "engine", "lsm", "cache", "log", "scheduler", "tuner", "common"));
  }

  /** Packages for programs that embed the engine. */
  private static final String OPEN_PACKAGES =
      "org\\.loam\\.(engine|engine\\.(json|report|host)|common\\.(config|error|key))"
          + "\\.\\w+(\\$\\w+)*";

  /** The rooms of the engine: what works below its handles. */
  private static final String[] ROOMS = {
    "org.loam.engine.operation..",
    "org.loam.engine.notify..",
    "org.loam.engine.memory..",
    "org.loam.engine.tuning..",
    "org.loam.engine.scheme..",
    "org.loam.engine.commit..",
    "org.loam.engine.read..",
    "org.loam.engine.tree..",
    "org.loam.engine.background..",
    "org.loam.engine.load..",
    "org.loam.engine.dataset..",
    "org.loam.engine.verify..",
    "org.loam.engine.open.."
  };

  /** What else the engine's signatures have; the list is not to grow. */
  private static final Set<String> SHOWN_BY_THE_ENGINE =
      Set.of(
          "org.loam.cache.CacheStatistics",
          "org.loam.common.env.StorageEnv",
          "org.loam.lsm.FlushCause",
          "org.loam.lsm.dataset.IndexDefinition",
          "org.loam.scheduler.work.StallCause",
          "org.loam.scheduler.work.StallLog$Snapshot");

  private static final Set<String> WAITS_AND_STARTS =
      Set.of("<init>", "start", "sleep", "join", "yield", "onSpinWait");

  private static JavaClasses main;

  @BeforeAll
  static void importMainClasses() {
    main =
        new ClassFileImporter()
            .withImportOption(
                location ->
                    !location.contains("/test-classes/") && !location.contains("-tests.jar"))
            .importPackages("org.loam");
  }

  @ParameterizedTest
  @MethodSource("modules")
  void modulesUseOnlyWhatTheArrowsAllow(Module module) {
    Set<String> others = new TreeSet<>();
    modules().map(Module::name).forEach(others::add);
    others.remove(module.name());
    others.removeAll(module.mayUse());
    String[] forbidden =
        others.stream().map(name -> "org.loam." + name + "..").toArray(String[]::new);
    check(
        noClasses()
            .that()
            .resideInAPackage(module.classes())
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(forbidden));
  }

  /** A program that embeds the engine should not have to know its parts. */
  @Test
  void theEngineShowsFewTypesThatAreNotItsOwn() {
    TreeSet<String> shown = new TreeSet<>();
    for (JavaClass type : main) {
      if (type.getName().matches(OPEN_PACKAGES)
          && type.getPackageName().startsWith("org.loam.engine")
          && isPublic(type)) {
        Stream<JavaCodeUnit> units =
            type.getCodeUnits().stream().filter(unit -> unit.getModifiers().contains(PUBLIC));
        units
            .flatMap(ArchitectureTest::signature)
            .flatMap(shape -> shape.getAllInvolvedRawTypes().stream())
            .map(JavaClass::getName)
            .forEach(shown::add);
      }
    }
    shown.removeIf(name -> !name.startsWith("org.loam.") || name.matches(OPEN_PACKAGES));
    assertThat(shown).isEqualTo(new TreeSet<>(SHOWN_BY_THE_ENGINE));
  }

  /** Handles know rooms; rooms know neither handles nor the values that only handles show. */
  @Test
  void roomsDoNotKnowTheHandlesAboveThem() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(ROOMS)
            .or()
            .resideInAnyPackage("org.loam.engine.report..", "org.loam.engine.host..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.loam.engine", "org.loam.engine.json"));
  }

  @Test
  void roomsAreTheEnginesOwn() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("org.loam.engine..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOMS));
    Set<String> rooms = new TreeSet<>();
    for (JavaClass type : main) {
      if (type.getPackageName().startsWith("org.loam.engine")
          && !(type.getPackageName() + ".Type").matches(OPEN_PACKAGES)) {
        rooms.add(type.getPackageName() + "..");
      }
    }
    assertThat(rooms).as("each package of the engine is open or a room").isSubsetOf(ROOMS);
  }

  private static Stream<JavaType> signature(JavaCodeUnit unit) {
    return Stream.concat(unit.getParameterTypes().stream(), Stream.of(unit.getReturnType()));
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(PUBLIC)
        && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
  }

  @Test
  void packagesFormNoCycle() {
    check(slices().matching("org.loam.(**)").should().beFreeOfCycles());
  }

  @Test
  void everyClassBelongsToAModule() {
    String[] known = modules().map(Module::classes).toArray(String[]::new);
    check(noClasses().should().resideOutsideOfPackages(known));
  }

  @Test
  void onlyCommonMemTouchesUnsafe() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("org.loam.common.mem..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("sun.misc..", "jdk.internal.."));
  }

  @Test
  void onlyAsterixSeesTheHost() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("org.loam.asterix..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.hyracks..", "org.apache.asterix.."));
  }

  /** And below AsterixDB its own one, whose classes a servlet is given. */
  @Test
  void onlyTheDashboardServes() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages("org.loam.dashboard.http..", "org.loam.asterix.runtime..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "com.sun.net.httpserver.."));
  }

  @Test
  void onlyCommonEnvRealTouchesDisk() {
    check(
        noClasses()
            .that(areBoundToTheEnvironment())
            .should()
            .dependOnClassesThat(
                resideInAPackage("java.nio.channels..")
                    .or(resideInAPackage("com.sun.nio.file.."))
                    .or(named("java.nio.file.Files"))));
  }

  @Test
  void onlyCommonEnvRealParksAndStartsThreads() {
    check(
        noClasses()
            .that(areBoundToTheEnvironment())
            .should()
            .dependOnClassesThat(named("java.util.concurrent.locks.LockSupport"))
            .orShould()
            .callCodeUnitWhere(isOnThread()));
  }

  private static DescribedPredicate<JavaClass> areBoundToTheEnvironment() {
    DescribedPredicate<JavaClass> exempt =
        resideInAPackage("org.loam.common.env.real..")
            .or(resideInAPackage("org.loam.workbench.."))
            .or(resideInAPackage("org.loam.dashboard.."));
    return DescribedPredicate.not(exempt)
        .as("are outside of common.env.real, workbench and dashboard");
  }

  private static DescribedPredicate<JavaClass> named(String className) {
    return DescribedPredicate.describe(className, c -> c.getName().equals(className));
  }

  private static DescribedPredicate<JavaCall<?>> isOnThread() {
    return DescribedPredicate.describe(
        "it creates, starts, joins or pauses a thread",
        call -> {
          CodeUnitCallTarget target = call.getTarget();
          return target.getOwner().isAssignableTo(Thread.class)
              && WAITS_AND_STARTS.contains(target.getName());
        });
  }

  /** A module that is still empty breaks no rule. */
  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(main);
  }
}
