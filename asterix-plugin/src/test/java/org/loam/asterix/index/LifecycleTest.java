package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Indexes are opened, closed, emptied and destroyed. */
class LifecycleTest extends DatasetTest {
  @BeforeEach
  void fill() throws HyracksDataException {
    begin().insert(1, "a").commit();
  }

  @Test
  void anOpenIndexThatIsNotDestroyedKeepsItsData() throws Exception {
    assertThatThrownBy(() -> dataset.primary().destroy()).isInstanceOf(HyracksDataException.class);
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  @Test
  void aDestroyedIndexHasNoTree() throws Exception {
    dataset.flush();
    dataset.primary().deactivate(false);
    assertThat(dataset.host.statistics().trees()).hasSize(1);
    dataset.primary().destroy();
    assertThat(dataset.host.statistics().trees()).isEmpty();
  }

  /** As where a node has no file descriptors left: AsterixDB says of the index that it is new. */
  @Test
  void anIndexWhoseCheckpointCannotBeReadKeepsItsData() throws Exception {
    dataset.flush();
    LoamIndex index = dataset.primary();
    index.deactivate(false);
    Path directory = Path.of(index.getIndexIdentifier());
    Path away = Files.createDirectory(directory.resolveSibling("away"));
    move(directory, away);
    assertThatThrownBy(index::activate).hasMessageContaining("find any checkpoints");
    move(away, directory);
    index.activate();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  /** AsterixDB has kept the one from before the flush, which says that the index is new. */
  @Test
  void anIndexWhoseLatestCheckpointCannotBeReadKeepsItsData() throws Exception {
    dataset.flush();
    LoamIndex index = dataset.primary();
    index.deactivate(false);
    Path checkpoint = Path.of(index.getIndexIdentifier(), ".idx_checkpoint_1");
    Path away = Files.move(checkpoint, checkpoint.resolveSibling("away"));
    Files.createSymbolicLink(checkpoint, checkpoint.resolveSibling("gone"));
    assertThatThrownBy(index::activate).hasMessageContaining("open " + checkpoint);
    Files.move(away, checkpoint, StandardCopyOption.REPLACE_EXISTING);
    index.activate();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  /** As after a power loss while the first flush was noted: recovery writes it all again. */
  @Test
  void anIndexWhoseLatestCheckpointIsHalfWrittenIsNew() throws Exception {
    dataset.flush();
    LoamIndex index = dataset.primary();
    index.deactivate(false);
    for (String half : List.of("", "{\"id\":1,\"validCo", "\0\0\0\0")) {
      Files.writeString(Path.of(index.getIndexIdentifier(), ".idx_checkpoint_1"), half);
      index.activate();
      assertThat(index.isEmptyIndex()).isTrue();
      index.deactivate(false);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.move(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void anIndexIsEmptyUntilSomethingIsWrittenAndAfterItIsCleared() throws Exception {
    LoamIndex index = dataset.secondary("other", 1);
    assertThat(index.isEmptyIndex()).isTrue();
    begin().insertInto(index, 1).commit();
    assertThat(index.isEmptyIndex()).isFalse();
    dataset.flush();
    assertThat(index.isEmptyIndex()).isFalse();
    index.clear();
    assertThat(index.isEmptyIndex()).isTrue();
    assertThat(TestDataset.rows(index)).isEmpty();
    begin().insertInto(index, 2).commit();
    assertThat(TestDataset.rows(index)).containsExactly("2");
  }
}
