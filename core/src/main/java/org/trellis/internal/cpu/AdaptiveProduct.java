package org.trellis.internal.cpu;

import java.util.List;
import org.trellis.internal.threads.product.PreparedProduct;
import org.trellis.internal.threads.product.TeamSpmvOperator;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * A product in scalar code that goes over to vector code. A small part is tried out beside the products of the program
 * until the vector code is compiled; then the matrix is converted. The conversion and all trials stay within a
 * {@link TrialBudget}.
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

    AdaptiveProduct(CsrMatrix matrix, ProductTrial.Form scalarForm, ProductTrial.Form vectorForm, TrialBudget budget) {
        super(budget);
        this.lastRound = budget.firstTrial();
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
        for (int i = 0; i < ROUNDS && (trial == null || !trial.isReady()); i++) {
            if (!budget().allows(lastRound)) {
                return;
            }
            long start = budget().now();
            if (trial == null) {
                trial = ProductTrial.of(matrix, scalarForm, vectorForm);
            }
            trial.round(x, budget());
            lastRound = budget().now() - start;
            budget().tried(lastRound);
            if (trial.isHopeless()) {
                settle(false);
                return;
            }
        }
        if (isRested() && trial.isReady() && convert()) {
            compare();
        }
    }

    private boolean convert() {
        if (vector == null && budget().allows(CONVERSION * usual())) {
            long start = budget().now();
            vector = vectorForm.prepare(matrix);
            budget().tried(budget().now() - start);
        }
        return vector != null;
    }

    @Override
    void restart() {
        trial.restart();
    }

    /** What is stored for vector code is as large as the matrix. */
    @Override
    void drop() {
        vector = null;
        trial = null;
    }
}
