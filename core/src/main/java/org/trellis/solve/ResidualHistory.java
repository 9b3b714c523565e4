package org.trellis.solve;

import java.util.ArrayList;
import java.util.List;

/** The residual norms of a running solution and the verdict on them. */
final class ResidualHistory {
    private final StoppingCriteria criteria;
    private final double rightHandSideNorm;
    private final List<Double> norms = new ArrayList<>();
    private SolveStatus status;
    private String detail;

    ResidualHistory(StoppingCriteria criteria, double rightHandSideNorm) {
        this.criteria = criteria;
        this.rightHandSideNorm = rightHandSideNorm;
    }

    /** Adds the norm after an iteration (or before the first) and judges it. */
    void add(double norm) {
        norms.add(norm);
        double first = norms.getFirst();
        double threshold = criteria.threshold(rightHandSideNorm);
        if (norm <= threshold) {
            end(SolveStatus.CONVERGED, "residual " + norm + " is at most " + threshold);
        } else if (!(norm <= criteria.divergenceLimit() * first)) {
            end(SolveStatus.DIVERGED, "residual " + norm + " is more than " + criteria.divergenceLimit()
                    + " times the first one, " + first + ", or not a number");
        } else if (iterations() == criteria.maximumIterations()) {
            end(SolveStatus.ITERATION_LIMIT, "residual " + norm + " is above " + threshold + " after "
                    + iterations() + " iterations");
        }
    }

    /** Ends the solution because the recurrence cannot go on. */
    void breakDown(String reason) {
        end(SolveStatus.BREAKDOWN, "in iteration " + (iterations() + 1) + " " + reason);
    }

    private void end(SolveStatus verdict, String reason) {
        status = verdict;
        detail = reason;
    }

    boolean goesOn() {
        return status == null;
    }

    int iterations() {
        return norms.size() - 1;
    }

    double last() {
        return norms.getLast();
    }

    SolveReport report(double trueResidual, double seconds) {
        return new SolveReport(status, iterations(), norms, rightHandSideNorm, trueResidual, seconds,
                detail);
    }
}
