package org.trellis.tuner.product.online;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.trellis.sparse.SpmvParameters;

/**
 * The order of steps of the thesis, section 4.5.2: halve the rows of a group. If that changes the time by more than
 * 5 %, for better or worse, go on with the rows, in the direction that helps; else double the cooperating threads, and
 * further as long as it helps, or halve them. Then change the size of blocks by 32 while it helps. Where a group has
 * one row, which cannot be halved, the first step doubles them.
 *
 * <p>What the thesis did not have comes last: the space, what differs least from the best first. When one of these
 * wins, they are sorted anew around it. Sets that a model expects to be slow take part only where they differ from the
 * best in one parameter: models err most for matrices that resemble nothing they learnt from.
 */
final class ThesisClimb {
    private static final double NOTABLE = 0.05;

    private enum Stage {
        ROWS_PROBE, ROWS_ON, ROWS_BACK, THREADS_ON, THREADS_BACK, BLOCK_ON, BLOCK_BACK, OTHERS, DONE
    }

    private final Neighbourhood neighbourhood;
    private final Set<SpmvParameters> seen = new HashSet<>();
    private final Set<SpmvParameters> unlikely;
    private final Deque<SpmvParameters> others = new ArrayDeque<>();
    private SpmvParameters best;
    private Stage stage = Stage.ROWS_PROBE;
    private boolean listed;

    ThesisClimb(Neighbourhood neighbourhood, SpmvParameters start, Set<SpmvParameters> tried,
            Set<SpmvParameters> unlikely) {
        this.neighbourhood = neighbourhood;
        this.unlikely = unlikely;
        this.best = start;
        this.seen.addAll(tried);
    }

    /** Returns the next set to try, or empty when no step is left. */
    Optional<SpmvParameters> next() {
        while (stage != Stage.DONE) {
            Optional<SpmvParameters> step = step();
            boolean skipped = stage != Stage.OTHERS && step.filter(unlikely::contains).isPresent();
            if (step.isPresent() && !skipped && seen.add(step.get())) {
                return step;
            }
            missing();
        }
        return Optional.empty();
    }

    /** There is no such step: rows that cannot be halved are doubled, for all else the next stage comes. */
    private void missing() {
        if (stage == Stage.ROWS_PROBE) {
            stage = Stage.ROWS_BACK;
        } else {
            failed(0);
        }
    }

    private Optional<SpmvParameters> step() {
        return switch (stage) {
            case ROWS_PROBE, ROWS_ON -> neighbourhood.rows(best, false);
            case ROWS_BACK -> neighbourhood.rows(best, true);
            case THREADS_ON -> neighbourhood.threads(best, true);
            case THREADS_BACK -> neighbourhood.threads(best, false);
            case BLOCK_ON -> neighbourhood.block(best, true);
            case BLOCK_BACK -> neighbourhood.block(best, false);
            case OTHERS -> other();
            case DONE -> Optional.empty();
        };
    }

    private Optional<SpmvParameters> other() {
        if (!listed) {
            neighbourhood.others(best).stream().filter(this::isWorthwhile).forEach(others::add);
            listed = true;
        }
        return Optional.ofNullable(others.poll());
    }

    private boolean isWorthwhile(SpmvParameters other) {
        return !seen.contains(other) && (!unlikely.contains(other) || SpmvDistance.between(best, other) == 1);
    }

    /** Says that the last set is the best now. */
    void improved(SpmvParameters parameters, double relativeGain) {
        best = parameters;
        if (stage == Stage.ROWS_PROBE) {
            stage = relativeGain > NOTABLE ? Stage.ROWS_ON : Stage.THREADS_ON;
        } else if (stage == Stage.OTHERS) {
            others.clear();
            listed = false;
        }
        // Other stages go on in their direction.
    }

    /** Says that the last set was no better, and by how much its time was longer, as a share. */
    void failed(double relativeLoss) {
        stage = switch (stage) {
            case ROWS_PROBE -> relativeLoss > NOTABLE ? Stage.ROWS_BACK : Stage.THREADS_ON;
            case ROWS_ON, ROWS_BACK -> Stage.THREADS_ON;
            case THREADS_ON -> Stage.THREADS_BACK;
            case THREADS_BACK -> Stage.BLOCK_ON;
            case BLOCK_ON -> Stage.BLOCK_BACK;
            case BLOCK_BACK -> Stage.OTHERS;
            case OTHERS -> others.isEmpty() && listed ? Stage.DONE : Stage.OTHERS;
            case DONE -> Stage.DONE;
        };
    }
}
