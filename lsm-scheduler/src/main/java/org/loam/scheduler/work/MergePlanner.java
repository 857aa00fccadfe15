package org.loam.scheduler.work;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.merge.TreeShape;

/**
 * Asks the policies of all trees what should be merged and puts the answers in order. With many
 * trees most are as they were at the last look, so that their answers of then still hold: a policy
 * is pure. Used by one thread at a time.
 */
final class MergePlanner {
  /**
   * A plan that can start.
   *
   * @param stalls whether the tree's writers wait
   * @param pressure of the tree, if the plan relieves it, else 0
   */
  record Candidate(
      MergeTree tree, MergePlan plan, IoClass ioClass, boolean stalls, double pressure) {}

  /**
   * How urgent a running plan is: by itself, or because of a plan that waits for it.
   *
   * @param pressure of the tree, if the plan relieves it, else 0
   */
  record Urgency(MergePlan plan, IoClass ioClass, double pressure) {}

  /**
   * An answer.
   *
   * @param candidates the most urgent first
   * @param urgencies of running plans; a plan may occur more than once, the most urgent counts
   * @param mayBecomeDue whether there is a tree of which {@link MergePolicy#mayBecomeDue} says so
   */
  record Survey(List<Candidate> candidates, List<Urgency> urgencies, boolean mayBecomeDue) {}

  /**
   * Trees whose writers wait come first; then it is the score that counts, not the class: a tree
   * that always merged L0 first would swell its L1 and reshape itself (Stability §6.2).
   */
  private static final Comparator<Candidate> ORDER =
      Comparator.comparing(Candidate::stalls).thenComparingDouble(c -> c.plan().score()).reversed();

  /** What a policy has said of a tree. */
  private record Answer(MergePolicy policy, TreeShape shape, RunMode mode, List<MergePlan> plans) {
    boolean isTo(MergePolicy asked, TreeShape about, RunMode inMode) {
      return mode == inMode && policy.equals(asked) && shape.equals(about);
    }
  }

  /** Of the last look, by tree. */
  private Map<Integer, Answer> answers = Map.of();

  /**
   * Looks at all trees.
   *
   * @param resting plans that must not be started, nor anything that conflicts with them
   */
  Survey survey(List<? extends MergeTree> trees, List<MergePlan> resting, RunMode mode) {
    Map<Integer, Answer> asked = new HashMap<>();
    List<Candidate> candidates = new ArrayList<>();
    List<Urgency> urgencies = new ArrayList<>();
    boolean mayBecomeDue = false;
    for (MergeTree tree : trees) {
      TreeShape shape = withResting(tree.shape(), resting);
      ComponentConstraint constraint = tree.constraint();
      StallCause violation = constraint.violation(shape);
      double pressure = constraint.pressure(shape);
      MergePolicy policy = tree.mergePolicy();
      mayBecomeDue |= policy.mayBecomeDue(shape);
      Answer answer = ask(policy, violation == null ? shape : shape.withWritersStopped(), mode);
      asked.put(shape.treeId(), answer);
      List<MergePlan> plans = answer.plans();
      for (MergePlan running : shape.running()) {
        MergePlan now = isAs(running, plans) ? running.relievingL0() : running;
        double relieved = relieves(now, violation) ? pressure : 0;
        urgencies.add(new Urgency(running, classOf(now, violation), relieved));
      }
      for (MergePlan plan : plans) {
        IoClass ioClass = classOf(plan, violation);
        double relieved = relieves(plan, violation) ? pressure : 0;
        boolean free = true;
        for (MergePlan running : shape.running()) {
          if (plan.conflictsWith(running)) {
            free = false;
            urgencies.add(new Urgency(running, ioClass, relieved));
          }
        }
        if (free) {
          candidates.add(new Candidate(tree, plan, ioClass, violation != null, relieved));
        }
      }
    }
    answers = asked;
    candidates.sort(ORDER);
    return new Survey(candidates, urgencies, mayBecomeDue);
  }

  private Answer ask(MergePolicy policy, TreeShape shape, RunMode mode) {
    Answer known = answers.get(shape.treeId());
    return known != null && known.isTo(policy, shape, mode)
        ? known
        : new Answer(policy, shape, mode, policy.plan(shape, mode));
  }

  /** Whether a running merge makes the same room as a plan for which a merge out of L0 waits. */
  private static boolean isAs(MergePlan running, List<MergePlan> plans) {
    return plans.stream()
        .anyMatch(plan -> plan.relievesL0() && plan.fromLevel() == running.fromLevel());
  }

  private static TreeShape withResting(TreeShape shape, List<MergePlan> resting) {
    List<MergePlan> blocked = new ArrayList<>(shape.running());
    for (MergePlan plan : resting) {
      if (plan.treeId() == shape.treeId()) {
        blocked.add(plan);
      }
    }
    return blocked.size() == shape.running().size() ? shape : shape.withRunning(blocked);
  }

  /** While a constraint stops the writers, the merges that relieve it are as urgent as flushes. */
  private static IoClass classOf(MergePlan plan, @Nullable StallCause violation) {
    if (violation != null && relieves(plan, violation)) {
      return IoClass.FLUSH;
    }
    return plan.fromLevel() == Level.L0 ? IoClass.L0 : IoClass.MERGE;
  }

  /** Merges that L0 waits for make room for flushes; others help only where all runs count. */
  private static boolean relieves(MergePlan plan, @Nullable StallCause violation) {
    return plan.relievesL0() || violation == StallCause.COMPONENT_CONSTRAINT;
  }
}
