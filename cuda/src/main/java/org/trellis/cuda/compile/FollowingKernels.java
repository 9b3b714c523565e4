package org.trellis.cuda.compile;

import java.util.List;
import java.util.Objects;

/**
 * Kernels of which the length of another one's machine code decides which will be asked for.
 *
 * @param first    the source of the one that decides
 * @param function its name
 * @param bytes    what its code is long beyond
 * @param ifLong   what is asked for then
 * @param ifShort  what is asked for otherwise
 */
public record FollowingKernels(KernelSource first, String function, int bytes, List<KernelSource> ifLong,
        List<KernelSource> ifShort) {
    /** Copies the lists. */
    public FollowingKernels {
        Objects.requireNonNull(first);
        Objects.requireNonNull(function);
        ifLong = List.copyOf(ifLong);
        ifShort = List.copyOf(ifShort);
    }

    /** Returns what follows a code. */
    List<KernelSource> after(byte[] code) {
        return CodeSizes.of(code).getOrDefault(function, 0) > bytes ? ifLong : ifShort;
    }
}
