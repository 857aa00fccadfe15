package org.loam.asterix.hyracks;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.common.api.IExtendedModificationOperationCallback;
import org.apache.hyracks.storage.am.common.api.ITreeIndex;
import org.apache.hyracks.storage.am.common.impls.IndexAccessParameters;
import org.apache.hyracks.storage.am.common.impls.NoOpOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.apache.hyracks.storage.common.IIndexAccessParameters;
import org.apache.hyracks.storage.common.IIndexAccessor;
import org.apache.hyracks.storage.common.IIndexBulkLoader;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.apache.hyracks.storage.common.ISearchOperationCallback;
import org.jspecify.annotations.Nullable;

/**
 * Stands between Hyracks' tests, whose fields are bare integers and strings, and an index of
 * AsterixDB's, whose fields begin with the tag of their type. The rest of a field is the same. So
 * tuples that go in get tags, and those that come out lose them; the index, its accessors, cursors
 * and bulk loaders, and the callbacks of the tests are shown like this.
 */
final class TypedFields implements InvocationHandler {
  private final Object target;
  private final byte[] tags;
  private final Uses uses;
  private final boolean isCallback;

  private TypedFields(Object target, byte[] tags, Uses uses, boolean isCallback) {
    this.target = target;
    this.tags = tags;
    this.uses = uses;
    this.isCallback = isCallback;
  }

  /** Shows an index to Hyracks' tests. */
  static ITreeIndex show(ITreeIndex index, byte[] tags, Uses uses) {
    return new TypedFields(index, tags, uses, false).as(ITreeIndex.class);
  }

  private <T> T as(Class<T> type) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this));
  }

  private <T> T shown(Class<T> type, Object inner) {
    return new TypedFields(inner, tags, uses, false).as(type);
  }

  private <T> T callback(Class<T> type, T callback) {
    // The index knows this one.
    return callback == NoOpOperationCallback.INSTANCE
        ? callback
        : new TypedFields(callback, tags, uses, true).as(type);
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object[] given = new Object[arguments == null ? 0 : arguments.length];
    for (int i = 0; i < given.length; i++) {
      given[i] = argument(arguments[i]);
    }
    uses.before(target, method.getName());
    Object result;
    try {
      result = method.invoke(target, given);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    uses.after(target, method.getName());
    return result(result);
  }

  private @Nullable Object argument(@Nullable Object argument) {
    if (argument instanceof ITupleReference tuple) {
      return isCallback ? new TypedTuple.Untyped(tuple) : new TypedTuple(tuple, tags);
    } else if (argument instanceof RangePredicate range) {
      return typed(range);
    } else if (argument instanceof IIndexAccessParameters parameters) {
      return new IndexAccessParameters(
          callback(
              IExtendedModificationOperationCallback.class,
              (IExtendedModificationOperationCallback) parameters.getModificationCallback()),
          callback(ISearchOperationCallback.class, parameters.getSearchOperationCallback()));
    } else if (argument instanceof Proxy
        && Proxy.getInvocationHandler(argument) instanceof TypedFields other) {
      return other.target;
    }
    return argument;
  }

  private RangePredicate typed(RangePredicate range) {
    return new RangePredicate(
        (ITupleReference) argument(range.getLowKey()),
        (ITupleReference) argument(range.getHighKey()),
        range.isLowKeyInclusive(),
        range.isHighKeyInclusive(),
        range.getLowKeyComparator(),
        range.getHighKeyComparator());
  }

  private @Nullable Object result(@Nullable Object result) {
    if (result instanceof ITupleReference tuple) {
      return new TypedTuple.Untyped(tuple);
    } else if (result instanceof IIndexAccessor accessor) {
      return shown(ILSMIndexAccessor.class, accessor);
    } else if (result instanceof IIndexCursor cursor) {
      return shown(IIndexCursor.class, cursor);
    } else if (result instanceof IIndexBulkLoader loader) {
      return shown(IIndexBulkLoader.class, loader);
    }
    return result;
  }
}
