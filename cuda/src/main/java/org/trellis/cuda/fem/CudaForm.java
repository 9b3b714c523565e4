package org.trellis.cuda.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.PreparedStep;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.algebra.AlgebraLaunch;
import org.trellis.cuda.algebra.CudaMatrix;
import org.trellis.cuda.algebra.RowScan;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.DeviceAttribute;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaKernel;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.cuda.runtime.LaunchSequence;
import org.trellis.fem.ColourSweeps;
import org.trellis.fem.DeviceForms.DeviceForm;
import org.trellis.fem.DeviceForms.Elements;
import org.trellis.fem.DeviceForms.Kept;
import org.trellis.fem.RowColours;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.SparsityPattern;

/** One form on the device: its tables, its values, the launches that compute and multiply them. */
final class CudaForm implements DeviceForm {
    private static final int ARGUMENTS = 25;
    private static final int X = 2;
    private static final int Y = 3;
    private static final int VALUES = 4;
    private static final int COEFFICIENTS = 10;
    private static final int CONTRIBUTIONS = 17;
    private static final int ORDER = 20;
    private static final int FIRST = 21;
    private static final int COUNT = 22;
    private static final int BASE = 23;
    private static final int INVERSE = 24;
    /** Threads that go on to further entries. */
    private static final long MOST_THREADS = 1L << 28;
    private static final int ROUNDED_PER_TASK = 1 << 15;
    private static final int PLAIN_SHARED_BYTES = 48 * 1024;
    private static final int WORD_BYTES = 16;

    private final CudaContext context;
    private final AlgebraLaunch launches;
    private final Elements elements;
    private final Kept kept;
    private final FormShape shape;
    private final List<CudaBuffer> buffers = new ArrayList<>();
    private final long[] arguments = new long[ARGUMENTS];
    private final List<KernelLaunch> assembly = new ArrayList<>();
    private CudaBuffer rowOffsets;
    private CudaBuffer columns;
    private boolean closed;

    CudaForm(CudaContext context, AlgebraLaunch launches, Elements elements, Kept kept, SparsityPattern pattern,
            boolean atomics) {
        this.context = context;
        this.launches = launches;
        this.elements = elements;
        this.kept = kept;
        this.shape = FormShape.of(elements, kept, atomics, pattern == null ? 0 : FormTables.longestRow(pattern));
        try {
            compileAhead(context, shape, kept);
            upload(pattern);
            plan();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Has all that a form needs compiled side by side, where it asks for one after the other. */
    static void compileAhead(CudaContext context, FormShape shape, Kept kept) {
        context.compileAhead(() -> {
            int threads = threads(shape, kept);
            List<KernelSource> sources = new ArrayList<>();
            if (hasRows(kept) || !shape.atomics()) {
                sources.add(ElementStructure.source(shape.unknowns(), 0));
                sources.add(RowScan.source());
            }
            if (shape.stored()) {
                sources.add(shape.source(threads, false));
            }
            if (!hasRows(kept)) {
                sources.add(shape.source(threads, shape.stored()));
            }
            if (hasRows(kept) || kept == Kept.MATRICES) {
                sources.add(shape.source(shape.rowThreads(), shape.stored()));
            }
            return sources;
        });
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private void upload(SparsityPattern pattern) {
        int bytes = elements.precision().bytes();
        long cells = elements.cells();
        int unknowns = shape.unknowns();
        arguments[5] = cells;
        arguments[6] = elements.rows();
        arguments[7] = upload(MemorySegment.ofArray(elements.unknowns()));
        arguments[8] = upload(MemorySegment.ofArray(elements.points()));
        arguments[9] = upload(reals(elements.coordinates()));
        if (kept == Kept.MATRICES) {
            arguments[VALUES] = buffer(cells * unknowns * unknowns * bytes);
        }
        if (shape.stored()) {
            // Whole words are read, the last one of which may be another's in part.
            arguments[12] = buffer(shape.factorRoom(cells) * bytes + WORD_BYTES);
        }
        if (hasRows() || !shape.atomics()) {
            uploadIncidence();
        }
        if (hasRows()) {
            rowOffsets = keep(context.upload(MemorySegment.ofArray(pattern.rowOffsets())));
            columns = keep(context.upload(MemorySegment.ofArray(pattern.columnIndices())));
            arguments[13] = rowOffsets.address();
            arguments[16] = shape.search() ? columns.address() : places();
            arguments[19] = FormTables.capacity(pattern, shape.rowsPerBlock());
        } else if (!shape.atomics()) {
            arguments[17] = buffer(cells * unknowns * bytes);
        }
    }

    /** The elements of each row. */
    private void uploadIncidence() {
        try (ElementStructure structure = new ElementStructure(context, launches, arguments[7], elements.cells(),
                shape.unknowns(), elements.rows())) {
            ElementStructure.Incidence incidence = structure.incidence();
            arguments[14] = keep(incidence.offsets()).address();
            arguments[15] = keep(incidence.slots()).address();
            arguments[18] = incidence.most();
        }
    }

    private boolean hasRows() {
        return hasRows(kept);
    }

    private static boolean hasRows(Kept kept) {
        return kept == Kept.ROWS || kept == Kept.SEARCHED_ROWS;
    }

    /** Makes the places of entries in their rows, which are found in the columns. */
    private long places() {
        long pairs = (long) elements.unknowns().length * shape.unknowns();
        arguments[16] = buffer(pairs * (shape.wide() ? Short.BYTES : Byte.BYTES));
        try (KernelLaunch launch = launch("formPlaces", LaunchShape.covering(Math.min(pairs, MOST_THREADS),
                shape.rowThreads()), shape.stored())) {
            launch.setAddress(ORDER, columns.address()).run();
        }
        return arguments[16];
    }

    private MemorySegment reals(double... values) {
        if (elements.precision() == Precision.F64) {
            return MemorySegment.ofArray(values);
        }
        float[] rounded = new float[values.length];
        ParallelRanges.run(values.length, ROUNDED_PER_TASK, (from, to) -> {
            for (int k = from; k < to; k++) {
                rounded[k] = (float) values[k];
            }
        });
        return MemorySegment.ofArray(rounded);
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private long upload(MemorySegment source) {
        return keep(context.upload(source)).address();
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private long buffer(long bytes) {
        return keep(context.buffer(bytes)).address();
    }

    private CudaBuffer keep(CudaBuffer buffer) {
        buffers.add(buffer);
        return buffer;
    }

    /** Makes the launches that compute the values. */
    @SuppressWarnings("MustBeClosed") // closed with this
    private void plan() {
        if (shape.stored()) {
            long items = shape.factorItems(elements.cells());
            assembly.add(launch("formFactors", LaunchShape.covering(items, threads()), false));
        }
        if (hasRows() || kept == Kept.MATRICES) {
            boolean rows = hasRows();
            int perBlock = shape.rowsPerBlock();
            long count = rows ? elements.rows() : (long) elements.cells() * shape.unknowns();
            long values = (rows ? arguments[19] : 0) + (long) perBlock * shape.sharedPerRow();
            int shared = Math.toIntExact(values * elements.precision().bytes());
            assembly.add(launch(rows ? "formRows" : "formMatrices", new LaunchShape(
                    Math.toIntExact(Math.ceilDiv(count, (long) perBlock)), 1, shape.rowThreads(), shared),
                    shape.stored()));
        }
    }

    @MustBeClosed
    private KernelLaunch launch(String function, LaunchShape wanted, boolean storedFactors) {
        CudaKernel kernel = context.kernel(shape.source(wanted.threads(), storedFactors), function);
        if (wanted.sharedBytes() > PLAIN_SHARED_BYTES) {
            int limit = context.driver().deviceAttribute(context.device().number(),
                    DeviceAttribute.SHARED_MEMORY_PER_BLOCK_OPTIN);
            if (wanted.sharedBytes() > limit) {
                throw new UnsupportedKernelException(function, "cuda", "rows of a block need "
                        + wanted.sharedBytes() + " bytes of shared memory, the device has " + limit);
            }
            kernel.allowShared(wanted.sharedBytes());
        }
        @SuppressWarnings("MustBeClosed") // returned
        KernelLaunch launch = kernel.launch(wanted, ARGUMENTS);
        for (int k = 0; k < ARGUMENTS; k++) {
            launch.setAddress(k, arguments[k]);
        }
        bindCoefficients(launch);
        return launch;
    }

    private void bindCoefficients(KernelLaunch launch) {
        for (int k = 0; k < elements.coefficients().size(); k++) {
            launch.set(COEFFICIENTS + k, (CudaVector) elements.coefficients().get(k).vector());
        }
    }

    @Override
    public void assemble(DenseVector values) {
        requireOpen();
        for (KernelLaunch launch : assembly) {
            bindCoefficients(launch);
            if (values != null) {
                launch.set(VALUES, (CudaVector) values);
            }
            launch.run();
        }
    }

    @Override
    @MustBeClosed
    public BackendMatrix matrix(DenseVector values) {
        requireOpen();
        if (!hasRows()) {
            throw new IllegalStateException("a matrix of rows of a form that keeps " + kept + ", expected rows");
        }
        return CudaMatrix.copyOf(context, elements.rows(), rowOffsets, columns, (CudaVector) values);
    }

    @Override
    public void load(double[] values, DenseVector b) {
        requireOpen();
        try (CudaBuffer atPoints = context.upload(reals(values))) {
            long points = (long) elements.cells() * shape.points();
            try (KernelLaunch measures = once("formMeasures", points)) {
                measures.setAddress(BASE, atPoints.address()).run();
            }
            addUp("formLoad", atPoints.address(), (CudaVector) b);
        }
    }

    @Override
    public void diagonal(DenseVector d) {
        requireOpen();
        addUp("formDiagonal", 0, (CudaVector) d);
    }

    /** Adds what a kernel finds for each unknown of each element to the rows, in the order of the elements or not. */
    private void addUp(String function, long base, CudaVector rows) {
        long items = (long) elements.cells() * shape.unknowns();
        try (CudaBuffer given = context.buffer(shape.atomics() ? 0 : items * elements.precision().bytes());
                KernelLaunch clear = once("formScale", elements.rows());
                KernelLaunch give = once(function, items);
                KernelLaunch gather = once("formGather", elements.rows())) {
            if (shape.atomics()) {
                addUp(clear, rows);
            }
            addUp(give.setAddress(BASE, base).setAddress(CONTRIBUTIONS, given.address()), rows);
            if (!shape.atomics()) {
                addUp(gather.setAddress(CONTRIBUTIONS, given.address()), rows);
            }
            context.synchronize();
        }
    }

    private static void addUp(KernelLaunch launch, CudaVector rows) {
        launch.setDouble(0, 1).setDouble(1, 0).set(Y, rows).run();
    }

    @MustBeClosed
    private KernelLaunch once(String function, long items) {
        return launch(function, LaunchShape.covering(items, threads()), false);
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the step, or here
    public PreparedStep bind(double alpha, DenseVector x, double beta, DenseVector y) {
        requireOpen();
        CudaVector from = (CudaVector) x;
        CudaVector to = (CudaVector) y;
        List<KernelLaunch> launches = new ArrayList<>();
        try {
            if (shape.atomics()) {
                launches.add(launch("formScale", LaunchShape.covering(elements.rows(), threads()), shape.stored()));
            }
            launches.add(product());
            if (!shape.atomics()) {
                launches.add(launch("formGather", LaunchShape.covering(elements.rows(), threads()), shape.stored()));
            }
            launches.forEach(launch -> launch.setDouble(0, alpha).setDouble(1, beta).set(X, from).set(Y, to));
            return new LaunchSequence(launches, this::requireOpen, from, to);
        } catch (RuntimeException | Error e) {
            launches.forEach(KernelLaunch::close);
            throw e;
        }
    }

    @Override
    @MustBeClosed
    public ColourSweeps sweeps(RowColours colours, DenseVector inverse) {
        requireOpen();
        if (hasRows()) {
            throw new UnsupportedKernelException("sweeps of " + kept, "cuda", "compressed rows have smoothers");
        }
        if (arguments[14] == 0) {
            uploadIncidence();
        }
        return new Sweeps(colours, (CudaVector) inverse);
    }

    /** Rows of one colour after the other. */
    private final class Sweeps implements ColourSweeps {
        private final RowColours colours;
        private final CudaVector inverse;
        private final CudaBuffer order;

        @SuppressWarnings("MustBeClosed") // closed with this
        Sweeps(RowColours colours, CudaVector inverse) {
            this.colours = colours;
            this.inverse = inverse;
            this.order = context.upload(MemorySegment.ofArray(colours.order()));
        }

        @Override
        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with the step, or here
        public PreparedStep bind(DenseVector r, DenseVector y, DenseVector z) {
            requireOpen();
            List<KernelLaunch> launches = new ArrayList<>();
            try {
                launches.add(clear((CudaVector) y));
                for (int colour = 0; colour < colours.count(); colour++) {
                    launches.add(sweep(colour, 1, (CudaVector) r, (CudaVector) y));
                }
                launches.add(clear((CudaVector) z));
                for (int colour = colours.count() - 1; colour >= 0; colour--) {
                    launches.add(sweep(colour, 0, (CudaVector) y, (CudaVector) z));
                }
                return new LaunchSequence(launches, CudaForm.this::requireOpen, (CudaVector) r, (CudaVector) y,
                        (CudaVector) z, inverse);
            } catch (RuntimeException | Error e) {
                launches.forEach(KernelLaunch::close);
                throw e;
            }
        }

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // returned
        private KernelLaunch clear(CudaVector vector) {
            KernelLaunch launch = launch("formScale", LaunchShape.covering(elements.rows(), threads()), shape.stored());
            return launch.setDouble(0, 1).setDouble(1, 0).set(X, vector).set(Y, vector);
        }

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // returned
        private KernelLaunch sweep(int colour, double beta, CudaVector base, CudaVector into) {
            int perBlock = shape.rowsPerBlock();
            int shared = kept == Kept.MATRICES ? 0 : perBlock * shape.sharedPerRow() * elements.precision().bytes();
            KernelLaunch launch = launch("formSweep", new LaunchShape(Math.ceilDiv(colours.size(colour), perBlock), 1,
                    shape.rowThreads(), shared), shape.stored());
            return launch.setDouble(0, 1).setDouble(1, beta).set(X, base).set(Y, into)
                    .setAddress(ORDER, order.address()).setLong(FIRST, colours.offsets()[colour])
                    .setLong(COUNT, colours.size(colour)).set(BASE, base).set(INVERSE, inverse);
        }

        @Override
        public void close() {
            order.close();
        }
    }

    /** Threads of blocks where nothing else decides: those of the product, so that one source has both. */
    private int threads() {
        return threads(shape, kept);
    }

    private static int threads(FormShape shape, Kept kept) {
        return switch (kept) {
            case ROWS, SEARCHED_ROWS -> shape.rowThreads();
            case MATRICES -> shape.productThreads();
            default -> shape.factorisedThreads();
        };
    }

    @MustBeClosed
    private KernelLaunch product() {
        boolean matrices = kept == Kept.MATRICES;
        int perBlock = matrices ? shape.elementsPerBlock() : shape.factorisedPerBlock();
        int threads = matrices ? shape.productThreads() : shape.factorisedThreads();
        return launch(matrices ? "formProduct" : "formApply",
                LaunchShape.of(Math.ceilDiv(elements.cells(), perBlock), threads), shape.stored());
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("a form on the device is closed");
        }
    }

    @Override
    public long storedBytes() {
        long cells = elements.cells();
        int bytes = elements.precision().bytes();
        long indices = cells * shape.unknowns() * Integer.BYTES;
        return indices + switch (kept) {
            case MATRICES -> cells * shape.unknowns() * shape.unknowns() * bytes;
            case FACTORS -> cells * shape.points() * elements.kernels().factorSize() * bytes;
            default -> (long) elements.coordinates().length * bytes + (long) elements.points().length * Integer.BYTES;
        };
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            assembly.forEach(KernelLaunch::close);
            buffers.forEach(CudaBuffer::close);
        }
    }
}
