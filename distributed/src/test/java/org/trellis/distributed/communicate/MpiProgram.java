package org.trellis.distributed.communicate;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.halo.HaloChecker;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.distributed.mesh.RandomProgram;
import org.trellis.distributed.mesh.RankOptions;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.KrylovBasis;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.mesh.LoopCases;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.ParallelLoop;
import org.trellis.testing.PartitionedCase;
import org.trellis.testing.TestSeed;

/** What the processes run that the tests start under MPI; the first argument says which of several things. */
public final class MpiProgram {
    private MpiProgram() {}

    /**
     * Runs a part.
     *
     * @param arguments its name, and what it wants
     */
    public static void main(String... arguments) {
        String text = MpiRanks.run(configuration(arguments[0]), communicator -> arguments[0].equals("timing")
                ? timing(communicator, Path.of(arguments[1]), Integer.parseInt(arguments[2]))
                : run(arguments[0], communicator));
        if (text != null) {
            System.out.println(text);
        }
    }

    /** Memory of emulated devices is the host's, which every library takes. */
    private static Configuration configuration(String part) {
        return part.equals("devices")
                ? Configuration.builder().set(ConfigurationKeys.MPI_CUDA, "yes").build()
                : Configuration.load();
    }

    /** Runs a part on one rank, and returns what is to be printed or null. */
    static String run(String part, Communicator communicator) {
        return switch (part) {
            case "contract" -> contract(communicator);
            case "throw" -> throwOnOne(communicator);
            case "mismatch" -> mismatch(communicator);
            case "exit" -> exit(communicator);
            case "late" -> late(communicator);
            case "sizes" -> sizes(communicator);
            case "mesh" -> communicator.rank() == 0 ? meshes(communicator) : ignored(meshes(communicator));
            case "random" -> communicator.rank() == 0 ? random(communicator) : ignored(random(communicator));
            case "devices", "not asked" -> DeviceMemoryProgram.run(communicator);
            case "wait" -> waitForever(communicator);
            default -> PartitionerProgram.run(communicator, ParallelPartitioner.labelled(part)
                    .orElseThrow(() -> new IllegalArgumentException(part)));
        };
    }

    private static String timing(Communicator communicator, Path library, int rounds) {
        String lines = MessageTiming.run(communicator, library, rounds);
        return communicator.rank() == 0 ? lines : null;
    }

    private static String contract(Communicator communicator) {
        int checks = 0;
        for (String name : CommunicatorContract.names()) {
            try (Communicator own = communicator.split(0, communicator.rank())) {
                CommunicatorContract.check(name, own);
                checks++;
            } catch (AssertionError e) {
                throw new IllegalStateException("check '" + name + "' failed: " + e.getMessage(), e);
            }
        }
        String digests = products(communicator);
        return communicator.rank() == 0
                ? checks + " checks on " + communicator.size() + " ranks of " + communicator.transport() + ", "
                        + digests
                : null;
    }

    private static String ignored(String text) {
        return text.isEmpty() ? text : null;
    }

    /** The bits of loops over a mesh, to be compared with those of threads. */
    static String meshes(Communicator communicator) {
        StringBuilder digests = new StringBuilder("loops");
        try (Backend backend = Backends.open("threads", Configuration.load());
                Mesh mesh = DistributedMesh.on(backend, communicator);
                LoopCases cases = new LoopCases(mesh, new int[]{1201, 301}, Precision.F64, 7)) {
            for (ParallelLoop loop : cases.loops()) {
                cases.restartWithFractions();
                loop.run();
                loop.run();
                digests.append(' ').append(Arrays.deepHashCode(cases.values().toArray()));
            }
            digests.append(' ').append(mesh.report().loops().size());
        }
        return digests.toString();
    }

    /** Values of random programs, whole numbers, to be compared with those of one rank. */
    @SuppressWarnings("MustBeClosed") // closed by what runs the programs
    private static String random(Communicator communicator) {
        try (Backend backend = Backends.open("reference", Configuration.load())) {
            return random(() -> DistributedMesh.on(backend, communicator, RankOptions.usual().withRings(2)));
        }
    }

    /** Runs random programs, each on a mesh of its own. */
    static String random(Supplier<Mesh> meshes) {
        SplittableRandom seeds = TestSeed.random("random programs of processes");
        StringBuilder digests = new StringBuilder("random programs");
        for (int program = 0; program < 6; program++) {
            try (Mesh mesh = meshes.get()) {
                RandomProgram one = RandomProgram.restless(mesh, seeds.nextLong(), null);
                one.run();
                digests.append(' ').append(Arrays.deepHashCode(one.values().toArray()));
            }
        }
        return digests.append(" end").toString();
    }

    /** The bits of powers, to be compared with those of threads. */
    static String products(Communicator communicator) {
        StringBuilder digests = new StringBuilder();
        List<PartitionedCase> cases = PartitionedCase.all(communicator.size(), Precision.F64);
        for (PartitionedCase problem : cases.subList(0, 8)) {
            PartitionedMatrix part = PartitionedMatrix.scatter(communicator, 0, problem.matrix(), problem.partition());
            for (int rings = 1; rings <= 3; rings++) {
                try (HaloPlan plan = HaloPlan.of(part, rings)) {
                    HaloChecker.firstViolation(plan).ifPresent(violation -> {
                        throw new IllegalStateException(violation);
                    });
                    RingVector[] powers = {plan.vector(), plan.vector(), plan.vector(), plan.vector()};
                    RingVector x = plan.vector(i -> Math.sin((double) i));
                    new RingProduct(plan).basis(KrylovBasis.monomial(4), x, powers);
                    double[] last = powers[3].gather(0).toDoubleArray();
                    digests.append(Arrays.hashCode(last)).append(' ');
                }
            }
        }
        return communicator.rank() == 0 ? "digests " + digests.toString().strip() : null;
    }

    private static String throwOnOne(Communicator communicator) {
        if (communicator.rank() == 1) {
            throw new IllegalStateException("no more ink");
        }
        communicator.barrier();
        return null;
    }

    private static String mismatch(Communicator communicator) {
        if (communicator.rank() == 0) {
            communicator.barrier();
        } else {
            communicator.allReduce(Reduction.MAX, new double[3]);
        }
        return null;
    }

    /** A rank that ends with code 0 although others still need it. */
    private static String exit(Communicator communicator) {
        if (communicator.rank() == 1) {
            System.exit(0);
        }
        communicator.barrier();
        return null;
    }

    private static String late(Communicator communicator) {
        if (communicator.rank() == 0) {
            ReceiveChannel in = communicator.receiveFrom(1, 4, 16);
            in.start();
            in.await();
        }
        communicator.barrier();
        return null;
    }

    private static String sizes(Communicator communicator) {
        if (communicator.rank() == 0) {
            ReceiveChannel in = communicator.receiveFrom(1, 4, 16);
            in.start();
            in.await();
        } else {
            SendChannel out = communicator.sendTo(0, 4, 24);
            out.start();
            out.await();
        }
        communicator.barrier();
        return null;
    }

    /** Says who it is and waits to be killed. */
    private static String waitForever(Communicator communicator) {
        System.out.println("process of rank " + communicator.rank() + ": " + ProcessHandle.current().pid() + ";");
        System.out.flush();
        while (true) {
            communicator.barrier();
        }
    }
}
