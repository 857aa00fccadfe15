package org.loam.scheduler.merge;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Shapes and plans as people write them. L1 is the level above L2, the last one has the number
 * given by the option {@code levels}:
 *
 * <pre>
 *  shape levels=2 memory=10
 *    L0: c9[a..f] 10, c8[g..m] 10      one line per group, newest first
 *    L1: c7[a..f] 64 | d               what follows the bar is the cursor
 *    L2: c3[a..k] 640
 *    running: c7 c3 L1 to L2
 * </pre>
 */
public final class ShapeText {
  private static final Pattern COMPONENT =
      Pattern.compile("c(\\d+)\\[(\\w+)\\.\\.(\\w+)\\] (\\d+)");
  private static final Pattern PLAN = Pattern.compile("(.*) L(\\d+) to L(\\d+)");

  private final int levelCount;
  private final List<List<Component>> l0 = new ArrayList<>();
  private final List<Level> levels = new ArrayList<>();
  private final List<MergePlan> running = new ArrayList<>();
  private int treeId;

  /** The last of so many levels is that of every tree. */
  public ShapeText(int levelCount) {
    this.levelCount = levelCount;
  }

  /** The shape of a tree, one line per run of components. */
  public TreeShape parse(int tree, List<String> lines, long memoryComponentBytes) {
    treeId = tree;
    for (String line : lines) {
      String[] parts = line.split(": *", 2);
      if (parts[0].equals("running")) {
        running.add(plan(parts[1]));
      } else if (parts[0].equals("L0")) {
        l0.add(components(parts[1]));
      } else {
        String[] cursor = parts[1].split(" *\\| *", -1);
        levels.add(
            new Level(
                id(parts[0].substring(1)),
                components(cursor[0]),
                cursor.length > 1 ? cursor[1].getBytes(UTF_8) : new byte[0]));
      }
    }
    return TreeShape.of(treeId, l0, levels, running, memoryComponentBytes);
  }

  /** A plan on the components of the shape. */
  public MergePlan plan(String text) {
    Matcher plan = PLAN.matcher(text);
    if (!plan.matches()) {
      throw new IllegalArgumentException("not a plan: " + text);
    }
    List<Component> inputs = new ArrayList<>();
    for (String name : plan.group(1).split(" +", -1)) {
      inputs.add(find(name));
    }
    return MergePlan.of(treeId, inputs, id(plan.group(2)), id(plan.group(3)), 1);
  }

  /** The words of a plan. */
  public String text(MergePlan plan) {
    return (plan.kind() == MergePlan.Kind.MOVE ? "move " : "merge ")
        + names(plan.inputs())
        + " L"
        + number(plan.fromLevel())
        + " to L"
        + number(plan.targetLevel());
  }

  String name(Level level) {
    return "L" + number(level.id());
  }

  static String text(KeyRange range) {
    return new String(range.min(), UTF_8) + ".." + new String(range.max(), UTF_8);
  }

  static String names(List<Component> components) {
    return components.stream().map(c -> "c" + c.id()).collect(Collectors.joining(" "));
  }

  private int number(int id) {
    return id == Level.L0 ? 0 : id - Level.LAST + levelCount;
  }

  private int id(String number) {
    int n = Integer.parseInt(number);
    return n == 0 ? Level.L0 : Level.LAST - levelCount + n;
  }

  private Component find(String name) {
    List<List<Component>> all = new ArrayList<>(l0);
    levels.forEach(level -> all.add(level.components()));
    for (List<Component> components : all) {
      for (Component component : components) {
        if (name.equals("c" + component.id())) {
          return component;
        }
      }
    }
    throw new NoSuchElementException(name);
  }

  private static List<Component> components(String text) {
    List<Component> components = new ArrayList<>();
    for (String part : text.isBlank() ? new String[0] : text.split(", *", -1)) {
      Matcher m = COMPONENT.matcher(part.strip());
      if (!m.matches()) {
        throw new IllegalArgumentException("not a component: " + part);
      }
      KeyRange range = new KeyRange(m.group(2).getBytes(UTF_8), m.group(3).getBytes(UTF_8));
      components.add(new Component(Long.parseLong(m.group(1)), Long.parseLong(m.group(4)), range));
    }
    return components;
  }
}
