package org.trellis.distributed.halo;

/**
 * What comes from one neighbour: for each ring, consecutive local elements.
 *
 * @param rank   the neighbour
 * @param starts for each ring from the first, the first local element. Not to be changed
 * @param counts for each ring from the first, how many. Not to be changed
 */
public record ReceiveList(int rank, int[] starts, int[] counts) {
    /**
     * Returns how many elements come with each vector.
     *
     * @return the sum over the rings
     */
    public int elements() {
        return elements(counts.length);
    }

    /**
     * Returns how many elements of the first rings come with each vector.
     *
     * @param rings how many rings
     * @return the sum over them
     */
    public int elements(int rings) {
        int sum = 0;
        for (int ring = 0; ring < rings; ring++) {
            sum += counts[ring];
        }
        return sum;
    }

    /**
     * Returns where the elements of the first rings are.
     *
     * @param rings how many rings
     * @return the local elements, in the order in which they come; a new array
     */
    public int[] places(int rings) {
        int[] places = new int[elements(rings)];
        int at = 0;
        for (int ring = 0; ring < rings; ring++) {
            for (int i = 0; i < counts[ring]; i++) {
                places[at++] = starts[ring] + i;
            }
        }
        return places;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return rank;
    }

    @Override
    public String toString() {
        return elements() + " elements from rank " + rank;
    }
}
