package org.loam.workbench.asterixdb.suite;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.CommandException;

/** Chooses cases by their group and their name. Pure functions. */
final class SuiteSelection {
  /** Stands for all groups. */
  static final String ALL = "all";

  private SuiteSelection() {}

  /**
   * A case that was chosen.
   *
   * @param number of the case in the suite, from 0 on
   * @param missing what it needs and is not here; empty if it can run
   */
  record Chosen(int number, SuiteCase suiteCase, Optional<String> missing) {}

  /**
   * The chosen ones, in the order of the suite.
   *
   * @param groups names of groups, or {@link #ALL}
   * @param name what is to be found in a case's name; null for all
   * @param missing says of a case what it needs and is not here
   * @throws CommandException if there is no such group, or nothing is chosen
   */
  static List<Chosen> choose(
      List<SuiteCase> cases,
      Collection<String> groups,
      @Nullable Pattern name,
      Function<SuiteCase, Optional<String>> missing) {
    Set<String> known = new TreeSet<>();
    cases.forEach(suiteCase -> known.add(suiteCase.group()));
    for (String group : groups) {
      if (!group.equals(ALL) && !known.contains(group)) {
        throw CommandException.usage(
            "the suite has no group '" + group + "'; choose from all, " + String.join(", ", known));
      }
    }
    List<Chosen> chosen = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      SuiteCase suiteCase = cases.get(i);
      if ((groups.contains(ALL) || groups.contains(suiteCase.group()))
          && (name == null || name.matcher(suiteCase.name()).find())) {
        chosen.add(new Chosen(i, suiteCase, missing.apply(suiteCase)));
      }
    }
    if (chosen.isEmpty()) {
      throw CommandException.usage(
          "no case of " + String.join(", ", groups) + " has a name with '" + name + "'");
    }
    if (chosen.stream().allMatch(one -> one.missing().isPresent())) {
      throw CommandException.environment(
          "each of the "
              + chosen.size()
              + " cases lacks something, as "
              + chosen.get(0).suiteCase().name()
              + ", which "
              + chosen.get(0).missing().orElseThrow()
              + "; name a directory of AsterixDB's test data with --data");
    }
    return chosen;
  }
}
