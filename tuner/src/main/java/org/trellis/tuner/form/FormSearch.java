package org.trellis.tuner.form;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.common.TrellisException;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.fem.FormChoice;
import org.trellis.fem.FormSystem;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.profile.FormResult;
import org.trellis.tuner.profile.FormSetting;
import org.trellis.tuner.profile.Invalidity;

/**
 * Looks for the best variant to store and compute a finite element system. A variant counts by what an assembly and
 * some products take together, how many is said by the setting. Exhaustive, the search measures everything; with a
 * budget it measures each storage and formulation with the rule's scheme, then schemes and sizes of blocks around the
 * best two until nothing is better. Each variant's product is compared with that of the rule's. What was measured
 * before is not measured again, so that a search can go on where it was left.
 */
public final class FormSearch {
    private static final int LIKELY = 2;
    /** A variant that is less than this better than the rule's is not worth another order of sums. */
    private static final double GAIN = 0.97;

    private final Function<FormChoice, FormSystem> maker;
    private final FormSpace space;
    private final FormSetting setting;
    private final Backend backend;
    private final Map<FormChoice, FormResult> results = new LinkedHashMap<>();

    /**
     * Prepares a search.
     *
     * @param maker   makes a system that is stored and computed in a variant; the search closes it
     * @param space   the variants
     * @param setting the kind of system
     * @param backend where it runs
     * @param known   what was measured before of systems of this kind on this device
     */
    public FormSearch(Function<FormChoice, FormSystem> maker, FormSpace space, FormSetting setting, Backend backend,
            List<FormResult> known) {
        this.maker = Objects.requireNonNull(maker);
        this.space = Objects.requireNonNull(space);
        this.setting = Objects.requireNonNull(setting);
        this.backend = Objects.requireNonNull(backend);
        known.stream().filter(result -> result.setting().equals(setting) && space.fits(result.choice()))
                .forEach(result -> results.put(result.choice(), result));
    }

    /** Hears of each variant as soon as it was measured. */
    @FunctionalInterface
    public interface Listener {
        /** Ignores everything. */
        Listener NONE = (result, done) -> {};

        /**
         * A variant was measured.
         *
         * @param result what came of it
         * @param done   variants measured, those known before included
         */
        void tried(FormResult result, int done);
    }

    /**
     * Searches. The rule's variant is measured whatever the budget.
     *
     * @param budget   how long to go on
     * @param listener hears of each variant
     * @return the best
     * @throws IllegalArgumentException   if the rule's system does not fit; says why
     * @throws UnsupportedKernelException if the rule's system is not available
     */
    public FormChoice run(SearchBudget budget, Listener listener) {
        long start = System.nanoTime();
        try (FormMeter meter = new FormMeter(backend, setting.products())) {
            FormResult rule = measure(space.rule(), meter, true);
            results.put(rule.choice(), rule);
            listener.tried(rule, results.size());
            int trials = 1;
            List<FormChoice> next = next(budget);
            while (!next.isEmpty() && trials < budget.trials()
                    && 1e-9 * (System.nanoTime() - start) < budget.seconds()) {
                FormResult result = measure(next.getFirst(), meter, false);
                results.put(result.choice(), result);
                listener.tried(result, results.size());
                trials++;
                next = next(budget);
            }
        }
        return best();
    }

    private List<FormChoice> next(SearchBudget budget) {
        List<FormChoice> open = new ArrayList<>(budget.isExhaustive() ? space.all() : space.variants());
        open.removeIf(results::containsKey);
        if (open.isEmpty()) {
            sorted(results.values()).stream().limit(LIKELY)
                    .forEach(result -> open.addAll(space.around(result.choice())));
            open.removeIf(results::containsKey);
        }
        return open;
    }

    private static List<FormResult> sorted(Collection<FormResult> results) {
        return results.stream().filter(FormResult::isCorrect)
                .sorted(Comparator.comparingDouble(FormResult::medianSeconds)).toList();
    }

    @SuppressWarnings("MustBeClosed") // closed here
    private FormResult measure(FormChoice choice, FormMeter meter, boolean must) {
        long start = System.nanoTime();
        try (FormSystem system = maker.apply(choice)) {
            double preparation = 1e-9 * (System.nanoTime() - start);
            Optional<double[]> seconds = meter.time(system);
            return seconds.map(times -> new FormResult(setting, choice, times, preparation, Invalidity.CORRECT,
                    Instant.now())).orElseGet(() -> invalid(choice, Invalidity.CORRECTNESS));
        } catch (UnsupportedKernelException | IllegalArgumentException e) {
            return refused(choice, must, Invalidity.CONSTRAINTS, e);
        } catch (TrellisException e) {
            return refused(choice, must, Invalidity.RUNTIME, e);
        }
    }

    private FormResult refused(FormChoice choice, boolean must, Invalidity reason, RuntimeException problem) {
        if (must) {
            throw problem;
        }
        return invalid(choice, reason);
    }

    private FormResult invalid(FormChoice choice, Invalidity reason) {
        return new FormResult(setting, choice, new double[0], 0, reason, Instant.now());
    }

    /**
     * Returns the best so far.
     *
     * @return the variant of the smallest median time if it is clearly better than the rule's, else the rule's
     */
    public FormChoice best() {
        return best(results.values(), space.rule()).orElse(space.rule());
    }

    /**
     * Returns the best of what was measured, by the rule that a search uses too, so that a profile gives what the
     * search that filled it chose.
     *
     * @param results what was measured of one setting; invalid results do not count
     * @param rule    the variant that is taken without a measurement
     * @return the variant of the smallest median time if it is at least 3 % better than the rule's or the rule's was
     *         not measured, else the rule's; empty if nothing valid was measured
     */
    public static Optional<FormChoice> best(Collection<FormResult> results, FormChoice rule) {
        List<FormResult> sorted = sorted(results);
        Optional<FormResult> usual = sorted.stream().filter(result -> result.choice().equals(rule)).findFirst();
        return sorted.stream().findFirst()
                .filter(first -> usual.isEmpty() || first.medianSeconds() <= GAIN * usual.get().medianSeconds())
                .or(() -> usual).map(FormResult::choice);
    }

    /**
     * Returns everything that is known.
     *
     * @return what was measured before and now, in this order
     */
    public List<FormResult> results() {
        return List.copyOf(results.values());
    }
}
