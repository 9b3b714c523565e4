package org.trellis.cuda.algebra;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaKernel;
import org.trellis.cuda.runtime.Mailbox;
import org.trellis.cuda.runtime.StructLaunch;

/** Launches of the kernels of matrix algebra, whose arguments are one struct (arguments.cuh). */
public final class AlgebraLaunch {
    /** The threads of a block. */
    public static final int THREADS = 256;

    private static final long BYTES = 192;
    private static final int A = 0;
    private static final int B = 24;
    private static final int PRODUCT_THREADS = 128;
    private static final int WARP = 32;
    /** The most threads that look at a row of the right factor together. */
    static final int LARGEST_SPAN = 16;
    /** Rows of up to so many columns are for groups of threads, warps and blocks; longer ones take bits. */
    private static final int[] BOUNDS = {64, 512, 4096};
    /** The most columns of a short row for each thread that works on it, so that enough rows fit into shared memory. */
    private static final int COLUMNS_OF_THREAD = 8;
    /** The most terms of a row that is tried by a few threads, and where there are few rows: any number. */
    private static final int TRIED = BOUNDS[1];
    private static final int ANY = Integer.MAX_VALUE;

    /** The kernels of multigrid by aggregation, in files of their own since files are compiled side by side. */
    static final Map<String, Set<String>> AGGREGATION = Map.of(
            "strength.cu", Set.of("limits", "countWeak", "filterWeak", "diagonalOf"),
            "aggregation.cu", Set.of("independentSet", "fillIntegers", "beginners", "firstMembers",
                    "laterBeginners", "laterMembers", "join", "countMembers", "scatterMembers"),
            "prolongator.cu",
            Set.of("tentative", "countTentative", "fillTentative", "smoothRows", "smoothLongRows", "smoothAgain",
                    "copySmoothed", "countEmpty", "fillOnes", "invertDiagonal", "scaleVector", "fillVector"),
            "spectrum.cu", Set.of("randomVector", "lanczosProduct", "lanczosRows", "lanczosOrthogonalise",
                    "scaleAndDot", "divideVector", "addChunks"));

    /**
     * The kernels of products and of sorting, likewise: a file is compiled for each size of a group, and the kernels
     * that a set-up does not need would take half of that time.
     */
    static final Map<String, Set<String>> ROW_GROUPS = Map.of(
            "productcounts.cu", Set.of("countTerms", "sortIntoLists", "countDistinct"),
            "productcolumns.cu", Set.of("fillColumns"),
            "productrows.cu", Set.of("fillRows"),
            "productvalues.cu", Set.of("fillValues"),
            "productbits.cu", Set.of("countBits", "fillBits", "fillLongValues"),
            "sorting.cu", Set.of("sortColumns"));

    private final CudaContext context;
    /** By the name of the kernel: few variants each, so that a set-up of hundreds of launches makes no keys. */
    private final Map<String, List<Variant>> launches = new HashMap<>();

    /** A kernel that was launched before. */
    private static final class Variant {
        private final Precision precision;
        private final int threads;
        private final Group group;
        private final CudaKernel kernel;
        private final StructLaunch launch;
        /** How many blocks run together, 0 before the driver was asked. */
        private int together;

        Variant(Precision precision, int threads, Group group, CudaKernel kernel, StructLaunch launch) {
            this.precision = precision;
            this.threads = threads;
            this.group = group;
            this.kernel = kernel;
            this.launch = launch;
        }

        StructLaunch launch() {
            return launch;
        }

        int together(CudaContext context) {
            if (together == 0) {
                together = context.device().multiprocessors() * Math.max(1, kernel.residentBlocks(threads, 0));
            }
            return together;
        }

        boolean is(Precision wanted, int blockThreads, Group wantedGroup) {
            return precision == wanted && threads == blockThreads && group.threads == wantedGroup.threads
                    && group.span == wantedGroup.span && group.capacity == wantedGroup.capacity;
        }
    }

    private final ScanStates scans;

    /**
     * Creates launches in a context; kernels are compiled when they are first used.
     *
     * @param context the context, which outlives this
     */
    public AlgebraLaunch(CudaContext context) {
        this.context = context;
        this.scans = new ScanStates(context);
    }

    /** The pointers of the struct, by their places. */
    public enum Pointer {
        /** Where rows of the result start. */
        OFFSETS(48),
        /** The result's columns. */
        COLUMNS(56),
        /** The result's values. */
        VALUES(64),
        /** Entries of rows. */
        LENGTHS(72),
        /** Integers of rows. */
        LIST(80),
        /** Further integers. */
        MORE(88),
        /** Counters. */
        COUNTS(96),
        /** Doubles. */
        X(104),
        /** Doubles. */
        Y(112),
        /** Doubles. */
        Z(120),
        /** Numbers on the device. */
        SCALARS(128),
        /** 64-bit integers, or sums. */
        KEYS(136),
        /** Whatever else. */
        OTHERS(144),
        /** A vector in the precision of the matrices. */
        VECTOR(152);

        private final long place;

        Pointer(long place) {
            this.place = place;
        }
    }

    /** The integers of the struct, by their places. */
    public enum Count {
        /** Rows, or items. */
        ROWS(176),
        /** What kernels say. */
        SIZE(180),
        /** What kernels say. */
        FIRST(184),
        /** What kernels say. */
        LAST(188);

        private final long place;

        Count(long place) {
            this.place = place;
        }
    }

    CudaContext context() {
        return context;
    }

    ScanStates scans() {
        return scans;
    }

    /**
     * Brings integers to the host, as soon as what is queued so far has left them there.
     *
     * @param buffer has them at its beginning
     * @param count  how many, at most {@value org.trellis.cuda.runtime.Mailbox#CAPACITY}
     * @return the integers
     * @throws org.trellis.common.DeviceException if work that was queued failed
     */
    public int[] fetch(CudaBuffer buffer, int count) {
        return send(buffer, count).read(count);
    }

    /**
     * Has integers sent to the host, which can go on meanwhile.
     *
     * @param buffer has them at its beginning
     * @param count  how many, at most {@value org.trellis.cuda.runtime.Mailbox#CAPACITY}
     * @return a message with them
     */
    public Mailbox.Message send(CudaBuffer buffer, int count) {
        Mailbox.Message message = context.mailbox().next();
        algebra("sendIntegers", Precision.F64).set(Pointer.LIST, buffer).set(Count.SIZE, count)
                .set(Pointer.KEYS, message.address()).set(Count.LAST, message.number()).runBlocks(1);
        return message;
    }

    /**
     * Brings doubles to the host likewise.
     *
     * @param buffer has them at its beginning
     * @param count  how many, at most half of {@value org.trellis.cuda.runtime.Mailbox#CAPACITY}
     * @return the doubles
     * @throws org.trellis.common.DeviceException if work that was queued failed
     */
    public double[] fetchDoubles(CudaBuffer buffer, int count) {
        double[] values = new double[count];
        MemorySegment.copy(MemorySegment.ofArray(fetch(buffer, 2 * count)), 0, MemorySegment.ofArray(values), 0,
                (long) count * Double.BYTES);
        return values;
    }

    static int bound(int bin) {
        return BOUNDS[bin];
    }

    /**
     * Prepares a launch of a kernel of {@code algebra.cu}.
     *
     * @param function  its name
     * @param precision the type of values
     * @return a launch whose arguments are all 0
     */
    public Step algebra(String function, Precision precision) {
        return step("algebra.cu", function, precision, THREADS, Group.NONE);
    }

    /**
     * Prepares a launch of a kernel of multigrid by aggregation.
     *
     * @param function  its name
     * @param precision the type of values
     * @return a launch whose arguments are all 0
     * @throws IllegalArgumentException if no file has such a kernel
     */
    public Step aggregation(String function, Precision precision) {
        return step(fileOf(function, AGGREGATION), function, precision, THREADS, Group.NONE);
    }

    static String fileOf(String function, Map<String, Set<String>> files) {
        for (Map.Entry<String, Set<String>> file : files.entrySet()) {
            if (file.getValue().contains(function)) {
                return file.getKey();
            }
        }
        throw new IllegalArgumentException("no file has a kernel " + function);
    }

    /**
     * Prepares a launch of a kernel of {@code nodes.cu}.
     *
     * @param function  its name
     * @param precision the type of values
     * @return a launch whose arguments are all 0
     */
    public Step nodes(String function, Precision precision) {
        return step("nodes.cu", function, precision, THREADS, Group.NONE);
    }

    /**
     * Prepares a launch of a kernel of {@code coarsening.cu}.
     *
     * @param function  its name
     * @param precision the type of values
     * @return a launch whose arguments are all 0
     */
    public Step coarsening(String function, Precision precision) {
        return step("coarsening.cu", function, precision, THREADS, Group.NONE);
    }

    /**
     * Prepares a launch of a kernel of {@code packing.cu}.
     *
     * @param function  its name
     * @param precision the type of values
     * @return a launch whose arguments are all 0
     */
    public Step packing(String function, Precision precision) {
        return step("packing.cu", function, precision, THREADS, Group.NONE);
    }

    /**
     * Prepares a launch of a kernel of {@code transfer.cu}.
     *
     * @param function  its name
     * @param precision the type of values
     * @return a launch whose arguments are all 0
     */
    public Step transfer(String function, Precision precision) {
        return step("transfer.cu", function, precision, THREADS, Group.NONE);
    }

    /**
     * Prepares a launch of a kernel of products of few rows: those of the first bin have as many columns as those of
     * the second otherwise, which is empty, and a block works on each.
     */
    Step productOfFewRows(String function, Precision precision, int span) {
        return inGroups(function, precision, THREADS, new Group(THREADS, span, BOUNDS[1]));
    }

    /**
     * Prepares a launch of a kernel of products or of sorting for rows of a bin; a short row is worked on by as many
     * threads as a row of the right factor, the others by 32 or a block.
     */
    Step product(String function, Precision precision, int bin, int span) {
        int threads = bin < 2 ? PRODUCT_THREADS : THREADS;
        Group group = bin == 0
                ? new Group(span, span, Math.min(BOUNDS[0], COLUMNS_OF_THREAD * span))
                : new Group(bin == 1 ? WARP : threads, span, BOUNDS[Math.min(bin, 2)]);
        return inGroups(function, precision, threads, group);
    }

    /** Prepares a launch of a kernel of products in which each thread has a row, and tables in shared memory. */
    Step byThread(String function, Precision precision) {
        return step("productthreads.cu", function, precision, WARP, Group.NONE);
    }

    private Step inGroups(String function, Precision precision, int threads, Group group) {
        return step(fileOf(function, ROW_GROUPS), function, precision, threads, group);
    }

    /** The threads of a row, those of a row of the right factor, and the columns that a row may have. */
    record Group(int threads, int span, int capacity) {
        /** For kernels without groups. */
        static final Group NONE = new Group(1, 0, 0);

        /** Says whether a block works on each row of the first bin. */
        boolean isForFewRows() {
            return threads > WARP && capacity == BOUNDS[1];
        }

        /** Returns the most columns of a row of the first bin. */
        int shortest() {
            return isForFewRows() || threads <= LARGEST_SPAN ? capacity : BOUNDS[0];
        }
    }

    /** Returns the source of the kernels of {@link #algebra(String, Precision)}. */
    static KernelSource algebra(Precision precision) {
        return source("algebra.cu", precision, THREADS, Group.NONE);
    }

    /** Returns the source of kernels. */
    static KernelSource source(String name, Precision precision, int threads, Group group) {
        String[] headers = ROW_GROUPS.containsKey(name)
                ? new String[]{"arguments.cuh", "rowgroups.cuh"}
                : new String[]{"arguments.cuh"};
        KernelSource source =
                KernelSource.resource(AlgebraLaunch.class, name, headers).withOption("-fmad=false")
                        .define("REAL", precision == Precision.F64 ? "double" : "float").define("THREADS", threads);
        if (group.equals(Group.NONE)) {
            return source;
        }
        return source.define("GROUP", group.threads()).define("SPAN", group.span())
                .define("CAPACITY", group.capacity()).define("BOUND0", group.shortest())
                .define("BOUND1", BOUNDS[1]).define("BOUND2", BOUNDS[2])
                .define("TRIED", group.isForFewRows() ? ANY : TRIED);
    }

    private Step step(String name, String function, Precision precision, int threads, Group group) {
        Variant variant = variant(name, function, precision, threads, group);
        variant.launch().block().fill((byte) 0);
        return new Step(variant);
    }

    private Variant variant(String name, String function, Precision precision, int threads, Group group) {
        List<Variant> variants = launches.computeIfAbsent(function, key -> new ArrayList<>(2));
        for (Variant variant : variants) {
            if (variant.is(precision, threads, group)) {
                return variant;
            }
        }
        CudaKernel kernel = context.kernel(source(name, precision, threads, group), function);
        Variant made = new Variant(precision, threads, group, kernel, kernel.structLaunch(BYTES));
        variants.add(made);
        return made;
    }

    /** A launch whose arguments are being set. */
    public final class Step {
        private final Variant variant;
        private final StructLaunch launch;
        private final int threads;
        private final int group;

        private Step(Variant variant) {
            this.variant = variant;
            this.launch = variant.launch;
            this.threads = variant.threads;
            this.group = variant.group.threads();
        }

        /**
         * Sets the first operand.
         *
         * @param matrix a matrix
         * @return this
         */
        public Step a(CudaMatrix matrix) {
            return matrix(A, matrix.rowOffsets().address(), matrix.columnIndices().address(),
                    matrix.values().address());
        }

        /**
         * Sets the second operand.
         *
         * @param matrix a matrix
         * @return this
         */
        public Step b(CudaMatrix matrix) {
            return matrix(B, matrix.rowOffsets().address(), matrix.columnIndices().address(),
                    matrix.values().address());
        }

        /**
         * Sets the structure of the second operand.
         *
         * @param offsets where rows start
         * @param columns their columns
         * @return this
         */
        public Step b(CudaBuffer offsets, CudaBuffer columns) {
            return matrix(B, offsets.address(), columns.address(), 0);
        }

        private Step matrix(long place, long offsets, long columns, long values) {
            MemorySegment block = launch.block();
            block.set(ValueLayout.JAVA_LONG, place, offsets);
            block.set(ValueLayout.JAVA_LONG, place + Long.BYTES, columns);
            block.set(ValueLayout.JAVA_LONG, place + 2 * Long.BYTES, values);
            return this;
        }

        /**
         * Sets a pointer.
         *
         * @param pointer which
         * @param buffer  what it points to
         * @return this
         */
        public Step set(Pointer pointer, CudaBuffer buffer) {
            return set(pointer, buffer.address());
        }

        /**
         * Sets a pointer.
         *
         * @param pointer which
         * @param address a device address
         * @return this
         */
        public Step set(Pointer pointer, long address) {
            launch.block().set(ValueLayout.JAVA_LONG, pointer.place, address);
            return this;
        }

        /** Returns an address that was set. */
        long address(Pointer pointer) {
            return launch.block().get(ValueLayout.JAVA_LONG, pointer.place);
        }

        /** Makes the result's structure that of the second operand, for kernels that read it. */
        Step asOperand() {
            return matrix(B, address(Pointer.OFFSETS), address(Pointer.COLUMNS), address(Pointer.VALUES));
        }

        /**
         * Sets an integer.
         *
         * @param number which
         * @param value  its value
         * @return this
         */
        public Step set(Count number, int value) {
            launch.block().set(ValueLayout.JAVA_INT, number.place, value);
            return this;
        }

        /**
         * Sets α.
         *
         * @param value its value
         * @return this
         */
        public Step alpha(double value) {
            launch.block().set(ValueLayout.JAVA_DOUBLE, 160, value);
            return this;
        }

        /**
         * Sets β.
         *
         * @param value its value
         * @return this
         */
        public Step beta(double value) {
            launch.block().set(ValueLayout.JAVA_DOUBLE, 168, value);
            return this;
        }

        /**
         * Queues the kernel with a thread, or a group of threads, for each item.
         *
         * @param items how many; none queues nothing
         */
        public void run(long items) {
            if (items > 0) {
                launch.run(LaunchShape.covering(items * group, threads));
            }
        }

        /**
         * Queues the kernel with one thread for each item, even if others of its file have groups.
         *
         * @param items how many; none queues nothing
         */
        void runThreads(long items) {
            if (items > 0) {
                launch.run(LaunchShape.covering(items, threads));
            }
        }

        /** Queues the kernel with one thread for each item, which has some bytes of shared memory. */
        void runThreads(long items, int bytes) {
            if (items > 0) {
                int blocks = LaunchShape.covering(items, threads).blocks();
                launch.run(new LaunchShape(blocks, 1, threads, bytes * threads));
            }
        }

        /**
         * Queues the kernel with some blocks.
         *
         * @param blocks how many, at least 1
         */
        public void runBlocks(int blocks) {
            launch.run(LaunchShape.of(blocks, threads));
        }

        /**
         * Queues the kernel with blocks that run together and wait for each other: as many as give each item a thread,
         * and no more than the device holds.
         *
         * @param items how many; none queues nothing
         */
        public void runTogether(long items) {
            if (items > 0) {
                int blocks = (int) Math.min(Math.ceilDiv(items, threads), variant.together(context));
                launch.runTogether(LaunchShape.of(blocks, threads));
            }
        }

        /** Returns how many blocks give each item a group of threads, at most a number. */
        int blocksFor(int items, int most) {
            return Math.clamp(Math.ceilDiv((long) items * group, threads), 1, most);
        }
    }
}
