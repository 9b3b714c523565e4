package org.trellis.kernel;

import java.util.Arrays;
import org.trellis.common.Precision;

/**
 * The loop of a {@link FusedKernel} on a CPU: pieces of a range, few enough elements that what they touch stays in the
 * caches next to a core, go through the loops of all parts. Parts that add up real numbers see the whole range at once.
 */
final class FusedLoop implements RangeLoop {
    /** Bytes of a piece: a small part of the second-level cache. In the first level calls would be too many to pay. */
    private static final int PIECE_BYTES = 64 << 10;
    /** Pieces begin where vectors of any length do, counted from the beginning of the range. */
    private static final int ALIGNMENT = 64;
    private static final int MAX_PIECE = 4096;
    private static final int FEWEST = 1024;

    private final FusedKernel kernel;
    private final RangeLoop[] loops;
    private final boolean[] sums;
    private final int piece;

    FusedLoop(FusedKernel kernel, RangeLoop[] loops, Precision precision) {
        this.kernel = kernel;
        this.loops = loops.clone();
        this.sums = new boolean[loops.length];
        for (int p = 0; p < loops.length; p++) {
            sums[p] = kernel.parts().get(p).sums();
        }
        int elements = PIECE_BYTES / Math.max(1, bytes(kernel.signature(), precision));
        this.piece = Math.clamp(elements, FEWEST, MAX_PIECE) / ALIGNMENT * ALIGNMENT;
    }

    /** Returns the bytes that an element touches. */
    private static int bytes(KernelSignature signature, Precision precision) {
        int bytes = 0;
        for (ArgumentSignature argument : signature.arguments()) {
            if (argument.kind() == ArgumentSignature.Kind.DAT) {
                int each = argument.type() == ArgumentSignature.Type.REAL ? precision.bytes() : Integer.BYTES;
                bytes += argument.components() * Math.max(1, argument.entries()) * each;
            }
        }
        return bytes;
    }

    @Override
    public void run(LoopArguments arguments, LoopRange range) {
        FusedParts parts = range.parts(kernel);
        parts.take(kernel, arguments);
        int first = 0;
        while (first < loops.length) {
            int end = first + 1;
            while (end < loops.length && !sums[first] && !sums[end]) {
                end++;
            }
            int length = sums[first] || end == first + 1 ? Math.max(1, range.to() - range.from()) : piece;
            for (int from = range.from(); from < range.to(); from += length) {
                int to = Math.min(range.to(), from + length);
                for (int p = first; p < end; p++) {
                    loops[p].run(parts.arguments(p), parts.range(p, range, from, to));
                }
            }
            first = end;
        }
    }

    @Override
    public String toString() {
        return kernel + " by pieces of " + piece + " elements through " + Arrays.toString(loops);
    }
}
