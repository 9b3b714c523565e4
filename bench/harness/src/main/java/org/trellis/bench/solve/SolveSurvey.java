package org.trellis.bench.solve;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.report.SurveyDocument;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Precision;
import org.trellis.common.TrellisException;
import org.trellis.memory.HostVector;
import org.trellis.solve.SolveReport;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;

/** Solves with one matrix after the other, b being A times the vector of ones, and goes on where one cannot be. */
final class SolveSurvey {
    private final Console console;
    private final SolverConfig stack;
    private final Backend backend;
    private final Precision precision;

    SolveSurvey(Console console, SolverConfig stack, Backend backend, Precision precision) {
        this.console = console;
        this.stack = stack;
        this.backend = backend;
        this.precision = precision;
    }

    SurveyDocument of(List<MatrixSource> sources, ConsoleProgress progress) {
        List<SurveyDocument.Row> rows = new ArrayList<>();
        for (MatrixSource source : sources) {
            progress.progress("solve with " + source.name(), rows.size(), sources.size());
            rows.add(row(source, progress));
        }
        progress.clear();
        return new SurveyDocument(stack.toString(), backend.name(), rows);
    }

    private SurveyDocument.Row row(MatrixSource source, ConsoleProgress progress) {
        CsrMatrix matrix;
        try {
            matrix = source.load(progress).toPrecision(precision);
        } catch (IOException | RuntimeException e) {
            return new SurveyDocument.Row(source.name(), 0, 0, 0, 0, null, "cannot be read: " + e.getMessage());
        }
        long start = System.nanoTime();
        SolveReport report = null;
        String obstacle = null;
        if (matrix.rows() != matrix.columns()) {
            obstacle = "is not square";
        } else {
            try (ContenderSolver solver = new ContenderSolver(matrix, backend, null, Optional.empty());
                    PeerContenders none = new PeerContenders(console, List.of(), Map.of())) {
                ContenderSolver.refuseUnsuitable(matrix, List.of(stack));
                report = solver.solve(List.of(stack), solver.productWithOnes(),
                        HostVector.zeros(precision, matrix.columns()), 1, null, none, progress).getFirst()
                        .report();
            } catch (IllegalArgumentException | TrellisException e) {
                obstacle = e.getMessage();
            } catch (OutOfMemoryError e) {
                obstacle = "needs more memory than there is: " + e.getMessage();
            }
        }
        return new SurveyDocument.Row(source.name(), matrix.rows(), matrix.columns(), matrix.nonZeros(),
                (System.nanoTime() - start) * 1e-9, report, obstacle);
    }

}
