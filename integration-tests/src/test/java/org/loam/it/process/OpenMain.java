package org.loam.it.process;

import java.nio.file.Path;
import org.loam.common.config.Durability;
import org.loam.common.error.StorageException;
import org.loam.engine.Engine;

/** A process that opens a database, and says on its standard output what that was like. */
public final class OpenMain {
  private OpenMain() {}

  public static void main(String[] arguments) {
    try (Engine engine =
        Engine.open(Path.of(arguments[0]), WriterMain.config(Durability.PROCESS))) {
      System.out.println("opened, " + engine.trees().size() + " trees");
    } catch (StorageException e) {
      System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }
}
