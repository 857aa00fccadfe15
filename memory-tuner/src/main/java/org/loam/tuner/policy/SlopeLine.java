package org.loam.tuner.policy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.ToDoubleFunction;
import org.loam.tuner.cost.Objective;

/**
 * The straight line through the last derivatives: cost′(x) = A x + B by least squares. A derivative
 * of an earlier cycle is taken again with the prices of now, so that a line never joins two prices.
 */
final class SlopeLine {
  /** K of MemoryWalls §5.4. */
  private static final int MOST_POINTS = 3;

  /**
   * A write memory, and cost′ there.
   *
   * @param slope by what is minimised
   */
  private record Point(double x, ToDoubleFunction<Objective> slope) {}

  private final Deque<Point> points = new ArrayDeque<>();

  /** Adds the newest derivative; an older one at the same x is forgotten. */
  void add(double x, ToDoubleFunction<Objective> slope) {
    points.removeIf(point -> point.x == x);
    points.addLast(new Point(x, slope));
    if (points.size() > MOST_POINTS) {
      points.removeFirst();
    }
  }

  /** Forgets all points. */
  void clear() {
    points.clear();
  }

  int points() {
    return points.size();
  }

  /** A; 0 as long as there is one point. */
  double slope(Objective objective) {
    double meanX = points.stream().mapToDouble(Point::x).average().orElse(0);
    double meanSlope =
        points.stream()
            .mapToDouble(point -> point.slope.applyAsDouble(objective))
            .average()
            .orElse(0);
    double products = 0;
    double squares = 0;
    for (Point point : points) {
      products += (point.x - meanX) * (point.slope.applyAsDouble(objective) - meanSlope);
      squares += (point.x - meanX) * (point.x - meanX);
    }
    return squares == 0 ? 0 : products / squares;
  }
}
