package org.trellis.examples;

import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.JacobiPreconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** Solves the equations of a clamped elastic plate by conjugate gradients with a Jacobi preconditioner. */
public final class E02SolveElasticity {
    private E02SolveElasticity() {}

    /**
     * Runs the example.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        CsrMatrix stiffness = MatrixSpec.parse("elasticity2d:nx=40,ny=20").generate(Precision.F64,
                ProgressListener.NONE);
        int unknowns = stiffness.rows();
        try (Backend backend = Backends.open("threads", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(stiffness);
                JacobiPreconditioner jacobi = JacobiPreconditioner.of(stiffness, backend);
                ConjugateGradient solver = new ConjugateGradient(product, jacobi, backend);
                DenseVector load = backend.vector(Precision.F64, unknowns);
                DenseVector displacement = backend.vector(Precision.F64, unknowns)) {
            load.copyFrom(HostVector.of(Precision.F64, unknowns, i -> i % 2 == 1 ? -1e-3 : 0));
            SolveReport report = solver.solve(load, displacement, StoppingCriteria.relative(1e-10, 5000),
                    ProgressListener.NONE);
            HostVector result = HostVector.zeros(Precision.F64, unknowns);
            displacement.copyTo(result);
            System.out.printf(Locale.ROOT, "%d unknowns, %s, relative residual below 1e-9: %b%n", unknowns,
                    report.status(), report.trueResidual() < 1e-9 * report.rightHandSideNorm());
            System.out.println("the plate bends downwards: " + (result.get(unknowns - 1) < 0));
        }
    }
}
