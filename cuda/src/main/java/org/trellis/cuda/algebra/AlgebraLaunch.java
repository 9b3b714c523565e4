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
    /** Rows of up to so many columns are for groups of threads, warps and blocks; longer ones take bits. */
    private static final int[] BOUNDS = {64, 512, 4096};

    /** The kernels of multigrid by aggregation, in files of their own since files are compiled side by side. */
    static final Map<String, Set<String>> AGGREGATION = Map.of(
            "strength.cu", Set.of("limits", "countWeak", "filterWeak", "diagonalOf"),
            "aggregation.cu", Set.of("spreadOnce", "decide", "listUndecided", "decideListed", "settleListed",
                    "fillIntegers", "beginners", "firstMembers", "laterBeginners", "laterMembers", "join",
                    "countMembers", "scatterMembers"),
            "prolongator.cu", Set.of("tentative", "countTentative", "fillTentative", "smoothRows", "smoothAgain",
                    "copySmoothed", "countEmpty", "fillOnes", "invertDiagonal", "scaleVector", "fillVector"),
            "spectrum.cu", Set.of("randomVector", "lanczosProduct", "lanczosOrthogonalise", "scaleAndDot",
                    "divideVector", "addChunks"));

    private final CudaContext context;
    /** By the name of the kernel: few variants each, so that a set-up of hundreds of launches makes no keys. */
    private final Map<String, List<Variant>> launches = new HashMap<>();

    /** A kernel that was launched before. */
    private record Variant(Precision precision, int threads, Group group, StructLaunch launch) {
        boolean is(Precision wanted, int blockThreads, Group wantedGroup) {
            return precision == wanted && threads == blockThreads && group.threads == wantedGroup.threads
                    && group.span == wantedGroup.span && group.capacity == wantedGroup.capacity;
        }
    }

    /**
     * Creates launches in a context; kernels are compiled when they are first used.
     *
     * @param context the context, which outlives this
     */
    public AlgebraLaunch(CudaContext context) {
        this.context = context;
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
        return step(aggregationFile(function), function, precision, THREADS, Group.NONE);
    }

    static String aggregationFile(String function) {
        for (Map.Entry<String, Set<String>> file : AGGREGATION.entrySet()) {
            if (file.getValue().contains(function)) {
                return file.getKey();
            }
        }
        throw new IllegalArgumentException("no kernel of aggregation is called " + function);
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
     * Prepares a launch of a kernel of {@code product.cu} for rows of a bin; a short row is worked on by as many
     * threads as a row of the right factor, the others by 32 or a block.
     */
    Step product(String function, Precision precision, int bin, int span) {
        int threads = bin < 2 ? PRODUCT_THREADS : THREADS;
        Group group = new Group(bin == 0 ? span : bin == 1 ? WARP : threads, span, BOUNDS[Math.min(bin, 2)]);
        return step("product.cu", function, precision, threads, group);
    }

    /** The threads of a row, those of a row of the right factor, and the columns that a row may have. */
    record Group(int threads, int span, int capacity) {
        /** For kernels without groups. */
        static final Group NONE = new Group(1, 0, 0);
    }

    /** Returns the source of kernels. */
    static KernelSource source(String name, Precision precision, int threads, Group group) {
        KernelSource source =
                KernelSource.resource(AlgebraLaunch.class, name, "arguments.cuh").withOption("-fmad=false")
                        .define("REAL", precision == Precision.F64 ? "double" : "float").define("THREADS", threads);
        return group.equals(Group.NONE)
                ? source
                : source.define("GROUP", group.threads()).define("SPAN", group.span())
                        .define("CAPACITY", group.capacity()).define("BOUND0", BOUNDS[0])
                        .define("BOUND1", BOUNDS[1]).define("BOUND2", BOUNDS[2]);
    }

    private Step step(String name, String function, Precision precision, int threads, Group group) {
        StructLaunch launch = launch(name, function, precision, threads, group);
        launch.block().fill((byte) 0);
        return new Step(launch, threads, group.threads());
    }

    private StructLaunch launch(String name, String function, Precision precision, int threads, Group group) {
        List<Variant> variants = launches.computeIfAbsent(function, key -> new ArrayList<>(2));
        for (Variant variant : variants) {
            if (variant.is(precision, threads, group)) {
                return variant.launch();
            }
        }
        StructLaunch launch = context.kernel(source(name, precision, threads, group), function).structLaunch(BYTES);
        variants.add(new Variant(precision, threads, group, launch));
        return launch;
    }

    /** A launch whose arguments are being set. */
    public static final class Step {
        private final StructLaunch launch;
        private final int threads;
        private final int group;

        private Step(StructLaunch launch, int threads, int group) {
            this.launch = launch;
            this.threads = threads;
            this.group = group;
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
         * Queues the kernel with some blocks.
         *
         * @param blocks how many, at least 1
         */
        public void runBlocks(int blocks) {
            launch.run(LaunchShape.of(blocks, threads));
        }

        /** Returns how many blocks give each item a group of threads, at most a number. */
        int blocksFor(int items, int most) {
            return Math.clamp(Math.ceilDiv((long) items * group, threads), 1, most);
        }
    }
}
