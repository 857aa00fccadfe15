package org.loam.tuner.policy;

import java.util.ArrayDeque;
import java.util.Deque;

/** The straight line through the last derivatives: cost′(x) = A x + B by least squares. */
final class SlopeLine {
  /** K of MemoryWalls §5.4. */
  private static final int MOST_POINTS = 3;

  private record Point(double x, double slope) {}

  private final Deque<Point> points = new ArrayDeque<>();

  /** Adds the newest derivative; an older one at the same x is forgotten. */
  void add(double x, double slope) {
    points.removeIf(point -> point.x == x);
    points.addLast(new Point(x, slope));
    if (points.size() > MOST_POINTS) {
      points.removeFirst();
    }
  }

  int points() {
    return points.size();
  }

  /** A; 0 as long as there is one point. */
  double slope() {
    double meanX = points.stream().mapToDouble(Point::x).average().orElse(0);
    double meanSlope = points.stream().mapToDouble(Point::slope).average().orElse(0);
    double products = 0;
    double squares = 0;
    for (Point point : points) {
      products += (point.x - meanX) * (point.slope - meanSlope);
      squares += (point.x - meanX) * (point.x - meanX);
    }
    return squares == 0 ? 0 : products / squares;
  }
}
