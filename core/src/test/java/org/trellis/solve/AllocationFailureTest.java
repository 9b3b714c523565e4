package org.trellis.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.LoopTuner;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.WorkStep;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopTuning;
import org.trellis.mesh.matrix.SetMatrix;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.Operators;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.FailingBackend;

/** Whatever allocation fails: the error arrives as it is, and nothing stays open. */
class AllocationFailureTest {
    private static final CsrMatrix MATRIX = tridiagonal(7);

    private static CsrMatrix tridiagonal(int rows) {
        CsrBuilder entries = new CsrBuilder(rows, Precision.F64, 3L * rows);
        for (int row = 0; row < rows; row++) {
            for (int column = Math.max(0, row - 1); column < Math.min(rows, row + 2); column++) {
                entries.add(column, row == column ? 4 : -1);
            }
            entries.endRow();
        }
        return entries.build();
    }

    /** What is done with something that was made. */
    private interface Use {
        void run() throws Exception;
    }

    /** Uses something, and closes it if that fails, as users do. */
    private static AutoCloseable used(AutoCloseable made, Use use) throws Exception {
        try {
            use.run();
            return made;
        } catch (Exception | OutOfMemoryError e) {
            made.close();
            throw e;
        }
    }

    @MustBeClosed
    private static SpmvOperator prepare(Backend backend) {
        return backend.kernels(SparseKernels.class).prepare(MATRIX);
    }

    // Meshes.

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the fixture
    void dataOfMeshes() {
        FailingBackend.failEach(backend -> {
            Mesh mesh = Mesh.on(backend);
            return used(mesh, () -> {
                MeshSet rows = mesh.set("rows", 5);
                mesh.dat("x", rows, 2, Precision.F64).close();
                mesh.dat("x", rows, 1, Precision.F32, new double[5]);
                mesh.intDat("marks", rows, 1);
                mesh.scalars("sums", 3);
            });
        });
    }

    /** A name is free after a failure. */
    @Test
    void namesStayFree() {
        try (FailingBackend backend = new FailingBackend(); Mesh mesh = Mesh.on(backend)) {
            MeshSet rows = mesh.set("rows", 5);
            OutOfMemoryError failure = new OutOfMemoryError();
            backend.failAt(1, failure);
            assertSame(failure, assertThrows(OutOfMemoryError.class, () -> mesh.dat("x", rows, 1, Precision.F64)));
            backend.failAt(1, failure);
            assertSame(failure, assertThrows(OutOfMemoryError.class, () -> mesh.scalars("s", 1)));
            mesh.dat("x", rows, 1, Precision.F64);
            mesh.scalars("s", 1);
            assertEquals(Map.of("storage", 2), backend.open());
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the fixture
    void patternsAndChanges() {
        FailingBackend.failEach(backend -> {
            Mesh mesh = Mesh.on(backend);
            return used(mesh, () -> {
                MeshSet edges = mesh.set("edges", 2);
                MeshSet nodes = mesh.set("nodes", 3);
                MeshMap ends = mesh.map("ends", edges, nodes, 2, new int[]{0, 1, 1, 2});
                AssemblyPattern pattern = AssemblyPattern.of("matrix", ends, ends);
                mesh.dat("values", pattern.entries(), 1, Precision.F64);
                mesh.dat("x", nodes, 1, Precision.F64);
                mesh.change(edit -> edit.resize(nodes, 4));
            });
        });
    }

    /** Loops that are prepared, bound anew, and joined. */
    @Test
    @SuppressWarnings("MustBeClosed") // closed by the fixture
    void loopsAndSequences() {
        FailingBackend.failEach(backend -> {
            Mesh mesh = Mesh.on(backend);
            return used(mesh, () -> {
                MeshSet rows = mesh.set("rows", 5);
                Dat x = mesh.dat("x", rows, 1, Precision.F64);
                Dat y = mesh.dat("y", rows, 1, Precision.F64);
                ParallelLoop copy = mesh.loop(VectorsLoops.COPY, rows, x, y);
                ParallelLoop norm = mesh.loop(VectorsLoops.SQUARE, rows, y, mesh.scalars("s", 1).at(0));
                LoopSequence sequence = mesh.sequence("both").run(copy).run(norm).build();
                for (int run = 0; run < 4; run++) {
                    sequence.run();
                }
                copy.bind(y, x).run();
                mesh.renumber(rows, Permutation.identity(5));
                sequence.run();
                sequence.run();
                sequence.close();
                norm.close();
            });
        });
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the fixture
    void loopsThatAreTuned() {
        FailingBackend.failEach(backend -> {
            int[] open = {0};
            MeshOptions options = new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false)
                    .withTuner(counting(backend, open));
            Mesh mesh = Mesh.on(backend, options);
            AutoCloseable closed = () -> {
                mesh.close();
                assertEquals(0, open[0], "tunings that are open");
            };
            return used(closed, () -> {
                MeshSet rows = mesh.set("rows", 5);
                ParallelLoop copy = mesh.loop(VectorsLoops.COPY, rows, mesh.dat("x", rows, 1, Precision.F64),
                        mesh.dat("y", rows, 1, Precision.F64));
                for (int run = 0; run < 4; run++) {
                    copy.run();
                }
            });
        });
    }

    /** A tuner whose tunings are counted; each asks for memory when something was prepared. */
    @SuppressWarnings("MustBeClosed") // closed by the test
    private static LoopTuner counting(FailingBackend backend, int[] open) {
        return (loop, proposed) -> {
            open[0]++;
            return new LoopTuning() {
                private boolean closed;

                @Override
                public LoopParameters next() {
                    return proposed;
                }

                @Override
                public LoopParameters best() {
                    return proposed;
                }

                @Override
                public boolean isFinished() {
                    return false;
                }

                @Override
                public void prepared(LoopParameters parameters, double seconds) {
                    backend.vector(Precision.F64, 1).close();
                }

                @Override
                public boolean refused(LoopParameters parameters, Throwable failure, double seconds) {
                    return false;
                }

                @Override
                public void beforeRun() {}

                @Override
                public void afterRun() {}

                @Override
                public void close() {
                    open[0] -= closed ? 0 : 1;
                    closed = true;
                }
            };
        };
    }

    // Operators.

    @Test
    void operatorsAndBoundSteps() {
        FailingBackend.failEach(backend -> {
            try (SpmvOperator a = prepare(backend);
                    LinearOperator square = Operators.on(backend).product(a, a);
                    LinearOperator sum = Operators.on(backend).sum(a, square);
                    DenseVector x = backend.vector(Precision.F64, 7);
                    DenseVector y = backend.vector(Precision.F64, 7);
                    PreparedStep one = a.bind(1, x, 0, y);
                    PreparedStep two = square.bind(1, x, 0, y);
                    PreparedStep three = sum.bindMultiplyAndDot(1, x, 0, y, x, HostVector.zeros(Precision.F64, 1), 0);
                    PreparedStep four = Operators.on(backend).scaled(2, square).bindResidual(x, x.part(0, 7), y)) {
                for (PreparedStep step : List.of(one, two, three, four)) {
                    step.run();
                }
            }
            return () -> {};
        });
    }

    @Test
    void matricesOnSets() {
        FailingBackend.failEach(backend -> {
            try (Mesh mesh = Mesh.on(backend)) {
                MeshSet rows = mesh.set("rows", 7);
                Dat x = mesh.dat("x", rows, 1, Precision.F64);
                Dat y = mesh.dat("y", rows, 1, Precision.F64);
                try (SetMatrix a = SetMatrix.of(rows, rows, MATRIX);
                        PreparedStep step = a.bind(1, x.vector(), 0, y.vector())) {
                    LoopSequence sequence = mesh.sequence("product").run(new WorkStep("y = A x", step, List.of()))
                            .build();
                    for (int run = 0; run < 4; run++) {
                        sequence.run();
                    }
                    sequence.close();
                    mesh.renumber(rows, Permutation.identity(7));
                    a.apply(x.vector(), y.vector());
                }
            }
            return () -> {};
        });
    }

    // Solvers.

    @Test
    void jacobi() {
        FailingBackend.failEach(backend -> JacobiPreconditioner.of(MATRIX, backend));
    }

    /** A preconditioner that is no diagonal. */
    private static final class Halving extends CheckedOperator implements Preconditioner {
        private final SpmvOperator like;
        private final ElementKernels kernels;

        Halving(SpmvOperator like, Backend backend) {
            this.like = like;
            this.kernels = backend.kernels(ElementKernels.class);
        }

        @Override
        public VectorSpace domain() {
            return like.domain();
        }

        @Override
        public VectorSpace range() {
            return like.range();
        }

        @Override
        protected ElementKernels elements() {
            return kernels;
        }

        @Override
        protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
            kernels.update(alpha / 2, null, x, beta, y);
        }
    }

    private static void solve(ConjugateGradient solver, Backend backend) {
        try (DenseVector b = backend.vector(Precision.F64, 7); DenseVector x = backend.vector(Precision.F64, 7)) {
            b.copyFrom(HostVector.of(Precision.F64, 7, i -> i + 1));
            assertEquals(SolveStatus.CONVERGED,
                    solver.solve(b, x, StoppingCriteria.relative(1e-10, 50), ProgressListener.NONE).status());
        }
    }

    @Test
    void conjugateGradients() {
        FailingBackend.failEach(backend -> {
            try (SpmvOperator a = prepare(backend);
                    JacobiPreconditioner jacobi = JacobiPreconditioner.of(MATRIX, backend);
                    Preconditioner halving = new Halving(a, backend)) {
                for (Preconditioner one : new Preconditioner[]{null, jacobi, halving}) {
                    try (ConjugateGradient solver = new ConjugateGradient(a, one, backend)) {
                        solve(solver, backend);
                    }
                }
            }
            return () -> {};
        });
    }

    /** Whose wish to look less often cannot be met is left as it was. */
    @Test
    void aSolverStaysAsItWas() {
        try (FailingBackend backend = new FailingBackend();
                SpmvOperator a = prepare(backend);
                ConjugateGradient solver = new ConjugateGradient(a, null, backend)) {
            for (int n = 1; n <= 4; n++) {
                Map<String, Integer> before = backend.open();
                OutOfMemoryError failure = new OutOfMemoryError();
                backend.failAt(n, failure);
                assertSame(failure, assertThrows(OutOfMemoryError.class, () -> solver.checkInterval(3)));
                assertEquals(before, backend.open());
                solve(solver, backend);
            }
            solve(solver.checkInterval(3), backend);
        }
    }
}
