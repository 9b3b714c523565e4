package org.trellis.tuner.product.online;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.product.advice.Advice;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.TuningResult;

/**
 * The matrices that a program has tuned. A matrix counts as the same if it is the same object, or has the same
 * structure and precision with other values, as in Newton's method: an operator of it goes on where the last one was,
 * or has nothing left to tune. Not for several threads at once, as a backend's kernels are not.
 */
public final class TunedMatrices {
    private final Backend backend;
    private final Advisor advisor;
    private final TuningSettings settings;
    private final Map<SparseMatrix, Fingerprint> fingerprints = new WeakHashMap<>();
    private final Map<Key, TunedSpmvOperator.TuningState> known = new HashMap<>();

    private record Key(Fingerprint fingerprint, Precision precision) {}

    /**
     * Starts without any matrix.
     *
     * @param backend  an open backend, which outlives this object and its operators
     * @param advisor  makes first guesses
     * @param settings how far to tune
     */
    public TunedMatrices(Backend backend, Advisor advisor, TuningSettings settings) {
        this.backend = Objects.requireNonNull(backend);
        this.advisor = Objects.requireNonNull(advisor);
        this.settings = Objects.requireNonNull(settings);
    }

    /**
     * Starts without any matrix, with the profiles that come with the library.
     *
     * @param backend an open backend, which outlives this object and its operators
     * @return an empty collection with the usual settings
     */
    public static TunedMatrices of(Backend backend) {
        return new TunedMatrices(backend, Advisor.withDefaults(backend), TuningSettings.DEFAULT);
    }

    /**
     * Prepares a matrix. The first time for an object costs a pass over its columns, for the fingerprint; a structure
     * that is new here costs a pass over the row offsets more.
     *
     * @param matrix the matrix; may be kept, must not change
     * @return an operator that the caller closes
     */
    @MustBeClosed
    public TunedSpmvOperator prepare(SparseMatrix matrix) {
        Key key = new Key(fingerprints.computeIfAbsent(matrix, m -> Fingerprint.of(m.toCsr())), matrix.precision());
        TunedSpmvOperator.TuningState state = known.get(key);
        if (state == null) {
            state = begin(matrix);
            known.put(key, state);
        }
        return new TunedSpmvOperator(backend, matrix, state, settings);
    }

    private TunedSpmvOperator.TuningState begin(SparseMatrix matrix) {
        Advice advice = advisor.advise(matrix);
        KernelNeighbourhood neighbourhood = new KernelNeighbourhood(backend.kernels(SparseKernels.class), matrix);
        return new TunedSpmvOperator.TuningState(advice, new OnlineSearch(advice, neighbourhood, settings));
    }

    /**
     * Adds what was measured to a profile.
     *
     * @param profile the profile
     * @param name    a name of the matrices for people; those of several structures get numbers
     * @return a profile with the results of every matrix prepared here
     */
    public Profile export(Profile profile, String name) {
        Profile result = profile;
        List<Key> keys = new ArrayList<>(known.keySet());
        for (int i = 0; i < keys.size(); i++) {
            TunedSpmvOperator.TuningState state = known.get(keys.get(i));
            List<TuningResult> results = state.results(keys.get(i).fingerprint, keys.get(i).precision);
            String label = keys.size() == 1 ? name : name + '#' + (i + 1);
            result = result.with(advisor.device(), label, state.advice.features(), results);
        }
        return result;
    }
}
