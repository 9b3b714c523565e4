package org.trellis.distributed.halo;

/**
 * What goes to one neighbour: own elements, for one ring after another.
 *
 * @param rank    the neighbour
 * @param places  local indices of the elements. Not to be changed
 * @param offsets where each of the neighbour's rings starts in the list, and behind the last the end. Not to be changed
 */
public record SendList(int rank, int[] places, int[] offsets) {
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
        return places.length + " elements to rank " + rank;
    }
}
