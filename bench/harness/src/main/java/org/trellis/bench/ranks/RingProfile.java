package org.trellis.bench.ranks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.distributed.powers.RingContest;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.RingResult;
import org.trellis.tuner.profile.RingSetting;
import org.trellis.tuner.profile.TuningDevice;

/** Numbers of rings of one matrix in a tuning profile; used on rank 0 only. */
public final class RingProfile {
    /** More levels than any hierarchy has. */
    private static final int MOST_LEVELS = 64;

    private final ProfileFile file;
    private final CsrMatrix matrix;
    private final Fingerprint fingerprint;
    private final RankJob job;
    private final String transport;
    private final TuningDevice device;

    /**
     * Takes a file, which need not be there.
     *
     * @param path      the file
     * @param matrix    the matrix, whole
     * @param job       the ranks
     * @param transport how messages travel, in the communicator's words
     */
    public RingProfile(Path path, CsrMatrix matrix, RankJob job, String transport) {
        this.file = new ProfileFile(path);
        this.matrix = matrix;
        this.fingerprint = Fingerprint.of(matrix);
        this.job = job;
        this.transport = transport;
        // A rank computes on its own thread only.
        try (Backend backend =
                Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 1).build())) {
            this.device = TuningDevice.of(backend);
        }
    }

    private RingSetting setting(String program, int level) {
        return new RingSetting(job.ranks(), transport, job.partitioner(), program, level);
    }

    /**
     * Returns the numbers of rings that were the fastest before.
     *
     * @param program what the steps are
     * @return a number for each level from 0 on, 0 where nothing is known, up to the last that is known; empty if none
     *         is
     * @throws UncheckedIOException if the file cannot be read
     */
    public List<Integer> known(String program) {
        List<Integer> all = new ArrayList<>();
        try {
            Profile profile = file.load();
            for (int level = 0; level < MOST_LEVELS; level++) {
                List<RingContest.Trial> trials = profile
                        .ringResults(device, fingerprint, matrix.precision(), setting(program, level)).stream()
                        .map(result -> new RingContest.Trial(result.rings(),
                                Arrays.stream(result.runtimes()).boxed().toList()))
                        .toList();
                all.add(trials.isEmpty() ? 0 : RingContest.fastest(trials));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        while (!all.isEmpty() && all.getLast() == 0) {
            all.removeLast();
        }
        return all;
    }

    /**
     * Adds what was measured.
     *
     * @param name    the matrix's name, for people
     * @param program what the steps are
     * @param level   of which level
     * @param trials  numbers of rings and their times; those without any are left out
     * @throws UncheckedIOException if the file cannot be read or written
     */
    public void keep(String name, String program, int level, List<RingContest.Trial> trials) {
        List<RingResult> results = trials.stream()
                .filter(trial -> !trial.seconds().isEmpty())
                .map(trial -> new RingResult(fingerprint, matrix.precision(), setting(program, level), trial.rings(),
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
