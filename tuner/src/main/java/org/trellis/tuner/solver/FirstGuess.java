package org.trellis.tuner.solver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.trellis.common.Precision;
import org.trellis.tuner.contest.AdviceOrigin;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.SolverResult;
import org.trellis.tuner.profile.TuningDevice;

/**
 * What a tuned solver begins with and in which order it tries the rest: by what was measured of the same structure,
 * else by rules.
 *
 * @param origin where the first comes from
 * @param reason for people
 * @param order  the most promising first
 * @param out    why choices are not tried at all
 */
record FirstGuess(AdviceOrigin origin, String reason, List<SolverChoice> order, Map<SolverChoice, String> out) {
    /** Copies the lists. */
    FirstGuess {
        order = List.copyOf(order);
        out = Map.copyOf(out);
    }

    /** Takes what rules say: their own choice first, then one of each family. */
    static FirstGuess byRules(SolverSpace space) {
        Set<SolverChoice> order = new LinkedHashSet<>(List.of(SolverChoice.AUTO));
        order.addAll(space.all());
        return new FirstGuess(AdviceOrigin.RULE, "by rules", new ArrayList<>(order), Map.of());
    }

    /**
     * Takes what a model predicts, unless the system is unlike those that it was learnt from.
     *
     * @param far what to say and do then
     */
    static FirstGuess byModel(SolverModel model, SystemFeatures features, SolverSpace space, FirstGuess far) {
        if (model.isFar(features)) {
            return new FirstGuess(far.origin(), far.reason() + ", since the system is unlike those that the model of "
                    + "solvers has seen", far.order(), far.out());
        }
        Set<SolverChoice> order = new LinkedHashSet<>();
        model.ranking(features).stream().map(SolverModel.Ranked::choice).filter(space.all()::contains)
                .forEach(order::add);
        order.addAll(far.order());
        return new FirstGuess(AdviceOrigin.MODEL, "by the model of solvers", new ArrayList<>(order), Map.of());
    }

    /**
     * Takes what profiles know of the same structure, if they know something. What another device measured only decides
     * what is tried next.
     */
    static Optional<FirstGuess> byProfiles(List<Profile> profiles, TuningDevice device, Fingerprint matrix,
            Precision precision, FirstGuess otherwise, int solves) {
        List<SolverResult> own = results(profiles, List.of(device), matrix, precision);
        List<TuningDevice> devices = profiles.stream().flatMap(profile -> profile.devices().stream()).distinct()
                .filter(other -> !other.matches(device)).toList();
        List<SolverResult> elsewhere = results(profiles, devices, matrix, precision);
        Map<SolverChoice, String> out = new LinkedHashMap<>();
        own.stream().filter(result -> result.invalidity() == Invalidity.CORRECTNESS)
                .forEach(result -> out.put(choice(result), "reported a solution that was none, as the profile says"));
        Optional<SolverResult> latest = chosen(own);
        Set<SolverChoice> order = new LinkedHashSet<>();
        latest.ifPresentOrElse(result -> addFastest(order, own, result, solves),
                () -> order.add(otherwise.order().getFirst()));
        chosen(elsewhere).ifPresent(result -> addFastest(order, elsewhere, result, solves));
        order.addAll(otherwise.order());
        order.removeAll(out.keySet());
        if (latest.isEmpty() && out.isEmpty() && chosen(elsewhere).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(latest.isPresent()
                ? new FirstGuess(AdviceOrigin.PROFILE, "by the profile, which knows the structure",
                        new ArrayList<>(order), out)
                : new FirstGuess(otherwise.origin(), otherwise.reason(), new ArrayList<>(order), out));
    }

    private static List<SolverResult> results(List<Profile> profiles, List<TuningDevice> devices, Fingerprint matrix,
            Precision precision) {
        return profiles.stream()
                .flatMap(profile -> devices.stream().flatMap(device -> profile.solverResults(device).stream()))
                .filter(result -> result.matrix().equals(matrix) && result.setting().ranks() == 1
                        && result.setting().precision() == precision)
                .toList();
    }

    private static Optional<SolverResult> chosen(List<SolverResult> results) {
        return results.stream().filter(SolverResult::isCorrect).filter(SolverResult::chosen)
                .max(Comparator.comparing(SolverResult::timestamp));
    }

    /** The one that was chosen, then the others of the same circumstances by their times. */
    private static void addFastest(Set<SolverChoice> order, List<SolverResult> results, SolverResult chosen,
            int solves) {
        order.add(choice(chosen));
        results.stream().filter(result -> result.isCorrect() && result.setting().equals(chosen.setting()))
                .sorted(Comparator.comparingDouble(result -> result.secondsOfSolution(solves)))
                .forEach(result -> order.add(choice(result)));
    }

    private static SolverChoice choice(SolverResult result) {
        return SolverChoice.fromMap(result.configuration());
    }
}
