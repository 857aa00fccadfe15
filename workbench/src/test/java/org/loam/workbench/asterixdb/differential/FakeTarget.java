package org.loam.workbench.asterixdb.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.loam.workbench.console.CommandException;

/** A cluster that answers as a test says, and remembers what it was told. */
final class FakeTarget implements DifferentialTarget {
  private final String name;
  private final Function<Statement, Outcome> answers;
  private final String startFault;
  final List<String> told = new ArrayList<>();

  FakeTarget(String name, Function<Statement, Outcome> answers) {
    this(name, answers, "");
  }

  /**
   * One that cannot be started again.
   *
   * @param startFault why not; empty if it can
   */
  FakeTarget(String name, Function<Statement, Outcome> answers, String startFault) {
    this.name = name;
    this.answers = answers;
    this.startFault = startFault;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Outcome run(Statement statement) {
    told.add(statement.kind() == StatementKind.RESET ? "reset" : statement.text());
    return statement.kind() == StatementKind.RESET
        ? Outcome.of(List.of(), true)
        : answers.apply(statement);
  }

  @Override
  public void revive() {
    told.add("revive");
    if (!startFault.isEmpty()) {
      throw CommandException.failed(startFault);
    }
  }

  @Override
  public void renew() {
    told.add("renew");
  }
}
