package org.loam.workbench.figure;

import java.util.List;
import org.loam.common.config.NearestName;

/** The figures of this build. */
final class Figures {
  static final List<Figure> ALL =
      List.of(
          new Memory6(),
          new Memory7(),
          new Memory8(),
          new Memory9(),
          new Memory10(),
          new Memory11(),
          new Memory12(),
          new Memory13(),
          new Memory14(),
          new Stability9());

  private Figures() {}

  /**
   * The figure of this name.
   *
   * @throws IllegalArgumentException with the nearest name or all of them, if there is none
   */
  static Figure of(String id) {
    return ALL.stream()
        .filter(figure -> figure.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown figure '"
                        + id
                        + "'"
                        + NearestName.question(
                            id, ids(), "; choose from " + String.join(", ", ids()))));
  }

  private static List<String> ids() {
    return ALL.stream().map(Figure::id).toList();
  }
}
