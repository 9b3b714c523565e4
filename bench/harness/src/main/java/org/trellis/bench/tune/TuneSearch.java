package org.trellis.bench.tune;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.option.PictureNames;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.TuningReport;
import org.trellis.bench.report.chart.TuningChart;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.product.advice.Advice;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.product.search.ProductMeter;
import org.trellis.tuner.product.search.SearchListener;
import org.trellis.tuner.product.search.SpmvSearch;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.profile.TuningResult;

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
    private final PictureNames pictureNames = new PictureNames();
    private final List<SearchedMatrix> searches = new ArrayList<>();
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
            List<TuningResult> results = new ArrayList<>(search.results());
            if (results.stream().noneMatch(result -> result.parameters().equals(advice.rule()))) {
                TuningResult rule = search.measure(advice.rule());
                saver.tried(rule, null, 0, 0);
                saver.save();
                results.add(rule);
            }
            report(new SearchedMatrix(name, matrix.precision(), advice.rule(), advice.parameters(), results), advice,
                    known.size());
        }
    }

    private void report(SearchedMatrix search, Advice advice, int known) throws IOException {
        searches.add(search);
        failures += (int) search.failures();
        Optional<TuningResult> best = search.best();
        if (best.isEmpty()) {
            console.print("%s: nothing worked", search.matrix());
            return;
        }
        console.print("%s %s: best %s (%s) of %d sets%s; rule %s of it; first guess, by %s, %s%s", search.matrix(),
                search.precision().label(), Numbers.seconds(best.get().medianSeconds()), best.get().parameters(),
                search.results().size(), known == 0 ? "" : ", " + known + " known before",
                Numbers.percent(search.share(search.rule())), advice.origin().name().toLowerCase(Locale.ROOT),
                Numbers.percent(search.share(search.start())),
                search.failures() == 0 ? "" : "; " + search.failures() + " sets failed");
        if (pictures.isPresent()) {
            Files.createDirectories(pictures.get());
            PictureNames.Name name = pictureNames.of(
                    pictureName(search.matrix()) + '-' + search.precision().label(), "an earlier matrix");
            Path picture = pictures.get().resolve(name.stem() + "-search.png");
            Optional<HeatMap> map = HeatMap.of(search.results());
            if (map.isPresent()) {
                TuningChart.search(map.get(), search.matrix()).write(picture);
                console.print("  heat map %s%s", picture, name.note().isEmpty() ? "" : ", " + name.note());
            } else {
                console.print("  no heat map: the sets that were measured of family %s differ neither in cooperating "
                        + "threads nor in rows of a group, which are its axes",
                        best.get().parameters().family().label());
            }
        }
    }

    /** Makes a file name of whatever a matrix is called. */
    static String pictureName(String matrix) {
        return matrix.replaceAll("[^A-Za-z0-9._-]+", "_");
    }

    void end() {
        if (searches.size() > 1) {
            console.print("%n%d searches: rule is %.1f %% of the best found on average, the first guess %.1f %%",
                    searches.size(), 100 * mean(search -> search.share(search.rule())),
                    100 * mean(search -> search.share(search.start())));
        }
    }

    private double mean(ToDoubleFunction<SearchedMatrix> share) {
        return searches.stream().mapToDouble(share).filter(Double::isFinite).average().orElse(Double.NaN);
    }

    List<SearchedMatrix> searches() {
        return List.copyOf(searches);
    }

    /** Returns everything for a report. */
    TuningReport report(Provenance provenance) {
        return new TuningReport(provenance, TuningDevice.of(backend), searches, List.of());
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
