package org.trellis.matrices.generate;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CooMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.GraphLaplacian;

/**
 * Graphs of textbooks, as adjacency matrix or Laplacian. Edges have no direction, weight 1, and count once; no vertex
 * is
 * joined to itself.
 *
 * @param model    which graph
 * @param vertices how many, at least 0
 * @param degree   even: neighbours of a vertex of a ring or small world, on average of a random graph; half of it is
 *                 how
 *                 many edges a vertex of a preferential graph brings
 * @param rewire   the chance that an edge of a small world goes elsewhere, 0 to 1
 * @param form     what the matrix is
 * @param shift    added to the diagonal
 * @param seed     decides chance
 */
public record GraphModel(Model model, int vertices, int degree, double rewire, Form form, double shift, long seed)
        implements
            MatrixGenerator {
    /** Graphs. */
    public enum Model {
        /** Each vertex is joined to those at most half the degree away on a circle. */
        RING,
        /** A line of vertices. */
        PATH,
        /** All vertices are joined to the first. */
        STAR,
        /** A ring some of whose edges go elsewhere (D. Watts, S. Strogatz, Nature 393, 1998). */
        SMALLWORLD,
        /**
         * Vertices join others with a chance in proportion to degrees (A.-L. Barabási, R. Albert, Science 286,
         * 1999).
         */
        PREFERENTIAL,
        /** Pairs are drawn at random (P. Erdős, A. Rényi, 1959); those that are drawn twice count once. */
        RANDOM
    }

    /** What the matrix is. */
    public enum Form {
        /** {@link GraphLaplacian#COMBINATORIAL}. */
        COMBINATORIAL,
        /** {@link GraphLaplacian#NORMALISED}. */
        NORMALISED,
        /** {@link GraphLaplacian#SIGNLESS}. */
        SIGNLESS,
        /** 1 for each edge, in both directions. */
        ADJACENCY
    }

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of its range; names it
     */
    public GraphModel {
        Checks.notNegative("vertices", vertices);
        if (degree < 2 || degree % 2 != 0) {
            throw new IllegalArgumentException(
                    "graph: degree is " + degree + ", expected an even number of at least 2");
        }
        if (!(rewire >= 0 && rewire <= 1)) {
            throw new IllegalArgumentException("graph: rewire is " + rewire + ", expected 0 to 1");
        }
        if (!Double.isFinite(shift)) {
            throw new IllegalArgumentException("graph: shift is " + shift + ", expected a finite number");
        }
    }

    @Override
    public int rows() {
        return vertices;
    }

    @Override
    public int columns() {
        return vertices;
    }

    @Override
    public CsrMatrix generate(Precision precision, ProgressListener progress) {
        long most = mostEdges();
        // Both ends of each edge twice: while it is drawn and in the matrix.
        HeapCheck.check(vertices, vertices, 4 * most, precision);
        int[] ends = new int[Checks.arrayLength("ends of edges of a graph", 2 * most)];
        int used = draw(ends);
        progress.progress("generate", vertices, vertices);
        CsrMatrix adjacency = adjacency(Arrays.copyOf(ends, used));
        CsrMatrix matrix = form == Form.ADJACENCY
                ? adjacency
                : GraphLaplacian.valueOf(form.name()).of(adjacency);
        CsrMatrix shifted = shift == 0
                ? matrix
                : matrix.plus(CsrMatrix.identity(vertices, Precision.F64).scaled(shift));
        return shifted.toPrecision(precision);
    }

    private long mostEdges() {
        return switch (model) {
            case PATH, STAR -> Math.max(0, vertices - 1);
            default -> (long) vertices * (degree / 2);
        };
    }

    /** Returns how many elements are used. */
    private int draw(int[] ends) {
        SplitMix random = new SplitMix(seed);
        return switch (model) {
            case PATH, STAR -> {
                for (int i = 1; i < vertices; i++) {
                    ends[2 * i - 2] = model == Model.PATH ? i - 1 : 0;
                    ends[2 * i - 1] = i;
                }
                yield ends.length;
            }
            case RANDOM -> {
                Arrays.setAll(ends, k -> random.nextInt(vertices));
                yield ends.length;
            }
            case RING, SMALLWORLD -> ring(ends, random);
            case PREFERENTIAL -> preferential(ends, random);
        };
    }

    private int ring(int[] ends, SplitMix random) {
        int used = 0;
        for (int i = 0; i < vertices; i++) {
            for (int step = 1; step <= degree / 2; step++) {
                boolean elsewhere = model == Model.SMALLWORLD && random.nextDouble() < rewire;
                ends[used++] = i;
                ends[used++] = elsewhere ? random.nextInt(vertices) : (int) ((i + (long) step) % vertices);
            }
        }
        return used;
    }

    /** A vertex is found in the list of ends as often as it has edges. */
    private int preferential(int[] ends, SplitMix random) {
        int used = 0;
        for (int i = 1; i < vertices; i++) {
            int before = used;
            for (int edge = 0; edge < Math.min(i, degree / 2); edge++) {
                ends[used++] = i;
                ends[used++] = before == 0 ? 0 : ends[random.nextInt(before)];
            }
        }
        return used;
    }

    private CsrMatrix adjacency(int[] ends) {
        int[] joined = IntStream.range(0, ends.length / 2)
                .filter(k -> ends[2 * k] != ends[2 * k + 1]).toArray();
        int[] from = new int[2 * joined.length];
        int[] to = new int[2 * joined.length];
        for (int k = 0; k < joined.length; k++) {
            from[2 * k] = to[2 * k + 1] = ends[2 * joined[k]];
            to[2 * k] = from[2 * k + 1] = ends[2 * joined[k] + 1];
        }
        HostVector ones = HostVector.zeros(Precision.F64, from.length).fill(1);
        return CooMatrix.of(vertices, vertices, from, to, ones).toCsr().mapValues(times -> 1);
    }
}
