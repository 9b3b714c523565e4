package org.trellis.examples.rotor.mesh;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** How the nodes of a lattice are numbered: what is near in space should be near in memory. */
public enum LatticeNumbering {
    /** As refinement makes them: those of coarser levels first. */
    REFINED,
    /** Along lines of the shortest direction, line by line in planes across the longest one. */
    LINES,
    /** Brick by brick, each with eight nodes in the shortest direction and four in the others. */
    BRICKS;

    private static final int[] BRICK = {8, 4, 4};
    /** Bits of the place of a brick, of which there are fewer than twice the most cells of a lattice, and inside it. */
    private static final int BITS = 14;
    private static final int INSIDE_BITS = 4;
    /** Nodes in the middle of cut cells lie half-way between those of a lattice. */
    private static final int HALVES = 2;

    /**
     * Returns the one of a name.
     *
     * @param name a lower-case word
     * @return the way
     * @throws IllegalArgumentException if there is none of that name
     */
    static LatticeNumbering named(String name) {
        return Arrays.stream(values()).filter(one -> one.label().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("numbers is '" + name + "', expected "
                        + String.join(", ", Arrays.stream(values()).map(LatticeNumbering::label).toList())));
    }

    private String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Numbers nodes.
     *
     * @param points three coordinates of each in widths of the coarsest lattice, multiples of half of this one's width
     * @param size   cells of the coarsest lattice in each direction
     * @param depth  how often that has been refined
     * @return the new number of each
     */
    int[] of(double[] points, int[] size, int depth) {
        int nodes = points.length / HybridMesh.SPACE;
        int[] numbers = new int[nodes];
        if (this == REFINED) {
            Arrays.setAll(numbers, node -> node);
            return numbers;
        }
        List<Integer> shortest = IntStream.range(0, HybridMesh.SPACE).boxed()
                .sorted((a, b) -> Integer.compare(size[a], size[b])).toList();
        long[] keys = new long[nodes];
        Arrays.parallelSetAll(keys, node -> key(points, HybridMesh.SPACE * node, shortest, HALVES << depth));
        long[] sorted = keys.clone();
        Arrays.parallelSort(sorted);
        Arrays.parallelSetAll(numbers, node -> Arrays.binarySearch(sorted, keys[node]));
        return numbers;
    }

    /** The brick's place, along the longest direction first, and then the node's in it; no two nodes have the same. */
    private long key(double[] points, int at, List<Integer> shortest, int scale) {
        long brick = 0;
        long inside = 0;
        for (int i = HybridMesh.SPACE - 1; i >= 0; i--) {
            int place = (int) (scale * points[at + shortest.get(i)]);
            int width = this == LINES ? 1 : HALVES * BRICK[i];
            brick = (brick << BITS) | (place / width);
            inside = (inside << INSIDE_BITS) | (place % width);
        }
        return (brick << (HybridMesh.SPACE * INSIDE_BITS)) | inside;
    }
}
