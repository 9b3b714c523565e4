package org.trellis.mesh.checkpoint;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshRanks;

/** Decides when a checkpoint is due and before which step it begins. All ranks decide alike. */
final class CheckpointMoment {
    /** Steps that a place is waited for if there is no period. */
    private static final int PATIENCE = 256;
    /** How many times within an interval ranks ask the first one whether it is over. */
    private static final int LOOKS = 50;
    private static final long MOST_STEPS = 1 << 14;
    /** The same where no message is saved, only a look at the clock. */
    private static final long MOST_STEPS_ALONE = 1 << 6;
    private static final double USUAL_SECONDS = 10;

    private final Checkpoints options;
    private final Mesh mesh;
    private final StepLog log;
    private final boolean alone;
    private long last = System.nanoTime();
    private long lastStep;
    private long lastReturn;
    private long requested;
    private boolean pending;
    private boolean chosen;
    private long since;
    /** With a period, the places in it that are good, counted from {@link #since}. */
    private final BitSet places = new BitSet();
    private int period;
    /** The step before which the clock is read next, or ranks ask. */
    private long look;
    private long looked = System.nanoTime();
    private long lookedStep;

    CheckpointMoment(Checkpoints options, Mesh mesh, StepLog log) {
        this.options = options;
        this.mesh = mesh;
        this.log = log;
        this.alone = mesh.ranks().isEmpty();
    }

    /** Says whether a checkpoint may begin before one of the next steps. */
    boolean isPending(boolean busy) {
        if (!pending && isDue(busy)) {
            pending = true;
            chosen = false;
            since = log.steps();
        }
        return pending;
    }

    /**
     * Says whether no checkpoint is requested that has not been seen. On several ranks the first one looks
     * only when all of them ask it: what is decided between follows from the steps alone, so that all decide alike.
     */
    boolean isUnasked() {
        return !alone || options.requests() == requested;
    }

    /**
     * Returns how many steps, the next one included, need no look at {@link #isPending} after one that has said that
     * none is due.
     */
    long calm() {
        long interval = options.interval().iterations();
        int found = log.period();
        long iterations = interval == 0
                ? Long.MAX_VALUE
                : found == 0 ? 0 : lastStep + found * interval - log.steps();
        return Math.min(iterations, look - log.steps());
    }

    /** A checkpoint has begun, or the program has been brought to where one was. */
    void begun() {
        pending = false;
        last = System.nanoTime();
        lastStep = log.steps();
        lastReturn = log.returns();
    }

    private boolean isDue(boolean busy) {
        CheckpointInterval interval = options.interval();
        if (interval.iterations() > 0 && isOver(interval.iterations())) {
            return true;
        }
        MeshRanks ranks = mesh.ranks().orElse(null);
        if (ranks != null) {
            return log.steps() >= look && agreed(ranks, busy);
        }
        return !busy && (options.requests() != requested || log.steps() >= look) && isDueHere();
    }

    /** Says whether there have been so many iterations since the last checkpoint. */
    private boolean isOver(long iterations) {
        int found = log.period();
        return found > 0
                ? log.steps() - lastStep >= found * iterations
                : log.returns() - lastReturn >= iterations;
    }

    private boolean isDueHere() {
        if (options.requests() != requested) {
            requested = options.requests();
            return true;
        }
        if (options.interval().seconds() == Double.POSITIVE_INFINITY) {
            look = mesh.ranks().isPresent() ? look : Long.MAX_VALUE;
            return false;
        }
        long now = System.nanoTime();
        if (mesh.ranks().isEmpty()) {
            look = log.steps() + Math.min(next(now), MOST_STEPS_ALONE);
        }
        return 1e-9 * (now - last) >= options.interval().seconds();
    }

    /** Returns after how many steps to look again, going by how long those since the last look took. */
    private long next(long now) {
        double seconds = Math.min(options.interval().seconds(), USUAL_SECONDS) / LOOKS;
        double each = 1e-9 * (now - looked) / Math.max(1, log.steps() - lookedStep);
        looked = now;
        lookedStep = log.steps();
        return (long) Math.clamp(seconds / Math.max(each, 1e-9), 1.0, MOST_STEPS);
    }

    /** Asks the first rank, whose clock counts; it also says when to ask again. */
    private boolean agreed(MeshRanks ranks, boolean busy) {
        boolean first = ranks.rank() == 0;
        long next = next(System.nanoTime());
        long[] said = {busy ? 1 : 0, 0, first ? next : 0};
        said[1] = first && isDueHere() ? 1 : 0;
        ranks.highest(said);
        look = log.steps() + said[2];
        if (said[1] > 0 && said[0] > 0) {
            requested = first ? -1 : requested;
            return false;
        }
        return said[1] > 0;
    }

    /**
     * Says whether a checkpoint that is due begins before a step.
     *
     * @param use   the step
     * @param index its number
     */
    boolean isPlace(StepUse use, long index) {
        return switch (options.policy().kind()) {
            case LOCAL -> isLocal(use, index);
            case MARKED -> isMarked(use);
            case SPECULATIVE -> isSpeculative(use, index);
        };
    }

    private boolean isLocal(StepUse use, long index) {
        return use.isPlace() && (use.overwrites() || index - since > PATIENCE);
    }

    private boolean isMarked(StepUse use) {
        if (!chosen) {
            chosen = true;
            checkMark();
        }
        return use.isPlace() && isNamed(use.name(), options.policy().name());
    }

    /**
     * Refuses to wait for a loop that the mesh does not have. Asked as soon as the steps repeat themselves, when a
     * program has declared what it runs, and at the latest when a checkpoint is due.
     */
    void checkMark() {
        String name = options.policy().name();
        if (options.policy().kind() == CheckpointPolicy.Kind.MARKED
                && mesh.loops().stream().noneMatch(loop -> isNamed(loop.declaration().name(), name))) {
            throw new IllegalArgumentException("checkpoints before loop '" + name + "', expected one of "
                    + mesh.loops().stream().map(loop -> loop.declaration().name()).distinct().toList());
        }
    }

    private static boolean isNamed(String kernel, String name) {
        return kernel.equals(name) || kernel.endsWith("." + name);
    }

    private boolean isSpeculative(StepUse use, long index) {
        if (!chosen) {
            choose();
        }
        if (period == 0 || index - since > 2L * period) {
            return isLocal(use, index);
        }
        return use.isPlace() && places.get((int) ((index - since) % period)) && isAsBefore(use, index);
    }

    /** Says whether the step is the one that a period ago was at its place. */
    private boolean isAsBefore(StepUse use, long index) {
        long distance = log.steps() - index + period;
        return distance < 1 || log.ago(distance) == use.id();
    }

    private void choose() {
        chosen = true;
        places.clear();
        period = log.findPeriod();
        if (period > 0) {
            List<CheckpointAnalysis.Row> rows = log.analysis(period).rows();
            List<Integer> loops = new ArrayList<>();
            long fewest = Long.MAX_VALUE;
            for (int r = 0; r < period; r++) {
                if (log.isPlace(log.ago(period - r))) {
                    loops.add(r);
                    fewest = Math.min(fewest, rows.get(r).bytes());
                }
            }
            for (int r : loops) {
                // The period ended before this step: row r of it comes again at step since + r.
                places.set(r, rows.get(r).bytes() == fewest);
            }
        }
    }

    /** Returns how many steps dats that nothing touches are waited for before they are saved. */
    long window() {
        int found = log.period();
        return found > 0 ? 2L * found : PATIENCE;
    }
}
