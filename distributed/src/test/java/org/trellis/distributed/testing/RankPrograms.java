package org.trellis.distributed.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.balance.Balancer;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.fem.FormPrograms;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.distributed.mesh.Division;
import org.trellis.distributed.mesh.RandomProgram;
import org.trellis.distributed.mesh.RankOptions;
import org.trellis.distributed.multigrid.RankMultigrid;
import org.trellis.distributed.multigrid.RankMultigridOptions;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.ColouredGaussSeidel;
import org.trellis.distributed.powers.KrylovBasis;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.distributed.powers.RingSmoother;
import org.trellis.distributed.powers.RingTuner;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.checkpoint.CheckpointInterval;
import org.trellis.mesh.checkpoint.Checkpoints;
import org.trellis.mesh.loop.Tiling;
import org.trellis.mesh.partition.MultilevelPartitioner;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.VectorsLoops;
import org.trellis.solve.eigen.Eigenvalues;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.TestSeed;

/**
 * Small programs that together wait for other ranks in every place where there is something to wait for. Each returns
 * the same numbers in every run, however late ranks are.
 */
public final class RankPrograms {
    private static final Configuration ONE_THREAD =
            Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
    private static final CsrMatrix SQUARES =
            MatrixSpec.parse("poisson2d:nx=17,ny=19").generate(Precision.F64, ProgressListener.NONE);
    private static final Map<String, String> SMALL_LEVELS = Map.of("aggregates", "mis2", "coarse-rows", "20");

    private RankPrograms() {}

    /** What all ranks do. */
    @FunctionalInterface
    public interface Program {
        /**
         * Runs on one rank.
         *
         * @param communicator this rank's view of all
         * @return numbers; those of rank 0 count
         */
        double[] run(Communicator communicator);
    }

    /**
     * Returns all programs.
     *
     * @param folder where one of them keeps its checkpoints; of one run
     * @return the programs by what they do
     */
    public static Map<String, Program> all(Path folder) {
        Map<String, Program> programs = new LinkedHashMap<>();
        programs.put("division and movement of matrices", RankPrograms::matrices);
        programs.put("halos and powers", RankPrograms::powers);
        programs.put("colours and sweeps", RankPrograms::colours);
        programs.put("choice of rings by times", RankPrograms::tunedRings);
        programs.put("set-up and cycle of multigrid", RankPrograms::multigrid);
        programs.put("random mesh program", communicator -> meshes(communicator, RankOptions.usual(), 1));
        programs.put("random mesh program with tiles", communicator -> meshes(communicator,
                tiled(RankOptions.usual().withRings(3)), 2));
        programs.put("random mesh program of rows that ranks bring", RankPrograms::broughtRows);
        programs.put("random mesh program with checkpoints", communicator -> checkpoints(communicator, folder));
        programs.put("one rank that has everything", RankPrograms::singleOwner);
        programs.put("division by coordinates, again and in turns", RankPrograms::divisions);
        programs.put("balance by times", RankPrograms::balance);
        programs.put("finite elements", RankPrograms::forms);
        programs.put("eigenvalues", RankPrograms::eigenvalues);
        for (String stack : List.of("cg jacobi", "pipelined-cg jacobi", "s-step none", "s-step-gmres none",
                "gmres amg", "bicgstab ssor", "gmres schwarz", "idr chebyshev", "minres none", "auto auto")) {
            programs.put("solution by " + stack, communicator -> solve(communicator, stack));
        }
        return programs;
    }

    private static Partition partition(int rows, int ranks) {
        int[] partOf = new int[rows];
        Arrays.setAll(partOf, i -> (int) ((long) (i - i % 3) * ranks / rows));
        return new Partition(partOf, ranks);
    }

    private static double element(long i) {
        return 1 + (7919 * i + 13) % 1009 / 1009.0;
    }

    private static PartitionedMatrix scatter(Communicator communicator) {
        return PartitionedMatrix.scatter(communicator, 0, SQUARES, partition(SQUARES.rows(), communicator.size()));
    }

    private static double[] gather(PartitionedMatrix matrix, HostVector vector) {
        HostVector whole = matrix.gather(0, vector);
        return whole == null ? new double[0] : whole.toDoubleArray();
    }

    private static double[] matrices(Communicator communicator) {
        PartitionedMatrix matrix = scatter(communicator);
        PartitionedMatrix other = matrix.repartition(new MultilevelPartitioner(), 1.2);
        int[] owners = new int[other.ownedRows()];
        Arrays.fill(owners, (communicator.rank() + 1) % communicator.size());
        PartitionedMatrix moved = other.redistribute(owners);
        HostVector brought = moved.bring(matrix, matrix.vector(RankPrograms::element));
        double[] large = {moved.largestEntry()};
        double[] all = gather(moved, brought);
        return IntStream.range(0, all.length + 1).mapToDouble(i -> i == 0 ? large[0] : all[i - 1]).toArray();
    }

    private static double[] powers(Communicator communicator) {
        try (HaloPlan plan = HaloPlan.of(scatter(communicator), 2)) {
            RingVector x = plan.vector(RankPrograms::element);
            RingVector[] powers = {plan.vector(), plan.vector(), plan.vector(), plan.vector()};
            new RingProduct(plan).basis(KrylovBasis.monomial(4), x, powers);
            HostVector last = powers[3].gather(0);
            return last == null ? new double[0] : last.toDoubleArray();
        }
    }

    private static double[] colours(Communicator communicator) {
        try (HaloPlan plan = HaloPlan.of(scatter(communicator), 1)) {
            ColouredGaussSeidel sweeps = ColouredGaussSeidel.of(plan, 1.1);
            sweeps.rightHandSide().set(RankPrograms::element);
            sweeps.smooth(2, SweepDirection.SYMMETRIC);
            HostVector x = sweeps.solution().gather(0);
            return x == null ? new double[0] : x.toDoubleArray();
        }
    }

    private static double[] tunedRings(Communicator communicator) {
        try (HaloPlan plan = HaloPlan.of(scatter(communicator), 3)) {
            RingTuner tuner = new RingTuner(plan, 1, 3);
            RingSmoother smoother = RingSmoother.jacobi(plan, 0.8).tunedBy(tuner);
            smoother.rightHandSide().set(RankPrograms::element);
            smoother.smooth(40);
            HostVector x = smoother.solution().gather(0);
            return x == null ? new double[0] : x.toDoubleArray();
        }
    }

    private static double[] multigrid(Communicator communicator) {
        PartitionedMatrix matrix = scatter(communicator);
        try (Backend backend = Backends.open("threads", ONE_THREAD);
                RankMultigrid multigrid = RankMultigrid.of(matrix, null,
                        RankMultigridOptions.parse(SMALL_LEVELS, RingChoice.of(2, 1)).rowsPerRank(30), backend)) {
            HostVector z = matrix.vector(i -> 0);
            multigrid.apply(matrix.vector(RankPrograms::element), z);
            return gather(matrix, z);
        }
    }

    private static double[] flat(List<double[]> values) {
        return values.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    private static RankOptions tiled(RankOptions options) {
        MeshOptions mesh = options.mesh().lazy();
        return options.withMesh(mesh.withChains(mesh.chains().withTiling(Tiling.SPARSE, 7)));
    }

    private static double[] meshes(Communicator communicator, RankOptions options, int number) {
        try (Backend own = Backends.open("reference", Configuration.load());
                Mesh mesh = DistributedMesh.on(own, communicator, options)) {
            RandomProgram program = RandomProgram.restless(mesh, seed(number), null);
            program.run();
            return flat(program.values());
        }
    }

    private static long seed(int number) {
        return TestSeed.random("rank program " + number).nextLong();
    }

    private static double[] broughtRows(Communicator communicator) {
        try (Backend own = Backends.open("reference", Configuration.load());
                Mesh mesh = DistributedMesh.on(own, communicator)) {
            RandomProgram program = new RandomProgram(mesh, seed(3), new SplittableRandom(seed(4)));
            program.run();
            return flat(program.values());
        }
    }

    /** Once from its beginning and once, if there is a checkpoint, from there. */
    private static double[] checkpoints(Communicator communicator, Path folder) {
        Path file = folder.resolve("state");
        List<double[]> both = new ArrayList<>();
        Checkpoints[] runs = {Checkpoints.to(file).withInterval(CheckpointInterval.iterations(5)),
            Checkpoints.from(file)};
        for (Checkpoints checkpoints : runs) {
            RankOptions options = RankOptions.usual();
            try (Backend own = Backends.open("reference", Configuration.load());
                    Mesh mesh = DistributedMesh.on(own, communicator,
                            options.withMesh(options.mesh().withCheckpoints(checkpoints)))) {
                both.add(counted(mesh));
            }
            communicator.barrier(); // the first rank lists files as it closes
        }
        return flat(both);
    }

    /** Adds one to all numbers of a dat some times, and their squares to a sum. */
    private static double[] counted(Mesh mesh) {
        MeshSet set = mesh.set("set", 53);
        double[] values = new double[set.size()];
        Arrays.setAll(values, i -> i % 7);
        Dat x = mesh.dat("x", set, 1, Precision.F64, values);
        Dat y = mesh.dat("y", set, 1, Precision.F64);
        Global sum = mesh.global("sum", 0);
        Global one = mesh.global("one", 1);
        LoopSequence sequence = mesh.sequence("iteration").set(sum, 0)
                .run(mesh.loop(VectorsLoops.AXPY, set, one, x, y)).run(mesh.loop(VectorsLoops.SQUARE, set, y, sum))
                .build();
        List<Double> seen = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            sequence.run();
            seen.add(sum.get());
        }
        return flat(List.of(y.toArray(), seen.stream().mapToDouble(Double::doubleValue).toArray()));
    }

    private static double[] singleOwner(Communicator communicator) {
        double[] shares = new double[communicator.size()];
        shares[communicator.size() - 1] = 1;
        return meshes(communicator, RankOptions.usual().withDivision(Division.blocks().withShares(shares)), 5);
    }

    private static double[] divisions(Communicator communicator) {
        double[] shares = new double[communicator.size()];
        Arrays.setAll(shares, rank -> 1 + rank);
        try (Backend own = Backends.open("reference", Configuration.load());
                Mesh mesh = DistributedMesh.on(own, communicator,
                        RankOptions.usual().withDivision(Division.blocks().withShares(shares)))) {
            RandomProgram program = new RandomProgram(mesh, seed(6));
            int[] step = {0};
            program.run(() -> {
                DistributedMesh.takeTurns(mesh, step[0] % 3 == 0);
                if (step[0]++ == 5) {
                    double[] others = new double[shares.length];
                    Arrays.setAll(others, rank -> shares[shares.length - 1 - rank]);
                    DistributedMesh.divideAgain(mesh, others);
                }
            });
            return flat(program.values());
        }
    }

    private static double[] balance(Communicator communicator) {
        double[] shares = new double[communicator.size()];
        Arrays.fill(shares, 1);
        try (Backend own = Backends.open("reference", Configuration.load());
                Mesh mesh = DistributedMesh.on(own, communicator,
                        RankOptions.usual().withDivision(Division.blocks().withShares(shares)))) {
            MeshSet set = mesh.set("set", 999);
            double[] values = new double[set.size()];
            Arrays.setAll(values, i -> i % 7);
            Dat x = mesh.dat("x", set, 1, Precision.F64, values);
            Dat y = mesh.dat("y", set, 1, Precision.F64);
            Global one = mesh.global("one", 1);
            LoopSequence sequence =
                    mesh.sequence("iteration").run(mesh.loop(VectorsLoops.AXPY, set, one, x, y)).build();
            Balancer balancer = new Balancer(mesh, sequence, 100, shares);
            for (int i = 0; i < 100; i++) {
                sequence.run();
                balancer.iterated();
            }
            return y.toArray();
        }
    }

    private static double[] forms(Communicator communicator) {
        return FormPrograms.solveOver(communicator, "squares", "p-multigrid");
    }

    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    private static double[] eigenvalues(Communicator communicator) {
        PartitionedMatrix matrix = scatter(communicator);
        try (HaloPlan plan = HaloPlan.of(matrix, 1);
                RankBackend backend = new RankBackend(communicator, Backends.open("threads", ONE_THREAD));
                PartitionedOperator operator = new PartitionedOperator(plan, backend)) {
            return Eigenvalues.of(operator, backend).count(2).largest().find().values();
        }
    }

    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    private static double[] solve(Communicator communicator, String stack) {
        String[] parts = stack.split(" ");
        SolverConfig config = new SolverConfig(parts[0], Map.of(), parts[1],
                parts[1].equals("amg") ? SMALL_LEVELS : Map.of(), StoppingCriteria.relative(1e-9, 400), false, false);
        PartitionedMatrix matrix = scatter(communicator);
        RingChoice rings = PartitionedSolver.tunesRings(config) ? RingChoice.TUNED : RingChoice.of(1);
        try (HaloPlan plan = HaloPlan.of(matrix, 1);
                RankBackend backend = new RankBackend(communicator, Backends.open("threads", ONE_THREAD));
                PartitionedOperator operator = new PartitionedOperator(plan, backend);
                PartitionedSolver solver = PartitionedSolver.prepare(config, matrix, operator, backend, rings, null)) {
            HostVector x = matrix.vector(i -> 0);
            solver.solve(matrix.vector(RankPrograms::element), x, config.criteria(), IterationObserver.NONE);
            return gather(matrix, x);
        }
    }
}
