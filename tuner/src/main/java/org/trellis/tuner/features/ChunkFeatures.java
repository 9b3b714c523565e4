package org.trellis.tuner.features;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the models see of how a matrix fits formats that store several rows at a time: found at a bounded sample of
 * {@value ChunkSample#CHUNKS} chunks of {@value ChunkSample#ROWS} successive rows, of each row at most
 * {@value ChunkSample#ENTRIES} entries, but for the padding of vectors, which all rows count for. Profiles of older
 * versions have none of these numbers.
 *
 * @param diagonalPadding     places over entries if a chunk stored each diagonal that has an entry in it, at most
 *                            {@value ChunkSample#MOST_PADDING}
 * @param diagonalStored      sampled entries of chunks whose diagonals take at most two places for each entry, over all
 *                            sampled
 * @param fullDiagonalShare   sampled entries on diagonals that have an entry in three quarters of the rows of half a
 *                            chunk, over all sampled
 * @param commonRun           the longest of 6, 4, 3, 2 and 1 into runs of which all rows of half a chunk can be cut;
 *                            geometric mean over the sampled entries
 * @param gapBits             mean binary logarithm, rounded down, of the distance between successive columns of a row
 * @param vectorPadding       places over non-zeros if each row of {@value RowPass#VECTOR} successive ones had as many
 *                            entries as the longest of them
 * @param sortedPadding       the same in a sampled chunk whose rows are sorted by their lengths
 * @param vectorLinesPerEntry lines of 8 columns of the operand that {@value RowPass#VECTOR} successive rows touch, over
 *                            their entries
 */
public record ChunkFeatures(double diagonalPadding, double diagonalStored, double fullDiagonalShare, double commonRun,
        double gapBits, double vectorPadding, double sortedPadding, double vectorLinesPerEntry) {
    /** What is known of a matrix in a profile of an older version: each number is a NaN. */
    public static final ChunkFeatures UNKNOWN = new ChunkFeatures(Double.NaN, Double.NaN, Double.NaN, Double.NaN,
            Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    static final List<String> VECTOR_NAMES = List.of("logDiagonalPadding", "diagonalStored", "fullDiagonalShare",
            "logCommonRun", "gapBits", "logVectorPadding", "logSortedPadding", "logVectorLinesPerEntry");

    /**
     * Returns whether these are features of a matrix.
     *
     * @return false for {@link #UNKNOWN}
     */
    public boolean isKnown() {
        return !equals(UNKNOWN);
    }

    /** Writes what a model reads behind a number of others; as many as there are names. */
    void fill(double[] vector, int from) {
        vector[from] = MatrixFeatures.log2(diagonalPadding);
        vector[from + 1] = diagonalStored;
        vector[from + 2] = fullDiagonalShare;
        vector[from + 3] = MatrixFeatures.log2(commonRun);
        vector[from + 4] = gapBits;
        vector[from + 5] = MatrixFeatures.log2(vectorPadding);
        vector[from + 6] = MatrixFeatures.log2(sortedPadding);
        vector[from + 7] = MatrixFeatures.log2(vectorLinesPerEntry);
    }

    /** Returns the features by name, nothing if they are unknown. */
    Map<String, Number> toMap() {
        Map<String, Number> map = new LinkedHashMap<>();
        if (isKnown()) {
            map.put("diagonalPadding", diagonalPadding);
            map.put("diagonalStored", diagonalStored);
            map.put("fullDiagonalShare", fullDiagonalShare);
            map.put("commonRun", commonRun);
            map.put("gapBits", gapBits);
            map.put("vectorPadding", vectorPadding);
            map.put("sortedPadding", sortedPadding);
            map.put("vectorLinesPerEntry", vectorLinesPerEntry);
        }
        return map;
    }

    /** Reads features by name: all of them, or {@link #UNKNOWN} if there is none. */
    static ChunkFeatures fromMap(Map<String, ? extends Number> map) {
        // Which names there are, any known features show.
        if (new ChunkFeatures(1, 1, 1, 1, 1, 1, 1, 1).toMap().keySet().stream().noneMatch(map::containsKey)) {
            return UNKNOWN;
        }
        return new ChunkFeatures(MatrixFeatures.number(map, "diagonalPadding"),
                MatrixFeatures.number(map, "diagonalStored"), MatrixFeatures.number(map, "fullDiagonalShare"),
                MatrixFeatures.number(map, "commonRun"), MatrixFeatures.number(map, "gapBits"),
                MatrixFeatures.number(map, "vectorPadding"), MatrixFeatures.number(map, "sortedPadding"),
                MatrixFeatures.number(map, "vectorLinesPerEntry"));
    }
}
