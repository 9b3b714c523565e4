package org.trellis.internal.cpu;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.trellis.internal.threads.loop.LoopChooser;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.LoopStyle;
import org.trellis.kernel.RangeLoop;
import org.trellis.mesh.LoopDeclaration;

/**
 * A mesh loop in scalar code that goes over to vector code. Until the vector code is compiled, it runs a few elements
 * of the program's own loops, as many as a {@link TrialBudget} allows.
 */
final class AdaptiveLoop extends VariantSelector implements LoopChooser {
    /** The most pieces in vector code before a run. */
    private static final int MOST_PIECES = 64;
    /** The vector code is compiled if a piece takes at most so many times as long as in scalar code. */
    private static final int COMPILED = 3;
    /** What starting a piece may take besides, in nanoseconds. */
    private static final long START = 3000;
    /** Pieces without any progress after which there will be none. */
    private static final int STALLED = 4000;
    private static final double PROGRESS = 0.9;

    private final RangeLoop scalar;
    private final Supplier<RangeLoop> vectorLoop;
    private final double runsPerPiece;
    private RangeLoop vector;
    private long lastPiece;
    private long best = Long.MAX_VALUE;
    private long progressed = Long.MAX_VALUE;
    private int pieces;
    private int since;
    private int wanted;

    /**
     * Creates a choice.
     *
     * @param elements   elements of the set
     * @param threads    threads that share a run
     * @param scalar     the scalar code
     * @param vectorLoop makes the vector code
     * @param budget     what trials may cost
     */
    AdaptiveLoop(int elements, int threads, RangeLoop scalar, Supplier<RangeLoop> vectorLoop, TrialBudget budget) {
        super(budget);
        this.lastPiece = budget.firstTrial();
        this.scalar = scalar;
        this.vectorLoop = vectorLoop;
        this.runsPerPiece = (double) PIECE * threads / Math.max(PIECE, elements);
    }

    /**
     * Creates the choice for a loop, if there is one: its kernel has vector code that gives the same bits.
     *
     * @param loop    the loop
     * @param threads threads that share a run
     * @param codes   its scalar and vector code
     * @param budget  what trials may cost
     */
    static Optional<LoopChooser> of(LoopDeclaration loop, int threads, Codes codes, TrialBudget budget) {
        return keepsOrder(loop) && loop.kernel().objection(LoopStyle.SIMD).isEmpty()
                ? Optional.of(new AdaptiveLoop(loop.set().size(), threads, codes.scalar(), codes.vector(), budget))
                : Optional.empty();
    }

    /**
     * Says whether vector code adds in the order of scalar code: it keeps sums of numbers in lanes, and it adds to
     * consecutive elements before it adds through maps.
     */
    static boolean keepsOrder(LoopDeclaration loop) {
        return IntStream.range(0, loop.arity()).noneMatch(a -> (loop.access(a) == Access.SUM
                && loop.signature(a).type() == ArgumentSignature.Type.REAL)
                || IntStream.range(0, a).anyMatch(b -> addsElsewhere(loop, a, b)));
    }

    /** Says whether two arguments add to one dat by different accesses. */
    private static boolean addsElsewhere(LoopDeclaration loop, int a, int b) {
        boolean bothAdd = loop.access(a) == Access.INCREMENT && loop.access(b) == Access.INCREMENT
                && loop.dat(a) == loop.dat(b);
        return bothAdd && (loop.map(a) == null || loop.map(b) == null
                || loop.signature(a).entries() != loop.signature(b).entries());
    }

    @Override
    public RangeLoop next() {
        return runsNew() ? vector : scalar;
    }

    @Override
    public int pieces() {
        return stage() == Stage.TRYING ? wanted : 0;
    }

    @Override
    public RangeLoop trial() {
        if (vector == null) {
            long start = budget().now();
            vector = vectorLoop.get();
            budget().tried(budget().now() - start);
        }
        return vector;
    }

    @Override
    public void tried(long nanoseconds) {
        best = Math.min(best, nanoseconds);
        lastPiece = counted(nanoseconds, best);
        budget().tried(lastPiece);
        pieces++;
        if (best < PROGRESS * progressed) {
            progressed = best;
            since = pieces;
        }
    }

    @Override
    public void done(long nanoseconds) {
        ran(nanoseconds);
        if (stage() != Stage.TRYING) {
            return;
        }
        if (isRested() && best <= COMPILED * (long) (runsPerPiece * usual()) + START) {
            compare();
        } else if (pieces - since > STALLED) {
            settle(false);
        } else {
            wanted = 0;
            while (wanted < MOST_PIECES && budget().allows((wanted + 1) * lastPiece)) {
                wanted++;
            }
        }
    }

    @Override
    void restart() {
        best = Long.MAX_VALUE;
        progressed = Long.MAX_VALUE;
        since = pieces;
    }

    @Override
    void drop() {
        vector = null;
    }
}
