package org.trellis.tuner.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.trellis.tuner.contest.AdviceOrigin;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.train.SolverTrainer;
import org.trellis.tuner.train.TrainingSettings;

/** First guesses that were learnt, from systems that are made up. */
class SolverModelTest {
    private static final SolverChoice AMG = SolverChoice.parse("cg with amg");
    private static final SolverChoice IC = SolverChoice.parse("cg with ic0");
    private static final SolverChoice DIRECT = SolverChoice.DIRECT;

    private static SystemFeatures features(long rows, double dimension) {
        return new SystemFeatures(rows, 5, 1, 0, 1, 1, 0.5, 0, 1, 0.01, 0.2, 1, 0.01, dimension, 0.1, 1.9,
                dimension < 2.5 ? 5 : 20);
    }

    /** Surfaces are factorised, small bodies take ic0 and large ones multigrid. */
    private static List<SolverTrainer.Case> cases() {
        List<SolverTrainer.Case> cases = new ArrayList<>();
        for (String family : List.of("a", "b", "c")) {
            for (int i = 1; i <= 12; i++) {
                for (double dimension : new double[]{2, 3}) {
                    long rows = 500L << i;
                    Map<SolverChoice, Double> seconds = new HashMap<>();
                    seconds.put(DIRECT, dimension == 2 ? 1.0 : 5);
                    seconds.put(IC, dimension == 2 ? 4 : rows < 20_000 ? 1.0 : 6);
                    seconds.put(AMG, dimension == 2 ? 3 : rows < 20_000 ? 3.0 : 1);
                    seconds.put(SolverChoice.AUTO, 4.0);
                    cases.add(new SolverTrainer.Case(family + ":" + rows + "," + dimension, family,
                            features(rows, dimension + family.charAt(0) * 0.001), seconds));
                }
            }
        }
        return cases;
    }

    private static final TrainingSettings SETTINGS = new TrainingSettings(4, 30, 6, 20, 0.1, 1);

    @Test
    void learnsWhatIsFast() {
        SolverModel model = new SolverTrainer(SETTINGS).train(cases());
        assertEquals(DIRECT, model.ranking(features(8000, 2)).getFirst().choice());
        assertEquals(IC, model.ranking(features(2000, 3)).getFirst().choice());
        assertEquals(AMG, model.ranking(features(500_000, 3)).getFirst().choice());
        List<SolverTrainer.Judged> judged = new SolverTrainer(SETTINGS).leaveOneFamilyOut(cases());
        assertEquals(72, judged.size());
        assertTrue(judged.stream().mapToDouble(SolverTrainer.Judged::share).average().orElse(0) > 0.9);
    }

    @Test
    void saysWhatIsFarFromWhatItSaw() {
        SolverModel model = new SolverTrainer(SETTINGS).train(cases());
        SystemFeatures odd = new SystemFeatures(3, 900, 0, 5, 0, 0, 0.1, 0.9, 6, 1, 7, 150, 0.4, 9, -5, 20, 60);
        assertTrue(model.isFar(odd));
        assertFalse(model.isFar(features(8000, 2)));
        SolverSpace space = SolverSpace.of(new SolverSpace.Traits(8000, true, true, 1, true, false));
        FirstGuess rules = FirstGuess.byRules(space);
        FirstGuess far = FirstGuess.byModel(model, odd, space, rules);
        assertEquals(AdviceOrigin.RULE, far.origin());
        assertTrue(far.reason().contains("unlike"), far::reason);
        FirstGuess near = FirstGuess.byModel(model, features(500_000, 3), space, rules);
        assertEquals(AMG, near.order().getFirst());
        assertTrue(near.order().containsAll(rules.order()), "everything else comes behind");
    }

    @Test
    void sparseFactorsAreChosenByTheirFill() {
        SolverModel model = new SolverTrainer(SETTINGS).train(cases());
        assertEquals(Math.sqrt(5 * 20), model.sparseFill(), 1e-9, "between the surfaces and the bodies");
        assertEquals(DIRECT, model.choose(features(8000, 2)));
        assertEquals(AMG, model.choose(features(500_000, 3)));
        SolverSpace space = SolverSpace.of(new SolverSpace.Traits(8000, true, true, 1, true, false));
        FirstGuess found = FirstGuess.byFeatures(Optional.of(model), features(8000, 2), space);
        assertEquals(AdviceOrigin.MODEL, found.origin());
        assertTrue(found.sure() && found.reason().contains("5.0 times"), found::reason);
        FirstGuess ruled = FirstGuess.byFeatures(Optional.empty(), features(8000, 3), space);
        assertEquals(AdviceOrigin.RULE, ruled.origin());
        assertFalse(ruled.sure() || ruled.order().getFirst().isDirect(), ruled::toString);
    }

    @Test
    void isWrittenAndRead() {
        SolverModel model = new SolverTrainer(SETTINGS).train(cases());
        SolverModel read = SolverModel.parse(model.toText());
        for (double dimension : new double[]{1.8, 2.4, 3}) {
            assertEquals(model.ranking(features(9000, dimension)), read.ranking(features(9000, dimension)));
            assertEquals(model.distance(features(9000, dimension)), read.distance(features(9000, dimension)));
        }
        for (String broken : List.of("", "trellis-solver-model 9", model.toText().replace("step", "stop"),
                model.toText().replace("roots 0", "roots 9999999"), model.toText().replace("dominance", "dominoes"))) {
            assertThrows(IllegalArgumentException.class, () -> SolverModel.parse(broken));
        }
    }
}
