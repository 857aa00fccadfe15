/**
 * The keys of AsterixDB's indexes as keys of Loam: an encoding whose unsigned bytes sort as
 * AsterixDB 0.9.8 sorts tuples.
 *
 * <p>Read {@link AdmKeyEncoder} first, then {@link AdmKeyFields}, which reads keys back, and {@link
 * AdmBounds}; the bytes are in {@code docs/formats/adm-key.md}. Nothing here uses a class of
 * AsterixDB: a field is a range of bytes. The tests compare with AsterixDB's own serializers and
 * comparators.
 *
 * <p>What AsterixDB puts into a B-tree, and how it sorts it:
 *
 * <ul>
 *   <li>A field of a key is of type tinyint, smallint, integer, bigint, float, double, string,
 *       binary, date, time, datetime, yearmonthduration, daytimeduration or uuid, for primary,
 *       secondary and array indexes alike. All values of a field are of the one type that dataset
 *       or index declares; an index on an open field casts what it finds, or takes it as unknown.
 *   <li>Fields of primary keys always have a value. Those of secondary keys may be null or missing
 *       unless the index leaves unknown keys out. After the secondary key comes the primary key.
 *   <li>Every field, those of the primary key after a secondary key too, is compared by {@code
 *       AGenericAscBinaryComparator}, which goes by the tags of the two values and not by the
 *       declared type. No index is descending; the descending comparator turns everything round,
 *       null and missing too.
 *   <li>Missing is before null, null before all values. Numbers of all types are one order, in
 *       which -0.0 is below 0 and NaN above infinity. Values of other types that differ sort by
 *       their tags.
 *   <li>Strings sort by UTF-16 units, binary values by unsigned bytes, uuids by two signed longs,
 *       dates, times and durations as signed numbers.
 * </ul>
 *
 * <p>In two places that comparator has no order that a key could have, and the encoding differs. It
 * rounds an integer that meets a float or a double, so that 2^53 and 2^53 + 1 both equal the double
 * 2^53: here numbers are exact. And binary is above integers by its tag, but below floats and
 * doubles: here it is above all numbers. Neither shows within an index, whose values have one type;
 * a search may meet the difference with a value of another type than the index has.
 *
 * <p>Invariant: the key of a tuple's first fields begins the keys of exactly those tuples that
 * begin with equal fields. Uses: common.
 */
@NullMarked
package org.loam.asterix.key;

import org.jspecify.annotations.NullMarked;
