package org.trellis.cuda.mesh;

import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopDeviceParameters.Staging;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;

/**
 * What the code of a launch looks like, as far as schemes decide it.
 *
 * @param blocks        whether a block of threads runs a block of the plan; otherwise a thread runs an element, and the
 *                      next one a grid further on, or a target
 * @param listed        whether elements are taken from a list
 * @param increments    where increments through maps go
 * @param stageReads    whether what is read through maps comes into shared memory first
 * @param colourOrdered whether the kernel runs colour by colour
 * @param atomicOut     whether what was accumulated in shared memory is added to memory atomically
 * @param addsStored    whether stored contributions are added instead of running the kernel
 * @param streaming     whether what is used once is kept from the caches
 * @param perThread     elements that a thread loads before it computes; 1 in blocks
 * @param perTarget     threads that share a target and its elements, a power of two up to 32; 1 unless targets run them
 */
record LoopForm(boolean blocks, boolean listed, Increments increments, boolean stageReads, boolean colourOrdered,
        boolean atomicOut, boolean addsStored, boolean streaming, int perThread, int perTarget) {
    /** Threads of a warp. */
    private static final int MOST_PER_TARGET = 32;

    /** Where increments through maps go. */
    enum Increments {
        /** To memory, by a thread that is alone at their targets. */
        PLAIN,
        /** To memory, atomically. */
        ATOMIC,
        /** To registers, and from there to memory colour by colour. */
        COLOURED,
        /** To the shared memory of the block, colour by colour, and from there to memory. */
        SHARED,
        /** The same, to consecutive targets that only this block adds to; others are dropped. */
        OWNED,
        /** Into an array of their own. */
        STORED,
        /** To registers of the target's thread, which runs the kernel for all elements that add to it. */
        PULLED
    }

    static LoopForm of(LoopDeclaration loop, LoopParameters parameters) {
        Staging staging = parameters.device().staging();
        boolean sorted = parameters.device().sorted();
        boolean colourOrdered = parameters.device().colourOrdered() || LoopTables.addsThroughRows(loop);
        boolean stageReads = staging == Staging.ALL;
        boolean streaming = parameters.device().streaming();
        int each = parameters.device().perThread();
        boolean staged = staging != Staging.NONE;
        Increments accumulated = staged ? Increments.SHARED : Increments.COLOURED;
        return switch (parameters.scheme()) {
            case IN_ORDER ->
                new LoopForm(stageReads, false, Increments.PLAIN, stageReads, false, false, false, streaming, each, 1);
            case FULL_PERMUTE ->
                new LoopForm(false, true, Increments.PLAIN, false, false, false, false, streaming, 1, 1);
            case ATOMICS -> staged
                    ? new LoopForm(true, sorted, Increments.SHARED, stageReads, colourOrdered, true, false, streaming,
                            1, 1)
                    : new LoopForm(false, false, Increments.ATOMIC, false, false, false, false, streaming, each, 1);
            case TWO_LEVEL ->
                new LoopForm(true, sorted, accumulated, stageReads, colourOrdered, false, false, streaming, 1, 1);
            case BLOCK_PERMUTE ->
                new LoopForm(true, true, accumulated, stageReads, true, false, false, streaming, 1, 1);
            case TEMPORARY -> storing(parameters.device());
            case RECOMPUTE -> new LoopForm(false, false, Increments.PULLED, false, false, false, false, streaming, 1,
                    perTarget(parameters));
            case OWNER_COMPUTE ->
                new LoopForm(true, true, Increments.OWNED, stageReads, colourOrdered, false, false, streaming, 1, 1);
        };
    }

    /** Threads of a block for each of its targets, rounded down to a power of two. */
    private static int perTarget(LoopParameters parameters) {
        int targets = parameters.blockSize();
        int each = targets == 0 ? 1 : parameters.device().threads() / targets;
        return Math.clamp(Integer.highestOneBit(each), 1, MOST_PER_TARGET);
    }

    /** The form of the launch that computes and stores contributions, before they are added by another form. */
    static LoopForm storing(LoopDeviceParameters device) {
        return new LoopForm(false, false, Increments.STORED, false, false, false, false, device.streaming(),
                device.perThread(), 1);
    }

    /** This form, adding stored contributions. */
    LoopForm addingStored() {
        return new LoopForm(blocks, listed, increments, false, colourOrdered, atomicOut, true, streaming,
                1, 1);
    }

    /** Says whether elements have colours within their blocks. */
    boolean coloured() {
        return blocks && (increments == Increments.COLOURED || increments == Increments.SHARED
                || increments == Increments.OWNED);
    }

    /** Says whether a thread runs a target with all elements that add to it. */
    boolean pulls() {
        return increments == Increments.PULLED;
    }

    /** Says whether increments meet in shared memory. */
    boolean accumulates() {
        return increments == Increments.SHARED || increments == Increments.OWNED;
    }

    /** Says whether blocks of one colour run at a time. */
    static boolean blockColours(LoopScheme scheme) {
        return scheme == LoopScheme.TWO_LEVEL || scheme == LoopScheme.BLOCK_PERMUTE;
    }
}
