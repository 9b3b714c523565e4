package org.trellis.matrices.generate;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * The adjacency matrix of a recursive-matrix (stochastic Kronecker) graph of 2^scale vertices: each edge chooses one of
 * the four quadrants of the matrix with probabilities a, b, c and d = 1 − a − b − c, then a quadrant of that, and so on
 * down to one place. Row lengths are heavily skewed.
 *
 * <p>Entry (i, j) is the number of edges from i to j, or 1. Memory while it is made: 12 bytes an edge beside the
 * matrix.
 *
 * @see <a href="https://doi.org/10.1137/1.9781611972740.43">D. Chakrabarti, Y. Zhan, C. Faloutsos, R-MAT: A Recursive
 *      Model for Graph Mining, SDM 2004</a>
 * @see <a href="https://graph500.org/?page_id=12">Graph 500 benchmark specification: a, b, c = 0.57, 0.19, 0.19, edge
 *      factor 16</a>
 */
public final class RMatGraph implements MatrixGenerator {
    private static final int CHUNK = 1 << 16;
    private static final int LARGEST_SCALE = 30;
    private static final String STAGE = "generate";

    private final int scale;
    private final int edges;
    private final Quadrants quadrants;
    private final Options options;
    private final long seed;

    /**
     * The probabilities of the quadrants.
     *
     * @param a upper left
     * @param b upper right
     * @param c lower left; the lower right has the rest
     */
    public record Quadrants(double a, double b, double c) {
        /** Those of the Graph 500 benchmark. */
        public static final Quadrants GRAPH500 = new Quadrants(0.57, 0.19, 0.19);

        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if they are no probabilities whose sum is at most 1
         */
        public Quadrants {
            if (!(a >= 0 && b >= 0 && c >= 0 && a + b + c <= 1)) {
                throw new IllegalArgumentException("rmat: a, b, c are " + a + ", " + b + ", " + c
                        + ", expected numbers of at least 0 whose sum is at most 1");
            }
        }

        /** Upper bounds of the first three quadrants among the numbers of 32 bits. */
        private long[] bounds() {
            return new long[]{Math.round(a * 0x1p32), Math.round((a + b) * 0x1p32), Math.round((a + b + c) * 0x1p32)};
        }
    }

    /**
     * What is made of the edges.
     *
     * @param symmetric whether each edge is stored in both directions
     * @param sum       whether equal edges are added up; otherwise they count once
     * @param loops     whether edges from a vertex to itself are kept
     * @param shuffle   whether the vertices are renumbered at random, so that long rows are not at the top
     */
    public record Options(boolean symmetric, boolean sum, boolean loops, boolean shuffle) {}

    /**
     * Creates a graph.
     *
     * @param scale      binary logarithm of the number of vertices, 0 to 30
     * @param edgeFactor edges drawn per vertex, at least 0
     * @param quadrants  their probabilities
     * @param options    what is made of the edges
     * @param seed       any number
     * @throws IllegalArgumentException if a parameter is out of range or the edges are more than an array holds
     */
    public RMatGraph(int scale, double edgeFactor, Quadrants quadrants, Options options, long seed) {
        if (scale < 0 || scale > LARGEST_SCALE) {
            throw new IllegalArgumentException("rmat: scale is " + scale + ", expected 0 to " + LARGEST_SCALE);
        }
        double wanted = Math.rint(edgeFactor * (1L << scale));
        double limit = Math.floor((Integer.MAX_VALUE - 8.0) / (options.symmetric ? 2 : 1));
        if (!(wanted >= 0 && wanted <= limit)) {
            throw new IllegalArgumentException("rmat: edgeFactor is " + edgeFactor + ", expected 0 to "
                    + limit / (1L << scale) + " at scale " + scale);
        }
        this.scale = scale;
        this.edges = (int) wanted;
        this.quadrants = quadrants;
        this.options = options;
        this.seed = seed;
    }

    @Override
    public int rows() {
        return 1 << scale;
    }

    @Override
    public int columns() {
        return 1 << scale;
    }

    @Override
    public CsrMatrix generate(Precision precision, ProgressListener progress) {
        int stored = options.symmetric ? 2 * edges : edges;
        // The edge list weighs as much as 8 bytes a non-zero more than the matrix itself.
        HeapCheck.check(rows(), columns(), stored + (long) edges, precision);
        int[] from = new int[edges];
        int[] to = new int[edges];
        drawEdges(from, to, new Progress(progress, STAGE, edges));
        int[] offsets = new int[rows() + 1];
        int[] neighbours = sortByRow(from, to, offsets);
        return compress(offsets, neighbours, precision);
    }

    private void drawEdges(int[] from, int[] to, Progress meter) {
        int[] labels = options.shuffle ? shuffledLabels() : null;
        long[] bounds = quadrants.bounds();
        int chunks = (int) ((edges + (long) CHUNK - 1) / CHUNK);
        IntStream.range(0, chunks).parallel().forEach(chunk -> {
            int start = chunk * CHUNK;
            int end = (int) Math.min(edges, start + (long) CHUNK);
            SplitMix random = SplitMix.of(seed, chunk);
            for (int e = start; e < end; e++) {
                long place = drawPlace(random, scale, bounds);
                int row = (int) (place >>> 32);
                int column = (int) place;
                from[e] = labels == null ? row : labels[row];
                to[e] = labels == null ? column : labels[column];
            }
            meter.add(end - start);
        });
    }

    /**
     * Descends through the quadrants; the row is in the upper half of the result, the column in the lower. Each level
     * takes 32 random bits u, and its quadrant is the number of bounds that u reaches, counted by sign bits: branches
     * that chance decides would be mispredicted and cost three times as much.
     */
    private static long drawPlace(SplitMix random, int scale, long[] bounds) {
        int row = 0;
        int column = 0;
        long bits = 0;
        for (int level = 0; level < scale; level++) {
            bits = (level & 1) == 0 ? random.nextLong() : bits << 32;
            long below = -1 - (bits >>> 32);
            int quadrant = (int) (((bounds[0] + below) >>> 63) + ((bounds[1] + below) >>> 63)
                    + ((bounds[2] + below) >>> 63));
            row = row << 1 | quadrant >> 1;
            column = column << 1 | (quadrant & 1);
        }
        return (long) row << 32 | column;
    }

    /** A random order of the vertices (R. Durstenfeld, CACM algorithm 235, 1964). */
    private int[] shuffledLabels() {
        int[] labels = new int[rows()];
        SplitMix random = SplitMix.of(seed, -1);
        for (int i = 0; i < labels.length; i++) {
            int j = random.nextInt(i + 1);
            labels[i] = labels[j];
            labels[j] = i;
        }
        return labels;
    }

    /** Counting sort; fills {@code offsets} and returns the columns of all rows, repeats included, not sorted. */
    private int[] sortByRow(int[] from, int[] to, int[] offsets) {
        int kept = 0;
        for (int e = 0; e < edges; e++) {
            if (from[e] != to[e] || options.loops) {
                offsets[from[e] + 1]++;
                kept++;
                if (options.symmetric && from[e] != to[e]) {
                    offsets[to[e] + 1]++;
                    kept++;
                }
            }
        }
        Offsets.sum(offsets);
        int[] next = Arrays.copyOf(offsets, rows());
        int[] neighbours = new int[kept];
        for (int e = 0; e < edges; e++) {
            if (from[e] != to[e] || options.loops) {
                neighbours[next[from[e]]++] = to[e];
                if (options.symmetric && from[e] != to[e]) {
                    neighbours[next[to[e]]++] = from[e];
                }
            }
        }
        return neighbours;
    }

    private CsrMatrix compress(int[] offsets, int[] neighbours, Precision precision) {
        int rows = rows();
        int[] packed = new int[rows + 1];
        IntStream.range(0, rows).parallel().forEach(row -> {
            Arrays.sort(neighbours, offsets[row], offsets[row + 1]);
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                packed[row + 1] += isFirst(neighbours, offsets[row], k) ? 1 : 0;
            }
        });
        Offsets.sum(packed);
        int[] columns = new int[packed[rows]];
        HostVector values = HostVector.zeros(precision, packed[rows]);
        IntStream.range(0, rows).parallel().forEach(row -> {
            int at = packed[row] - 1;
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                if (isFirst(neighbours, offsets[row], k)) {
                    columns[++at] = neighbours[k];
                    values.set(at, 1);
                } else if (options.sum) {
                    values.set(at, values.get(at) + 1);
                }
            }
        });
        return CsrMatrix.of(rows, rows, packed, columns, values);
    }

    private static boolean isFirst(int[] neighbours, int rowStart, int index) {
        return index == rowStart || neighbours[index] != neighbours[index - 1];
    }
}
