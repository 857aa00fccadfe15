package org.loam.asterix.index;

import java.util.List;
import java.util.Map;
import org.apache.asterix.common.context.BaseOperationTracker;
import org.apache.asterix.common.context.PrimaryIndexOperationTracker;
import org.apache.asterix.common.utils.StoragePathUtil;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.common.api.IExtendedModificationOperationCallback;
import org.apache.hyracks.storage.am.common.api.IIndexOperationContext;
import org.apache.hyracks.storage.am.common.api.IPageManager;
import org.apache.hyracks.storage.am.common.api.ITreeIndex;
import org.apache.hyracks.storage.am.common.api.ITreeIndexFrameFactory;
import org.apache.hyracks.storage.am.common.ophelpers.IndexOperation;
import org.apache.hyracks.storage.am.lsm.btree.impls.LSMBTreeCursorInitialState;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMComponent.ComponentState;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMDiskComponent;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndex;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexOperationContext;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMemoryComponent;
import org.apache.hyracks.storage.am.lsm.common.api.IVirtualBufferCache;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMIndex;
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
import org.jspecify.annotations.Nullable;
import org.loam.asterix.node.LoamNode;

/**
 * A B+-tree index of AsterixDB, primary or secondary, as a tree of Loam. Keys are those of {@link
 * org.loam.asterix.key}, values the tuples.
 */
public final class LoamIndex extends AbstractLSMIndex implements ITreeIndex, LoamNode.OpenIndex {
  private final LoamNode loam;
  private final FileReference directory;
  private final String path;
  private final IndexShape shape;
  private final IndexTree tree;
  private final TreeView view;
  private final @Nullable KeyIndexLog keyLog;

  /** The types of a key's fields, the same for all keys; null before the first delete. */
  private volatile byte @Nullable [] keyTypes;

  /** An index that is not open. */
  @SuppressWarnings("NullAway") // What belongs to filters and disk components is null.
  public LoamIndex(IndexSite site, IndexShape shape) throws HyracksDataException {
    super(
        site.place().ioManager(),
        site.memory().components(),
        site.memory().bufferCache(),
        new LoamFiles(site.place().ioManager(), site.place().directory()),
        0,
        site.duties().mergePolicy(),
        site.duties().tracker(),
        site.duties().scheduler(),
        site.duties().ioCallbacks(),
        site.duties().pageCallbacks(),
        null,
        null,
        null,
        null,
        null,
        shape.isDurable(),
        null,
        null,
        site.tracer());
    this.loam = site.loam();
    this.directory = site.place().directory();
    this.path = directory.getRelativePath();
    this.shape = shape;
    this.keyLog = shape.isOfKeys() ? new KeyIndexLog(site.resource()) : null;
    this.tree = new IndexTree(loam);
    this.view =
        new TreeView(this, shape, site.memory().components().get(0), site.place().directory());
    for (IVirtualBufferCache memory : site.memory().components()) {
      memoryComponents.add(new LoamMemoryComponent(this, memory, view));
    }
  }

  IndexTree tree() {
    return tree;
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
    return ioOpCallback.getLastValidSequence()
        == AbstractLSMIndexFileManager.UNINITIALIZED_COMPONENT_SEQ;
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
      loam.dropTree(path);
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
    return new LoamIndexAccessor(this, getHarness(), context);
  }

  @Override
  protected LoamOpContext createOpContext(IIndexAccessParameters parameters) {
    return new LoamOpContext(this, parameters, tracer);
  }

  @Override
  @SuppressWarnings("NullAway") // AsterixDB has no old value: to undo a write, none is needed.
  public void modify(IIndexOperationContext operation, ITupleReference tuple)
      throws HyracksDataException {
    LoamOpContext context = (LoamOpContext) operation;
    byte[] key = tree.require(context.keys().key(tuple));
    if (context.isUndo()) {
      tree.undo(key);
      return;
    }
    IExtendedModificationOperationCallback callback = context.getModificationCallback();
    callback.before(tuple);
    IndexOperation kind = context.getOperation();
    boolean deletes = kind == IndexOperation.DELETE || kind == IndexOperation.PHYSICALDELETE;
    if (kind == IndexOperation.INSERT
        && isPrimaryIndex()
        && !context.isRecovery()
        && tree.find(key).value() != null) {
      throw HyracksDataException.create(ErrorCode.DUPLICATE_KEY);
    }
    if (deletes && keyTypes == null) {
      // Before anybody can see a delete.
      keyTypes = context.keys().types(tuple);
    }
    // If this fails, nothing was logged, and nothing will be undone.
    if (keyLog == null) {
      callback.found(null, tuple);
    } else {
      keyLog.found(callback, tuple);
    }
    boolean written = false;
    try {
      tree.write(key, deletes ? null : LoamTuple.encode(tuple));
      written = true;
    } finally {
      tree.logged(key, written);
    }
  }

  /** A tuple of a key that was deleted, without what is not in the key; null if that is unknown. */
  @Nullable LoamTuple deleted(byte[] key) {
    byte[] types = keyTypes;
    return types == null ? null : TupleKeys.tuple(key, types);
  }

  /** Whether it has the primary keys of the records, and no more. */
  boolean isOfKeys() {
    return shape.isOfKeys();
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
            new RereadingCallback(tree, operation.getSearchOperationCallback()),
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
        new FlushNotes(callback, tree),
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
    if (tree.isLoading()) {
      tree.beginFlush();
      return;
    }
    BaseOperationTracker own = (BaseOperationTracker) getOperationTracker();
    int partition = StoragePathUtil.getPartitionNumFromRelativePath(path);
    for (ILSMIndex index : own.getDatasetInfo().getDatasetPartitionOpenIndexes(partition)) {
      if (index.isPrimaryIndex()) {
        requestFlush(index);
      }
    }
  }

  /** Keeps new operations out, and has the dataset flushed when those inside have ended. */
  private static void requestFlush(ILSMIndex primary) throws HyracksDataException {
    PrimaryIndexOperationTracker tracker =
        (PrimaryIndexOperationTracker) primary.getOperationTracker();
    synchronized (tracker) {
      if (primary.isCurrentMutableComponentEmpty() || tracker.isFlushLogCreated()) {
        return;
      }
      ILSMMemoryComponent component = primary.getCurrentMemoryComponent();
      if (component.getState() == ComponentState.READABLE_WRITABLE) {
        component.setUnwritable();
      }
      tracker.setFlushOnExit(true);
      tracker.flushIfNeeded();
    }
  }

  // ---- Merges, which are Loam's.

  void compact() throws HyracksDataException {
    tree.compact();
  }

  @Override
  protected LSMComponentFileReferences getMergeFileReferences(
      ILSMDiskComponent first, ILSMDiskComponent last) {
    throw new UnsupportedOperationException("there are no disk components to merge");
  }

  @Override
  protected ILSMIOOperation createMergeOperation(
      AbstractLSMIndexOperationContext context,
      LSMComponentFileReferences files,
      ILSMIOOperationCallback callback) {
    throw new UnsupportedOperationException("there are no disk components to merge");
  }

  @Override
  protected ILSMDiskComponent doMerge(ILSMIOOperation operation) {
    throw new UnsupportedOperationException("there are no disk components to merge");
  }

  // ---- Loads.

  /** Whether nobody ever wrote to it, so far as anybody knows, and no load had a record. */
  private boolean isFresh() throws HyracksDataException {
    return isUnused() && isNew();
  }

  /**
   * What has to be empty for a load has to be fresh: redo makes writes again that are in the log,
   * over what was loaded; and after a flush AsterixDB could not note the load, whose checkpoint
   * would go back in its log.
   */
  @Override
  public IIndexBulkLoader createBulkLoader(
      float fillLevel,
      boolean verifyInput,
      long numElementsHint,
      boolean checkIfEmptyIndex,
      Map<String, Object> parameters)
      throws HyracksDataException {
    boolean isFresh = tree.beginLoading(this::isFresh);
    boolean begun = false;
    try {
      if (checkIfEmptyIndex && !isFresh) {
        throw HyracksDataException.create(ErrorCode.LOAD_NON_EMPTY_INDEX);
      }
      LoadOperation operation =
          new LoadOperation(
              fileManager.getRelFlushFileReference(),
              ioOpCallback,
              getIndexIdentifier(),
              parameters);
      TupleKeys keys = new TupleKeys(getComparatorFactories().length);
      LoamBulkLoader loader = new LoamBulkLoader(tree, operation, keys, verifyInput, isFresh);
      begun = true;
      return loader;
    } finally {
      if (!begun) {
        tree.endLoading(isFresh);
      }
    }
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
