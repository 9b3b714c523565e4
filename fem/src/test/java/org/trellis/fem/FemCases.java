package org.trellis.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.LinearOperator;

/** What tests of finite elements share. */
final class FemCases {
    static final UnaryOperator<double[]> STRAIGHT = x -> x;
    static final UnaryOperator<double[]> DISTORTED = StructuredMeshes::distorted;

    private FemCases() {}

    @MustBeClosed
    static Backend backend(String name) {
        return Backends.open(name, Configuration.builder()
                .set(org.trellis.common.ConfigurationKeys.THREADS, 2).build());
    }

    static CellMesh mesh(ElementShape shape, int n, boolean distorted) {
        return StructuredMeshes.unit(shape, n, distorted ? DISTORTED : STRAIGHT);
    }

    static FormOptions csr() {
        return FormOptions.of(Storage.CSR, Formulation.GLOBAL_REUSE, Precision.F64);
    }

    /** Solves, and returns the values at all nodes. */
    static double[] solve(FormSystem system, HostVector b, Backend backend, double tolerance) {
        LinearOperator a = system.operator();
        HostVector x = HostVector.zeros(b.precision(), b.length());

        try (Preconditioner jacobi = FormPreconditioners.jacobi(a, backend);
                ConjugateGradient method = new ConjugateGradient(a, jacobi, backend)) {
            SolveReport report = method.solve(b, x, StoppingCriteria.relative(tolerance, 5000));
            if (!report.converged()) {
                throw new AssertionError(report.toString());
            }
        }
        return system.unknowns().expand(Arrays.copyOf(x.doubles(), system.unknowns().free()));
    }

    /** Multiplies by the columns of the unit matrix. */
    static double[][] dense(LinearOperator a) {
        double[][] columns = new double[a.rows()][];
        for (int j = 0; j < columns.length; j++) {
            HostVector e = HostVector.zeros(a.precision(), columns.length);
            HostVector y = HostVector.zeros(a.precision(), columns.length);
            e.set(j, 1);
            a.apply(e, y);
            columns[j] = new double[columns.length];
            for (int i = 0; i < columns.length; i++) {
                columns[j][i] = y.get(i);
            }
        }
        return columns;
    }

    static Constraints zero(FunctionSpace space) {
        return Constraints.onBoundary(space, x -> 0);
    }

    static FormSystem poisson(FunctionSpace space, FormOptions options, Backend backend) {
        return FormSystem.of(BilinearForm.diffusion(Coefficient.constant(1)), zero(space), List.of(), options, backend);
    }
}
