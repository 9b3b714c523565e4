package org.trellis.tuner.form;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.Coefficient;
import org.trellis.fem.Constraints;
import org.trellis.fem.FormChoice;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormSystem;
import org.trellis.fem.Storage;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.profile.FormResult;
import org.trellis.tuner.profile.FormSetting;
import org.trellis.tuner.profile.Invalidity;

/** The search for the best variant to store a system. */
class FormSearchTest {
    private static final FormChoice RULE = FormChoice.of(Storage.CSR, Formulation.GLOBAL_REUSE);
    private static final FormSetting SETTING = new FormSetting("Q2", 1, 3, 16, Precision.F64, false, 10);

    private final List<FormChoice> made = new ArrayList<>();
    private final FunctionSpace space = FunctionSpace
            .of(StructuredMeshes.unit(ElementShape.QUADRILATERAL, 4, StructuredMeshes::distorted), 2);

    @MustBeClosed
    private Backend backend() {
        return Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 2).build());
    }

    /** Padded rows are those of another form. */
    @MustBeClosed
    private FormSystem system(FormChoice choice, Backend backend) {
        made.add(choice);
        double kappa = choice.storage() == Storage.ELLPACK ? 2 : 1;
        FormOptions options = FormOptions.of(Storage.CSR, Formulation.GLOBAL_REUSE, Precision.F64).withChoice(choice);
        return FormSystem.of(BilinearForm.diffusion(Coefficient.constant(kappa)), Constraints.onBoundary(space, x -> 0),
                List.of(), options, backend);
    }

    @SuppressWarnings("MustBeClosed") // the search closes systems
    private FormSearch search(FormSpace variants, Backend backend, List<FormResult> known) {
        return new FormSearch(choice -> system(choice, backend), variants, SETTING, backend, known);
    }

    @Test
    void everyWayIsComparedAndWrongOnesAreNotTaken() {
        try (Backend backend = backend()) {
            FormSpace variants =
                    new FormSpace(RULE, choice -> choice.scheme().isEmpty() && choice.blockSize() == 0, true);
            FormSearch search = search(variants, backend, List.of());
            FormChoice best = search.run(SearchBudget.EXHAUSTIVE, FormSearch.Listener.NONE);
            assertEquals(6 * 4 + 2, search.results().size());
            assertEquals(RULE, search.results().getFirst().choice());
            for (FormResult result : search.results()) {
                assertEquals(result.choice().storage() == Storage.ELLPACK ? Invalidity.CORRECTNESS : Invalidity.CORRECT,
                        result.invalidity(), result::toString);
            }
            double least = search.results().stream().mapToDouble(FormResult::medianSeconds).min().orElseThrow();
            double taken = search.results().stream().filter(result -> result.choice().equals(best))
                    .mapToDouble(FormResult::medianSeconds).findFirst().orElseThrow();
            assertTrue(taken == least || (best.equals(RULE) && taken * 0.97 < least), best::toString);
        }
    }

    @Test
    void schemesAreTriedAroundTheBest() {
        try (Backend backend = backend()) {
            FormSpace variants = new FormSpace(RULE, choice -> choice.storage() == Storage.CSR_SEARCH
                    && choice.formulation() == Formulation.GLOBAL_REUSE, true);
            FormSearch search = search(variants, backend, List.of());
            search.run(SearchBudget.ofTrials(10), FormSearch.Listener.NONE);
            Set<LoopScheme> schemes = new HashSet<>();
            for (FormResult result : search.results()) {
                result.choice().scheme().ifPresent(schemes::add);
                // What looks for places adds them in place.
                boolean stores = result.choice().scheme().filter(scheme -> scheme == LoopScheme.TEMPORARY
                        || scheme == LoopScheme.OWNER_COMPUTE).isPresent();
                assertEquals(stores ? Invalidity.CONSTRAINTS : Invalidity.CORRECT, result.invalidity(),
                        result::toString);
            }
            assertTrue(schemes.contains(LoopScheme.TEMPORARY), schemes::toString);
            assertEquals(10, made.size());
        }
    }

    @Test
    void whatIsKnownIsNotMeasuredAgain() {
        try (Backend backend = backend()) {
            FormSpace variants = new FormSpace(RULE, choice -> choice.formulation() == Formulation.GLOBAL_REUSE
                    && choice.scheme().isEmpty() && choice.blockSize() == 0, false);
            FormSearch first = search(variants, backend, List.of());
            first.run(SearchBudget.ofTrials(3), FormSearch.Listener.NONE);
            assertEquals(3, made.size());
            made.clear();
            FormSearch second = search(variants, backend, first.results());
            List<Integer> counts = new ArrayList<>();
            second.run(SearchBudget.EXHAUSTIVE, (result, done) -> counts.add(done));
            assertEquals(List.of(3, 4, 5, 6, 7), counts);
            assertEquals(RULE, made.getFirst(), "products are compared with the rule's");
            assertFalse(made.contains(first.results().getLast().choice()), made::toString);
        }
    }

    @Test
    void aProfileGivesWhatTheSearchChose() {
        FormChoice other = FormChoice.of(Storage.CSR_SEARCH, Formulation.GLOBAL_REUSE);
        List<FormResult> hardlyBetter = List.of(result(RULE, 1), result(other, 0.98));
        assertEquals(Optional.of(RULE), FormSearch.best(hardlyBetter, RULE));
        assertEquals(Optional.of(other), FormSearch.best(List.of(result(RULE, 1), result(other, 0.9)), RULE));
        assertEquals(Optional.of(other), FormSearch.best(List.of(result(other, 0.98)), RULE),
                "nothing to compare with");
        assertEquals(Optional.empty(), FormSearch.best(List.of(), RULE));
        try (Backend backend = backend()) {
            FormSpace variants = new FormSpace(RULE, choice -> true, true);
            assertEquals(RULE, search(variants, backend, hardlyBetter).best());
        }
    }

    private static FormResult result(FormChoice choice, double seconds) {
        return new FormResult(SETTING, choice, new double[]{seconds}, 0, Invalidity.CORRECT, Instant.EPOCH);
    }

    @Test
    void aRuleThatCannotBeHadIsAProblem() {
        try (Backend backend = backend()) {
            FormChoice none = FormChoice.of(Storage.CSR_SEARCH, Formulation.GLOBAL_REUSE)
                    .withScheme(LoopScheme.TEMPORARY);
            FormSearch search = search(new FormSpace(none, choice -> true, true), backend, List.of());
            assertThrows(RuntimeException.class,
                    () -> search.run(SearchBudget.ofTrials(1), FormSearch.Listener.NONE));
        }
    }
}
