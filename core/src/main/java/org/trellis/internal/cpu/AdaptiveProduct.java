package org.trellis.internal.cpu;

import java.util.List;
import org.trellis.internal.threads.PreparedProduct;
import org.trellis.internal.threads.TeamSpmvOperator;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * A product in scalar code that goes over to vector code. A small part is tried out beside the products of the program
 * until the vector code is compiled; then the matrix is converted, and the products of the program themselves take turns
 * to see which way is faster. That is looked at again at growing intervals, and at once when products become far slower.
 * The conversion and all trials stay within a {@link TrialBudget}.
 */
final class AdaptiveProduct implements TeamSpmvOperator.Chooser {
    /** What loading the Vector API and the first interpreted vectors may take, in nanoseconds. */
    private static final long FIRST_TRIAL = 150_000_000;
    /** Products in scalar code that take as long as a conversion does. */
    private static final int CONVERSION = 16;
    /** The most rounds of a trial between two products. */
    private static final int ROUNDS = 64;
    /** How many times the compiler may throw the code away before the scalar code is kept for good. */
    private static final int MOST_SETBACKS = 4;
    /** Products far slower than usual in a row after which the ways are compared again. */
    private static final int MOST_SLOW = 3;
    private static final int SLOW = 4;
    private static final long FIRST_INTERVAL = 1_000_000_000;

    /** How far the choice has come. */
    enum Stage {
        /** The vector code is not compiled. */
        TRYING,
        /** Both ways take turns. */
        COMPARING,
        /** One way is taken. */
        SETTLED
    }

    private final CsrMatrix matrix;
    private final ProductTrial.Form scalarForm;
    private final ProductTrial.Form vectorForm;
    private final TrialBudget budget;
    private final List<PreparedProduct> scalar;
    private List<PreparedProduct> vector;
    private ProductTrial trial;
    private Comparison comparison;
    private Stage stage = Stage.TRYING;
    private boolean vectorTaken;
    private long usual = Long.MAX_VALUE;
    private long lastRound = FIRST_TRIAL;
    private int setbacks;
    private int slow;
    private long settledFor;
    private long interval = FIRST_INTERVAL;

    AdaptiveProduct(CsrMatrix matrix, ProductTrial.Form scalarForm, ProductTrial.Form vectorForm, TrialBudget budget) {
        this.matrix = matrix;
        this.scalarForm = scalarForm;
        this.vectorForm = vectorForm;
        this.budget = budget;
        this.scalar = scalarForm.prepare(matrix);
    }

    Stage stage() {
        return stage;
    }

    /** Says whether the vector code is in use. */
    boolean isVectorTaken() {
        return vectorTaken;
    }

    @Override
    public List<PreparedProduct> next() {
        boolean useVector = stage == Stage.COMPARING ? newWayRuns() : vectorTaken;
        return useVector ? vector : scalar;
    }

    private boolean newWayRuns() {
        return comparison.turn() == Comparison.NEW;
    }

    @Override
    public void done(HostVector x, long nanoseconds) {
        budget.worked(nanoseconds);
        switch (stage) {
            case TRYING -> {
                usual = Math.min(usual, nanoseconds);
                tryOut(x);
            }
            case COMPARING -> compare(nanoseconds);
            case SETTLED -> watch(nanoseconds);
        }
    }

    private void tryOut(HostVector x) {
        if (trial != null && trial.isReady()) {
            convert();
            return;
        }
        for (int i = 0; i < ROUNDS && stage == Stage.TRYING && budget.allows(lastRound); i++) {
            long start = budget.now();
            if (trial == null) {
                trial = ProductTrial.of(matrix, scalarForm, vectorForm);
            }
            trial.round(x, budget);
            lastRound = budget.now() - start;
            budget.tried(lastRound);
            if (trial.isHopeless()) {
                settle(false);
            } else if (trial.isReady()) {
                convert();
                return;
            }
        }
    }

    private void convert() {
        if (vector == null) {
            if (!budget.allows(CONVERSION * usual)) {
                return;
            }
            long start = budget.now();
            vector = vectorForm.prepare(matrix);
            budget.tried(budget.now() - start);
        }
        comparison = new Comparison();
        stage = Stage.COMPARING;
    }

    private void compare(long nanoseconds) {
        if (comparison.isFar(nanoseconds)) {
            setBack();
            return;
        }
        comparison.add(nanoseconds);
        if (comparison.isOver()) {
            settle(comparison.newWins());
        }
    }

    private void setBack() {
        comparison = null;
        vectorTaken = false;
        if (++setbacks > MOST_SETBACKS) {
            settle(false);
        } else {
            trial.restart();
            stage = Stage.TRYING;
        }
    }

    private void settle(boolean takeVector) {
        stage = Stage.SETTLED;
        vectorTaken = takeVector;
        settledFor = 0;
        slow = 0;
        if (comparison != null) {
            usual = comparison.quartile(takeVector ? Comparison.NEW : Comparison.OLD);
            comparison = null;
        }
        if (!takeVector) {
            // A way that is not taken costs no memory; what is stored for it would be as large as the matrix.
            vector = null;
            trial = null;
        }
    }

    /** Looks again at growing intervals, since the machine may have been busy, and at once if the code is gone. */
    private void watch(long nanoseconds) {
        if (!vectorTaken) {
            return;
        }
        settledFor += nanoseconds;
        slow = nanoseconds > SLOW * usual ? slow + 1 : 0;
        if (slow >= MOST_SLOW || settledFor > interval) {
            interval *= 2;
            comparison = new Comparison();
            stage = Stage.COMPARING;
        }
    }
}
