package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.compile.FollowingKernels;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.GroupKernels;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.PreparedChain;
import org.trellis.mesh.StopCondition;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.PatternKernels;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.device.PreparedRepetition;
import org.trellis.mesh.device.PreparedSequence;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.TileProposal;
import org.trellis.mesh.loop.Tiling;
import org.trellis.mesh.tile.TilePlans;

/**
 * Parallel loops on a CUDA device. Dats live on the device; a loop is compiled for its kernel, layouts, precision,
 * scheme and block size when it is first prepared (some 100 ms unless the code is in the cache), and then queued. Maps
 * and plans are copied to the device once for all loops that use them.
 *
 * <p>Every scheme but {@code atomics} gives the same bits in each run.
 */
public final class CudaLoopKernels implements LoopKernels {
    private final CudaContext context;
    private final DeviceArrays arrays;
    private final CudaGlobals globals;

    /**
     * Creates the loops of a context.
     *
     * @param context where they run
     */
    public CudaLoopKernels(CudaContext context) {
        this.context = context;
        this.arrays = new DeviceArrays(context);
        this.globals = new CudaGlobals(context);
    }

    /**
     * Returns the patterns of assembled matrices, which share copies of maps with the loops.
     *
     * @return patterns in the same context
     */
    public PatternKernels patterns() {
        return new CudaPatternKernels(context, arrays);
    }

    /**
     * Returns messages between ranks, which know the globals of the loops.
     *
     * @return messages in the same context
     */
    public HaloKernels halos() {
        return new CudaHaloKernels(context, globals);
    }

    /**
     * Returns groups of ranks whose messages NCCL carries; the library is looked for when it is asked for.
     *
     * @param places files or folders where it is looked for first
     * @return groups in the same context
     */
    public GroupKernels groups(List<Path> places) {
        return new CudaGroupKernels(context, globals, places);
    }

    @Override
    @MustBeClosed
    public DatStorage allocate(ScalarType type, int length) {
        return new CudaDatStorage(context, type, length);
    }

    @Override
    public DatStorage wrap(DenseVector vector) {
        return new CudaDatStorage(context, (CudaVector) vector);
    }

    @Override
    public LoopParameters rule(LoopDeclaration loop) {
        return CudaLoopRule.parameters(loop);
    }

    /**
     * Compiles the loop as the rule proposes it, and again if registers are spilled, or if registers or shared memory
     * leave a multiprocessor emptier than it need be.
     */
    @Override
    public LoopParameters refine(LoopDeclaration loop, LoopParameters proposed) {
        return CudaLoopRule.refined(loop, proposed,
                p -> new CudaLoopBuilder(context, arrays, globals, loop, p).figures());
    }

    @Override
    public List<LoopParameters> parameterSpace(LoopDeclaration loop) {
        return CudaLoopRule.space(loop);
    }

    /** Lets loops run as the rule proposes for all, or as the program has said for the one that adds through maps. */
    @Override
    public Optional<LoopParameters> fused(List<LoopDeclaration> loops, List<LoopParameters> parameters,
            LoopDeclaration whole) {
        LoopParameters wanted = rule(whole);
        for (int i = 0; i < loops.size(); i++) {
            if (loops.get(i).incrementsIndirectly() && !parameters.get(i).equals(rule(loops.get(i)))) {
                wanted = parameters.get(i);
            }
        }
        return Optional.of(wanted).filter(found -> constraint(whole, found).isEmpty());
    }

    @Override
    public Optional<String> constraint(LoopDeclaration loop, LoopParameters parameters) {
        return CudaLoopConstraints.objection(loop, parameters);
    }

    /**
     * Has the code of a loop compiled, also as it may be refined, unless it depends on parts of sets, or on the plan of
     * a large one; and has the tables made that the code reads whose targets run their elements.
     */
    @Override
    public void expect(LoopDeclaration loop, LoopParameters parameters) {
        if (loop.set().inParts()) {
            return;
        }
        if (CudaLoopRule.dependsOnCode(loop, parameters)) {
            context.compileFollowing(() -> new FollowingKernels(sources(loop, List.of(parameters)).getFirst(),
                    LoopSource.FUNCTION, CodeFigures.LONG_CODE,
                    sources(loop, CudaLoopRule.afterCode(loop, parameters, true)),
                    sources(loop, CudaLoopRule.afterCode(loop, parameters, false))));
        } else {
            context.compileAhead(() -> sources(loop, CudaLoopRule.likely(loop, parameters)));
        }
    }

    private List<KernelSource> sources(LoopDeclaration loop, List<LoopParameters> all) {
        return all.stream()
                .flatMap(p -> new CudaLoopBuilder(context, arrays, globals, loop, p).expectedSources().stream())
                .toList();
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // loops over parts are closed with the loop that is made of them
    public PreparedLoop prepare(LoopDeclaration loop, LoopParameters parameters) {
        constraint(loop, parameters).ifPresent(reason -> {
            throw new UnsupportedKernelException(loop.toString(), "cuda", reason);
        });
        return loop.set().inParts()
                ? new CudaSplitLoop(loop, range -> new CudaLoopBuilder(context, arrays, globals, loop, parameters,
                        range).build())
                : new CudaLoopBuilder(context, arrays, globals, loop, parameters).build();
    }

    /** Chunks: tiles that all threads of the device run together. */
    @Override
    public List<Tiling> tilings() {
        return List.of(Tiling.NONE, Tiling.SPARSE);
    }

    @Override
    public TileProposal tiles(List<ChainLoop> loops, Tiling tiling) {
        return TilePlans.proposeChunks(loops, context.device().l2Bytes());
    }

    @Override
    @MustBeClosed
    public PreparedChain chain(List<ChainLoop> loops, Tiling tiling, int tileSize) {
        return new CudaChunks(context, arrays, globals, loops, TilePlans.chunks(loops, tileSize));
    }

    /** Joins steps into a CUDA graph, if the driver has graphs, all can be parts of one, and there are two launches. */
    @Override
    public Optional<PreparedSequence> join(List<PreparedStep> steps) {
        return context.driver().hasGraphs() ? CudaSequence.of(context, steps) : Optional.empty();
    }

    /** Says whether the driver has conditional nodes. */
    @Override
    public boolean repeats() {
        return context.driver().hasConditionalNodes();
    }

    /** Makes a graph with a while node, if all steps can be parts of one. */
    @Override
    public Optional<PreparedRepetition> repeat(List<PreparedStep> steps, StopCondition watch, int most) {
        return repeats() ? CudaRepetition.of(context, steps, watch, most) : Optional.empty();
    }

    /** Returns the number of arrays of maps and plans that are on the device. */
    int sharedArrays() {
        return arrays.count();
    }
}
