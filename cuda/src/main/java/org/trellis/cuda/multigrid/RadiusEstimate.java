package org.trellis.cuda.multigrid;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.algebra.AlgebraLaunch.Step;
import org.trellis.cuda.algebra.CudaMatrix;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.solve.multigrid.LanczosRadius;

/**
 * Estimates the largest absolute eigenvalue of D⁻¹A on a device, in the steps and with the sums of the host's estimate.
 * The numbers of all steps of Lanczos stay on the device until the last one is done.
 */
final class RadiusEstimate implements AutoCloseable {
    private static final int CHUNK = LanczosRadius.CHUNK;
    private static final int SQUARE_ROOT = 1;

    private final CudaAggregationKernels kernels;
    private final CudaMatrix a;
    private final int rows;
    private final int chunks;
    private final List<CudaBuffer> owned = new ArrayList<>();
    private final CudaBuffer scale;
    private final CudaBuffer sums;
    private final CudaBuffer scalars;
    private final CudaBuffer scaled;
    private CudaBuffer v;
    private CudaBuffer w;
    private CudaBuffer before;

    RadiusEstimate(CudaAggregationKernels kernels, CudaMatrix a) {
        this.kernels = kernels;
        this.a = a;
        this.rows = a.rows();
        this.chunks = Math.ceilDiv(rows, CHUNK);
        this.scale = doubles(rows);
        this.sums = doubles(chunks);
        this.scalars = doubles(2L + 2 * LanczosRadius.STEPS);
        this.scaled = doubles(rows);
        this.v = doubles(rows);
        this.w = doubles(rows);
        this.before = doubles(rows);
        kernels.step("invertDiagonal", a).set(Pointer.X, v).set(Pointer.Y, scale).run(rows);
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private CudaBuffer doubles(long count) {
        CudaBuffer buffer = kernels.context().buffer(count * Double.BYTES);
        owned.add(buffer);
        return buffer;
    }

    private Step step(String function) {
        return kernels.step(function, a);
    }

    double radius(boolean symmetric) {
        if (rows == 0) {
            return 0;
        }
        draw(v, 0);
        return symmetric || looksSymmetric() ? lanczos() : powers();
    }

    private void draw(CudaBuffer vector, int turn) {
        step("randomVector").set(Pointer.X, vector).set(Count.SIZE, (int) LanczosRadius.SEED).set(Count.FIRST, turn)
                .run(rows);
    }

    /** Compares two products with one another. */
    private boolean looksSymmetric() {
        CudaBuffer u = before;
        draw(u, 1);
        CudaBuffer av = w;
        CudaBuffer au = doubles(rows);
        times(v, av);
        times(u, au);
        return LanczosRadius.looksSymmetric(rows, dot(av, av), dot(u, u), dot(u, av), dot(v, au));
    }

    /** y = S A S x. */
    private void times(CudaBuffer x, CudaBuffer y) {
        step("scaleAndDot").set(Pointer.X, x).set(Pointer.Y, scaled).set(Pointer.Z, x).set(Pointer.OTHERS, scale)
                .set(Pointer.KEYS, sums).runBlocks(chunks);
        step("lanczosProduct").set(Pointer.X, scaled).set(Pointer.Y, y).set(Pointer.Z, x).set(Pointer.OTHERS, scale)
                .set(Pointer.KEYS, sums).runBlocks(chunks);
    }

    private double dot(CudaBuffer x, CudaBuffer z) {
        step("scaleAndDot").set(Pointer.X, x).set(Pointer.Z, z).set(Pointer.KEYS, sums).runBlocks(chunks);
        addUp(0, 0);
        return scalars(1)[0];
    }

    private void addUp(int target, int root) {
        step("addChunks").set(Pointer.KEYS, sums).set(Count.SIZE, chunks).set(Pointer.SCALARS, scalars)
                .set(Count.FIRST, target).set(Count.LAST, root).runBlocks(1);
    }

    private double[] scalars(int count) {
        double[] values = new double[count];
        scalars.copyTo(MemorySegment.ofArray(values));
        return values;
    }

    private double powers() {
        double radius = 0;
        for (int turn = 0; turn < LanczosRadius.POWERS; turn++) {
            double norm = Math.sqrt(dot(v, v));
            if (norm == 0) {
                return LanczosRadius.rounded(radius);
            }
            step("divideVector").set(Pointer.X, v).alpha(norm).run(rows);
            times(v, w);
            CudaBuffer old = v;
            v = w;
            w = old;
            radius = Math.sqrt(dot(v, v));
        }
        return LanczosRadius.rounded(radius);
    }

    /** Lengths of vectors are in scalars 0 to STEPS, products after them. */
    private double lanczos() {
        int most = LanczosRadius.steps(rows);
        int products = LanczosRadius.STEPS + 1;
        step("scaleAndDot").set(Pointer.X, v).set(Pointer.Y, scaled).set(Pointer.Z, v).set(Pointer.OTHERS, scale)
                .set(Pointer.KEYS, sums).runBlocks(chunks);
        addUp(0, SQUARE_ROOT);
        before.clear();
        for (int turn = 0; turn < most; turn++) {
            step("lanczosProduct").set(Pointer.X, scaled).set(Pointer.Y, w).set(Pointer.Z, v).set(Pointer.OTHERS, scale)
                    .set(Pointer.KEYS, sums).set(Pointer.SCALARS, scalars).set(Count.FIRST, turn).runBlocks(chunks);
            addUp(products + turn, 0);
            step("lanczosOrthogonalise").set(Pointer.X, scaled).set(Pointer.Y, w).set(Pointer.Z, v)
                    .set(Pointer.OTHERS, before).set(Pointer.COUNTS, scale).set(Pointer.KEYS, sums)
                    .set(Pointer.SCALARS, scalars).set(Count.FIRST, turn).set(Count.LAST, products + turn)
                    .set(Count.SIZE, turn).runBlocks(chunks);
            addUp(turn + 1, SQUARE_ROOT);
            CudaBuffer free = before;
            before = v;
            v = w;
            w = free;
        }
        double[] numbers = scalars(2 * LanczosRadius.STEPS + 1);
        double[] lengths = Arrays.copyOf(numbers, most + 1);
        return LanczosRadius.of(lengths, Arrays.copyOfRange(numbers, products, products + most));
    }

    @Override
    public void close() {
        owned.forEach(CudaBuffer::close);
    }
}
