package org.trellis.matrices.catalogue;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What is known about a matrix of the catalogue before it is loaded.
 *
 * @param rows               number of rows, if known
 * @param columns            number of columns, if known
 * @param nonZeros           number of entries, explicit zeros included, if known
 * @param rowLengthDeviation standard deviation of the row lengths, if known
 */
public record EntryFacts(OptionalLong rows, OptionalLong columns, OptionalLong nonZeros,
        OptionalDouble rowLengthDeviation) {
    /** Nothing is known. */
    public static final EntryFacts UNKNOWN =
            new EntryFacts(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalDouble.empty());

    static EntryFacts of(long rows, long columns) {
        return new EntryFacts(OptionalLong.of(rows), OptionalLong.of(columns), OptionalLong.empty(),
                OptionalDouble.empty());
    }

    static EntryFacts of(long rows, long columns, long nonZeros) {
        return new EntryFacts(OptionalLong.of(rows), OptionalLong.of(columns), OptionalLong.of(nonZeros),
                OptionalDouble.empty());
    }

    static EntryFacts of(ThesisMatrix facts) {
        return new EntryFacts(OptionalLong.of(facts.rows()), OptionalLong.of(facts.columns()),
                OptionalLong.of(facts.nonZeros()), OptionalDouble.of(facts.deviation()));
    }
}
