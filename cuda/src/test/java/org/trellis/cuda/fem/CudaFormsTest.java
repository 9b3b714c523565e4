package org.trellis.cuda.fem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.cuda.TestGpu;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.Coefficient;
import org.trellis.fem.Constraints;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormSystem;
import org.trellis.fem.Storage;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;

/** Forms on the GPU. */
class CudaFormsTest extends FormsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return TestGpu.open();
    }

    @Override
    protected boolean all() {
        return true;
    }

    /** Levels that the device sets up solve what the host's solve, in about as many iterations. */
    @Test
    void multigridOverDegreesIsThatOfTheHost() {
        try (Backend gpu = openBackend(); Backend threads = Backends.open("threads", Configuration.load())) {
            Solved there = solve(gpu);
            Solved here = solve(threads);
            assertArrayEquals(here.solution(), there.solution(), 1e-7);
            assertEquals(here.iterations(), there.iterations(), 4);
        }
    }

    /** A solution and the iterations that it took. */
    private record Solved(double[] solution, int iterations) {}

    private static Solved solve(Backend backend) {
        FunctionSpace space = FunctionSpace
                .of(StructuredMeshes.unit(ElementShape.QUADRILATERAL, 200, StructuredMeshes::distorted), 2);
        BilinearForm form = BilinearForm.diffusion(Coefficient.constant(1));
        DegreeMultigrid.Problem problem =
                new DegreeMultigrid.Problem(form, s -> Constraints.onBoundary(s, x -> x[0]), List.of());
        FormOptions options = FormOptions.of(Storage.MATRIX_FREE_FACTORED, Formulation.SUM_FACTORISED, Precision.F64);
        try (FormSystem system =
                FormSystem.of(form, problem.constraints().apply(space), List.of(), options, backend)) {
            system.assemble();
            HostVector right = system.rightHandSide((x, f) -> f[0] = 1 + x[1]);
            try (DegreeMultigrid degrees = new DegreeMultigrid(problem, space, system, options, backend);
                    ConjugateGradient method =
                            new ConjugateGradient(system.operator(), degrees.preconditioner(), backend);
                    DenseVector b = backend.vector(Precision.F64, right.length());
                    DenseVector x = backend.vector(Precision.F64, right.length())) {
                b.copyFrom(right);
                SolveReport report = method.solve(b, x, StoppingCriteria.relative(1e-10, 100));
                assertTrue(report.converged(), report.toString());
                x.copyTo(right);
                return new Solved(right.toDoubleArray(), report.iterations());
            }
        }
    }
}
