package org.loam.asterix.hyracks;

import java.io.File;
import java.util.Arrays;
import java.util.Random;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ISerializerDeserializer;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.dataflow.common.utils.SerdeUtils;
import org.apache.hyracks.storage.am.btree.OrderedIndexTestContext;
import org.apache.hyracks.storage.am.btree.frames.BTreeLeafFrameType;
import org.apache.hyracks.storage.am.common.api.ITreeIndex;
import org.apache.hyracks.storage.am.lsm.common.impls.SynchronousSchedulerProvider;
import org.apache.hyracks.storage.am.lsm.common.impls.ThreadCountingTracker;
import org.junit.rules.ExternalResource;
import org.loam.asterix.index.IndexHost;
import org.loam.asterix.index.IndexShape;
import org.loam.asterix.index.LoamIndex;

/** Gives the tests indexes in Loam, on a node of their own. */
final class IndexHarness extends ExternalResource {
  /** Which leaf pages are tested, which is none of Loam's business. */
  static final BTreeLeafFrameType[] LEAVES = {BTreeLeafFrameType.REGULAR_NSM};

  private static final String PATH = "storage/partition_0/Hyracks/tests/0/index";
  private static final long SEED = 50;

  private final Random random = new Random(SEED);
  private IndexHost host;
  private LoamIndex last;

  @Override
  protected void before() {
    random.setSeed(SEED);
    host = new IndexHost();
  }

  @Override
  protected void after() {
    host.close();
  }

  Random random() {
    return random;
  }

  /** The directory of the index. */
  File directory() {
    return host.resolve(PATH).getFile();
  }

  /** The index that was made last, itself. */
  LoamIndex last() {
    return last;
  }

  /** A primary index, not created, as Hyracks' tests see it. */
  ITreeIndex index(ITypeTraits[] types, IBinaryComparatorFactory[] comparators)
      throws HyracksDataException {
    FileReference directory = host.resolve(PATH);
    NotedSequence noted = new NotedSequence();
    byte[] keyTypes = Arrays.copyOf(TypedTuple.tags(types), comparators.length);
    last =
        new LoamIndex(
            host.site(
                directory,
                new ThreadCountingTracker(),
                SynchronousSchedulerProvider.INSTANCE.getIoScheduler(null),
                index -> noted,
                () -> 1,
                noted::getLastValidSequence),
            new IndexShape(types, comparators, keyTypes, null, null, true, false, true));
    Uses uses = new Uses(host, directory.getRelativePath());
    return TypedFields.show(last, TypedTuple.tags(types), uses);
  }

  /** An index with what Hyracks' tests expect to find in it. */
  OrderedIndexTestContext context(ISerializerDeserializer<?>[] fields, int keys)
      throws HyracksDataException {
    ITreeIndex index =
        index(
            SerdeUtils.serdesToTypeTraits(fields),
            SerdeUtils.serdesToComparatorFactories(fields, keys));
    return new Expected(fields, index);
  }

  /** What is expected is in the superclass. */
  private static final class Expected extends OrderedIndexTestContext {
    private final IBinaryComparatorFactory[] comparators;

    Expected(ISerializerDeserializer<?>[] fields, ITreeIndex index) throws HyracksDataException {
      super(fields, index, false);
      comparators = index.getComparatorFactories();
    }

    @Override
    public int getKeyFieldCount() {
      return comparators.length;
    }

    @Override
    public IBinaryComparatorFactory[] getComparatorFactories() {
      return comparators;
    }
  }
}
