package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopDeviceParameters.Staging;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.testing.InterpretedKernel;

/** What the rule makes of the compiler's figures. */
class CudaLoopRuleTest {
    private static final LoopKernel COPY = InterpretedKernel.named("copy").dat(Access.READ, 1).dat(Access.WRITE, 1)
            .cuda("p1[0] = p0[0];\n").does(v -> {});
    private static final int MAX_THREADS_PER_PROCESSOR = 2048;

    private static LoopParameters refined(int size, LoopParameters proposed,
            Function<LoopParameters, CodeFigures> compiler) {
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", size);
            Dat from = mesh.dat("from", set, 1, Precision.F64);
            Dat to = mesh.dat("to", set, 1, Precision.F64);
            LoopDeclaration loop = mesh.loop(COPY, set, from, to).declaration();
            return CudaLoopRule.refined(loop, proposed, compiler);
        }
    }

    private static LoopParameters direct() {
        return LoopParameters.of(LoopScheme.IN_ORDER).withBlockSize(256);
    }

    /** What a multiprocessor makes of blocks whose threads take so many registers. */
    private static CodeFigures figures(int threads, int registers, int spilled) {
        int portions = (registers + 7) / 8 * 8;
        return new CodeFigures(threads, registers, spilled, 0,
                Math.min(MAX_THREADS_PER_PROCESSOR / threads, (1 << 16) / (portions * threads)), 0);
    }

    @Test
    void halvesBlocksIfMoreThreadsAreResidentThen() {
        assertEquals(256, refined(1 << 17, direct(), p -> figures(p.blockSize(), 50, 0)).blockSize());
        assertEquals(256, refined(1 << 17, direct(), p -> figures(p.blockSize(), 40, 0)).blockSize());
        assertEquals(256, refined(1 << 17, direct(), p -> figures(p.blockSize(), 32, 0)).blockSize());
        assertEquals(256, refined(1 << 17, direct(), p -> figures(p.blockSize(), 120, 0)).blockSize());
        assertEquals(128, refined(1 << 17, direct(), p -> figures(p.blockSize(), 72, 0)).blockSize());
    }

    @Test
    void takesOneElementAThreadIfSeveralSpill() {
        LoopParameters two = direct().withDevice(LoopDeviceParameters.NONE.withPerThread(2));
        assertEquals(direct(), refined(1 << 17, two, p -> figures(256, 32, p.device().perThread() == 2 ? 16 : 0)));
        assertEquals(two, refined(1 << 17, two, p -> figures(256, 32, 0)));
    }

    private static void withLoop(int size, Consumer<LoopDeclaration> tested) {
        LoopKernel add = InterpretedKernel.named("add").dat(Access.READ, 1).dat(Access.INCREMENT, 1)
                .dat(Access.INCREMENT, 1).does(v -> {});
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            MeshSet edges = mesh.set("edges", size);
            MeshSet nodes = mesh.set("nodes", size);
            MeshMap ends =
                    mesh.map("ends", edges, nodes, 2, IntStream.range(0, 2 * size).map(k -> k / 2).toArray());
            Dat weight = mesh.dat("weight", edges, 1, Precision.F64);
            Dat sum = mesh.dat("sum", nodes, 1, Precision.F64);
            tested.accept(mesh.loop(add, edges, weight, sum.at(ends, 0), sum.at(ends, 1)).declaration());
        }
    }

    @Test
    void storesWhatHeavyKernelsAdd() {
        withLoop(1 << 17, loop -> {
            LoopParameters proposed = CudaLoopRule.parameters(loop);
            assertEquals(LoopScheme.RECOMPUTE, proposed.scheme());
            assertEquals(LoopScheme.RECOMPUTE,
                    CudaLoopRule.refined(loop, proposed, p -> figures(p.blockSize(), 92, 0)).scheme());
            LoopParameters heavy = CudaLoopRule.refined(loop, proposed, p -> figures(p.blockSize(), 126, 0));
            assertEquals(LoopScheme.TEMPORARY, heavy.scheme());
            assertTrue(heavy.device().transposed());
            LoopParameters brief = CudaLoopRule.refined(loop, proposed,
                    p -> new CodeFigures(p.blockSize(), 150, 0, 0, 3, 9728));
            assertEquals(LoopScheme.RECOMPUTE, brief.scheme());
            LoopParameters lengthy = CudaLoopRule.refined(loop, proposed,
                    p -> new CodeFigures(p.blockSize(), 92, 0, 0, 5, 12_544));
            assertEquals(LoopScheme.TEMPORARY, lengthy.scheme());
        });
    }

    @Test
    void recomputesLargeSetsInLargerBlocksIfFewAreResident() {
        withLoop(1 << 19, loop -> {
            LoopParameters proposed = CudaLoopRule.parameters(loop);
            // Five blocks of 128 or two of 256; three or one.
            assertEquals(proposed.withBlockSize(256), CudaLoopRule.refined(loop, proposed,
                    p -> new CodeFigures(p.blockSize(), 92, 0, 0, p.blockSize() == 128 ? 5 : 2, 3712)));
            assertEquals(proposed, CudaLoopRule.refined(loop, proposed,
                    p -> new CodeFigures(p.blockSize(), 150, 0, 0, p.blockSize() == 128 ? 3 : 1, 9728)));
            assertTrue(CudaLoopRule.refined(loop, proposed, p -> figures(p.blockSize(), 126, 0)).device().transposed());
            assertEquals(proposed, CudaLoopRule.refined(loop, proposed,
                    p -> new CodeFigures(p.blockSize(), 40, 0, 0, 12, 3712)));
        });
    }

    @Test
    void leavesShortLoopsAlone() {
        List<LoopParameters> asked = new ArrayList<>();
        assertEquals(direct(), refined(1000, direct(), parameters -> {
            asked.add(parameters);
            return figures(256, 50, 0);
        }));
        assertEquals(List.of(), asked);
    }

    @Test
    void halvesBlocksThatNeedMuchSharedMemory() {
        LoopParameters staged = LoopParameters.of(LoopScheme.TWO_LEVEL).withBlockSize(256)
                .withDevice(LoopDeviceParameters.NONE.withStaging(Staging.INCREMENTS));
        // A block of 256 leaves one resident, of 128 three, of 64 five.
        LoopParameters found = refined(1 << 17, staged, parameters -> {
            int block = parameters.blockSize();
            return new CodeFigures(block, 32, 0, 400 * block, block == 256 ? 1 : block == 128 ? 3 : 5, 0);
        });
        assertEquals(staged.withBlockSize(128), found);
        LoopParameters never = refined(1 << 17, staged, parameters -> {
            throw new UnsupportedKernelException("loop", "cuda", "too much shared memory");
        });
        assertEquals(Staging.NONE, never.device().staging());
    }
}
