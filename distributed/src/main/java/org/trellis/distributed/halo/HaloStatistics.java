package org.trellis.distributed.halo;

import java.util.Arrays;

/**
 * What a plan costs one rank.
 *
 * @param rings             number of rings
 * @param ownedRows         rows that it owns
 * @param interiorRows      those that need its own elements only
 * @param ownedNonZeros     entries of its rows
 * @param ringRows          elements of each ring, the first ring first
 * @param ringNonZeros      entries of the rows of each ring but the last, which is never multiplied
 * @param sendNeighbours    ranks that it sends to
 * @param receiveNeighbours ranks that it receives from
 * @param sentElements      elements that it sends in an exchange of one vector
 */
public record HaloStatistics(int rings, int ownedRows, int interiorRows, long ownedNonZeros, int[] ringRows,
        long[] ringNonZeros, int sendNeighbours, int receiveNeighbours, int sentElements) {
    /**
     * Returns the number of rows that need elements of others.
     *
     * @return owned rows that are not interior
     */
    public int boundaryRows() {
        return ownedRows - interiorRows;
    }

    /**
     * Counts the entries that are multiplied redundantly in as many products as there are rings after one exchange:
     * {@code Σ (k − r) nnz(ring r)} over the rings {@code r < k}.
     *
     * @return the number of entries beyond those of the owned rows
     */
    public long redundantNonZeros() {
        long sum = 0;
        for (int r = 1; r < rings; r++) {
            sum += (rings - r) * ringNonZeros[r - 1];
        }
        return sum;
    }

    /**
     * Counts the rows that are computed redundantly in as many products as there are rings after one exchange.
     *
     * @return {@code Σ (k − r) rows(ring r)} over the rings {@code r < k}
     */
    public long redundantRows() {
        long sum = 0;
        for (int r = 1; r < rings; r++) {
            sum += (long) (rings - r) * ringRows[r - 1];
        }
        return sum;
    }

    /**
     * Returns the number of elements that come in an exchange of one vector.
     *
     * @return the sum of all rings
     */
    public int receivedElements() {
        return Arrays.stream(ringRows).sum();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HaloStatistics that && toString().equals(that.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        return rings + " rings around " + ownedRows + " rows (" + interiorRows + " interior, " + ownedNonZeros
                + " non-zeros): rows " + Arrays.toString(ringRows) + ", non-zeros " + Arrays.toString(ringNonZeros)
                + ", " + sentElements + " elements to " + sendNeighbours + " ranks, " + receivedElements() + " from "
                + receiveNeighbours;
    }
}
