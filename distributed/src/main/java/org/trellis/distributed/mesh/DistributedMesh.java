package org.trellis.distributed.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.powers.RingContest;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.Dat;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.LocalMesh;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshRanks;
import org.trellis.mesh.MeshSet;
import org.trellis.solve.assembled.AssembledSystems;

/**
 * Meshes over ranks: a program that is given one runs on all of them, unchanged.
 *
 * <pre>{@code
 * ThreadRanks.run(4, communicator -> {
 *     try (Backend backend = Backends.open("threads", configuration);
 *             Mesh mesh = DistributedMesh.on(backend, communicator)) {
 *         Program program = new Program(mesh);         // declares the whole mesh, in the user's numbering
 *         program.run();                               // the first loop divides it
 *         return program.result().toArray();           // all values, on every rank
 *     }
 * });
 * }</pre>
 *
 * <p>Every rank makes the same calls of the mesh, in the same order, with the same arguments. What a program does
 * besides, such as printing, it does on one rank ({@link Mesh#ranks}). Each rank has a backend of its own, of any kind:
 * on the host, or on a device with {@link HaloKernels}, whose messages go straight to other devices of the process.
 */
public final class DistributedMesh {
    private DistributedMesh() {}

    /**
     * Creates an empty mesh over ranks with {@link RankOptions#usual}. Called by all ranks.
     *
     * @param backend      where this rank's loops run; not closed with the mesh
     * @param communicator the ranks; not closed with the mesh
     * @return the mesh
     * @throws UnsupportedKernelException if the backend has no loops, or is on a device without messages
     */
    @MustBeClosed
    public static Mesh on(Backend backend, Communicator communicator) {
        return on(backend, communicator, RankOptions.usual());
    }

    /**
     * Creates an empty mesh over ranks. Called by all ranks.
     *
     * @param backend      where this rank's loops run; not closed with the mesh
     * @param communicator the ranks; not closed with the mesh
     * @param options      how it lies on them, alike on all ranks but for what concerns how loops are run
     * @return the mesh
     * @throws IllegalArgumentException   if the options have a tuner of loops
     * @throws UnsupportedKernelException if the backend has no loops, or is on a device without messages
     */
    @MustBeClosed
    public static Mesh on(Backend backend, Communicator communicator, RankOptions options) {
        Objects.requireNonNull(communicator);
        if (backend.device().space() != MemorySpace.HOST
                && backend.optionalKernels(HaloKernels.class).isEmpty()) {
            throw new UnsupportedKernelException("a mesh over ranks", backend.name(),
                    "it has no messages between devices; expected one that has, or a backend on the host");
        }
        return Mesh.on(backend, options.mesh(), new Ranks(backend, communicator, options));
    }

    /** Divides a mesh when it is asked to. */
    private static final class Ranks implements MeshRanks {
        private final Backend backend;
        private final Communicator communicator;
        private RankOptions options;
        private RankMesh share;
        private Runnable again;
        private RankBackend solver;

        Ranks(Backend backend, Communicator communicator, RankOptions options) {
            this.backend = backend;
            this.communicator = communicator;
            this.options = options;
        }

        @Override
        public int rank() {
            return communicator.rank();
        }

        @Override
        public int ranks() {
            return communicator.size();
        }

        @Override
        @SuppressWarnings("MustBeClosed") // systems are closed by their makers
        public Backend solverBackend() {
            if (solver == null) {
                AssembledSystems systems = (pattern, values) -> new RankedSystem(share, pattern, values, solver);
                solver = RankBackend.around(communicator.split(0, communicator.rank()), backend,
                        Map.of(AssembledSystems.class, systems));
            }
            return solver;
        }

        @Override
        public void close() {
            if (solver != null) {
                solver.close();
                solver = null;
            }
        }

        @Override
        public Duration patience() {
            return communicator.patience();
        }

        @Override
        public boolean dividesAgain() {
            return options.division().hasShares();
        }

        @Override
        public void divided(Runnable redivision) {
            again = redivision;
        }

        @Override
        public void highest(long[] values) {
            communicator.allReduce(Reduction.MAX, values);
        }

        @Override
        @SuppressWarnings("MustBeClosed") // closed by the mesh
        public LocalMesh divide(Mesh mesh) {
            share = RankMesh.of(mesh, communicator, options);
            return share;
        }
    }

    /**
     * Divides a mesh again, with other shares: every value goes to the rank that owns its element then, and loops are
     * prepared anew by their next run. Called by all ranks. Costs all values on every rank for a moment, and a
     * division.
     *
     * @param mesh   a mesh over ranks whose division has shares ({@link Division#withShares})
     * @param shares what each rank is to have, relative to their sum; alike on all ranks
     * @throws IllegalArgumentException if the mesh is on one rank, its division has no shares, or the shares are wrong
     */
    public static void divideAgain(Mesh mesh, double... shares) {
        share(mesh, "another division");
        Ranks ranks = (Ranks) mesh.ranks().orElseThrow();
        if (!ranks.dividesAgain()) {
            throw new IllegalArgumentException("another division of a mesh that was divided by "
                    + ranks.options.division() + ", expected a division with shares, for which maps are kept");
        }
        ranks.options = ranks.options.withDivision(ranks.options.division().withShares(shares));
        ranks.again.run();
    }

    /**
     * Lets ranks compute one after the other, loop by loop, instead of at the same time: then each is timed as if it
     * had the machine for itself, a device by its own clock. For measurements; an iteration takes as long as all ranks
     * take one after the other. Loops that a chain runs together take no turns. Called by all ranks. Forgets the times
     * of past runs, and ends when the mesh is divided again.
     *
     * @param mesh   a mesh over ranks
     * @param wanted false to let them compute together, as in the beginning
     * @throws IllegalArgumentException if the mesh is on one rank
     */
    public static void takeTurns(Mesh mesh, boolean wanted) {
        share(mesh, "turns").takeTurns(wanted);
    }

    /**
     * Says why ranks without any elements still take part in a mesh that one rank has as a whole. Otherwise that rank
     * runs it as if there were no others, who learn of globals when they look.
     *
     * @param mesh a mesh over ranks
     * @return why; empty if they do not have to
     * @throws IllegalArgumentException if the mesh is on one rank
     */
    public static Optional<String> needOfOthers(Mesh mesh) {
        RankMesh share = share(mesh, "the need of other ranks");
        return SingleOwnerRank.objection(mesh).or(() -> share.communicator().transport().startsWith("threads")
                ? Optional.empty()
                : Optional.of("ranks are processes"));
    }

    private static RankMesh share(Mesh mesh, String what) {
        if (mesh.ranks().orElse(null) instanceof Ranks ranks) {
            mesh.divide();
            return ranks.share;
        }
        throw new IllegalArgumentException(what + " of a mesh on one rank, expected one of DistributedMesh.on");
    }

    /**
     * Says how a mesh is divided; divides it unless it has been. Called by all ranks.
     *
     * @param mesh a mesh over ranks
     * @return the same on all ranks
     * @throws IllegalArgumentException if the mesh is on one rank
     */
    public static DivisionReport division(Mesh mesh) {
        return share(mesh, "the division").division();
    }

    /**
     * Says how the rings of a sequence that tunes them are chosen ({@link LoopSequence.Builder#tunedRings}).
     *
     * @param mesh     a mesh over ranks
     * @param sequence one of its sequences
     * @return what is tried, and what was measured and chosen; empty for other sequences and before the first run
     * @throws IllegalArgumentException if the mesh is on one rank
     */
    public static Optional<RingContest> ringChoice(Mesh mesh, LoopSequence sequence) {
        return share(mesh, "the choice of rings").contest(sequence);
    }

    /**
     * Says which rank owns each element of a set, as for a picture; divides the mesh unless it has been. Called by all
     * ranks.
     *
     * @param set a set of a mesh over ranks
     * @return by the user's numbers; a new array. Zeros for a set that every rank has
     * @throws IllegalArgumentException if the mesh is on one rank
     */
    public static int[] owners(MeshSet set) {
        RankMesh share = share(set.mesh(), "the owners");
        return share.owners(share.set(set));
    }

    /**
     * Returns the values that this rank owns; divides the mesh unless it has been. For results that each rank writes by
     * itself. Concerns this rank only.
     *
     * @param dat a dat of a mesh over ranks
     * @return the values of {@link #owned} elements, components side by side
     * @throws IllegalArgumentException if the mesh is on one rank
     * @throws IllegalStateException    if the mesh has checkpoints, which would not see what this rank alone reads
     */
    public static double[] ownedValues(Dat dat) {
        if (dat.set().mesh().options().checkpoints().isPresent()) {
            throw new IllegalStateException("values of " + dat + " that one rank reads, of a mesh with checkpoints, "
                    + "expected all values on all ranks: toArray");
        }
        return share(dat.set().mesh(), "owned values").dat(dat).owned();
    }

    /**
     * Returns the elements that this rank owns; divides the mesh unless it has been.
     *
     * @param set a set of a mesh over ranks
     * @return the users' numbers, in the order in which the rank keeps them; a new array
     * @throws IllegalArgumentException if the mesh is on one rank
     */
    public static int[] owned(MeshSet set) {
        return share(set.mesh(), "owned elements").set(set).owned();
    }
}
