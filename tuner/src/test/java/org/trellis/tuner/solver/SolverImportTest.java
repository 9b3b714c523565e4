package org.trellis.tuner.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.Entries;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileException;
import org.trellis.tuner.profile.SolverResult;
import org.trellis.tuner.profile.SolverSetting;
import org.trellis.tuner.profile.TuningDevice;

/** What another machine has learnt of solvers, and what becomes of it here. */
class SolverImportTest {
    private static final long SEED = Long.getLong("trellis.test.seed", 20261129L);
    private static final TuningDevice THERE =
            new TuningDevice("threads", "host", Map.of(TuningDevice.PROCESSOR, "another one", "threads", "64"));
    private static final SolverChoice CG = SolverChoice.parse("cg with jacobi");
    private static final SolverChoice AMG = SolverChoice.parse("cg with amg");
    private static final SolverChoice FACTORS = SolverChoice.parse("cg with direct");
    private static final String SIX = "\"formatVersion\" : 6";
    private static final String SEVEN = "\"formatVersion\" : 7";

    private final CsrMatrix small = grid(6, 4.1);
    private final CsrMatrix large = grid(9, 4.1);

    /** Five-point diffusion. */
    private static CsrMatrix grid(int side, double diagonal) {
        Entries a = new Entries(side * side, side * side);
        for (int i = 0; i < side * side; i++) {
            a.add(i, i, diagonal);
            for (int j : new int[]{i % side > 0 ? i - 1 : -1, i % side < side - 1 ? i + 1 : -1, i - side, i + side}) {
                if (j >= 0 && j < side * side) {
                    a.add(i, j, -1);
                }
            }
        }
        return a.build();
    }

    private static SolverSetting setting(int ranks) {
        return new SolverSetting(Precision.F64, 8, ranks, false);
    }

    private static SolverResult result(CsrMatrix matrix, Map<String, Object> choice, double prepare, boolean chosen,
            double... seconds) {
        return new SolverResult(Fingerprint.of(matrix), setting(1), choice, seconds, prepare,
                seconds.length == 0 ? Invalidity.CORRECTNESS : Invalidity.CORRECT, chosen, Instant.EPOCH);
    }

    private static SolverResult result(CsrMatrix matrix, SolverChoice choice, double prepare, boolean chosen,
            double... seconds) {
        return result(matrix, choice.toMap(), prepare, chosen, seconds);
    }

    private static Profile with(Profile before, TuningDevice device, String name, CsrMatrix matrix,
            SolverResult... results) {
        return before.withSolvers(device, name, MatrixFeatures.of(matrix), SystemFeatures.of(matrix),
                List.of(results));
    }

    private static Backend backend() {
        return Backends.open("reference", Configuration.load());
    }

    private Optional<CsrMatrix> find(String name, Fingerprint structure) {
        CsrMatrix found = Map.of("small", small, "large", large).get(name);
        return Optional.ofNullable(found).filter(matrix -> Fingerprint.of(matrix).equals(structure));
    }

    private SolverImport imported(Profile profile, Backend backend) {
        return SolverImport.of(profile, backend, this::find, 10, SEED);
    }

    /** Each kind of time has the median of its own ratios: by hand. */
    @Test
    void ratiosAreMediansOfTheirKind() {
        SolverCalibration found = SolverCalibration.of(List.of(
                new SolverCalibration.Probe(result(small, SolverChoice.DIRECT, 4, true, 1), 1, 0.5),
                new SolverCalibration.Probe(result(large, FACTORS, 2, true, 1), 2, 2),
                new SolverCalibration.Probe(result(small, AMG, 1, true, 1, 3, 100), 3, 12),
                new SolverCalibration.Probe(result(large, CG, 1e-7, true, 1), 5, 3)));
        // 1/4 and 1: their geometric mean; 3, since the last set-up there says nothing; 0.5, 2, 4 and 3.
        assertEquals(0.5, found.factorisation(), 1e-14);
        assertEquals(3, found.setup(), 1e-14);
        assertEquals(Math.sqrt(6), found.solution(), 1e-14);
        SolverResult there = result(small, AMG, 2, true, 1e-3, 3e-3);
        SolverResult here = found.here(there);
        assertArrayEquals(new double[]{Math.sqrt(6) * 1e-3, Math.sqrt(6) * 3e-3}, here.runtimes(), 1e-16);
        assertEquals(6, here.prepareSeconds(), 1e-14);
        assertEquals(1, found.here(result(small, FACTORS, 2, false, 1)).prepareSeconds(), 1e-14);
        assertTrue(here.calibrated() && here.chosen() && !there.calibrated());
        assertEquals(there.subject(), here.subject());
        assertEquals(there.timestamp(), here.timestamp());
        // Of set-ups without factors nothing is known: the geometric mean of 8 and 2.
        SolverCalibration some = SolverCalibration.of(List.of(
                new SolverCalibration.Probe(result(small, SolverChoice.DIRECT, 1, true, 1), 8, 2)));
        assertEquals(new SolverCalibration(8, some.setup(), 2), some);
        assertEquals(4, some.setup(), 1e-14);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> SolverCalibration.of(List.of())).getMessage()
                .contains("without a probe"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new SolverCalibration(1, 0, 1)).getMessage()
                .contains("set-ups is 0.0"));
    }

    /** Whatever the times are: all of a kind by one ratio, none of which the order within a kind can change. */
    @Test
    void everythingIsScaledByWhatWasMeasured() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 5; round++) {
            List<SolverResult> ofSmall = new ArrayList<>();
            for (String text : List.of("direct", "cg with amg", "cg with jacobi", "cg with ssor", "cg with direct")) {
                double[] seconds = random.doubles(1 + random.nextInt(4), 1e-4, 1e-2).toArray();
                ofSmall.add(result(small, SolverChoice.parse(text), random.nextDouble(1e-4, 1e-1),
                        text.equals("direct"), seconds));
            }
            Profile there = with(with(Profile.empty(), THERE, "small", small, ofSmall.toArray(SolverResult[]::new)),
                    THERE, "large", large, result(large, CG, 2e-4, true, 3e-3));
            try (Backend backend = backend()) {
                TuningDevice here = TuningDevice.of(backend);
                Profile added = imported(there, backend).addTo(Profile.empty());
                assertEquals(there.solverResults(THERE).size(), added.solverResults(THERE).size(), "kept");
                List<SolverResult> found = added.solverResults(here);
                assertEquals(6, found.size());
                Map<Boolean, List<Double>> setups = new HashMap<>();
                List<Double> solutions = new ArrayList<>();
                for (SolverResult one : found) {
                    SolverResult before = there.solverResults(THERE).stream()
                            .filter(other -> other.subject().equals(one.subject())).findFirst().orElseThrow();
                    assertTrue(one.calibrated(), one::toString);
                    assertEquals(before.chosen(), one.chosen());
                    solutions.add(one.medianSeconds() / before.medianSeconds());
                    setups.computeIfAbsent(SolverCalibration.factorises(one), key -> new ArrayList<>())
                            .add(one.prepareSeconds() / before.prepareSeconds());
                }
                for (List<Double> ratios : List.of(solutions, setups.get(true), setups.get(false))) {
                    ratios.forEach(ratio -> assertEquals(ratios.getFirst(), ratio, 1e-12 * ratio, "seed " + SEED));
                    assertTrue(ratios.getFirst() > 0, ratios::toString);
                }
            }
        }
    }

    @Test
    void whatWasMeasuredHereStays() {
        try (Backend backend = backend()) {
            TuningDevice here = TuningDevice.of(backend);
            Profile there = with(Profile.empty(), THERE, "small", small, result(small, CG, 1e-3, false, 2e-3),
                    result(small, SolverChoice.DIRECT, 1e-3, true, 1e-3), result(small, AMG, 1e-3, false));
            Profile own = with(Profile.empty(), here, "mine", small, result(small, CG, 7, true, 8));
            SolverImport found = imported(there, backend);
            Profile both = found.addTo(own);
            Map<Map<String, Object>, SolverResult> results = new HashMap<>();
            both.solverResults(here).forEach(result -> results.put(result.configuration(), result));
            assertEquals(8, results.get(CG.toMap()).medianSeconds());
            assertFalse(results.get(CG.toMap()).calibrated());
            assertTrue(results.get(SolverChoice.DIRECT.toMap()).calibrated());
            assertEquals(Invalidity.CORRECTNESS, results.get(AMG.toMap()).invalidity(), "out here, too");
            KnownSolvers known = KnownSolvers.of(List.of(both), here, Fingerprint.of(small), Precision.F64, 1, 20);
            assertEquals(List.of(CG), known.own());
            assertEquals(List.of(SolverChoice.DIRECT), known.calibrated());
            assertEquals(List.of(AMG), known.belied());
            // Joined either way, and again: what was measured stays although it is no later.
            Profile calibrated = found.addTo(Profile.empty());
            for (Profile joined : List.of(own.merge(calibrated), calibrated.merge(own), both.merge(calibrated),
                    found.addTo(both))) {
                assertEquals(1, joined.solverResults(here).stream().filter(result -> !result.calibrated()).count());
            }
            // A measurement takes the place of what was calibrated, in the text, too.
            Profile measured = with(calibrated, here, "small", small,
                    result(small, SolverChoice.DIRECT, 1, true, 1));
            assertEquals(List.of(false, true), Profile.parse("text", measured.toText()).solverResults(here).stream()
                    .filter(SolverResult::isCorrect).map(SolverResult::calibrated).sorted().toList());
        }
    }

    @Test
    void filesOfOlderVersionsAreImportedAndNewOnesSayWhatTheyHold() {
        String six = with(Profile.empty(), THERE, "small", small, result(small, CG, 1e-3, true, 2e-3)).toText();
        assertTrue(six.contains(SIX) && !six.contains("calibrated"), six);
        try (Backend backend = backend()) {
            Profile added = imported(Profile.parse("text", six), backend).addTo(Profile.empty());
            String seven = added.toText();
            assertTrue(seven.contains(SEVEN) && seven.contains("\"calibrated\" : true"), seven);
            Profile read = Profile.parse("text", seven);
            assertEquals(List.of(true), read.solverResults(TuningDevice.of(backend)).stream()
                    .map(SolverResult::calibrated).toList());
            assertEquals(List.of(false), read.solverResults(THERE).stream().map(SolverResult::calibrated).toList());
            assertTrue(Profile.empty().merge(read).toText().contains(SEVEN));
            assertTrue(assertThrows(ProfileException.class,
                    () -> Profile.parseUnsigned("text", seven.replace("\"calibrated\" : true", "\"calibrated\" : 1")))
                    .getMessage().contains("calibrated: is 1, expected true or false"));
            // What was calibrated for this device is no measurement of another one.
            Profile again = SolverImport.of(with(Profile.empty(), THERE, "small", small,
                    new SolverCalibration(1, 1, 1).here(result(small, CG, 1e-3, true, 2e-3))), backend, this::find, 10,
                    SEED).addTo(Profile.empty());
            assertEquals(List.of(), again.solverResults(TuningDevice.of(backend)));
        }
    }

    @Test
    void whatCannotBeUsedHereIsLeftOutWithASentence() {
        Map<String, Object> unknown = Map.of("method", "cg", "preconditioner", "of-tomorrow");
        TuningDevice gpu = new TuningDevice("cuda", "a GPU", Map.of("multiprocessors", "132"));
        SolverResult ranks = new SolverResult(Fingerprint.of(small), setting(4), CG.toMap(), new double[]{1}, 1,
                Invalidity.CORRECT, true, Instant.EPOCH);
        CsrMatrix stranger = grid(5, 4.1);
        CsrMatrix indefinite = grid(7, 1);
        Profile there = with(Profile.empty(), THERE, "small", small, result(small, unknown, 1e-3, true, 1e-3),
                result(small, CG, 1e-3, false, 2e-3), ranks);
        there = with(there, THERE, "stranger", stranger, result(stranger, CG, 1e-2, true, 1e-2));
        there = with(there, gpu, "small", small, result(small, CG, 1e-3, true, 2e-3));
        try (Backend backend = backend()) {
            TuningDevice here = TuningDevice.of(backend);
            SolverImport found = imported(there, backend);
            List<SolverResult> results = found.addTo(Profile.empty()).solverResults(here);
            assertEquals(List.of(CG.toMap(), CG.toMap()), results.stream().map(SolverResult::configuration).toList());
            String notes = String.join("\n", found.notes());
            assertTrue(notes.contains("of-tomorrow"), notes);
            assertTrue(notes.contains(" for small is left out: "), notes);
            assertTrue(notes.contains("solvers over ranks of threads on host (another one) are not calibrated"), notes);
            assertTrue(notes.contains("stranger is not solved again: no matrix of its structure is here"), notes);
            assertTrue(notes.contains("solvers of cuda on a GPU are of another kind of device"), notes);
            assertTrue(notes.contains(": 2, of 2 systems; factorisations x "), notes);
            assertTrue(notes.contains("results of solvers from threads on host (another one) that are calibrated "
                    + "for reference on "), notes);
            // What does not solve the system here is out, and nothing is left to calibrate by.
            Profile wrong = with(Profile.empty(), THERE, "bad", indefinite, result(indefinite,
                    SolverChoice.parse("cg with ic0"), 1e-3, true, 1e-3));
            SolverImport none = SolverImport.of(wrong, backend, (name, structure) -> Optional.of(indefinite), 10,
                    SEED);
            assertEquals(List.of(), none.addTo(Profile.empty()).solverResults(here));
            notes = String.join("\n", none.notes());
            assertTrue(notes.contains("for bad is left out: ") && notes.contains("are not calibrated for reference"),
                    notes);
        }
    }

    /** A factor that takes more than all of the heap. */
    @Test
    void factorsThatDoNotFitAreLeftOut() {
        SystemFeatures usual = SystemFeatures.of(small);
        Map<String, Number> values = new HashMap<>(usual.toMap());
        values.put("fill", 1e15);
        Profile there = Profile.empty().withSolvers(THERE, "small", MatrixFeatures.of(small),
                SystemFeatures.fromMap(values), List.of(result(small, SolverChoice.DIRECT, 1, true, 1),
                        result(small, CG, 1e-3, false, 2e-3)));
        try (Backend backend = backend()) {
            SolverImport found = imported(there, backend);
            assertEquals(1, found.addTo(Profile.empty()).solverResults(TuningDevice.of(backend)).size());
            assertTrue(String.join("\n", found.notes()).contains("{method=direct} for small is left out: its factors"),
                    () -> found.notes().toString());
        }
    }

    /** It begins with what should be the fastest here, not with what was there, and checks it by trials. */
    @Test
    void aTunedSolverBeginsWithWhatWasCalibratedAndChecksIt() {
        SolverResult direct = result(small, SolverChoice.DIRECT, 1e-3, true, 1e-3);
        SolverResult cg = result(small, CG, 1e-3, false, 1.1e-3);
        SolverCalibration slowFactors = new SolverCalibration(100, 1, 1);
        try (Backend backend = backend()) {
            TuningDevice here = TuningDevice.of(backend);
            Profile known = with(with(Profile.empty(), THERE, "small", small, direct, cg), here, "small", small,
                    slowFactors.here(direct), slowFactors.here(cg));
            FirstGuess rules = FirstGuess.byRules(SolverSpace.of(new SolverSpace.Traits(36, true, true, 1, true,
                    false)));
            FirstGuess guess = FirstGuess.byProfiles(List.of(known), here, Fingerprint.of(small), Precision.F64,
                    () -> rules, 20).orElseThrow();
            assertEquals(List.of(CG, SolverChoice.DIRECT), guess.order().subList(0, 2));
            assertFalse(guess.sure(), "so trials have all of their time");
            TunedSolver.Settings settings = TunedSolver.Settings.defaults().profile(known).excess(1e6);
            Profile learnt = known;
            try (TunedSolver solver = TunedSolver.of(small, backend, settings)) {
                assertEquals(CG, solver.choice());
                assertTrue(solver.firstGuess().contains("from another machine, calibrated"), solver::firstGuess);
                double[] b = new SplittableRandom(SEED).doubles(small.rows()).toArray();
                for (int i = 0; i < 12; i++) {
                    assertTrue(solver.solve(b, new double[b.length]).converged());
                }
                assertTrue(solver.history().stream().anyMatch(step -> step.trial()
                        && step.choice().equals(SolverChoice.DIRECT)), () -> solver.history().toString());
                learnt = solver.addTo(known, "small");
            }
            try (TunedSolver solver = TunedSolver.of(small, backend, settings.profile(learnt))) {
                assertTrue(solver.firstGuess().endsWith("by the profile, which knows the structure"),
                        solver::firstGuess);
            }
            assertNotEquals(known.toText(), learnt.toText());
        }
    }
}
