package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.DeviceAttribute;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaKernel;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.plan.LoopPlan;
import org.trellis.mesh.plan.LoopPlans;

/** Makes a loop ready to run: its plan, its code, its data on the device. */
final class CudaLoopBuilder {
    /** The most threads of a block. */
    static final int MAXIMUM_THREADS = 1024;
    /** Threads of a block of the plan that has more elements than a block of threads can have. */
    private static final int THREADS_OF_LARGE_BLOCKS = 256;
    private static final int GATHER_THREADS = 256;
    private static final int WARP = 32;
    /** Elements whose plan takes less time than the code that depends on it. */
    private static final int PLANNED_AHEAD = 1 << 16;
    /** Dynamic shared memory that needs no permission. */
    private static final int PLAIN_SHARED_BYTES = 48 * 1024;

    private final CudaContext context;
    private final LoopDeclaration loop;
    private final LoopParameters parameters;
    private final LoopTables tables;
    private final Contributions contributions;
    private final LoopMemory memory;
    private final List<LoopLaunches> launches = new ArrayList<>();
    private int elementColours = 1;
    private LoopPlan plan;

    CudaLoopBuilder(CudaContext context, DeviceArrays arrays, CudaGlobals globals, LoopDeclaration loop,
            LoopParameters parameters) {
        this(context, arrays, globals, loop, parameters, null);
    }

    /** Prepares a loop over some elements of a set in parts, or over all if none are given. */
    CudaLoopBuilder(CudaContext context, DeviceArrays arrays, CudaGlobals globals, LoopDeclaration loop,
            LoopParameters parameters, LoopRange range) {
        this.context = context;
        this.loop = loop;
        this.parameters = parameters;
        this.tables = new LoopTables(loop, range);
        this.contributions = new Contributions(loop, parameters.fission(), parameters.device().transposed());
        this.memory = new LoopMemory(context, loop, arrays, globals, contributions);
    }

    /**
     * Lets the loop store contributions where another loop over other elements does, which has run before.
     *
     * @param other what the other loop holds, which is closed later; null to hold them itself
     * @return what has them
     */
    LoopMemory lend(LoopMemory other) {
        memory.borrow(other);
        return other == null ? memory : other;
    }

    @MustBeClosed
    CudaLoop build() {
        boolean done = false;
        try {
            LoopForm form = LoopForm.of(loop, parameters);
            if (parameters.scheme() == LoopScheme.TEMPORARY) {
                add(LoopForm.storing(parameters.device()), true);
                for (int dat : GatherSource.targets(tables)) {
                    addGather(dat);
                }
            } else if (parameters.fission()) {
                add(LoopForm.storing(parameters.device()), false);
                add(form.addingStored(), true);
            } else {
                add(form, true);
            }
            CudaLoop prepared = new CudaLoop(context, loop, plan, elementColours, memory, launches,
                    tables.range() == null);
            done = true;
            return prepared;
        } finally {
            if (!done) {
                launches.forEach(LoopLaunches::close);
                memory.close();
            }
        }
    }

    /** Compiles the launch that runs the kernel, and puts nothing on the device but its code. */
    CodeFigures figures() {
        try {
            LoopForm form = parameters.scheme() == LoopScheme.TEMPORARY || parameters.fission()
                    ? LoopForm.storing(parameters.device())
                    : LoopForm.of(loop, parameters);
            BlockTables blocks = blocks(form);
            LoopSource source = code(form, blocks, false);
            KernelSource text = source.source(parameters.device().registers());
            CudaKernel kernel = kernel(text, LoopSource.FUNCTION, source.struct(), source.sharedBytes());
            return CodeFigures.of(kernel, threads(blocks, form), source.sharedBytes());
        } finally {
            memory.close();
        }
    }

    /**
     * Returns the sources of a loop, the first to be needed first; none of a loop over a large set whose code depends
     * on a plan. Puts nothing on the device.
     */
    List<KernelSource> expectedSources() {
        try {
            boolean gathered = parameters.scheme() == LoopScheme.TEMPORARY;
            LoopForm form = gathered || parameters.fission()
                    ? LoopForm.storing(parameters.device())
                    : LoopForm.of(loop, parameters);
            List<KernelSource> sources = new ArrayList<>();
            boolean planned = form.blocks() || form.listed();
            if (!planned || loop.set().size() <= PLANNED_AHEAD) {
                sources.add(code(form, blocks(form), true).source(parameters.device().registers()));
                for (int dat : gathered ? GatherSource.targets(tables) : new int[0]) {
                    sources.add(new GatherSource(tables, contributions, dat, GATHER_THREADS, memory).source());
                }
            }
            return sources;
        } finally {
            memory.close();
        }
    }

    private BlockTables blocks(LoopForm form) {
        return form.blocks() || form.listed() ? BlockTables.of(tables, form, parameters) : null;
    }

    private record Compiled(LoopLaunches launches, boolean reduces) {}

    private LoopSource code(LoopForm form, BlockTables blocks, boolean expected) {
        return new LoopSource(tables, form, blocks, contributions, threads(blocks, form), memory, expected);
    }

    private Compiled compile(LoopForm form, BlockTables blocks) {
        LoopSource source = code(form, blocks, false);
        KernelSource text = source.source(parameters.device().registers());
        return new Compiled(launches(text, LoopSource.FUNCTION, source.struct(), threads(blocks, form),
                source.sharedBytes()), !source.reducingArguments().isEmpty());
    }

    /** Adds the launches of a form; the main one's plan is the one that is reported. */
    private void add(LoopForm form, boolean main) {
        BlockTables blocks = blocks(form);
        Compiled compiled = compile(form, blocks);
        LoopLaunches added = compiled.launches();
        int total = form.blocks()
                ? addBlocks(added, blocks.plan())
                : form.listed()
                        ? addColours(added, blocks.plan())
                        : addWhole(added, form, compiled.reduces());
        memory.blocks(total);
        added.bind();
        added.blockCount(total);
        if (main) {
            plan = blocks == null ? LoopPlans.of(loop, LoopScheme.IN_ORDER, parameters.blockSize()) : blocks.plan();
            elementColours = form.coloured() ? blocks.colours().most() : 1;
        }
    }

    private LoopLaunches launches(KernelSource source, String function, ArgumentStruct struct, int threads,
            int sharedBytes) {
        CudaKernel kernel = kernel(source, function, struct, sharedBytes);
        LoopLaunches added = new LoopLaunches(kernel, struct, loop.arity(), threads, sharedBytes);
        launches.add(added);
        return added;
    }

    private CudaKernel kernel(KernelSource source, String function, ArgumentStruct struct, int sharedBytes) {
        if (struct.bytes() > ArgumentStruct.MAXIMUM_BYTES) {
            throw new UnsupportedKernelException(loop.toString(), "cuda", "its sizes, addresses, globals and constants "
                    + "are " + struct.bytes() + " bytes, expected at most " + ArgumentStruct.MAXIMUM_BYTES);
        }
        CudaKernel kernel = context.kernel(source, function);
        if (sharedBytes > PLAIN_SHARED_BYTES) {
            int limit = context.driver().deviceAttribute(context.device().number(),
                    DeviceAttribute.SHARED_MEMORY_PER_BLOCK_OPTIN);
            if (sharedBytes > limit) {
                throw new UnsupportedKernelException(loop.toString(), "cuda", "a block of '" + parameters + "' needs "
                        + sharedBytes + " bytes of shared memory, the device has " + limit
                        + "; smaller blocks need less");
            }
            kernel.allowShared(sharedBytes);
        }
        return kernel;
    }

    private int threads(BlockTables blocks, LoopForm form) {
        int wanted = parameters.device().threads();
        if (wanted > 0) {
            return wanted;
        }
        int elements = form.blocks()
                ? blocks.largestBlock()
                : parameters.blockSize() == 0 ? THREADS_OF_LARGE_BLOCKS : parameters.blockSize();
        int whole = Math.max(1, Math.ceilDiv(elements, WARP)) * WARP;
        return whole <= MAXIMUM_THREADS ? whole : THREADS_OF_LARGE_BLOCKS;
    }

    private int addBlocks(LoopLaunches added, LoopPlan blocks) {
        if (LoopForm.blockColours(parameters.scheme())) {
            for (int colour = 0; colour < blocks.colours(); colour++) {
                int first = blocks.colourOffsets()[colour];
                added.add(blocks.colourOffsets()[colour + 1] - first, 0, 0, first);
            }
        } else {
            added.add(blocks.blocks(), 0, 0, 0);
        }
        return blocks.blocks();
    }

    private int addColours(LoopLaunches added, LoopPlan colours) {
        int total = 0;
        for (int colour = 0; colour < colours.colours(); colour++) {
            int first = colours.blockOffsets()[colours.colourOffsets()[colour]];
            int count = colours.blockOffsets()[colours.colourOffsets()[colour + 1]] - first;
            int grid = Math.ceilDiv(count, added.threads());
            added.add(grid, first, count, total);
            total += grid;
        }
        return total;
    }

    private int addWhole(LoopLaunches added, LoopForm form, boolean reduces) {
        LoopRange range = tables.range();
        boolean pulls = parameters.scheme() == LoopScheme.RECOMPUTE;
        int count = range != null
                ? pulls ? PullCode.part(tables).targets().length : range.count()
                : pulls ? PullCode.targets(loop).size() : loop.set().size();
        int grid = Math.ceilDiv(count, added.threads() * form.perThread() / form.perTarget());
        if (reduces) {
            // As many blocks as are resident together leave few partial results; all have as many rounds to go.
            int wanted = context.device().multiprocessors() * Math.max(1, added.residentBlocks());
            grid = grid == 0 ? 0 : Math.ceilDiv(grid, Math.ceilDiv(grid, wanted));
        }
        added.add(grid, range == null || pulls ? 0 : range.from(), count, 0);
        return grid;
    }

    private void addGather(int dat) {
        GatherSource source = new GatherSource(tables, contributions, dat, GATHER_THREADS, memory);
        KernelSource text = source.source();
        LoopLaunches added = launches(text, GatherSource.FUNCTION, source.struct(), GATHER_THREADS, 0);
        added.add(Math.toIntExact(Math.ceilDiv(source.items(), (long) GATHER_THREADS)), 0, 0, 0);
        added.bind();
    }
}
