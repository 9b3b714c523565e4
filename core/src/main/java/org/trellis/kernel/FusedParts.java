package org.trellis.kernel;

/** What a thread needs to run the parts of a {@link FusedKernel}: arguments and range as each part sees them. */
final class FusedParts {
    private final FusedKernel kernel;
    private final LoopArguments[] arguments;
    private final LoopRange[] ranges;

    FusedParts(FusedKernel kernel, LoopRange whole) {
        this.kernel = kernel;
        arguments = new LoopArguments[kernel.parts().size()];
        ranges = new LoopRange[arguments.length];
        for (int p = 0; p < arguments.length; p++) {
            FusedKernel.Part part = kernel.parts().get(p);
            arguments[p] = new LoopArguments(part.arguments().size());
            ranges[p] = new LoopRange(part.kernel().signature(), whole, part.arguments());
        }
    }

    boolean isOf(FusedKernel other) {
        return kernel.equals(other);
    }

    /** Takes over what the whole's arguments are now. */
    void take(FusedKernel fused, LoopArguments whole) {
        for (int p = 0; p < arguments.length; p++) {
            FusedKernel.Part part = fused.parts().get(p);
            for (int i = 0; i < part.arguments().size(); i++) {
                arguments[p].take(i, whole, part.arguments().get(i));
            }
        }
    }

    LoopArguments arguments(int part) {
        return arguments[part];
    }

    /** Returns a part's view of some of the elements of a range. */
    LoopRange range(int part, LoopRange whole, int from, int to) {
        LoopRange own = whole.order() == null
                ? ranges[part].elements(from, to)
                : ranges[part].elements(whole.order(), from, to);
        return own.owned(whole.ownedFrom(), whole.ownedTo());
    }
}
