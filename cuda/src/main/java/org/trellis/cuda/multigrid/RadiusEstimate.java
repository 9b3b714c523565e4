package org.trellis.cuda.multigrid;

import java.util.ArrayList;
import java.util.List;
import org.trellis.cuda.algebra.AlgebraLaunch;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.algebra.AlgebraLaunch.Step;
import org.trellis.cuda.algebra.CudaMatrix;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.solve.smooth.LanczosRadius;

/**
 * Estimates the largest absolute eigenvalue of D⁻¹A on a device, in the steps and with the sums of the host's estimate.
 * The numbers of all steps of Lanczos stay on the device until the last one is done.
 */
final class RadiusEstimate extends LanczosRadius implements AutoCloseable {
    private static final int SQUARE_ROOT = 1;
    /** Where products are among the scalars, after the lengths. */
    private static final int FIRST_PRODUCT = STEPS + 1;
    /** From so many chunks on, a block for each of them fills the device. */
    private static final int MANY_CHUNKS = 1024;
    /** Of fewer chunks, a block takes rows of about so many entries. */
    private static final int BLOCK_ENTRIES = 1024;

    private final CudaAggregationKernels kernels;
    private final CudaMatrix a;
    private final int rows;
    private final int chunks;
    private final int blockRows;
    private final List<CudaBuffer> owned = new ArrayList<>();
    private final CudaBuffer scale;
    private final CudaBuffer sums;
    private final CudaBuffer scalars;
    private final CudaBuffer scaled;
    private CudaBuffer v;
    private CudaBuffer w;
    private CudaBuffer before;

    RadiusEstimate(CudaAggregationKernels kernels, CudaMatrix a) {
        super(a.rows());
        this.kernels = kernels;
        this.a = a;
        this.rows = a.rows();
        this.chunks = Math.ceilDiv(rows, CHUNK);
        this.blockRows = Math.clamp(BLOCK_ENTRIES * (long) rows / Math.max(1, a.nonZeros()), 1,
                AlgebraLaunch.THREADS);
        this.scale = doubles(rows);
        this.sums = doubles(chunks);
        this.scalars = doubles(2L + 2 * STEPS);
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

    @Override
    protected void draw() {
        draw(v, 0);
    }

    private void draw(CudaBuffer vector, int turn) {
        step("randomVector").set(Pointer.X, vector).set(Count.SIZE, (int) SEED).set(Count.FIRST, turn)
                .run(rows);
    }

    @Override
    protected double[] symmetryProducts() {
        CudaBuffer u = before;
        draw(u, 1);
        CudaBuffer av = w;
        CudaBuffer au = doubles(rows);
        times(v, av);
        times(u, au);
        return new double[]{dot(av, av), dot(u, u), dot(u, av), dot(v, au)};
    }

    @Override
    protected double length() {
        return Math.sqrt(dot(v, v));
    }

    @Override
    protected void multiply(double length) {
        step("divideVector").set(Pointer.X, v).alpha(length).run(rows);
        times(v, w);
        CudaBuffer old = v;
        v = w;
        w = old;
    }

    /** y = S A S x. */
    private void times(CudaBuffer x, CudaBuffer y) {
        step("scaleAndDot").set(Pointer.X, x).set(Pointer.Y, scaled).set(Pointer.Z, x).set(Pointer.OTHERS, scale)
                .set(Pointer.KEYS, sums).runBlocks(chunks);
        if (chunks < MANY_CHUNKS) {
            product("lanczosRows", y).set(Count.LAST, blockRows).runBlocks(Math.ceilDiv(rows, blockRows));
        } else {
            product("lanczosProduct", y).set(Pointer.Z, x).set(Pointer.KEYS, sums).runBlocks(chunks);
        }
    }

    private Step product(String function, CudaBuffer y) {
        return step(function).set(Pointer.X, scaled).set(Pointer.Y, y).set(Pointer.OTHERS, scale);
    }

    /** w = S A S v / |v|, and the sums of v w of all chunks. */
    private void timesAndDot(int turn) {
        if (chunks < MANY_CHUNKS) {
            product("lanczosRows", w).set(Pointer.SCALARS, scalars).set(Count.FIRST, turn).set(Count.LAST, blockRows)
                    .runBlocks(Math.ceilDiv(rows, blockRows));
            step("scaleAndDot").set(Pointer.X, v).set(Pointer.Z, w).set(Pointer.KEYS, sums)
                    .set(Pointer.SCALARS, scalars).set(Count.FIRST, turn).runBlocks(chunks);
        } else {
            product("lanczosProduct", w).set(Pointer.Z, v).set(Pointer.KEYS, sums).set(Pointer.SCALARS, scalars)
                    .set(Count.FIRST, turn).runBlocks(chunks);
        }
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
        return kernels.algebra().launches().fetchDoubles(scalars, count);
    }

    /** Lengths of vectors are in scalars 0 to STEPS, products after them. */
    @Override
    protected boolean begin(double[] lengths) {
        step("scaleAndDot").set(Pointer.X, v).set(Pointer.Y, scaled).set(Pointer.Z, v).set(Pointer.OTHERS, scale)
                .set(Pointer.KEYS, sums).runBlocks(chunks);
        addUp(0, SQUARE_ROOT);
        before.clear();
        return true;
    }

    @Override
    protected boolean step(int turn, double[] lengths, double[] products) {
        timesAndDot(turn);
        addUp(FIRST_PRODUCT + turn, 0);
        step("lanczosOrthogonalise").set(Pointer.X, scaled).set(Pointer.Y, w).set(Pointer.Z, v)
                .set(Pointer.OTHERS, before).set(Pointer.COUNTS, scale).set(Pointer.KEYS, sums)
                .set(Pointer.SCALARS, scalars).set(Count.FIRST, turn).set(Count.LAST, FIRST_PRODUCT + turn)
                .set(Count.SIZE, turn).runBlocks(chunks);
        addUp(turn + 1, SQUARE_ROOT);
        CudaBuffer free = before;
        before = v;
        v = w;
        w = free;
        return true;
    }

    @Override
    protected void end(double[] lengths, double[] products) {
        double[] numbers = scalars(2 * STEPS + 1);
        System.arraycopy(numbers, 0, lengths, 0, lengths.length);
        System.arraycopy(numbers, FIRST_PRODUCT, products, 0, products.length);
    }

    @Override
    public void close() {
        owned.forEach(CudaBuffer::close);
    }
}
