package org.loam.asterix.index;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.common.api.IIndexOperationContext;
import org.apache.hyracks.storage.am.common.api.IPageManager;
import org.apache.hyracks.storage.am.common.api.ITreeIndex;
import org.apache.hyracks.storage.am.common.api.ITreeIndexFrameFactory;
import org.apache.hyracks.storage.am.lsm.btree.impls.LSMBTreeCursorInitialState;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMDiskComponent;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexOperationContext;
import org.apache.hyracks.storage.am.lsm.common.api.IVirtualBufferCache;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMIndexFileManager;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMIndexOperationContext;
import org.apache.hyracks.storage.am.lsm.common.impls.EmptyComponent;
import org.apache.hyracks.storage.am.lsm.common.impls.LSMComponentFileReferences;
import org.apache.hyracks.storage.am.lsm.common.impls.LoadOperation;
import org.apache.hyracks.storage.common.IIndexAccessParameters;
import org.apache.hyracks.storage.common.IIndexBulkLoader;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.apache.hyracks.storage.common.ISearchPredicate;
import org.apache.hyracks.storage.common.MultiComparator;
import org.loam.asterix.node.LoamNode;

/**
 * A B+-tree index of AsterixDB, primary or secondary, as a tree of Loam. Keys are those of {@link
 * org.loam.asterix.key}, values have of the tuples what the keys do not give back.
 */
public final class LoamIndex extends HollowIndex implements ITreeIndex, LoamNode.OpenIndex {
  private final LoamNode loam;
  private final FileReference directory;
  private final String path;
  private final IndexShape shape;
  private final LastNoted noted;
  private final IndexTree tree;
  private final TreeView view;
  private final IndexWrites writes;
  private final IndexLoads loads;
  private final Partition partition;
  private final PartitionFlush partitionFlush;
  private final IndexRecovery recovery;

  /** An index that is not open. */
  public LoamIndex(IndexSite site, IndexShape shape) throws HyracksDataException {
    super(site, shape.isDurable());
    this.loam = site.loam();
    this.directory = site.place().directory();
    this.path = directory.getRelativePath();
    this.shape = shape;
    this.noted = site.noted();
    this.tree = new IndexTree(loam);
    this.loads = new IndexLoads(tree, this::isFresh, shape.keyTypes());
    this.writes = new IndexWrites(tree, loads, shape, site.resource());
    this.partition = new Partition(site.duties().tracker(), path);
    this.partitionFlush = new PartitionFlush(partition);
    this.recovery = new IndexRecovery(this, partitionFlush);
    this.view = new TreeView(tree, shape, site.memory().components().get(0), directory);
    for (IVirtualBufferCache memory : site.memory().components()) {
      // AsterixDB's memory counts only where writes of other indexes of the partition need it. What
      // comes to another index than the primary one is inside already: a flush waits for it.
      BooleanSupplier isFull =
          () -> shape.isPrimary() && (loam.isFull() || (memory.isFull() && partition.hasStock()));
      memoryComponents.add(
          new LoamMemoryComponent(this, tree, memory, view, site.duties().tracker(), isFull));
    }
  }

  /**
   * Checks what indexes need of AsterixDB and only find when they run.
   *
   * @throws IllegalArgumentException naming what is missing
   */
  public static void requireHost() {
    KeyIndexLog.requireHost();
  }

  IndexTree tree() {
    return tree;
  }

  IndexLoads loads() {
    return loads;
  }

  @Override
  public boolean isPrimaryIndex() {
    return shape.isPrimary();
  }

  // ---- Opening and closing.

  @Override
  public synchronized void activate() throws HyracksDataException {
    super.activate();
    boolean opened = false;
    try {
      tree.open(directory, isNew(), this);
      opened = true;
    } finally {
      // If it is not, AsterixDB tries again with this very index.
      isActive = opened;
    }
  }

  /** Whether no flush and no load was ever noted in the index's checkpoint. */
  private boolean isNew() throws HyracksDataException {
    return noted.sequence() == AbstractLSMIndexFileManager.UNINITIALIZED_COMPONENT_SEQ;
  }

  @Override
  public synchronized void deactivate(boolean flush) throws HyracksDataException {
    super.deactivate(flush);
    tree.close();
  }

  @Override
  public synchronized void destroy() throws HyracksDataException {
    if (!isActive) {
      // First: without its directory nothing would say that the tree is not needed.
      loam.trees().drop(path);
    }
    super.destroy();
  }

  @Override
  public synchronized void clear() throws HyracksDataException {
    super.clear();
    tree.clear();
  }

  @Override
  public boolean isEmptyIndex() {
    try {
      return isUnused();
    } catch (HyracksDataException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether there is nothing in it, and nothing was written to it since the last flush. */
  private boolean isUnused() throws HyracksDataException {
    return super.isEmptyIndex() && tree.isEmpty();
  }

  // ---- Operations.

  @Override
  public ILSMIndexAccessor createAccessor(IIndexAccessParameters parameters) {
    return createAccessor(createOpContext(parameters));
  }

  private LoamIndexAccessor createAccessor(LoamOpContext context) {
    return new LoamIndexAccessor(
        getHarness(), context, tree, () -> new LoamCursor(tree, shape, writes, context));
  }

  @Override
  protected LoamOpContext createOpContext(IIndexAccessParameters parameters) {
    return new LoamOpContext(this, shape, parameters, tracer);
  }

  @Override
  public void modify(IIndexOperationContext operation, ITupleReference tuple)
      throws HyracksDataException {
    writes.modify((LoamOpContext) operation, tuple);
  }

  @Override
  @SuppressWarnings("NullAway") // The lookup of a batch needs nothing else of its state.
  public void search(
      ILSMIndexOperationContext operation, IIndexCursor cursor, ISearchPredicate predicate)
      throws HyracksDataException {
    if (cursor instanceof LoamCursor) {
      cursor.open(null, predicate);
      return;
    }
    cursor.open(
        new LSMBTreeCursorInitialState(
            null,
            MultiComparator.create(shape.comparators()),
            null,
            getHarness(),
            predicate,
            new RereadingCallback(writes, operation.getSearchOperationCallback()),
            List.of(memoryComponents.get(0))),
        predicate);
  }

  // ---- Flushes.

  @Override
  protected ILSMIOOperation createFlushOperation(
      AbstractLSMIndexOperationContext context,
      LSMComponentFileReferences files,
      ILSMIOOperationCallback callback)
      throws HyracksDataException {
    // No operation is inside; those that come from now on belong to the next flush.
    return new LoamFlush(
        createAccessor((LoamOpContext) context),
        files.getInsertIndexFileReference(),
        new FlushNotes(callback, tree, loads),
        getIndexIdentifier(),
        tree.beginFlush());
  }

  @Override
  protected ILSMDiskComponent doFlush(ILSMIOOperation operation) throws HyracksDataException {
    tree.awaitFlushed(((LoamFlush) operation).loamFlush());
    return EmptyComponent.INSTANCE;
  }

  @Override
  public void requestFlush() throws HyracksDataException {
    if (!loads.ifLoading(tree::beginFlush)) {
      partitionFlush.request();
    }
  }

  @Override
  public void flushRedone(long lsn) throws HyracksDataException {
    recovery.flushRedone(lsn);
  }

  @Override
  public void redone() throws HyracksDataException {
    recovery.redone();
  }

  // ---- Loads.

  /** Whether no write is known that was ever made to it or begun, and no load had a record. */
  private boolean isFresh() throws HyracksDataException {
    return isUnused() && isNew() && !partition.isWrittenTo();
  }

  @Override
  public IIndexBulkLoader createBulkLoader(
      float fillLevel,
      boolean verifyInput,
      long numElementsHint,
      boolean checkIfEmptyIndex,
      Map<String, Object> parameters)
      throws HyracksDataException {
    return loads.begin(
        checkIfEmptyIndex,
        verifyInput,
        () ->
            new LoadOperation(
                fileManager.getRelFlushFileReference(),
                ioOpCallback,
                getIndexIdentifier(),
                parameters));
  }

  // ---- As a B+-tree.

  @Override
  public IBinaryComparatorFactory[] getComparatorFactories() {
    return shape.comparators();
  }

  @Override
  public int getFieldCount() {
    return shape.types().length;
  }

  @Override
  public ITreeIndexFrameFactory getLeafFrameFactory() {
    return view.getLeafFrameFactory();
  }

  @Override
  public ITreeIndexFrameFactory getInteriorFrameFactory() {
    return view.getInteriorFrameFactory();
  }

  @Override
  public IPageManager getPageManager() {
    return view.getPageManager();
  }

  @Override
  public int getRootPageId() {
    return view.getRootPageId();
  }

  @Override
  public int getFileId() {
    return view.getFileId();
  }
}
