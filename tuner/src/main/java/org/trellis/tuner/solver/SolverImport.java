package org.trellis.tuner.solver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.trellis.backend.Backend;
import org.trellis.common.TrellisException;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.SolverResult;
import org.trellis.tuner.profile.TuningDevice;

/**
 * Takes over what another machine has learnt of solvers. A few of the systems that it solved are solved here by the
 * same choices; their times here and there scale all others, which belong to this device then, marked as calibrated. A
 * solver that tunes itself begins with the fastest of them, and tries others beside it as if nothing had been known.
 */
public final class SolverImport {
    /** The most systems that are solved for a kind of choices: with factors, and without. */
    private static final int MOST_PROBES = 3;

    private final Profile imported;
    private final TuningDevice here;
    private final Backend backend;
    private final Matrices matrices;
    private final long seed;
    private final Map<Fingerprint, List<SolverResult>> calibrated = new LinkedHashMap<>();
    private final Set<Object> unusable = new HashSet<>();
    private final Set<String> notes = new LinkedHashSet<>();

    /** Finds matrices again that were solved elsewhere. */
    @FunctionalInterface
    public interface Matrices {
        /**
         * Looks for a matrix.
         *
         * @param name      what it was called there
         * @param structure what it must have
         * @return the matrix, or empty if none of this structure is here
         */
        Optional<CsrMatrix> find(String name, Fingerprint structure);
    }

    private SolverImport(Profile imported, Backend backend, Matrices matrices, long seed) {
        this.imported = imported;
        this.backend = backend;
        this.here = TuningDevice.of(backend);
        this.matrices = matrices;
        this.seed = seed;
    }

    /**
     * Calibrates what a profile of other machines knows of solvers. Solves systems.
     *
     * @param imported the profile
     * @param backend  where systems are solved here
     * @param matrices finds the systems again
     * @param seconds  about how long systems of each other device took there that are solved again, more than 0
     * @param seed     of right-hand sides
     * @return what was found, which is in no profile yet
     */
    public static SolverImport of(Profile imported, Backend backend, Matrices matrices, double seconds, long seed) {
        SolverImport made = new SolverImport(imported, backend, matrices, seed);
        imported.devices().stream().filter(device -> !device.matches(made.here))
                .forEach(device -> made.calibrate(device, seconds));
        return made;
    }

    /**
     * Says what was calibrated by what, and what was left out and why.
     *
     * @return a sentence each
     */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /**
     * Adds all of the imported profile, and what was calibrated. What was measured on this device stays.
     *
     * @param present the profile
     * @return a profile with it
     */
    public Profile addTo(Profile present) {
        Profile joined = present.merge(imported);
        Set<Object> measured = new HashSet<>();
        joined.solverResults(here).stream().filter(result -> !result.calibrated()).map(SolverResult::subject)
                .forEach(measured::add);
        for (Map.Entry<Fingerprint, List<SolverResult>> entry : calibrated.entrySet()) {
            Profile.Matrix matrix = imported.matrices().get(entry.getKey());
            joined = joined.withSolvers(here, matrix.name(), matrix.features(),
                    imported.systems().get(entry.getKey()), entry.getValue().stream()
                            .filter(result -> !measured.contains(result.subject())).toList());
        }
        return joined;
    }

    private void calibrate(TuningDevice there, double seconds) {
        List<SolverResult> all = imported.solverResults(there).stream()
                .filter(result -> !result.calibrated() && imported.systems().containsKey(result.matrix())).toList();
        if (all.isEmpty()) {
            return;
        }
        if (!isAlike(there)) {
            notes.add("solvers of " + there + " are of another kind of device than " + here
                    + ": they only say what is tried next");
            return;
        }
        List<SolverResult> results = all.stream().filter(result -> result.setting().ranks() == 1).toList();
        if (results.size() < all.size()) {
            notes.add(
                    "solvers over ranks of " + there + " are not calibrated, since the network counts, too: they only "
                            + "say what is tried next");
        }
        List<SolverResult> usable = results.stream()
                .filter(result -> result.isCorrect() || result.invalidity() == Invalidity.CORRECTNESS)
                .filter(this::isUsable).toList();
        List<SolverCalibration.Probe> probes = Stream.of(true, false)
                .flatMap(factors -> probes(usable, factors, seconds / 2).stream()).toList();
        if (probes.isEmpty()) {
            notes.add("solvers of " + there + " are not calibrated for " + here
                    + ", since none of their systems was solved here: they only say what is tried next");
            return;
        }
        SolverCalibration ratios = SolverCalibration.of(probes);
        Map<Fingerprint, List<SolverResult>> found = new LinkedHashMap<>();
        usable.stream().filter(result -> !unusable.contains(result.subject()))
                .forEach(result -> found.computeIfAbsent(result.matrix(), key -> new ArrayList<>())
                        .add(ratios.here(result)));
        notes.add("results of solvers from " + there + " that are calibrated for " + here + ": "
                + found.values().stream().mapToInt(List::size).sum() + ", of " + found.size()
                + (found.size() == 1 ? " system" : " systems") + "; " + ratios + ", by " + probes.size()
                + (probes.size() == 1 ? " probe" : " probes"));
        found.forEach((matrix, some) -> calibrated.computeIfAbsent(matrix, key -> new ArrayList<>()).addAll(some));
    }

    /** Hosts differ in speed; devices of other kinds in what is fast at all. */
    private boolean isAlike(TuningDevice there) {
        boolean host = here.properties().containsKey(TuningDevice.PROCESSOR);
        return there.properties().containsKey(TuningDevice.PROCESSOR) == host
                && (host || there.backend().equals(here.backend()));
    }

    private boolean isUsable(SolverResult result) {
        return isKnownChoice(result) && fits(result);
    }

    private boolean fits(SolverResult result) {
        double bytes = SolverCalibration.factorises(result) ? factorBytes(result) : 0;
        long most = FactorLimits.ofHeap().bytes();
        if (bytes > most) {
            leaveOut(result, "its factors have about " + (long) bytes + " bytes, expected at most " + most
                    + ", three quarters of the heap");
        }
        return bytes <= most;
    }

    /** Versions differ in the names that they know. */
    private boolean isKnownChoice(SolverResult result) {
        try {
            SolverChoice.fromMap(result.configuration());
            return true;
        } catch (IllegalArgumentException e) {
            leaveOut(result, e.getMessage());
            return false;
        }
    }

    /** The values alone; 0 where the fill is not known. */
    private double factorBytes(SolverResult result) {
        MatrixFeatures matrix = imported.matrices().get(result.matrix()).features();
        SystemFeatures system = imported.systems().get(result.matrix());
        double factors = system.symmetric() == 1 ? 1 : 2;
        return factors * system.fill() * matrix.nonZeros() * result.setting().precision().bytes();
    }

    private void leaveOut(SolverResult result, String why) {
        unusable.add(result.subject());
        notes.add(result.configuration() + " for " + name(result) + " is left out: " + why);
    }

    private String name(SolverResult result) {
        return imported.matrices().get(result.matrix()).name();
    }

    /** Solves different systems, the longest that there is time for: code that is not compiled yet counts least. */
    private List<SolverCalibration.Probe> probes(List<SolverResult> results, boolean factors, double seconds) {
        List<SolverCalibration.Probe> probes = new ArrayList<>();
        Set<Fingerprint> used = new HashSet<>();
        double left = seconds;
        for (SolverResult result : candidates(results, factors, seconds)) {
            boolean affordable = probes.isEmpty() || cost(result) <= left;
            if (!affordable || probes.size() == MOST_PROBES || used.contains(result.matrix())) {
                continue;
            }
            Optional<SolverCalibration.Probe> probe = probe(result);
            if (probe.isPresent()) {
                used.add(result.matrix());
                probes.add(probe.get());
                left -= cost(result);
            }
        }
        return probes;
    }

    /** Those that fit into the time, the longest first, then the others. */
    private static List<SolverResult> candidates(List<SolverResult> results, boolean factors, double seconds) {
        Comparator<SolverResult> byCost = Comparator.comparingDouble(SolverImport::cost);
        List<SolverResult> some = results.stream().filter(SolverResult::isCorrect)
                .filter(result -> SolverCalibration.factorises(result) == factors && !result.setting().updated())
                .filter(result -> !SolverChoice.fromMap(result.configuration()).isAutomatic()).toList();
        return Stream.concat(some.stream().filter(result -> cost(result) <= seconds).sorted(byCost.reversed()),
                some.stream().filter(result -> cost(result) > seconds).sorted(byCost)).toList();
    }

    private static double cost(SolverResult result) {
        return result.prepareSeconds() + SolverCalibration.SOLUTIONS * result.medianSeconds();
    }

    private Optional<SolverCalibration.Probe> probe(SolverResult there) {
        Optional<CsrMatrix> matrix = matrices.find(name(there), there.matrix());
        if (matrix.isEmpty()) {
            notes.add(name(there) + " is not solved again: no matrix of its structure is here under this name");
            return Optional.empty();
        }
        try {
            return Optional.of(SolverCalibration.measure(matrix.get().toPrecision(there.setting().precision()), there,
                    backend, seed));
        } catch (TrellisException | IllegalArgumentException e) {
            leaveOut(there, e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return "import of solvers of " + calibrated.size() + " systems";
    }
}
