package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.CombinedStep;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;

/** A sum of operators; each adds to what those before have left. */
final class SumOperator extends CompoundOperator {
    private final List<LinearOperator> terms;
    private final ElementKernels elements;

    SumOperator(List<LinearOperator> terms, ElementKernels elements) {
        if (terms.isEmpty()) {
            throw new IllegalArgumentException("sum of no operators, expected at least one");
        }
        LinearOperator first = terms.getFirst();
        for (LinearOperator term : terms) {
            if (!term.domain().fits(first.domain()) || !term.range().fits(first.range())) {
                throw new IllegalArgumentException("sum of the " + first + " (" + first.domain() + " to "
                        + first.range() + ") and the " + term + " (" + term.domain() + " to " + term.range()
                        + "), expected one domain and one range");
            }
        }
        this.terms = terms;
        this.elements = elements;
    }

    @Override
    public VectorSpace domain() {
        return terms.getFirst().domain();
    }

    @Override
    public VectorSpace range() {
        return terms.getFirst().range();
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        double factor = beta;
        for (LinearOperator term : terms) {
            term.apply(alpha, x, factor, y);
            factor = 1;
        }
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        double factor = beta;
        for (LinearOperator term : terms) {
            term.applyTransposed(alpha, x, factor, y);
            factor = 1;
        }
    }

    @Override
    @MustBeClosed
    protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
        return combine(new DenseVector[]{x, y}, makers(terms, alpha, x, beta, y));
    }

    @Override
    @MustBeClosed
    protected PreparedStep transposedStep(double alpha, DenseVector x, double beta, DenseVector y) {
        List<LinearOperator> transposed = terms.stream().map(LinearOperator::transposed).toList();
        return combine(new DenseVector[]{x, y}, makers(transposed, alpha, x, beta, y));
    }

    private static CombinedStep.Maker[] makers(List<LinearOperator> terms, double alpha, DenseVector x, double beta,
            DenseVector y) {
        CombinedStep.Maker[] makers = new CombinedStep.Maker[terms.size()];
        for (int i = 0; i < makers.length; i++) {
            LinearOperator term = terms.get(i);
            double factor = i == 0 ? beta : 1;
            makers[i] = () -> term.bind(alpha, x, factor, y);
        }
        return makers;
    }

    @Override
    public Optional<HostVector> diagonal() {
        HostVector sum = HostVector.zeros(precision(), Math.min(rows(), columns()));
        for (LinearOperator term : terms) {
            Optional<HostVector> diagonal = term.diagonal();
            if (diagonal.isEmpty()) {
                return diagonal;
            }
            for (int i = 0; i < sum.length(); i++) {
                sum.set(i, sum.get(i) + diagonal.get().get(i));
            }
        }
        return Optional.of(sum);
    }

    @Override
    public String toString() {
        return "sum of " + terms;
    }
}
