package org.trellis.cuda.fem;

import java.util.Map;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.fem.DeviceForms;
import org.trellis.fem.DeviceForms.Kept;
import org.trellis.fem.integrate.FormKernels;
import org.trellis.fem.integrate.Formulation;

/**
 * How a form is divided among threads.
 *
 * @param source    the integrals
 * @param real      the element type
 * @param unknowns  of an element
 * @param points    of an element
 * @param slots     values and derivatives at a point
 * @param plane     nodes of an element in a plane, for sums that are factorised
 * @param byEntry   whether a thread multiplies an element, whose matrix or factors lie by entry, those of a warp's
 *                  elements together, and not by element
 * @param stored    whether factors are computed beforehand
 * @param atomics   whether elements add by atomics
 * @param wide      whether places in a row need more than a byte
 * @param factors   of a point
 * @param factorised whether rows of element matrices are made by sum factorisation
 * @param kept      what is kept
 */
record FormShape(String source, String real, int unknowns, int points, int slots, int plane, boolean byEntry,
        boolean stored, boolean atomics, boolean wide, int factors, boolean factorised, Kept kept) {
    private static final int THREADS = 128;
    private static final int WARP = 32;
    /** Unknowns of an element whose matrix one thread computes and multiplies. */
    private static final int MAX_UNKNOWNS_OF_A_THREAD = 9;
    /** Unknowns of an element that leave registers for four blocks of threads with one each. */
    private static final int MEDIUM_ELEMENT = 16;
    private static final int SLOTS_IN_SPACE = 4;
    /** Numbers of a sector of memory. */
    private static final int SECTOR = 4;
    /** Unknowns of an element that one thread multiplies by sum factorisation. */
    private static final int MAX_FACTORISED_BY_A_THREAD = 27;
    /** Bytes of the factors of a block that come into shared memory, beside what its threads exchange there. */
    private static final int MOST_STAGED_BYTES = 36 * 1024;

    static FormShape of(DeviceForms.Elements elements, Kept kept, boolean atomics, int longestRow) {
        return of(elements.kernels(), elements.formulation(), elements.precision(), kept, atomics, longestRow);
    }

    static FormShape of(FormKernels kernels, Formulation formulation, Precision precision, Kept kept, boolean atomics,
            int longestRow) {
        var tables = kernels.tables();
        int unknowns = kernels.unknowns();
        int line = tables.element().degree() + 1;
        boolean factorised = formulation == Formulation.SUM_FACTORISED;
        boolean few = unknowns <= MAX_UNKNOWNS_OF_A_THREAD && !factorised;
        boolean search = kept == Kept.SEARCHED_ROWS;
        boolean made = search || kept == Kept.ROWS || kept == Kept.MATRICES;
        boolean stored = kept == Kept.FACTORS || (made && !few);
        boolean byEntry = kept == Kept.MATRICES
                ? few
                : kept == Kept.FACTORS && unknowns <= MAX_FACTORISED_BY_A_THREAD;
        return new FormShape(kernels.integralSource(),
                precision == Precision.F64 ? "double" : "float", unknowns, tables.points(),
                tables.dimension() + 1, line * line, byEntry, stored, atomics,
                !search && longestRow >= 0xff, kernels.factorSize(), factorised, kept);
    }

    /** Says whether places in a row are looked for. */
    boolean search() {
        return kept == Kept.SEARCHED_ROWS;
    }

    /** Says whether elements are multiplied by sum factorisation in a source. */
    private boolean applied(boolean storedFactors) {
        return kept == Kept.NOTHING || (kept == Kept.FACTORS && storedFactors);
    }

    /** Says whether stored factors lie in the order in which the threads of a block ask for them: in space. */
    private boolean tiled() {
        return kept == Kept.FACTORS && !byEntry && slots == SLOTS_IN_SPACE;
    }

    /** Says how many threads compute factors. */
    long factorItems(long cells) {
        if (tiled()) {
            return Math.ceilDiv(cells, (long) factorisedPerBlock()) * factorisedPerBlock() * points;
        }
        return byEntry ? cells : cells * points;
    }

    /** Numbers that factors have room for: by entry those of whole warps, in tiles those of whole blocks. */
    long factorRoom(long cells) {
        if (tiled()) {
            int row = Math.ceilDiv(factorisedPerBlock() * plane, SECTOR) * SECTOR;
            return Math.ceilDiv(cells, (long) factorisedPerBlock()) * (points / plane) * factors * row;
        }
        long elements = byEntry ? Math.ceilDiv(cells, (long) WARP) * WARP : cells;
        return elements * points * factors;
    }

    /** Says whether stored factors of a block's elements come into shared memory before they act. */
    private boolean staged() {
        int bytes = real.equals("double") ? Double.BYTES : Float.BYTES;
        return kept == Kept.FACTORS && !byEntry && !tiled()
                && factorisedPerBlock() * points * factors * bytes <= MOST_STAGED_BYTES;
    }

    /**
     * Blocks that a multiprocessor is to have room for where a thread has an element in its registers, which limits
     * these: the best of those that were measured on an H200.
     */
    private int resident() {
        if (unknowns <= MEDIUM_ELEMENT) {
            return 4;
        }
        return slots == SLOTS_IN_SPACE ? 2 : 3;
    }

    /** Threads that share a row of an element matrix. */
    int perRow() {
        if (unknowns <= MAX_UNKNOWNS_OF_A_THREAD && !factorised) {
            return 1;
        }
        return Math.min(WARP, Integer.highestOneBit(unknowns) / 2);
    }

    /** Rows of element matrices or compressed rows of a block. */
    int rowsPerBlock() {
        return THREADS / perRow();
    }

    int rowThreads() {
        return THREADS;
    }

    /** Values that what a row is made of takes in shared memory. */
    int sharedPerRow() {
        return perRow() == 1 ? 0 : points * slots;
    }

    /** Elements of a block of the product of element matrices. */
    int elementsPerBlock() {
        return byEntry ? THREADS : Math.max(1, THREADS / unknowns);
    }

    int productThreads() {
        return byEntry ? THREADS : Math.ceilDiv(elementsPerBlock() * unknowns, WARP) * WARP;
    }

    /** Elements of a block of the factorised product: as many as its threads have room for. */
    int factorisedPerBlock() {
        return byEntry ? factorisedThreads() : factorisedThreads() / plane;
    }

    int factorisedThreads() {
        return byEntry ? THREADS : Math.ceilDiv(Math.max(1, THREADS / plane) * plane, WARP) * WARP;
    }

    /** Returns the source for a block size; points may be computed where others are stored. */
    KernelSource source(int threads, boolean storedFactors) {
        KernelSource plain = KernelSource.resource(FormShape.class, "forms.cu");
        KernelSource whole = new KernelSource(plain.name(), plain.text(), Map.of("element.cuh", source),
                plain.options()).including(FormShape.class, "elementrows.cuh")
                .including(FormShape.class, "factorised.cuh").including(FormShape.class, "brought.cuh");
        return whole.define("REAL", real).define("THREADS", threads).define("SHARING", perRow())
                .define("STORED", storedFactors ? 1 : 0).define("ATOMIC", atomics ? 1 : 0)
                .define("BY_ENTRY", byEntry ? 1 : 0).define("WIDE", wide ? 1 : 0)
                .define("SEARCH", search() ? 1 : 0).define("FACTORISED", factorised ? 1 : 0)
                .define("MATRICES", kept == Kept.MATRICES ? 1 : 0).define("APPLIED", applied(storedFactors) ? 1 : 0)
                .define("SPACE", slots == SLOTS_IN_SPACE ? 1 : 0).define("TILED", tiled() ? 1 : 0)
                .define("TOGETHER", factorisedPerBlock())
                .define("STAGED", storedFactors && staged() ? 1 : 0)
                .define("RESIDENT", resident());
    }
}
