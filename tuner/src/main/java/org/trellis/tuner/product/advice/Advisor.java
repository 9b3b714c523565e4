package org.trellis.tuner.product.advice;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.contest.AdviceOrigin;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.model.SpmvModel;
import org.trellis.tuner.profile.DefaultProfiles;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.profile.TuningResult;

/**
 * Proposes parameters: those that were fastest when a matrix of the same structure was measured on this device; else
 * what the model of this device expects to be fastest, unless it expects what the backend's rule says to be nearly as
 * fast; else what that rule says. What is known of other
 * devices only decides the order in which run-time tuning tries things.
 *
 * <p>Costs one pass over the row offsets; a pass over the columns more if a matrix of the same size was measured here,
 * since only then the fingerprint is needed.
 */
public final class Advisor {
    /**
     * Expected time of the rule's set over that of the model's favourite from which the rule is not followed: rules
     * know of a matrix what is no feature of the models, and predictions are no better than so.
     */
    private static final double CLEARLY_SLOWER = 1.1;

    private final SparseKernels kernels;
    private final TuningDevice device;
    private final List<Profile> profiles;
    private final Optional<SpmvModel> model;
    private final Optional<SpmvModel> hint;

    /**
     * Creates an advisor.
     *
     * @param backend  an open backend
     * @param profiles what was learnt before, the most trusted first
     */
    public Advisor(Backend backend, List<Profile> profiles) {
        this(backend.kernels(SparseKernels.class), TuningDevice.of(backend), profiles);
    }

    /**
     * Creates an advisor of given kernels.
     *
     * @param kernels  the products of a backend
     * @param device   what they run on
     * @param profiles what was learnt before, the most trusted first
     */
    public Advisor(SparseKernels kernels, TuningDevice device, List<Profile> profiles) {
        this.kernels = Objects.requireNonNull(kernels);
        this.device = Objects.requireNonNull(device);
        this.profiles = List.copyOf(profiles);
        this.model = this.profiles.stream().flatMap(profile -> profile.model(device).stream()).findFirst();
        this.hint = this.profiles.stream().flatMap(profile -> profile.hint(device).stream()).findFirst();
    }

    /**
     * Creates an advisor with the profiles that come with the library.
     *
     * @param backend an open backend
     * @return an advisor
     */
    public static Advisor withDefaults(Backend backend) {
        return new Advisor(backend, DefaultProfiles.all());
    }

    /**
     * Returns what products run on.
     *
     * @return the device
     */
    public TuningDevice device() {
        return device;
    }

    /**
     * Proposes parameters.
     *
     * @param matrix the matrix
     * @return what to begin with, and what to try then
     */
    public Advice advise(SparseMatrix matrix) {
        CsrMatrix csr = matrix.toCsr();
        MatrixFeatures features = MatrixFeatures.of(csr);
        SpmvParameters rule = kernels.rule(matrix);
        Optional<SpmvModel> ranker = model.or(() -> hint);
        List<SpmvModel.Ranked> ranking = ranker.map(found -> found.ranking(features, matrix.precision()))
                .orElse(List.of());
        List<TuningResult> measured = measured(csr, matrix.precision());
        for (TuningResult result : measured) {
            if (kernels.constraint(matrix, result.parameters()).isEmpty()) {
                return new Advice(result.parameters(), AdviceOrigin.PROFILE, rule, merged(measured, ranking),
                        features);
            }
        }
        if (model.isPresent()) {
            for (SpmvModel.Ranked ranked : ranking) {
                if (kernels.constraint(matrix, ranked.parameters()).isEmpty()) {
                    return new Advice(weighed(ranked, rule, ranking), AdviceOrigin.MODEL, rule, ranking, features);
                }
            }
        }
        return new Advice(rule, AdviceOrigin.RULE, rule, ranking, features);
    }

    /** The model's favourite, or the rule's set if the model does not expect it to be clearly slower. */
    private static SpmvParameters weighed(SpmvModel.Ranked favourite, SpmvParameters rule,
            List<SpmvModel.Ranked> ranking) {
        boolean ruleWillDo = ranking.stream().anyMatch(ranked -> ranked.parameters().equals(rule)
                && ranked.slowdown() < CLEARLY_SLOWER * favourite.slowdown());
        return ruleWillDo ? rule : favourite.parameters();
    }

    /** What was measured comes first, with its measured slow-downs. */
    private static List<SpmvModel.Ranked> merged(List<TuningResult> measured, List<SpmvModel.Ranked> ranking) {
        double best = measured.getFirst().medianSeconds();
        List<SpmvModel.Ranked> all = new ArrayList<>();
        measured.forEach(result -> all.add(new SpmvModel.Ranked(result.parameters(), result.medianSeconds() / best)));
        for (SpmvModel.Ranked ranked : ranking) {
            if (measured.stream().noneMatch(result -> result.parameters().equals(ranked.parameters()))) {
                all.add(ranked);
            }
        }
        return all;
    }

    /** The right results of this structure on this device, the fastest first. */
    private List<TuningResult> measured(CsrMatrix matrix, Precision precision) {
        boolean seen = profiles.stream().flatMap(profile -> profile.matrices().values().stream())
                .map(Profile.Matrix::features)
                .anyMatch(known -> known.rows() == matrix.rows() && known.columns() == matrix.columns()
                        && known.nonZeros() == matrix.nonZeros());
        if (!seen) {
            return List.of();
        }
        Fingerprint fingerprint = Fingerprint.of(matrix);
        return profiles.stream().flatMap(profile -> profile.results(device, fingerprint, precision).stream())
                .filter(TuningResult::isCorrect)
                .sorted(Comparator.comparingDouble(TuningResult::medianSeconds))
                .toList();
    }
}
