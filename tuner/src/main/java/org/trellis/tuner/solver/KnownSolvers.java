package org.trellis.tuner.solver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.trellis.common.Precision;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.SolverResult;
import org.trellis.tuner.profile.SolverSetting;
import org.trellis.tuner.profile.TuningDevice;

/**
 * What profiles know of the solvers of one system. One rank takes it from a file and sends it to the others as text:
 * those have neither the file nor the whole matrix, and all must begin alike.
 *
 * @param own        what was measured on the device: the choice that was made, then the others by their times; empty if
 *                   none was made
 * @param calibrated what another machine measured, by times that were scaled to the device: where nothing was measured
 *                   here it goes first, and is checked
 * @param elsewhere  the same of other devices as they measured it, which only decides what is tried next
 * @param belied     what reported a solution that was none, and is not tried again
 */
public record KnownSolvers(List<SolverChoice> own, List<SolverChoice> calibrated, List<SolverChoice> elsewhere,
        List<SolverChoice> belied) {
    /** Nothing is known. */
    public static final KnownSolvers NONE = new KnownSolvers(List.of(), List.of(), List.of(), List.of());

    private static final String OWN = "own ";
    private static final String CALIBRATED = "calibrated ";
    private static final String ELSEWHERE = "elsewhere ";
    private static final String BELIED = "belied ";

    /** Copies the lists. */
    public KnownSolvers {
        own = List.copyOf(own);
        calibrated = List.copyOf(calibrated);
        elsewhere = List.copyOf(elsewhere);
        belied = List.copyOf(belied);
    }

    /**
     * Looks a system up.
     *
     * @param profiles  the most trusted first
     * @param device    on which it is solved
     * @param matrix    its structure
     * @param precision of the system
     * @param ranks     number of ranks; what others measured does not count
     * @param solves    how many solutions are expected, over which set-ups are spread
     * @return what they know, {@link #NONE} if nothing
     */
    public static KnownSolvers of(List<Profile> profiles, TuningDevice device, Fingerprint matrix, Precision precision,
            int ranks, int solves) {
        List<SolverResult> own = results(profiles, List.of(device), matrix, precision, ranks);
        List<TuningDevice> devices = profiles.stream().flatMap(profile -> profile.devices().stream()).distinct()
                .filter(other -> !other.matches(device)).toList();
        List<SolverResult> elsewhere = results(profiles, devices, matrix, precision, ranks);
        List<SolverChoice> belied = own.stream().filter(result -> result.invalidity() == Invalidity.CORRECTNESS)
                .map(KnownSolvers::choice).distinct().toList();
        return new KnownSolvers(fastest(measured(own), solves),
                byTime(own.stream().filter(SolverResult::calibrated).toList(), solves),
                fastest(measured(elsewhere), solves), belied);
    }

    private static List<SolverResult> measured(List<SolverResult> results) {
        return results.stream().filter(result -> !result.calibrated()).toList();
    }

    private static List<SolverResult> results(List<Profile> profiles, List<TuningDevice> devices, Fingerprint matrix,
            Precision precision, int ranks) {
        return profiles.stream()
                .flatMap(profile -> devices.stream().flatMap(device -> profile.solverResults(device).stream()))
                .filter(result -> result.matrix().equals(matrix) && result.setting().ranks() == ranks
                        && result.setting().precision() == precision)
                .toList();
    }

    /** The one that was chosen last, then the others of the same circumstances by their times. */
    private static List<SolverChoice> fastest(List<SolverResult> results, int solves) {
        Optional<SolverResult> chosen = results.stream().filter(SolverResult::isCorrect).filter(SolverResult::chosen)
                .max(Comparator.comparing(SolverResult::timestamp));
        if (chosen.isEmpty()) {
            return List.of();
        }
        Set<SolverChoice> order = new LinkedHashSet<>(List.of(choice(chosen.get())));
        order.addAll(byTime(results, chosen.get().setting(), solves));
        return new ArrayList<>(order);
    }

    private static List<SolverChoice> byTime(List<SolverResult> results, SolverSetting setting, int solves) {
        return results.stream().filter(result -> result.isCorrect() && result.setting().equals(setting))
                .sorted(Comparator.comparingDouble(result -> result.secondsOfSolution(solves)))
                .map(KnownSolvers::choice).distinct().toList();
    }

    /**
     * By their times alone, in the circumstances of the latest that was chosen, else of the latest: what was the best
     * where set-ups and solutions took other times need not be it here.
     */
    private static List<SolverChoice> byTime(List<SolverResult> results, int solves) {
        return results.stream().filter(SolverResult::isCorrect)
                .max(Comparator.comparing(SolverResult::chosen).thenComparing(SolverResult::timestamp))
                .map(latest -> byTime(results, latest.setting(), solves)).orElse(List.of());
    }

    private static SolverChoice choice(SolverResult result) {
        return SolverChoice.fromMap(result.configuration());
    }

    boolean isNone() {
        return equals(NONE);
    }

    /**
     * Writes it as text.
     *
     * @return a line for each choice
     */
    public String toText() {
        StringBuilder text = new StringBuilder();
        own.forEach(choice -> text.append(OWN).append(choice).append('\n'));
        calibrated.forEach(choice -> text.append(CALIBRATED).append(choice).append('\n'));
        elsewhere.forEach(choice -> text.append(ELSEWHERE).append(choice).append('\n'));
        belied.forEach(choice -> text.append(BELIED).append(choice).append('\n'));
        return text.toString();
    }

    /**
     * Reads a text.
     *
     * @param text as {@link #toText} writes it
     * @return what was written
     * @throws IllegalArgumentException if it is none; says what was expected
     */
    public static KnownSolvers parse(String text) {
        List<SolverChoice> own = new ArrayList<>();
        List<SolverChoice> calibrated = new ArrayList<>();
        List<SolverChoice> elsewhere = new ArrayList<>();
        List<SolverChoice> belied = new ArrayList<>();
        text.lines().forEach(line -> {
            if (line.startsWith(OWN)) {
                own.add(SolverChoice.parse(line.substring(OWN.length())));
            } else if (line.startsWith(CALIBRATED)) {
                calibrated.add(SolverChoice.parse(line.substring(CALIBRATED.length())));
            } else if (line.startsWith(ELSEWHERE)) {
                elsewhere.add(SolverChoice.parse(line.substring(ELSEWHERE.length())));
            } else if (line.startsWith(BELIED)) {
                belied.add(SolverChoice.parse(line.substring(BELIED.length())));
            } else {
                throw new IllegalArgumentException("known solvers with the line '" + line
                        + "', expected own, calibrated, elsewhere or belied and a choice");
            }
        });
        return new KnownSolvers(own, calibrated, elsewhere, belied);
    }
}
