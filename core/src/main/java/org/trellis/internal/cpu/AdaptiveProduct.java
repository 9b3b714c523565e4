package org.trellis.internal.cpu;

import java.util.List;
import org.trellis.internal.threads.product.PreparedProduct;
import org.trellis.internal.threads.product.TeamSpmvOperator;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * A product in scalar code that goes over to vector code. A small part is tried out beside the products of the program
 * until the vector code is compiled; then the matrix is converted. The conversion and all trials stay within a
 * {@link TrialBudget}, and neither is begun before the operator's own products have taken as long as it will.
 */
final class AdaptiveProduct extends VariantSelector implements TeamSpmvOperator.Chooser {
    /** Products in scalar code that take as long as a conversion does. */
    private static final int CONVERSION = 16;
    /** The most rounds of a trial between two products. */
    private static final int ROUNDS = 64;

    private final CsrMatrix matrix;
    private final ProductTrial.Form scalarForm;
    private final ProductTrial.Form vectorForm;
    private final List<PreparedProduct> scalar;
    private List<PreparedProduct> vector;
    private ProductTrial trial;
    private long lastRound;
    private long bestRound = Long.MAX_VALUE;

    AdaptiveProduct(CsrMatrix matrix, ProductTrial.Form scalarForm, ProductTrial.Form vectorForm, TrialBudget budget) {
        super(budget);
        this.matrix = matrix;
        this.scalarForm = scalarForm;
        this.vectorForm = vectorForm;
        this.scalar = scalarForm.prepare(matrix);
    }

    @Override
    public List<PreparedProduct> next() {
        return runsNew() ? vector : scalar;
    }

    @Override
    public void done(HostVector x, long nanoseconds) {
        ran(nanoseconds);
        if (stage() == Stage.TRYING) {
            tryOut(x);
        }
    }

    private void tryOut(HostVector x) {
        if (trial == null && ownWork() < budget().newProduct()) {
            return;
        }
        for (int i = 0; i < ROUNDS && (trial == null || !trial.isReady()); i++) {
            if (!budget().allows(trial == null ? budget().firstTrial() : lastRound)) {
                return;
            }
            boolean begun = trial != null;
            long start = budget().now();
            if (!begun) {
                trial = ProductTrial.of(matrix, scalarForm, vectorForm);
            }
            trial.round(x, budget());
            count(budget().now() - start, begun);
            if (trial.isHopeless()) {
                settle(false);
                return;
            }
        }
        if (isRested() && trial.isReady() && convert()) {
            compare();
        }
    }

    private void count(long nanoseconds, boolean begun) {
        if (begun) {
            bestRound = Math.min(bestRound, nanoseconds);
            lastRound = counted(nanoseconds, bestRound);
        } else {
            lastRound = nanoseconds;
            budget().newProductTook(nanoseconds);
        }
        budget().tried(lastRound);
    }

    private boolean convert() {
        long cost = CONVERSION * usual();
        if (vector == null && ownWork() >= cost && budget().allows(cost)) {
            long start = budget().now();
            vector = vectorForm.prepare(matrix);
            budget().tried(budget().now() - start);
        }
        return vector != null;
    }

    @Override
    void restart() {
        bestRound = Long.MAX_VALUE;
        if (trial != null) {
            trial.restart();
        }
    }

    /** What is stored for vector code is as large as the matrix. */
    @Override
    void drop() {
        vector = null;
        trial = null;
    }
}
