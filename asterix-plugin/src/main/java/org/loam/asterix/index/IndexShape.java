package org.loam.asterix.index;

import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.storage.am.common.api.INullIntrospector;

/**
 * What the tuples of an index are like.
 *
 * @param types of all fields
 * @param comparators of the fields that are its key, the first ones
 * @param keyTypes the tags of the types of these fields
 * @param isPrimary whether it has the records, each key once
 * @param isOfKeys whether it has the primary keys of the records, and no more
 * @param isDurable whether its data survives a crash
 */
@SuppressWarnings("ArrayRecordComponent") // Arrays of AsterixDB; shapes are never compared.
public record IndexShape(
    ITypeTraits[] types,
    IBinaryComparatorFactory[] comparators,
    byte[] keyTypes,
    ITypeTraits nullType,
    INullIntrospector nullIntrospector,
    boolean isPrimary,
    boolean isOfKeys,
    boolean isDurable) {}
