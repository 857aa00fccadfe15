package org.loam.workbench.console;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where figures were measured; without it they mean little.
 *
 * @param processor its model
 * @param processors as the JVM counts them
 * @param memoryBytes of the machine
 * @param system operating system and version
 * @param java version and vendor
 * @param fileSystem of the work directory
 */
public record Machine(
    @JsonProperty("processor") String processor,
    @JsonProperty("processors") int processors,
    @JsonProperty("memoryBytes") long memoryBytes,
    @JsonProperty("system") String system,
    @JsonProperty("java") String java,
    @JsonProperty("fileSystem") String fileSystem) {

  /** This machine, and the file system of a directory that exists. */
  public static Machine of(Path directory) {
    return new Machine(
        processorModel(),
        Runtime.getRuntime().availableProcessors(),
        totalMemoryBytes(),
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"),
        System.getProperty("java.vendor") + " " + System.getProperty("java.vm.version"),
        fileSystemType(directory));
  }

  /** The memory of this machine, in use or not. */
  public static long totalMemoryBytes() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }

  private static String processorModel() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/cpuinfo"))) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    } catch (IOException e) {
      // Not Linux, or hidden: the figures then carry "unknown".
    }
    return "unknown";
  }

  private static String fileSystemType(Path directory) {
    try {
      return Files.getFileStore(directory).type();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
