package org.trellis.tuner.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.tuner.contest.AdviceOrigin;
import org.trellis.tuner.solver.FakeContenders.Manner;
import org.trellis.tuner.solver.FakeContenders.Speed;

/** What a tuned solver decides, by a clock that is set here. */
class TunedSolverTest {
    private static final String JACOBI = "cg with jacobi";
    private static final String AMG = "cg with amg";
    private static final String IC = "cg with ict(drop=0.01, fill=10, order=reverse-cuthill-mckee)";
    private static final String DIRECT = "direct";
    private static final StoppingCriteria CRITERIA = StoppingCriteria.relative(1e-8, 10_000);
    private static final double[] B = {1, 2, 3, 4, 5};

    private static List<SolverChoice> order(String... texts) {
        return Arrays.stream(texts).map(SolverChoice::parse).toList();
    }

    private static void solve(TunedSolver solver, int times) {
        for (int i = 0; i < times; i++) {
            double[] x = new double[B.length];
            SolveReport report = solver.solve(B, x, CRITERIA);
            assertTrue(report.converged(), report::toString);
            assertArrayEquals(B, x, 1e-6);
            assertEquals(report.iterations() + 1, report.residualHistory().size());
        }
    }

    @SuppressWarnings("MustBeClosed") // closed by each test
    private static TunedSolver solver(FakeContenders fakes, TunedSolver.Settings settings, String... texts) {
        return new TunedSolver(fakes, settings,
                () -> new FirstGuess(AdviceOrigin.RULE, "as the test says", order(texts), Map.of(), false),
                fakes::nanoTime, CollectiveClock.OWN);
    }

    @Test
    void findsTheFastestAndStaysWithIt() {
        // jacobi: 100 iterations of 10 ms; amg: 0.2 s and 10 iterations of 20 ms; direct: too dear to be tried.
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.01, 0.83).with(AMG, 0.2, 0.02, 0.15)
                .with(DIRECT, 100, 1, 1e-12);
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI, AMG)) {
            assertEquals(JACOBI, solver.choice().toString());
            solve(solver, 2);
            assertEquals(JACOBI, solver.choice().toString(), "the first two solutions are no trials");
            solve(solver, 1);
            assertEquals(AMG, solver.choice().toString());
            solve(solver, 17);
            assertEquals(AMG, solver.choice().toString());
            assertTrue(solver.isSettled(), () -> solver.history().toString());
            double best = 0.2 + 20 * 10 * 0.02;
            assertTrue(fakes.seconds() < 1.5 * best, () -> "all took " + fakes.seconds());
        }
        assertEquals(0, fakes.open, "everything is closed");
    }

    /** Factors that do not solve the system hardly do so within a method. */
    @Test
    void anotherFamilyFollowsOnWhatDoesNotSolve() {
        String within = "cg with direct, kept";
        Speed none = new Speed(0.01, 0.01, 0.5, 1, Manner.NOT_A_NUMBER);
        Speed some = new Speed(0.01, 0.01, 0.5, 1, Manner.HONEST);
        for (boolean other : new boolean[]{true, false}) {
            FakeContenders fakes = new FakeContenders().with("auto", none).with(DIRECT, none).with(within, some)
                    .with(JACOBI, other ? some : none);
            try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), DIRECT, within, JACOBI)) {
                solve(solver, 1);
                assertEquals(other ? List.of(DIRECT, "auto", JACOBI) : List.of(DIRECT, "auto", JACOBI, within),
                        solver.history().stream().map(step -> step.choice().toString()).toList());
            }
        }
    }

    /** To name multigrid takes a look at the whole matrix for the unknowns of a node. */
    @Test
    void multigridIsNamedOnceItsFamilyIsAffordable() {
        for (boolean dear : new boolean[]{true, false}) {
            int[] looks = {0};
            FakeContenders fakes = new FakeContenders(SolverSpace.of(
                    new SolverSpace.Traits(1000, true, true, 0, true, false), () -> {
                        looks[0]++;
                        return 1;
                    })).with("cg with ssor(omega=1.4, order=natural)", 1e-4, 5e-5, 0.83).with(JACOBI, 0, 5e-5, 0.9)
                    .withProduct(dear ? 5e-5 : 5e-6);
            try (TunedSolver solver = new TunedSolver(fakes, TunedSolver.Settings.defaults(),
                    () -> new FirstGuess(AdviceOrigin.RULE, "as the test says",
                            fakes.space().promising(SolverSpace.Promise.MANY), Map.of(), false),
                    fakes::nanoTime, CollectiveClock.OWN)) {
                solve(solver, 3);
                assertEquals(JACOBI, solver.history().get(2).choice().toString());
                solve(solver, 3);
                assertEquals(dear ? 0 : 1, looks[0], () -> solver.history().toString());
            }
        }
    }

    @Test
    void devicesIterateByThemselvesUnlessTheProgramListens() {
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.01, 0.83).with(IC, 0, 0.02, 0.9);
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI, IC)) {
            solve(solver, 2);
            assertFalse(fakes.observed);
            List<Integer> heard = new ArrayList<>();
            HostVector x = HostVector.zeros(Precision.F64, B.length);
            SolveReport report = solver.solve(HostVector.of(B), x, CRITERIA, (iteration, norm) -> heard.add(iteration));
            assertTrue(fakes.observed);
            assertEquals(2, solver.history().stream().filter(step -> step.solve() == 2).count(),
                    "a trial, and the rest");
            assertEquals(IntStream.rangeClosed(1, report.iterations()).boxed().toList(), heard);
        }
    }

    /** Each look at a residual waits for the device: one for each preparation says whether reports are honest. */
    @Test
    void aDeviceIsAskedForAResidualOnceForEachSetUp() {
        for (boolean device : new boolean[]{true, false}) {
            FakeContenders fakes = new FakeContenders().with(JACOBI, 0.1, 0.01, 0.83).withProduct(1e-6);
            fakes.device = device;
            try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI)) {
                solve(solver, 5);
                assertEquals(device ? 1 : 5, fakes.products);
                fakes.generation++;
                solver.renewed();
                solve(solver, 3);
                assertEquals(device ? 2 : 8, fakes.products);
                double[] x = {3, 1, 4, 1, 5};
                assertTrue(solver.solve(B, x, CRITERIA.toFirstResidual(true)).converged());
                assertEquals(device ? 3 : 10, fakes.products, "a first guess, too");
            }
        }
    }

    @Test
    void aDevicesFirstReportIsNotTakenAtItsWord() {
        FakeContenders fakes = new FakeContenders().with("auto", 0, 0.01, 0.5)
                .with(JACOBI, new Speed(0, 0.001, 0.5, 1, Manner.LIAR));
        fakes.device = true;
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI)) {
            solve(solver, 3);
            assertEquals("auto", solver.choice().toString());
            assertEquals(1, fakes.log.stream().filter(("solve " + JACOBI)::equals).count(), "it is out for good");
        }
    }

    /** A first solution on a device records launches, so that it says little of those to come. */
    @Test
    void whatWasSlowForTheFirstTimeIsTriedOnceMoreOnADevice() {
        for (boolean device : new boolean[]{true, false}) {
            // 100 iterations of 10 ms, and 10 of 80 ms.
            FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.01, 0.83).with(AMG, 0.1, 0.08, 0.15);
            fakes.device = device;
            fakes.firstExtra = 0.9;
            try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI, AMG)) {
                solve(solver, 10);
                assertEquals(device ? AMG : JACOBI, solver.choice().toString(), () -> solver.history().toString());
            }
        }
    }

    @Test
    void trialsStayWithinTheirShare() {
        FakeContenders fakes = new FakeContenders().with(AMG, 0.1, 0.02, 0.15);
        // Everything else is a hundred times as slow.
        fakes.space().all().forEach(choice -> {
            if (!choice.toString().equals(AMG) && !choice.isDirect()
                    && choice.renewal() == SolverChoice.Renewal.ALWAYS) {
                fakes.with(choice.toString(), 0.01, 0.02, 0.98);
            }
        });
        List<SolverChoice> all = fakes.space().all();
        String[] texts = all.stream().map(SolverChoice::toString).toArray(String[]::new);
        texts[0] = AMG;
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults().solves(40), texts)) {
            solve(solver, 40);
            double alone = 0.1 + 40 * 10 * 0.02;
            assertEquals(AMG, solver.choice().toString());
            assertTrue(fakes.seconds() <= 1.11 * alone,
                    () -> fakes.seconds() + " s, expected at most a tenth more than "
                            + alone);
            assertTrue(solver.history().stream().anyMatch(TunedSolver.Step::trial), "something was tried");
        }
    }

    @Test
    void aTrialThatFallsBehindIsCutOffAndItsProgressIsUsed() {
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.01, 0.83).with(IC, 0, 0.02, 0.9);
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI, IC)) {
            solve(solver, 1);
            double alone = fakes.seconds();
            solve(solver, 1);
            double before = fakes.seconds();
            solve(solver, 1);
            assertEquals(JACOBI, solver.choice().toString());
            TunedSolver.Step trial = solver.history().get(2);
            assertTrue(trial.trial() && trial.progress() > 0 && trial.progress() < 1, trial::toString);
            assertTrue(fakes.seconds() - before < 1.4 * alone, () -> "the third took " + (fakes.seconds() - before));
            int rest = solver.history().get(3).iterations();
            assertTrue(rest < solver.history().getFirst().iterations(), "it went on from where the trial was");
        }
    }

    @Test
    void whoeverReportsWhatIsNoSolutionIsOut() {
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.01, 0.83)
                .with(IC, new Speed(0, 0.001, 0.1, 1, Manner.LIAR));
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI, IC)) {
            solve(solver, 10);
            assertEquals(JACOBI, solver.choice().toString());
            assertEquals(1, fakes.log.stream().filter(("solve " + IC)::equals).count());
            assertTrue(solver.history().stream().anyMatch(step -> step.note().contains("recomputed")));
        }
    }

    @Test
    void whatIsNotFiniteIsDiscarded() {
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.01, 0.83)
                .with(IC, new Speed(0, 0.001, 0.99, 1, Manner.NOT_A_NUMBER));
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI, IC)) {
            solve(solver, 5);
            assertEquals(JACOBI, solver.choice().toString());
            assertTrue(solver.history().get(2).trial());
            assertEquals(0, solver.history().get(2).progress(), 1e-12);
        }
    }

    @Test
    void whatCannotBePreparedIsOutAndTheFirstFallsBackOnRules() {
        FakeContenders fakes = new FakeContenders().with("auto", 0, 0.01, 0.83)
                .with(IC, new Speed(0.01, 0.001, 0.99, 1, Manner.REFUSES));
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), IC, "auto")) {
            solve(solver, 3);
            assertEquals(SolverChoice.AUTO, solver.choice());
        }
    }

    @Test
    void whereRulesFailTooTheNextChoicesAreTried() {
        FakeContenders fakes = new FakeContenders().with("auto", 0, 0.001, 1).with(JACOBI, 0, 0.001, 1)
                .with(AMG, new Speed(0.01, 0.001, 0.5, 1, Manner.REFUSES)).with(IC, 0.01, 0.001, 0.5);
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI, AMG, IC, "auto")) {
            solve(solver, 3);
            assertEquals(IC, solver.choice().toString());
            List<String> first = solver.history().stream().filter(step -> step.solve() == 0)
                    .map(step -> step.choice().toString()).toList();
            assertEquals(List.of(JACOBI, "auto", IC), first);
        }
        assertEquals(0, fakes.open);
    }

    @Test
    void whereNothingSolvesTheSystemTheReportSaysSoAndRulesAreTriedAgain() {
        FakeContenders fakes = new FakeContenders().with("auto", 0, 0.001, 1).with(JACOBI, 0, 0.001, 1);
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI, AMG, "auto")) {
            for (int i = 0; i < 2; i++) {
                double[] x = new double[B.length];
                SolveReport report = solver.solve(B, x, CRITERIA);
                assertEquals(SolveStatus.ITERATION_LIMIT, report.status(), report::toString);
                assertArrayEquals(new double[B.length], x, 0);
                assertEquals(SolverChoice.AUTO, solver.choice());
            }
        }
        assertEquals(0, fakes.open);
    }

    @Test
    void setUpsCountWhenValuesChange() {
        // With one matrix amg wins, with another for each solution its set-up makes it the slower one.
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.01, 0.83).with(AMG, 1.5, 0.02, 0.15);
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults().solves(100), JACOBI, AMG)) {
            for (int i = 0; i < 40; i++) {
                solve(solver, 1);
                fakes.generation++;
                solver.renewed();
            }
            assertEquals(JACOBI, solver.choice().toString());
        }
    }

    @Test
    void oldPreconditionersAreKeptUntilIterationsGrow() {
        FakeContenders fakes = new FakeContenders().with(AMG, new Speed(1, 0.02, 0.15, 0.9, Manner.HONEST));
        TunedSolver.Settings kept = TunedSolver.Settings.defaults().fixed(SolverChoice.parse(AMG + ", kept"));
        try (TunedSolver solver = solver(fakes, kept, AMG)) {
            for (int i = 0; i < 30; i++) {
                solve(solver, 1);
                fakes.generation++;
                solver.renewed();
            }
            long made = fakes.log.stream().filter(line -> line.startsWith("prepare")).count();
            assertTrue(made > 1 && made < 10, () -> made + " set-ups for 30 matrices");
        }
    }

    @Test
    void keepingIsLearntWhereSetUpsAreDear() {
        FakeContenders fakes = new FakeContenders().with(AMG, new Speed(1, 0.02, 0.15, 0.99, Manner.HONEST));
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults().solves(50), AMG)) {
            for (int i = 0; i < 50; i++) {
                solve(solver, 1);
                fakes.generation++;
                solver.renewed();
            }
            assertEquals(AMG + ", kept", solver.choice().toString());
            assertTrue(fakes.seconds() < 30, () -> "all took " + fakes.seconds() + " s, 60 s with a set-up for each");
        }
    }

    @Test
    void whatIsPreparedIsTriedForOtherValuesBeforeAnythingElse() {
        FakeContenders fakes = new FakeContenders().with(AMG, new Speed(0.3, 0.02, 0.15, 0.99, Manner.HONEST))
                .with(JACOBI, 0, 0.01, 0.83);
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults().solves(50), AMG, JACOBI)) {
            while (solver.history().stream().noneMatch(TunedSolver.Step::trial)) {
                solve(solver, 1);
                fakes.generation++;
                solver.renewed();
            }
            TunedSolver.Step trial = solver.history().getLast();
            assertEquals(AMG + ", kept", trial.choice().toString());
            assertEquals(0, trial.setupSeconds(), 0);
            assertEquals(1, trial.progress(), 0);
            assertEquals(AMG + ", kept", solver.choice().toString());
        }
    }

    /** The first set-up may have run code for the first time, and is not what renewals cost. */
    @Test
    void whatIsKeptIsJudgedByWhatRenewalsTake() {
        FakeContenders fakes = new FakeContenders().with(AMG, new Speed(2, 0.02, 0.15, 0.99, Manner.HONEST))
                .with(JACOBI, 0, 0.01, 0.83);
        fakes.refreshSeconds = 0.1;
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults().solves(50), AMG, JACOBI)) {
            for (int i = 0; i < 6; i++) {
                solve(solver, 1);
                fakes.generation++;
                solver.renewed();
            }
            assertEquals(AMG + ", kept", solver.choice().toString(), () -> solver.history().toString());
        }
    }

    @Test
    void aSmallSystemDoesNotPayForCodeThatHasNotRun() {
        // 20 solutions of 10 ms pay 20 ms for new code, and the first set-up of multigrid takes 0.2 s more.
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.0001, 0.83).with(AMG, 0.001, 0.0001, 0.15);
        fakes.code = ColdCode.ofNewProcess();
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI, AMG)) {
            solve(solver, 20);
            assertTrue(solver.history().stream().noneMatch(step -> step.choice().family().equals("amg")),
                    () -> solver.history().toString());
        }
    }

    @Test
    void nothingIsTriedBeforeSolutionsPayForTheFirstTrial() {
        // A tenth of 25 solutions of 10 ms is less than the 30 ms that a first trial takes to begin.
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.0001, 0.83).with("cg with none", 0, 0.0001, 0.5);
        fakes.code = ColdCode.ofNewProcess();
        fakes.code.ran(SolverChoice.parse("cg with none"), false, 0);
        TunedSolver.Settings settings = TunedSolver.Settings.defaults().solves(1000);
        try (TunedSolver solver = solver(fakes, settings, JACOBI, "cg with none")) {
            solve(solver, 25);
            assertTrue(solver.history().stream().noneMatch(TunedSolver.Step::trial), () -> solver.history().toString());
            solve(solver, 25);
            assertEquals("cg with none", solver.choice().toString());
        }
    }

    @Test
    void noCodeRunsForTheFirstTimeNearTheEnd() {
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.01, 0.83).with(AMG, 0.001, 0.001, 0.15);
        fakes.code = ColdCode.ofNewProcess();
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults().solves(3), JACOBI, AMG)) {
            fakes.code.solved(10);
            solve(solver, 3);
            assertTrue(solver.history().stream().noneMatch(TunedSolver.Step::trial), () -> solver.history().toString());
        }
    }

    @Test
    void manySmallSystemsOfAProcessPayForItTogether() {
        ColdCode code = ColdCode.ofNewProcess();
        int systems = 0;
        boolean tried = false;
        while (!tried) {
            FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.001, 0.83).with(AMG, 0.001, 0.001, 0.15);
            fakes.code = code;
            try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI, AMG)) {
                solve(solver, 5);
                tried = solver.choice().toString().equals(AMG);
            }
            systems++;
            assertTrue(systems < 10, "each system adds 50 ms to what the process may spend");
        }
        assertTrue(systems > 2, systems + " systems, expected to wait until they can pay for 0.2 s");
    }

    @Test
    void aLargeSystemPaysForItAlone() {
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.1, 0.83).with(AMG, 0.3, 0.1, 0.15);
        fakes.code = ColdCode.ofNewProcess();
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI, AMG)) {
            solve(solver, 4);
            assertEquals(AMG, solver.choice().toString());
            assertEquals(0, fakes.code.extraSeconds(SolverChoice.parse("gmres with amg"), false), 0);
            assertTrue(fakes.code.extraSeconds(SolverChoice.parse(DIRECT), false) > 0);
        }
    }

    @Test
    void theFirstGuessIsForTheValuesOfTheFirstSolution() {
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.01, 0.83).with(AMG, 0.2, 0.02, 0.15);
        try (TunedSolver solver = new TunedSolver(fakes, TunedSolver.Settings.defaults(),
                () -> new FirstGuess(AdviceOrigin.RULE, "as the test says",
                        order(fakes.generation == 0 ? JACOBI : AMG, "auto"), Map.of(), false),
                fakes::nanoTime, CollectiveClock.OWN)) {
            assertEquals(JACOBI, solver.choice().toString());
            fakes.generation++;
            solver.renewed();
            assertEquals(AMG, solver.choice().toString());
            solve(solver, 1);
            assertEquals(AMG, solver.history().getFirst().choice().toString());
        }
    }

    @Test
    void aFixedChoiceTriesNothing() {
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.01, 0.83).with(AMG, 0.2, 0.02, 0.15);
        TunedSolver.Settings fixed = TunedSolver.Settings.defaults().fixed(SolverChoice.parse(JACOBI));
        try (TunedSolver solver = solver(fakes, fixed, AMG, JACOBI)) {
            solve(solver, 10);
            assertFalse(solver.history().stream().anyMatch(TunedSolver.Step::trial));
            assertTrue(fakes.log.stream().noneMatch(line -> line.contains(AMG)));
        }
    }

    @Test
    void theSameTimesLeadToTheSameSteps() {
        List<TunedSolver.Step> first = steps();
        assertEquals(first, steps());
        assertTrue(first.stream().map(TunedSolver.Step::choice).distinct().count() > 2, first::toString);
    }

    private static List<TunedSolver.Step> steps() {
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.01, 0.83).with(AMG, 0.1, 0.02, 0.15)
                .with(IC, 0.05, 0.015, 0.5).with(DIRECT, 0.3, 0.1, 1e-12);
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI, IC, AMG, DIRECT)) {
            solve(solver, 10);
            return solver.history();
        }
    }

    /** Two whose own clocks differ, and who see the greatest of both times. */
    @Test
    void ranksDecideAlike() throws Exception {
        Exchanger<Double> both = new Exchanger<>();
        CollectiveClock common = seconds -> {
            try {
                return Math.max(seconds, both.exchange(seconds, 20, TimeUnit.SECONDS));
            } catch (InterruptedException | TimeoutException e) {
                throw new IllegalStateException("the other rank did not ask", e);
            }
        };
        // On one rank multigrid is fast; on the other it takes longer than jacobi, and so it does for both.
        FakeContenders first = new FakeContenders().with(JACOBI, 0, 0.01, 0.83).with(AMG, 0.01, 0.02, 0.15);
        FakeContenders second = new FakeContenders().with(JACOBI, 0, 0.001, 0.83).with(AMG, 0.01, 0.3, 0.15);
        try (ExecutorService ranks = Executors.newFixedThreadPool(2)) {
            List<Future<List<SolverChoice>>> found = new ArrayList<>();
            for (FakeContenders fakes : List.of(first, second)) {
                found.add(ranks.submit(() -> onRank(fakes, common)));
            }
            assertEquals(found.get(0).get(), found.get(1).get());
            assertEquals(SolverChoice.parse(JACOBI), found.get(0).get().getLast());
            assertTrue(found.get(0).get().contains(SolverChoice.parse(AMG)));
        }
    }

    private static List<SolverChoice> onRank(FakeContenders fakes, CollectiveClock common) {
        fakes.clock = common;
        try (TunedSolver solver = new TunedSolver(fakes, TunedSolver.Settings.defaults(), () -> new FirstGuess(
                AdviceOrigin.RULE, "as the test says", order(JACOBI, AMG), Map.of(), false), fakes::nanoTime, common)) {
            solve(solver, 6);
            return solver.history().stream().map(TunedSolver.Step::choice).toList();
        }
    }

    /** What was prepared for a first solution that did not come about is not used with later values. */
    @Test
    void preparesAnewAfterAnInterruptedFirstSolution() {
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0.1, 0.01, 0.83);
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI)) {
            HostVector x = HostVector.zeros(Precision.F64, B.length);
            assertThrows(IllegalStateException.class,
                    () -> solver.solve(HostVector.of(B), x, CRITERIA, (iteration, norm) -> {
                        throw new IllegalStateException("no more");
                    }));
            fakes.generation++;
            solver.renewed();
            solve(solver, 1);
            assertEquals(2, fakes.log.stream().filter(("prepare " + JACOBI)::equals).count(), fakes.log::toString);
            assertEquals(1, fakes.open);
        }
        assertEquals(0, fakes.open);
    }

    @Test
    void refusesWhatItCannotUse() {
        FakeContenders fakes = new FakeContenders().with(JACOBI, 0, 0.01, 0.83);
        try (TunedSolver solver = solver(fakes, TunedSolver.Settings.defaults(), JACOBI)) {
            assertThrows(IllegalArgumentException.class, () -> solver.solve(new double[3], new double[5]));
            assertThrows(IllegalArgumentException.class,
                    () -> solver.solve(new double[]{1, 2, Double.NaN, 4, 5}, new double[5]));
            assertThrows(UnsupportedOperationException.class, () -> solver.update(new double[5]));
        }
        assertThrows(IllegalArgumentException.class, () -> TunedSolver.Settings.defaults().excess(-1));
        assertThrows(IllegalArgumentException.class, () -> TunedSolver.Settings.defaults().solves(0));
    }
}
