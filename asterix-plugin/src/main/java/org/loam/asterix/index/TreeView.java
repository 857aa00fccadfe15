package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.btree.api.IBTreeLeafFrame;
import org.apache.hyracks.storage.am.btree.frames.BTreeNSMInteriorFrameFactory;
import org.apache.hyracks.storage.am.btree.frames.BTreeNSMLeafFrameFactory;
import org.apache.hyracks.storage.am.btree.impls.BTree;
import org.apache.hyracks.storage.am.btree.impls.BTreeRangeSearchCursor;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.lsm.btree.tuples.LSMBTreeTupleWriterFactory;
import org.apache.hyracks.storage.am.lsm.common.api.IVirtualBufferCache;
import org.apache.hyracks.storage.am.lsm.common.freepage.VirtualFreePageManager;
import org.apache.hyracks.storage.common.ICursorInitialState;
import org.apache.hyracks.storage.common.IIndexAccessParameters;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.apache.hyracks.storage.common.ISearchPredicate;
import org.jspecify.annotations.Nullable;
import org.loam.engine.host.Found;

/**
 * A B+-tree to AsterixDB, in truth the index's tree in Loam. AsterixDB's lookup of a batch of keys
 * makes its cursor itself, which asks a component's B+-tree for one key after the other; that is
 * all that this one can do. It has no pages and no file.
 */
final class TreeView extends BTree {
  private final IndexTree tree;
  private final IndexShape shape;

  TreeView(IndexTree tree, IndexShape shape, IVirtualBufferCache memory, FileReference file) {
    this(tree, shape, memory, file, tuples(shape));
  }

  private TreeView(
      IndexTree tree,
      IndexShape shape,
      IVirtualBufferCache memory,
      FileReference file,
      LSMBTreeTupleWriterFactory tuples) {
    super(
        memory,
        new VirtualFreePageManager(memory),
        new BTreeNSMInteriorFrameFactory(tuples),
        new BTreeNSMLeafFrameFactory(tuples),
        shape.comparators(),
        shape.types().length,
        file);
    this.tree = tree;
    this.shape = shape;
  }

  private static LSMBTreeTupleWriterFactory tuples(IndexShape shape) {
    return new LSMBTreeTupleWriterFactory(
        shape.types(),
        shape.comparators().length,
        false,
        false,
        shape.nullType(),
        shape.nullIntrospector());
  }

  @Override
  public void create() {}

  @Override
  public void activate() {}

  @Override
  public void clear() {}

  @Override
  public void deactivate() {}

  @Override
  public void purge() {}

  @Override
  public void destroy() {}

  @Override
  public void validate() {}

  @Override
  public BTreeAccessor createAccessor(IIndexAccessParameters parameters) {
    return new Accessor(parameters);
  }

  private final class Accessor extends BTreeAccessor {
    Accessor(IIndexAccessParameters parameters) {
      super(TreeView.this, parameters);
    }

    @Override
    public BTreeRangeSearchCursor createPointCursor(boolean exclusive, boolean stateful) {
      return new KeyCursor((IBTreeLeafFrame) getLeafFrameFactory().createFrame());
    }

    @Override
    @SuppressWarnings("NullAway") // The cursor needs no state.
    public void search(IIndexCursor cursor, ISearchPredicate predicate)
        throws HyracksDataException {
      cursor.open(null, predicate);
    }
  }

  /**
   * Shows the tuple with a key, if there is one, or its delete while that is in memory and may be
   * taken back; {@link RereadingCallback} has it read again.
   */
  private final class KeyCursor extends BTreeRangeSearchCursor {
    private final TupleKeys keys = new TupleKeys(shape.keyTypes());
    private final LoamTuple tuple = new LoamTuple(shape);
    private boolean ready;

    KeyCursor(IBTreeLeafFrame frame) {
      super(frame, false);
    }

    @Override
    public void doOpen(@Nullable ICursorInitialState state, ISearchPredicate predicate)
        throws HyracksDataException {
      ITupleReference searched = ((RangePredicate) predicate).getLowKey();
      byte[] key = keys.searched(searched, cmpFactories.length);
      Found found = tree.find(key);
      byte[] value = found.value();
      if (value == null) {
        tuple.resetToAntiMatter();
      } else {
        tuple.reset(key, value);
      }
      ready = value != null || found.isInMemory();
    }

    @Override
    public boolean doHasNext() {
      return ready;
    }

    @Override
    public void doNext() {
      ready = false;
    }

    @Override
    public ITupleReference doGetTuple() {
      return tuple;
    }

    @Override
    public void doClose() {
      ready = false;
    }

    @Override
    public void doDestroy() {}
  }
}
