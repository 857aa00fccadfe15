package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.asterix.app.nc.IndexCheckpointManagerProvider;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.apache.hyracks.api.io.IPersistedResourceRegistry;
import org.apache.hyracks.control.nc.io.DefaultDeviceResolver;
import org.apache.hyracks.control.nc.io.IOManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The descriptions of a node's indexes when the node starts. */
class LoamResourcesTest {
  @TempDir Path device;

  /** Knows nothing: no description is complete. */
  private final IPersistedResourceRegistry registry =
      (IPersistedResourceRegistry)
          Proxy.newProxyInstance(
              IPersistedResourceRegistry.class.getClassLoader(),
              new Class<?>[] {IPersistedResourceRegistry.class},
              (proxy, method, arguments) -> {
                throw new AssertionError(method);
              });

  /** AsterixDB keeps a mask beside a description until all of it is on disk. */
  @Test
  void aDescriptionThatPowerLossLeftHalfWrittenIsNoIndex() throws Exception {
    Path index = Files.createDirectories(device.resolve("storage/partition_0/d/a/0/a"));
    Path description = Files.writeString(index.resolve(".metadata"), "{\"@type\": \"Loc");
    Path mask = Files.createFile(index.resolve(".mask_.metadata"));
    List<IODeviceHandle> devices = List.of(new IODeviceHandle(device.toFile(), "."));
    IOManager ioManager = new IOManager(devices, new DefaultDeviceResolver(), 1, 1);
    try {
      LoamResources resources =
          new LoamResources(
              ioManager, new IndexCheckpointManagerProvider(ioManager), registry, true);
      assertThatThrownBy(() -> resources.requireServed(device))
          .isInstanceOf(HyracksDataException.class);
      resources.deleteCorruptedResources();
      resources.requireServed(device);
      assertThat(description).doesNotExist();
      assertThat(mask).doesNotExist();
    } finally {
      ioManager.close();
    }
  }
}
