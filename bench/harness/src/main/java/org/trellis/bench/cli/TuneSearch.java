package org.trellis.bench.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.bench.picture.HeatMapPicture;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.advice.Advice;
import org.trellis.tuner.advice.Advisor;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.profile.TuningResult;
import org.trellis.tuner.search.ProductMeter;
import org.trellis.tuner.search.SearchBudget;
import org.trellis.tuner.search.SearchListener;
import org.trellis.tuner.search.SpmvSearch;

/** What {@code trellis tune} does with a matrix. */
final class TuneSearch {
    /** Results are written at least this often, so that a search that is stopped can go on where it was. */
    private static final long SAVE_NANOSECONDS = 5_000_000_000L;

    private final Console console;
    private final ProgressListener progress;
    private final Backend backend;
    private final SearchBudget budget;
    private final long seed;
    private final Optional<Path> pictures;
    private final List<double[]> shares = new ArrayList<>();
    private int failures;

    TuneSearch(Console console, ProgressListener progress, Backend backend, SearchBudget budget, long seed,
            Optional<Path> pictures) {
        this.console = console;
        this.progress = progress;
        this.backend = backend;
        this.budget = budget;
        this.seed = seed;
        this.pictures = pictures;
    }

    int failures() {
        return failures;
    }

    void run(String name, CsrMatrix matrix, Advisor advisor, Optional<ProfileFile> file) throws IOException {
        TuningDevice device = advisor.device();
        Fingerprint fingerprint = Fingerprint.of(matrix);
        Advice advice = advisor.advise(matrix);
        List<TuningResult> known = file.isEmpty()
                ? List.of()
                : file.get().load().results(device, fingerprint, matrix.precision());
        try (ProductMeter meter = new ProductMeter(backend, matrix, seed)) {
            SpmvSearch search = new SpmvSearch(meter, matrix, fingerprint, known);
            Saver saver = new Saver(name, advice, device, file);
            search.run(advice, budget, seed, saver);
            saver.save();
            if (search.results().stream().noneMatch(result -> result.parameters().equals(advice.rule()))) {
                saver.tried(search.measure(advice.rule()), null, 0, 0);
                saver.save();
            }
            report(name, search, saver, advice, known.size());
        }
    }

    private void report(String name, SpmvSearch search, Saver saver, Advice advice, int known) throws IOException {
        long wrong = search.results().stream().filter(result -> !result.isCorrect()).count();
        failures += (int) wrong;
        Optional<TuningResult> best = search.best();
        if (best.isEmpty()) {
            console.print("%s: nothing worked", name);
            return;
        }
        double least = best.get().medianSeconds();
        List<TuningResult> all = new ArrayList<>(search.results());
        all.addAll(saver.unsaved);
        double rule = seconds(all, advice.rule().toString());
        double first = seconds(all, advice.parameters().toString());
        shares.add(new double[]{least / rule, least / first});
        console.print("%s %s: best %s (%s) of %d sets%s; rule %s of it; first guess, by %s, %s%s", name,
                best.get().precision().label(), Numbers.seconds(least), best.get().parameters(), all.size(),
                known == 0 ? "" : ", " + known + " known before", Numbers.percent(least / rule),
                advice.origin().name().toLowerCase(Locale.ROOT), Numbers.percent(least / first),
                wrong == 0 ? "" : "; " + wrong + " sets failed");
        if (pictures.isPresent()) {
            Files.createDirectories(pictures.get());
            Path picture = pictures.get().resolve(pictureName(name) + '-' + best.get().precision().label()
                    + "-search.png");
            if (HeatMapPicture.write(all, name, picture)) {
                console.print("  heat map %s", picture);
            }
        }
    }

    /** Makes a file name of whatever a matrix is called. */
    static String pictureName(String matrix) {
        return matrix.replaceAll("[^A-Za-z0-9._-]+", "_");
    }

    private static double seconds(List<TuningResult> results, String parameters) {
        return results.stream().filter(result -> result.parameters().toString().equals(parameters))
                .mapToDouble(TuningResult::medianSeconds).findFirst().orElse(Double.NaN);
    }

    void end() {
        if (shares.size() > 1) {
            console.print("%n%d searches: rule is %.1f %% of the best found on average, the first guess %.1f %%",
                    shares.size(), 100 * shares.stream().mapToDouble(share -> share[0]).average().orElseThrow(),
                    100 * shares.stream().mapToDouble(share -> share[1]).average().orElseThrow());
        }
    }

    /** Shows progress and keeps results. */
    private final class Saver implements SearchListener {
        private final String name;
        private final Advice advice;
        private final TuningDevice device;
        private final Optional<ProfileFile> file;
        private final List<TuningResult> unsaved = new ArrayList<>();
        private long saved = System.nanoTime();

        Saver(String name, Advice advice, TuningDevice device, Optional<ProfileFile> file) {
            this.name = name;
            this.advice = advice;
            this.device = device;
            this.file = file;
        }

        @Override
        public void tried(TuningResult result, TuningResult best, int done, int total) {
            unsaved.add(result);
            if (best != null) {
                progress.progress("search " + name + ", best " + Numbers.seconds(best.medianSeconds()), done, total);
            }
            if (System.nanoTime() - saved > SAVE_NANOSECONDS) {
                try {
                    save();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        void save() throws IOException {
            if (file.isPresent() && !unsaved.isEmpty()) {
                file.get().update(profile -> profile.with(device, name, advice.features(), unsaved));
                unsaved.clear();
            }
            saved = System.nanoTime();
        }
    }
}
