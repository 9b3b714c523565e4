package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.cuda.runtime.LaunchSequence;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.ElementKernels;

/**
 * Updates and dot products on the device, and the sorting of new values into layouts. Arithmetic is in double precision
 * and rounded once. Dot products have the same bits each time: the number of blocks depends on length and device only,
 * and the block that comes last adds up the blocks in their order.
 */
public final class CudaElementKernels implements ElementKernels {
    private static final int THREADS = 256;
    private static final int BLOCKS_PER_MULTIPROCESSOR = 8;
    private static final LaunchShape ONE_BLOCK = LaunchShape.of(1, THREADS);

    private final CudaContext context;
    private final Map<Precision, Launches> launches = new EnumMap<>(Precision.class);
    private CudaBuffer partialSums;
    private CudaBuffer counter;

    /** The kernels of one precision; closed with the context. */
    private record Launches(KernelLaunch update, KernelLaunch dot, KernelLaunch refill) {}

    /**
     * Creates the kernels of a context; they are compiled when first used.
     *
     * @param context the context, which outlives this object
     */
    public CudaElementKernels(CudaContext context) {
        this.context = context;
    }

    @Override
    public void update(double alpha, DenseVector d, DenseVector x, double beta, DenseVector y) {
        if (y.length() > 0) {
            update(launches(y.precision()).update, alpha, (CudaVector) d, (CudaVector) x, beta, (CudaVector) y).run();
        }
    }

    private KernelLaunch update(KernelLaunch launch, double alpha, CudaVector d, CudaVector x, double beta,
            CudaVector y) {
        return launch.setDouble(0, alpha).setAddress(1, d == null ? 0 : d.address()).set(2, x).setDouble(3, beta)
                .set(4, y).setInt(5, y.length()).shape(shape(y.length()));
    }

    @Override
    public void dot(DenseVector x, DenseVector y, DenseVector result, int at) {
        dot(launches(x.precision()).dot, (CudaVector) x, (CudaVector) y, (CudaVector) result, at).run();
    }

    private KernelLaunch dot(KernelLaunch launch, CudaVector x, CudaVector y, CudaVector result, int at) {
        return launch.set(0, x).set(1, y).setInt(2, x.length())
                .setAddress(5, result.address() + (long) at * Double.BYTES).shape(shape(x.length()));
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the step
    public PreparedStep bindUpdate(double alpha, DenseVector d, DenseVector x, double beta, DenseVector y) {
        CudaVector factors = (CudaVector) d;
        CudaVector from = (CudaVector) x;
        CudaVector to = (CudaVector) y;
        List<KernelLaunch> launch = to.length() == 0
                ? List.of()
                : List.of(update(updateLaunch(to.precision()), alpha, factors, from, beta, to));
        return factors == null
                ? new LaunchSequence(launch, () -> {}, from, to)
                : new LaunchSequence(launch, () -> {}, factors, from, to);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the step
    public PreparedStep bindDot(DenseVector x, DenseVector y, DenseVector result, int at) {
        CudaVector[] operands = {(CudaVector) x, (CudaVector) y, (CudaVector) result};
        KernelLaunch launch = dot(dotLaunch(x.precision()), operands[0], operands[1], operands[2], at);
        return new LaunchSequence(List.of(launch), () -> {}, operands);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // a step that is closed here
    public void convert(DenseVector from, DenseVector to) {
        try (PreparedStep step = bindConvert(from, to)) {
            step.run();
        }
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the step
    public PreparedStep bindConvert(DenseVector from, DenseVector to) {
        CudaVector source = (CudaVector) from;
        CudaVector target = (CudaVector) to;
        if (target.length() == 0) {
            return new LaunchSequence(List.of(), () -> {}, source, target);
        }
        KernelLaunch launch = context.kernel(source(target.precision()).define("OTHER",
                NumberTypes.name(source.precision())), "trellisConvert").launch(shape(target.length()), 3);
        return new LaunchSequence(List.of(launch.set(0, source).set(1, target).setInt(2, target.length())), () -> {},
                source, target);
    }

    /** Sorts values into another order; a negative source is a zero. */
    void refill(Precision precision, long values, CudaBuffer source, CudaBuffer target, int count) {
        if (count > 0) {
            launches(precision).refill.setAddress(0, values).set(1, source).set(2, target).setInt(3, count)
                    .shape(shape(count)).run();
        }
    }

    private LaunchShape shape(int items) {
        return LaunchShape.of(Math.clamp(Math.ceilDiv(items, THREADS), 1, maximumBlocks()), THREADS);
    }

    private int maximumBlocks() {
        return context.device().multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
    }

    private Launches launches(Precision precision) {
        Launches known = launches.get(precision);
        if (known == null) {
            known = prepare(precision);
            launches.put(precision, known);
        }
        return known;
    }

    /** What is made before something fails is kept: it is used at the next attempt, or closed with the context. */
    @SuppressWarnings("MustBeClosed") // closed with the context
    private Launches prepare(Precision precision) {
        return new Launches(updateLaunch(precision), dotLaunch(precision),
                context.kernel(source(precision), "trellisRefill").launch(ONE_BLOCK, 4));
    }

    @MustBeClosed
    private KernelLaunch updateLaunch(Precision precision) {
        return context.kernel(source(precision), "trellisUpdate").launch(ONE_BLOCK, 6);
    }

    /** Dot products share their partial sums, since one ends before the next begins. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // partial sums and counter are closed with the context
    private KernelLaunch dotLaunch(Precision precision) {
        if (partialSums == null) {
            partialSums = context.buffer((long) maximumBlocks() * Double.BYTES);
        }
        if (counter == null) {
            counter = context.zeros(Integer.BYTES);
        }
        return context.kernel(source(precision), "trellisDotTo").launch(ONE_BLOCK, 6).set(3, partialSums)
                .set(4, counter);
    }

    private static KernelSource source(Precision precision) {
        return KernelSource.resource(CudaElementKernels.class, "elements.cu")
                .define("REAL", NumberTypes.name(precision)).define("THREADS", THREADS);
    }
}
