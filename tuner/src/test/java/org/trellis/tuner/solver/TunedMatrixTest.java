package org.trellis.tuner.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.Entries;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.TuningDevice;

/** Whole solutions of real matrices, whatever is tried on the way. */
class TunedMatrixTest {
    private static final long SEED = Long.getLong("trellis.test.seed", 20261127L);

    /** Five-point diffusion with an unsymmetric part. */
    private static CsrMatrix grid(int side, double diagonal, double wind) {
        int n = side * side;
        Entries a = new Entries(n, n);
        for (int i = 0; i < n; i++) {
            a.add(i, i, diagonal);
            if (i % side > 0) {
                a.add(i, i - 1, -1 - wind);
            }
            if (i % side < side - 1) {
                a.add(i, i + 1, -1 + wind);
            }
            if (i >= side) {
                a.add(i, i - side, -1);
            }
            if (i < n - side) {
                a.add(i, i + side, -1);
            }
        }
        return a.build();
    }

    private static double[] product(CsrMatrix a, double[] x) {
        double[] y = new double[a.rows()];
        a.forEachEntry((i, j, value) -> y[i] += value * x[j]);
        return y;
    }

    private static void check(TunedSolver solver, CsrMatrix a, Random random, double tolerance) {
        double[] exact = random.doubles(a.rows(), -1, 1).toArray();
        double[] b = product(a, exact);
        double[] x = new double[a.rows()];
        SolveReport report = solver.solve(b, x);
        assertTrue(report.converged(), () -> "seed " + SEED + ": " + report + ", " + report.facts().notes());
        double[] rest = product(a, x);
        double error = 0;
        double scale = 0;
        for (int i = 0; i < b.length; i++) {
            error += Math.pow(rest[i] - b[i], 2);
            scale += b[i] * b[i];
        }
        assertTrue(Math.sqrt(error) <= 1.1 * tolerance * Math.sqrt(scale), () -> "seed " + SEED + ": " + report);
    }

    /** Trials may cost anything here, so that many choices have their turn. */
    private static TunedSolver.Settings eager() {
        return TunedSolver.Settings.defaults().excess(1e6);
    }

    @Test
    void everySolutionIsAWholeOne() {
        Random random = new Random(SEED);
        for (double wind : new double[]{0, 0.4}) {
            CsrMatrix a = grid(14, 4.1, wind);
            try (TunedSolver solver = TunedSolver.of(a, eager())) {
                for (int i = 0; i < 25; i++) {
                    check(solver, a, random, 1e-8);
                }
                assertTrue(solver.history().stream().filter(TunedSolver.Step::trial).count() > 5,
                        () -> solver.history().toString());
            }
        }
    }

    @Test
    void valuesMayChange() {
        Random random = new Random(SEED);
        CsrMatrix a = grid(12, 4.1, 0);
        try (TunedSolver solver = TunedSolver.of(a, eager())) {
            for (int i = 0; i < 25; i++) {
                check(solver, a, random, 1e-8);
                double shift = 0.02 * i;
                CsrMatrix next = a.mapValues((row, column, value) -> row == column ? value + shift : value);
                double[] values = next.onlySegment().values().toDoubleArray();
                solver.update(values);
                a = next;
            }
        }
    }

    @Test
    void valuesBeforeTheFirstSolutionDecideAboutTheFirstGuess() {
        Random random = new Random(SEED);
        CsrMatrix a = grid(30, 4, 0);
        CsrMatrix step = a.mapValues((row, column, value) -> 0.01 * value + (row == column ? 1 : 0));
        try (TunedSolver solver = TunedSolver.of(a)) {
            assertEquals(SolverChoice.parse("direct"), solver.choice(), solver::firstGuess);
            solver.update(step);
            assertEquals(SolverChoice.parse("cg with jacobi"), solver.choice(), solver::firstGuess);
            check(solver, step, random, 1e-8);
        }
    }

    @Test
    void singlePrecisionAndIndefiniteOnes() {
        Random random = new Random(SEED);
        CsrMatrix single = grid(10, 4.2, 0).toPrecision(Precision.F32);
        try (TunedSolver solver = TunedSolver.of(single, eager())) {
            for (int i = 0; i < 12; i++) {
                check(solver, single, random, 1e-5);
            }
        }
        CsrMatrix indefinite = grid(10, 1.3, 0);
        try (TunedSolver solver = TunedSolver.of(indefinite, eager())) {
            for (int i = 0; i < 12; i++) {
                check(solver, indefinite, random, 1e-8);
            }
        }
    }

    @Test
    void aFixedChoiceGivesTheSameBits() {
        CsrMatrix a = grid(14, 4.01, 0);
        SolverChoice found;
        double[] b = new Random(SEED).doubles(a.rows()).toArray();
        try (TunedSolver solver = TunedSolver.of(a, eager())) {
            for (int i = 0; i < 8; i++) {
                solver.solve(b, new double[b.length]);
            }
            found = solver.choice();
        }
        assertArrayEquals(fixed(a, b, found), fixed(a, b, SolverChoice.parse(found.toString())), 0);
    }

    @Test
    void aSecondProgramBeginsWhereTheFirstEnded() {
        CsrMatrix a = grid(12, 4.05, 0);
        double[] b = new Random(SEED).doubles(a.rows()).toArray();
        Profile learnt;
        SolverChoice found;
        try (TunedSolver solver = TunedSolver.of(a, eager())) {
            for (int i = 0; i < 15; i++) {
                solver.solve(b, new double[b.length]);
            }
            found = solver.choice();
            learnt = Profile.parse("text", solver.addTo(Profile.empty(), "grid").toText());
        }
        CsrMatrix other = a.mapValues((row, column, value) -> row == column ? value + 0.01 : value);
        try (TunedSolver solver = TunedSolver.of(other, TunedSolver.Settings.defaults().profile(learnt))) {
            assertEquals(found, solver.choice());
            assertTrue(solver.firstGuess().contains("profile"), solver::firstGuess);
            assertTrue(solver.solve(b, new double[b.length]).converged());
        }
        try (TunedSolver solver = TunedSolver.of(grid(13, 4, 0), TunedSolver.Settings.defaults().profile(learnt))) {
            assertFalse(solver.firstGuess().contains("profile"), solver::firstGuess);
        }
    }

    @Test
    void anotherDeviceSaysWhatIsTriedNext() {
        CsrMatrix a = grid(12, 4.05, 0);
        double[] b = new Random(SEED).doubles(a.rows()).toArray();
        SolverChoice ssor = SolverChoice.parse("cg with ssor");
        try (TunedSolver solver = TunedSolver.of(a, eager().first(ssor))) {
            solver.solve(b, new double[b.length]);
            Profile own = solver.addTo(Profile.empty(), "grid");
            TuningDevice other = new TuningDevice("cuda", "another one", Map.of());
            Profile elsewhere = Profile.empty().withSolvers(other, "grid", MatrixFeatures.of(a), SystemFeatures.of(a),
                    own.solverResults(own.devices().getFirst()));
            FirstGuess rules = FirstGuess.byRules(SolverSpace.of(new SolverSpace.Traits(144, true, true, 1, true,
                    false)));
            FirstGuess guess = FirstGuess.byProfiles(List.of(elsewhere), own.devices().getFirst(), Fingerprint.of(a),
                    a.precision(), () -> rules, 20).orElseThrow();
            assertEquals(List.of(SolverChoice.AUTO, ssor), guess.order().subList(0, 2));
            assertEquals(rules.reason(), guess.reason());
            assertEquals(ssor, FirstGuess.byProfiles(List.of(elsewhere), other, Fingerprint.of(a), a.precision(),
                    () -> rules, 20).orElseThrow().order().getFirst());
        }
    }

    /** Ranks other than the first have no file: what it knows reaches them as text. */
    @Test
    void whatIsKnownIsText() {
        CsrMatrix a = grid(12, 4.05, 0);
        double[] b = new Random(SEED).doubles(a.rows()).toArray();
        SolverChoice first = SolverChoice.parse("gmres(restart=50) with ilut(drop=0.01), kept");
        try (TunedSolver solver = TunedSolver.of(a, eager().first(first))) {
            for (int i = 0; i < 5; i++) {
                solver.solve(b, new double[b.length]);
            }
            TuningDevice device = new TuningDevice("threads", "a rank", Map.of());
            Profile learnt = solver.addTo(Profile.empty(), "grid", a, device, 3);
            KnownSolvers known = KnownSolvers.of(List.of(learnt), device, Fingerprint.of(a), a.precision(), 3, 20);
            assertEquals(solver.choice(), known.own().getFirst());
            assertTrue(known.own().contains(first), known::toString);
            KnownSolvers all = new KnownSolvers(known.own(), List.of(SolverChoice.parse("cg with amg(cycle=w)")),
                    List.of(SolverChoice.AUTO, SolverChoice.DIRECT),
                    List.of(SolverChoice.parse("cg with ssor")));
            assertEquals(all, KnownSolvers.parse(all.toText()));
            assertEquals(KnownSolvers.NONE,
                    KnownSolvers.of(List.of(learnt), device, Fingerprint.of(a), a.precision(), 2, 20));
        }
        assertEquals(KnownSolvers.NONE, KnownSolvers.parse(KnownSolvers.NONE.toText()));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> KnownSolvers.parse("other direct")).getMessage()
                .contains("'other direct'"));
    }

    /** Whatever it begins with, too little time is a status, not an exception, and more time solves the system then. */
    @Test
    void tooLittleTimeIsAStatus() {
        CsrMatrix a = grid(60, 4, 0);
        double[] b = new Random(SEED).doubles(a.rows()).toArray();
        for (TunedSolver.Settings settings : List.of(eager().first(SolverChoice.DIRECT),
                eager().fixed(SolverChoice.DIRECT), eager().first(SolverChoice.AUTO),
                eager().first(SolverChoice.parse("cg with ssor")))) {
            try (TunedSolver solver = TunedSolver.of(a, settings)) {
                double[] x = new double[b.length];
                SolveReport report = solver.solve(b, x, StoppingCriteria.defaults(a.precision()).within(1e-9));
                assertEquals(SolveStatus.TIME_LIMIT, report.status(), report::toString);
                assertTrue(report.detail().contains(" is above "), report::detail);
                assertEquals(1, report.relativeResidual(), 1e-12);
                assertArrayEquals(new double[b.length], x);
                assertTrue(solver.solve(b, x).converged());
            }
        }
    }

    private static double[] fixed(CsrMatrix a, double[] b, SolverChoice choice) {
        try (TunedSolver solver = TunedSolver.of(a, TunedSolver.Settings.defaults().fixed(choice))) {
            double[] x = new double[b.length];
            solver.solve(b, x);
            solver.solve(b, x, StoppingCriteria.relative(1e-10, 1000));
            return x;
        }
    }

    @Test
    void smallAndEmptyOnes() {
        Entries one = new Entries(1, 1);
        one.add(0, 0, 4);
        try (TunedSolver solver = TunedSolver.of(one.build(), eager())) {
            for (int i = 0; i < 6; i++) {
                double[] x = new double[1];
                assertTrue(solver.solve(new double[]{2}, x).converged());
                assertEquals(0.5, x[0], 1e-8);
            }
            assertTrue(solver.solve(new double[1], new double[1]).converged(), "b is zero");
        }
        assertThrows(IllegalArgumentException.class, () -> TunedSolver.of(new Entries(2, 3).build()));
    }
}
