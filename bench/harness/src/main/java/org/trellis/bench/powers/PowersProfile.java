package org.trellis.bench.powers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.ranks.RankJob;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.distributed.powers.RingTuner;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.RingResult;
import org.trellis.tuner.profile.RingSetting;
import org.trellis.tuner.profile.TuningDevice;

/** Numbers of rings in a tuning profile; used on rank 0 only. */
final class PowersProfile {
    private final ProfileFile file;
    private final CsrMatrix matrix;
    private final Fingerprint fingerprint;
    private final RingSetting setting;
    private final TuningDevice device;

    PowersProfile(Path path, CsrMatrix matrix, RankJob job, String transport, PowersSettings settings) {
        this.file = new ProfileFile(path);
        this.matrix = matrix;
        this.fingerprint = Fingerprint.of(matrix);
        this.setting = new RingSetting(job.ranks(), transport, job.partitioner(), settings.program().label());
        // A rank computes on its own thread only.
        try (Backend backend =
                Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 1).build())) {
            this.device = TuningDevice.of(backend);
        }
    }

    /** Returns the number of rings that was the fastest before, 0 if nothing is known. */
    int known() {
        try {
            List<RingTuner.Trial> trials = file.load()
                    .ringResults(device, fingerprint, matrix.precision(), setting).stream()
                    .map(result -> new RingTuner.Trial(result.rings(),
                            Arrays.stream(result.runtimes()).boxed().toList()))
                    .toList();
            return trials.isEmpty() ? 0 : RingTuner.fastest(trials);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds what was measured within steps. */
    void keep(String name, PowersReport.Choice choice) {
        List<RingResult> results = choice.trials().stream()
                .filter(trial -> !trial.seconds().isEmpty())
                .map(trial -> new RingResult(fingerprint, matrix.precision(), setting, trial.rings(),
                        trial.seconds().stream().mapToDouble(Double::doubleValue).toArray(), Instant.now()))
                .toList();
        if (results.isEmpty()) {
            return;
        }
        try {
            file.update(before -> before.withRings(device, name, MatrixFeatures.of(matrix), results));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
