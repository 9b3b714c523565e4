package org.trellis.internal.threads.loop;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.kernel.LoopStyle;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.PreparedChain;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.loop.TileProposal;
import org.trellis.mesh.loop.Tiling;
import org.trellis.mesh.plan.LoopPlans;
import org.trellis.mesh.tile.TilePlan;
import org.trellis.mesh.tile.TilePlans;

/**
 * Parallel loops on a team of threads: blocks of elements, colour by colour where they add to common targets. One
 * thread needs no colours and runs elements in their order.
 */
public final class TeamLoopKernels implements LoopKernels {
    private static final List<Integer> BLOCK_SIZES = List.of(256, 1024, 4096, 16_384);
    /** Elements that a thread runs at a stretch when nothing conflicts: enough for prefetching to get going. */
    private static final int LARGEST_CHUNK = 131_072;
    private static final int REDUCING_CHUNK = 16_384;
    private static final int CHUNKS_PER_THREAD = 4;
    /** Strands of tiles for each thread, so that one that is held up leaves work to the others. */
    private static final int UNITS_PER_THREAD = 4;
    private static final int ALIGNMENT = 64;
    /** Elements that are done before a sleeping thread has woken up: not worth sharing. */
    private static final int FEW = 4096;
    private static final int SMALLEST_BLOCK = 1024;
    private static final int LARGEST_BLOCK = 16_384;
    /** Blocks for each thread, enough that each colour has several for each. */
    private static final int BLOCKS_PER_THREAD = 32;

    /** Schemes whose blocks are consecutive elements, so that each lies in one part of a set. */
    private static final List<LoopScheme> IN_PARTS =
            List.of(LoopScheme.IN_ORDER, LoopScheme.TWO_LEVEL, LoopScheme.BLOCK_PERMUTE);

    private final WorkerTeam team;
    private final String backend;
    private final List<LoopStyle> styles;
    private final LoopChooser.Factory choosers;

    /**
     * Creates the kernels.
     *
     * @param team    the threads
     * @param backend the name of the backend, for messages
     * @param styles  the styles that the backend has, the preferred one first
     */
    public TeamLoopKernels(WorkerTeam team, String backend, LoopStyle... styles) {
        this(team, backend, (loop, threads, codes) -> Optional.empty(), styles);
    }

    /**
     * Creates the kernels.
     *
     * @param team     the threads
     * @param backend  the name of the backend, for messages
     * @param choosers make what chooses the code of loops whose style is scalar
     * @param styles   the styles that the backend has, the preferred one first
     */
    public TeamLoopKernels(WorkerTeam team, String backend, LoopChooser.Factory choosers, LoopStyle... styles) {
        this.team = team;
        this.backend = backend;
        this.choosers = choosers;
        this.styles = List.of(styles);
    }

    @Override
    @MustBeClosed
    public DatStorage allocate(ScalarType type, int length) {
        return HostStorage.zeros(type, length);
    }

    @Override
    public LoopParameters rule(LoopDeclaration loop) {
        boolean few = loop.set().size() <= FEW;
        LoopStyle style = styles.stream().filter(s -> loop.kernel().objection(s).isEmpty())
                .filter(s -> s == LoopStyle.SCALAR || gainsByVectors(loop, few)).findFirst().orElse(LoopStyle.SCALAR);
        if (!loop.incrementsIndirectly() && reduces(loop)) {
            // The same blocks for any number of threads, so that the same bits come out.
            return LoopParameters.of(LoopScheme.IN_ORDER).withStyle(style).withBlockSize(REDUCING_CHUNK);
        }
        if (!loop.incrementsIndirectly() || team.size() == 1) {
            int chunk = team.size() == 1 || few ? LARGEST_CHUNK : share(loop, CHUNKS_PER_THREAD);
            return LoopParameters.of(LoopScheme.IN_ORDER).withStyle(style)
                    .withBlockSize(Math.clamp(chunk, SMALLEST_BLOCK, LARGEST_CHUNK));
        }
        int block = few ? LARGEST_BLOCK : share(loop, BLOCKS_PER_THREAD);
        return LoopParameters.of(LoopScheme.TWO_LEVEL).withStyle(style)
                .withBlockSize(Math.clamp(block, SMALLEST_BLOCK, LARGEST_BLOCK));
    }

    /**
     * Says whether vectors are worth while. A loop over few elements is run many times before the JIT compiler takes
     * it, and until then vectors are objects; but direct loops are short and soon compiled. Those that move numbers
     * from one array to another the JIT compiler vectorises itself, and better.
     */
    private static boolean gainsByVectors(LoopDeclaration loop, boolean few) {
        boolean direct = true;
        boolean single = true;
        for (int a = 0; a < loop.arity(); a++) {
            direct &= loop.map(a) == null;
            single &= loop.dat(a) == null || loop.dat(a).components() == 1;
        }
        return direct ? reduces(loop) || !single : !few;
    }

    private static boolean reduces(LoopDeclaration loop) {
        return IntStream.range(0, loop.arity()).anyMatch(a -> loop.access(a).reduces());
    }

    /** Cuts the set into some parts for each thread, of a size that is a multiple of any vector's or cache line's. */
    private int share(LoopDeclaration loop, int partsPerThread) {
        int parts = partsPerThread * team.size();
        return Math.ceilDiv(Math.ceilDiv(loop.set().size(), parts), ALIGNMENT) * ALIGNMENT;
    }

    @Override
    public List<LoopParameters> parameterSpace(LoopDeclaration loop) {
        Set<LoopParameters> space = new LinkedHashSet<>();
        space.add(rule(loop));
        for (LoopStyle style : styles) {
            for (LoopScheme scheme : LoopScheme.values()) {
                for (int block : BLOCK_SIZES) {
                    LoopParameters candidate = LoopParameters.of(scheme).withStyle(style).withBlockSize(block);
                    space.add(candidate);
                    space.add(candidate.withFission(true));
                }
            }
        }
        return new ArrayList<>(space.stream().filter(p -> constraint(loop, p).isEmpty()).toList());
    }

    @Override
    public Optional<String> constraint(LoopDeclaration loop, LoopParameters parameters) {
        Optional<String> objection = LoopPlans.objection(loop, parameters);
        if (objection.isPresent()) {
            return objection;
        }
        if (!styles.contains(parameters.style())) {
            return Optional.of("style is " + parameters.style() + ", expected one of " + styles);
        }
        boolean forDevices = parameters.scheme() == LoopScheme.ATOMICS || parameters.scheme() == LoopScheme.RECOMPUTE;
        if (forDevices || !parameters.device().equals(LoopDeviceParameters.NONE)) {
            return Optional.of("parameters are '" + parameters
                    + "', expected neither atomics, nor recompute, nor parameters of a GPU");
        }
        if (parameters.scheme() == LoopScheme.IN_ORDER && loop.incrementsIndirectly() && team.size() > 1) {
            return Optional.of("scheme is in-order on " + team.size()
                    + " threads for a loop that adds through maps, expected another scheme or one thread");
        }
        if (loop.set().inParts() && (parameters.fission() || !IN_PARTS.contains(parameters.scheme()))) {
            return Optional.of("parameters are '" + parameters + "' on " + loop.set()
                    + " in parts, expected one of the schemes " + IN_PARTS + " without fission");
        }
        return loop.kernel().objection(parameters.style());
    }

    @Override
    public Optional<LoopParameters> fused(List<LoopDeclaration> loops, List<LoopParameters> parameters,
            LoopDeclaration whole) {
        return SamePlans.parameters(loops, parameters, whole).map(found -> found.withStyle(LoopStyle.SCALAR))
                .filter(found -> constraint(whole, found).isEmpty());
    }

    @Override
    public List<Tiling> tilings() {
        return List.of(Tiling.values());
    }

    @Override
    public TileProposal tiles(List<ChainLoop> loops, Tiling tiling) {
        return TilePlans.propose(loops, tiling, team.size());
    }

    @Override
    @MustBeClosed
    public PreparedChain chain(List<ChainLoop> loops, Tiling tiling, int tileSize) {
        TilePlan plan = TilePlans.of(loops, tiling, tileSize,
                team.size() == 1 ? 1 : UNITS_PER_THREAD * team.size());
        List<LoopStyle> chosen = new ArrayList<>();
        for (LoopDeclaration loop : loops.stream().map(ChainLoop::loop).toList()) {
            boolean vectors = styles.contains(LoopStyle.SIMD) && loop.kernel().objection(LoopStyle.SIMD).isEmpty()
                    && gainsByVectors(loop, false);
            chosen.add(vectors ? LoopStyle.SIMD : LoopStyle.SCALAR);
        }
        return tiling == Tiling.SPARSE
                ? new TeamTiles(loops, chosen, plan, team)
                : new TeamCopies(loops, chosen, plan, team);
    }

    @Override
    @MustBeClosed
    public PreparedLoop prepare(LoopDeclaration loop, LoopParameters parameters) {
        constraint(loop, parameters).ifPresent(reason -> {
            throw new UnsupportedKernelException(loop.toString(), backend, reason);
        });
        return new TeamLoopBuilder(loop, parameters, team,
                gainsByVectors(loop, false) ? choosers : (l, threads, codes) -> Optional.empty()).build();
    }
}
