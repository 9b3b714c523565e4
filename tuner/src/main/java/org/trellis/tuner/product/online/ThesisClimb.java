package org.trellis.tuner.product.online;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.trellis.sparse.SpmvParameters;

/**
 * The order of steps of the thesis, section 4.5.2: halve the rows of a group. If that changes the time by more than
 * 5 %, for better or worse, go on with the rows, in the direction that helps; else double the cooperating threads, and
 * further as long as it helps, or halve them. Then change the size of blocks by 32 while it helps. Where a group has
 * one row, which cannot be halved, the first step doubles them.
 *
 * <p>What the thesis did not have comes last: the space, in the order of how few steps lead from the best to a set, or
 * from another that was nearly as fast, of whatever family. Each tenth that such a one is slower counts as a step more.
 * Sets that a model expects to be slow take part only where they are one step away: models err most for matrices that
 * resemble nothing they learnt from.
 */
final class ThesisClimb {
    private static final double NOTABLE = 0.05;
    /** What a way takes over the best, from which the space is not searched around it. */
    private static final double NEARLY_AS_FAST = 1.25;
    private static final double STEPS_FOR_SLOWDOWN = 10;
    /** Beyond two steps sets were up to 24 times as slow on recorded searches, and none was better. */
    private static final double TOO_FAR = 2.5;

    private enum Stage {
        ROWS_PROBE, ROWS_ON, ROWS_BACK, THREADS_ON, THREADS_BACK, BLOCK_ON, BLOCK_BACK, OTHERS, DONE
    }

    private final Neighbourhood neighbourhood;
    private final Set<SpmvParameters> seen = new HashSet<>();
    private final Set<SpmvParameters> unlikely;
    private final Supplier<Map<SpmvParameters, Double>> slowdowns;
    private SpmvParameters best;
    private Stage stage = Stage.ROWS_PROBE;

    /** Begins at the best so far; {@code slowdowns} gives what each set that was measured takes over the best. */
    ThesisClimb(Neighbourhood neighbourhood, SpmvParameters start, Set<SpmvParameters> tried,
            Set<SpmvParameters> unlikely, Supplier<Map<SpmvParameters, Double>> slowdowns) {
        this.neighbourhood = neighbourhood;
        this.unlikely = unlikely;
        this.slowdowns = slowdowns;
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
        } else if (stage == Stage.OTHERS) {
            stage = Stage.DONE;
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

    /** The set of the space that is nearest to what was fast. */
    private Optional<SpmvParameters> other() {
        Candidate nearest = new Candidate(null, TOO_FAR);
        for (Map.Entry<SpmvParameters, Double> known : slowdowns.get().entrySet()) {
            double behind = STEPS_FOR_SLOWDOWN * (known.getValue() - 1);
            if (known.getValue() > NEARLY_AS_FAST || behind + 1 >= nearest.steps) {
                continue;
            }
            for (SpmvParameters other : neighbourhood.others(known.getKey())) {
                int distance = SpmvDistance.between(known.getKey(), other);
                boolean open = !seen.contains(other) && (distance == 1 || !unlikely.contains(other));
                if (open && behind + distance < nearest.steps) {
                    nearest = new Candidate(other, behind + distance);
                }
            }
        }
        return Optional.ofNullable(nearest.parameters);
    }

    /** A set, and how many steps it is away from what was fast. */
    private record Candidate(SpmvParameters parameters, double steps) {}

    /** Says that the last set is the best now. */
    void improved(SpmvParameters parameters, double relativeGain) {
        best = parameters;
        if (stage == Stage.ROWS_PROBE) {
            stage = relativeGain > NOTABLE ? Stage.ROWS_ON : Stage.THREADS_ON;
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
            case OTHERS -> Stage.OTHERS;
            case DONE -> Stage.DONE;
        };
    }
}
