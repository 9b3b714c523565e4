package org.trellis.tuner.product.online;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.trellis.sparse.SpmvParameters;

/** In how many steps of one parameter each a set of parameters is reached from another. */
public final class SpmvDistance {
    private SpmvDistance() {}

    /**
     * Counts steps: each doubling or halving of threads or rows is one, and so is each other parameter that differs.
     * The size of chunks follows from threads and rows, and the width of indices from the family, where these differ.
     *
     * @param one   a set
     * @param other another
     * @return 0 if they are equal
     */
    public static int between(SpmvParameters one, SpmvParameters other) {
        int shape = octaves(one.cooperatingThreads(), other.cooperatingThreads())
                + octaves(one.rowsPerGroup(), other.rowsPerGroup());
        int chunk = shape == 0 && one.chunkRows() != other.chunkRows() ? 1 : 0;
        int storage = one.family() != other.family() || one.indexBits() != other.indexBits() ? 1 : 0;
        return shape + chunk + storage + differ(one.blockSize(), other.blockSize())
                + differ(one.sortingWindow(), other.sortingWindow()) + (one.simd() == other.simd() ? 0 : 1);
    }

    private static int octaves(int one, int other) {
        return one == other
                ? 0
                : Math.max(1, Math.abs(Integer.numberOfLeadingZeros(one) - Integer.numberOfLeadingZeros(other)));
    }

    private static int differ(int one, int other) {
        return one == other ? 0 : 1;
    }

    /**
     * Sorts a space by distance; sets at the same distance stay in their order.
     *
     * @param space sets
     * @param from  where to count from
     * @return all but {@code from}
     */
    public static List<SpmvParameters> nearestFirst(Collection<SpmvParameters> space, SpmvParameters from) {
        return space.stream().filter(other -> !other.equals(from))
                .sorted(Comparator.comparingInt(other -> between(from, other))).toList();
    }
}
