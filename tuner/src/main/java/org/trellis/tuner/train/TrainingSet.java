package org.trellis.tuner.train;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.trellis.common.Precision;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.profile.TuningResult;

/** Measured searches of one device, a case for each matrix and precision. */
public final class TrainingSet {
    private final List<Case> cases;
    private final Set<String> unwanted;

    /**
     * What was measured of one matrix in one precision.
     *
     * @param matrix    the structure
     * @param name      the matrix's name
     * @param precision the type of its values
     * @param features  its features
     * @param seconds   the median time of each set of parameters that worked
     */
    public record Case(Fingerprint matrix, String name, Precision precision, MatrixFeatures features,
            Map<SpmvParameters, Double> seconds) {
        /** Copies the map. */
        public Case {
            Objects.requireNonNull(matrix);
            Objects.requireNonNull(name);
            Objects.requireNonNull(precision);
            Objects.requireNonNull(features);
            seconds = Map.copyOf(seconds);
        }

        /**
         * Returns the best time.
         *
         * @return seconds
         */
        public double best() {
            return seconds.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        }

        /**
         * Returns the share of the best speed that a set of parameters reaches.
         *
         * @param parameters the set
         * @return a number from 0 to 1, 0 if it was not measured or did not work
         */
        public double share(SpmvParameters parameters) {
            Double time = seconds.get(parameters);
            return time == null ? 0 : best() / time;
        }
    }

    private TrainingSet(Collection<Case> cases, Set<String> unwanted) {
        this.cases = List.copyOf(cases);
        this.unwanted = Set.copyOf(unwanted);
    }

    /**
     * Collects the results of a device.
     *
     * @param profile what was measured
     * @param device  the device
     * @param least   results that a matrix needs in one precision, so that its best is known; others are left out
     * @return the cases in the order in which they came
     */
    public static TrainingSet of(Profile profile, TuningDevice device, int least) {
        record Key(Fingerprint matrix, Precision precision) {}
        Map<Key, Map<SpmvParameters, Double>> groups = new LinkedHashMap<>();
        for (TuningResult result : profile.results(device)) {
            if (result.isCorrect()) {
                groups.computeIfAbsent(new Key(result.matrix(), result.precision()), key -> new HashMap<>())
                        .put(result.parameters(), result.medianSeconds());
            }
        }
        List<Case> cases = new ArrayList<>();
        groups.forEach((key, seconds) -> {
            if (seconds.size() >= least) {
                Profile.Matrix matrix = profile.matrices().get(key.matrix);
                cases.add(new Case(key.matrix, matrix.name(), key.precision, matrix.features(), seconds));
            }
        });
        return new TrainingSet(cases, Set.of());
    }

    /**
     * Returns the cases.
     *
     * @return the cases
     */
    public List<Case> cases() {
        return cases;
    }

    /**
     * Returns the structures.
     *
     * @return each once
     */
    public Set<Fingerprint> matrices() {
        Set<Fingerprint> matrices = new LinkedHashSet<>();
        cases.forEach(one -> matrices.add(one.matrix));
        return matrices;
    }

    /**
     * Returns what a model can learn from: the features that are known of all cases and requested.
     *
     * @return names of {@link MatrixFeatures#vectorNames()}, in that order
     */
    public List<String> knownNames() {
        List<String> names = new ArrayList<>(MatrixFeatures.vectorNames());
        cases.forEach(one -> names.retainAll(one.features.knownNames()));
        names.removeAll(unwanted);
        return names;
    }

    /**
     * Returns the same cases for models that do not read some features.
     *
     * @param features names of {@link MatrixFeatures#vectorNames()}, but not all of them
     * @return a set whose {@link #knownNames()} lack them
     * @throws IllegalArgumentException if a name is that of no feature, or none would be left; lists the names
     */
    public TrainingSet without(Collection<String> features) {
        List<String> names = MatrixFeatures.vectorNames();
        if (!names.containsAll(features) || features.containsAll(names)) {
            throw new IllegalArgumentException("features to do without are " + features + ", expected some of " + names
                    + ", not all");
        }
        return new TrainingSet(cases, Set.copyOf(features));
    }

    /**
     * Returns some of the cases.
     *
     * @param filter says which
     * @return a smaller set
     */
    public TrainingSet where(Predicate<Case> filter) {
        return new TrainingSet(cases.stream().filter(filter).toList(), unwanted);
    }
}
