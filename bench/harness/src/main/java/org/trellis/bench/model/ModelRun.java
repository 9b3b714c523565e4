package org.trellis.bench.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.trellis.bench.model.ModelReport.Level;
import org.trellis.bench.model.ModelReport.Scale;
import org.trellis.bench.prediction.KernelTimes;
import org.trellis.bench.prediction.Network;
import org.trellis.bench.prediction.PartHalos;
import org.trellis.bench.prediction.RankModel;
import org.trellis.bench.prediction.SolverTimes;
import org.trellis.bench.prediction.StepTimes;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.partitioned.MatrixGraph;
import org.trellis.distributed.partitioned.RowRanges;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.partition.Partition;
import org.trellis.mesh.partition.Partitioner;
import org.trellis.solve.multigrid.Coarsening;
import org.trellis.solve.multigrid.CoarseningOptions;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.CsrMatrix;

/** Predicts: divides matrices, analyses their parts one after the other, measures kernels on the largest. */
public final class ModelRun {
    private static final double TOLERANCE = 1.05;
    private static final List<String> EDGES = List.of("nx", "ny", "nz");
    private static final String ROWS = "rows";

    private final Network network;
    private final List<Integer> rings;
    private final Partitioner partitioner;
    private final Clock clock;
    private final ModelSolvers solvers;
    private final ProgressListener progress;

    /** Measures what the computations of a part take. */
    interface Clock {
        /**
         * Measures.
         *
         * @param block the rows and columns of the largest part
         * @param ranks how many ranks there are to be
         * @return the times
         */
        KernelTimes measure(CsrMatrix block, int ranks);
    }

    /**
     * Prepares predictions.
     *
     * @param network     what is between ranks
     * @param rings       the numbers of rings
     * @param partitioner how rows are divided, or null for blocks
     * @param clock       measures kernels
     * @param solvers     predicts iterations, or null for none
     * @param progress    receives what goes on
     */
    ModelRun(Network network, List<Integer> rings, Partitioner partitioner, Clock clock, ModelSolvers solvers,
            ProgressListener progress) {
        this.solvers = solvers;
        this.network = network;
        this.rings = rings;
        this.partitioner = partitioner;
        this.clock = clock;
        this.progress = progress;
    }

    /** Predicts for one matrix on several numbers of ranks. */
    List<Scale> strong(CsrMatrix matrix, int[] ranks) {
        Graph graph = partitioner == null ? null : MatrixGraph.of(matrix);
        Hierarchy hierarchy = solvers == null ? null : solvers.hierarchy(matrix);
        List<Scale> scales = new ArrayList<>();
        for (int i = 0; i < ranks.length; i++) {
            progress.progress("predict " + ranks[i] + " ranks", i, ranks.length);
            scales.add(scale(matrix, partition(matrix.rows(), graph, ranks[i]), solvers, hierarchy));
        }
        return scales;
    }

    /** Predicts for matrices of a generator that grow with the ranks. */
    List<Scale> weak(MatrixSpec spec, int[] ranks, Precision precision) {
        List<Scale> scales = new ArrayList<>();
        for (int i = 0; i < ranks.length; i++) {
            progress.progress("predict " + ranks[i] + " ranks, growing", i, ranks.length);
            CsrMatrix matrix = grown(spec, ranks[i]).generate(precision, ProgressListener.NONE);
            Graph graph = partitioner == null ? null : MatrixGraph.of(matrix);
            scales.add(scale(matrix, partition(matrix.rows(), graph, ranks[i]), solvers,
                    solvers == null ? null : solvers.hierarchy(matrix)));
        }
        return scales;
    }

    /**
     * Makes a generated matrix larger: every edge of a grid by the root of the factor, or the rows by the factor.
     *
     * @param spec   the matrix
     * @param factor how many times as many rows it is to have, about
     * @return the larger matrix
     * @throws IllegalArgumentException if the generator has neither
     */
    public static MatrixSpec grown(MatrixSpec spec, int factor) {
        Map<String, String> defaults = new LinkedHashMap<>();
        spec.kind().parameters().forEach(parameter -> defaults.put(parameter.name(), parameter.defaultText()));
        List<String> edges = EDGES.stream().filter(defaults::containsKey).toList();
        if (edges.isEmpty() && !defaults.containsKey(ROWS)) {
            throw new IllegalArgumentException("matrices of generator " + spec.kind().name() + " cannot grow: it has "
                    + "none of the parameters " + String.join(", ", EDGES) + " or rows, expected another generator");
        }
        Map<String, String> arguments = new LinkedHashMap<>(spec.arguments());
        double by = Math.pow(factor, 1.0 / Math.max(1, edges.size()));
        for (String name : edges.isEmpty() ? List.of(ROWS) : edges) {
            String text = spec.arguments().getOrDefault(name, defaults.get(name));
            // "=nx" follows what it names.
            if (!text.startsWith("=")) {
                arguments.put(name, String.valueOf(Math.max(1, Math.round(Double.parseDouble(text) * by))));
            }
        }
        return new MatrixSpec(spec.kind(), arguments);
    }

    /** Predicts smoothing on the levels of a hierarchy; those with few rows are on fewer ranks. */
    List<Level> levels(CsrMatrix matrix, Coarsening coarsening, int ranks, int leastRows) {
        progress.progress("coarsen", 0, 1);
        Hierarchy hierarchy = Hierarchy.of(matrix, NearNullSpace.constants(matrix.rows(), 1),
                CoarseningOptions.of(coarsening));
        List<Level> levels = new ArrayList<>();
        for (int level = 0; level < hierarchy.size(); level++) {
            progress.progress("predict level " + level, level, hierarchy.size());
            CsrMatrix own = hierarchy.level(level).matrix();
            int enough = Math.clamp(own.rows() / leastRows, 1, ranks);
            Graph graph = partitioner == null ? null : MatrixGraph.of(own);
            levels.add(new Level(level, enough < ranks, scale(own, partition(own.rows(), graph, enough),
                    null, null)));
        }
        return levels;
    }

    private Partition partition(int rows, Graph graph, int ranks) {
        if (partitioner != null && ranks > 1) {
            return partitioner.partition(graph, ranks, TOLERANCE);
        }
        RowRanges ranges = new RowRanges(rows, ranks);
        int[] partOf = new int[rows];
        Arrays.setAll(partOf, ranges::blockOf);
        return new Partition(partOf, ranks);
    }

    /** Predicts for a matrix that is divided. */
    private Scale scale(CsrMatrix matrix, Partition partition, ModelSolvers wanted, Hierarchy hierarchy) {
        PartHalos halos =
                PartHalos.of(matrix, partition, rings.stream().mapToInt(Integer::intValue).max().orElseThrow());
        int ranks = partition.parts();
        KernelTimes times = clock.measure(block(matrix, partition, RankModel.largest(halos)), ranks);
        RankModel model = new RankModel(halos, network, times, matrix.precision());
        List<StepTimes> products = rings.stream().map(model::product).toList();
        List<StepTimes> sweeps = rings.stream().map(model::sweep).toList();
        List<SolverTimes> found = wanted == null
                ? List.of()
                : wanted.predict(halos, network, times, matrix.precision(),
                        hierarchy == null ? null : wanted.layout(hierarchy, partition));
        return new Scale(ranks, matrix.rows(), matrix.nonZeros(), times, products, sweeps, model.iteration(), found);
    }

    /** The rows and columns of one part. */
    static CsrMatrix block(CsrMatrix matrix, Partition partition, int part) {
        int[] rows = IntStream.range(0, matrix.rows()).filter(row -> partition.partOf()[row] == part).toArray();
        return matrix.select(rows, rows);
    }
}
