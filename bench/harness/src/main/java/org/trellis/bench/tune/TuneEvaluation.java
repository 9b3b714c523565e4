package org.trellis.bench.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.TuningDocument;
import org.trellis.bench.report.TuningReport;
import org.trellis.bench.report.chart.TuningChart;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.profile.TuningResult;
import org.trellis.tuner.train.ModelTrainer;
import org.trellis.tuner.train.TrainingSet;
import org.trellis.tuner.train.TrainingSettings;

/** What {@code trellis tune --evaluate} does with a matrix, and the summary. */
final class TuneEvaluation {
    private static final int FIRST_PRODUCTS = 5;
    private static final int SEVERAL = 10;
    /** Fewer results of a matrix say nothing of its best. */
    private static final int LEAST_RESULTS = 3;
    /** Sets of an earlier exhaustive search that are measured again. */
    private static final int FINALISTS = 12;
    /** Share of the space that must have been measured for a search to count as exhaustive. */
    private static final double EXHAUSTIVE_SHARE = 0.9;

    private final Console console;
    private final Backend backend;
    private final TuningEvaluation evaluation;
    private final int products;
    private final TuningDevice device;
    private final List<TuningOutcome> outcomes = new ArrayList<>();
    private final List<SearchedMatrix> searches = new ArrayList<>();
    private final String command;
    private final JsonOption json;
    private int wrong;
    private TrainingSet sweepSet;

    TuneEvaluation(Console console, ProgressListener progress, Backend backend, int products, long seed,
            String command, JsonOption json) {
        this.console = console;
        this.backend = backend;
        this.products = products;
        this.command = command;
        this.json = json;
        this.device = TuningDevice.of(backend);
        this.evaluation = new TuningEvaluation(backend, TuningSettings.DEFAULT, products, seed, progress);
    }

    /** Returns everything for a report. */
    TuningReport report() {
        return new TuningReport(Provenance.of(command), device, searches, outcomes);
    }

    /** Returns the sets of parameters whose product failed or was wrong. */
    int wrong() {
        return wrong;
    }

    void run(String name, CsrMatrix matrix, List<Profile> known, Optional<Profile> sweeps,
            Optional<ProfileFile> file) throws IOException {
        Fingerprint fingerprint = Fingerprint.of(matrix);
        List<Profile> used = sweeps.isPresent() ? List.of(without(fingerprint, sweeps.get())) : models(known);
        TuningEvaluation.Evaluated evaluated = evaluation.run(name, matrix, new Advisor(backend, used),
                finalists(matrix, fingerprint, sweeps));
        TuningOutcome outcome = evaluated.outcome();
        outcomes.add(outcome);
        searches.add(new SearchedMatrix(name, matrix.precision(), outcome.rule(), outcome.start(),
                evaluated.results()));
        // After each matrix, so that a run that is stopped has lost nothing.
        json.write(this::document);
        wrong += (int) evaluated.results().stream().filter(result -> !result.isCorrect()).count();
        console.print(
                "%s %s: rule %s, first guess %s, after %d products %s, after %d %s, at the end %s (%s, %d products, "
                        + "%s of preparation); slowest way %.2f times the rule's",
                name, matrix.precision().label(),
                Numbers.percent(outcome.share(outcome.rule())), Numbers.percent(outcome.share(outcome.start())),
                FIRST_PRODUCTS,
                Numbers.percent(outcome.shareAfter(FIRST_PRODUCTS)), SEVERAL,
                Numbers.percent(outcome.shareAfter(SEVERAL)),
                Numbers.percent(outcome.shareAfter(products)), outcome.believed().getLast(), outcome.tunedAfter(),
                Numbers.seconds(outcome.preparationSeconds()), outcome.slowestOverRule());
        if (file.isPresent()) {
            List<TuningResult> results = evaluated.results();
            file.get().update(profile -> profile.with(device, name, MatrixFeatures.of(matrix), results));
        }
    }

    /** The best of the search that the sweeps hold, if it was exhaustive. */
    private List<SpmvParameters> finalists(CsrMatrix matrix, Fingerprint fingerprint, Optional<Profile> sweeps) {
        List<TuningResult> known = sweeps.map(sweep -> sweep.results(device, fingerprint, matrix.precision()))
                .orElse(List.of());
        int space = backend.kernels(SparseKernels.class).parameterSpace(matrix).size();
        return known.size() < EXHAUSTIVE_SHARE * space
                ? List.of()
                : known.stream().sorted(Comparator.comparingDouble(TuningResult::medianSeconds)).limit(FINALISTS)
                        .map(TuningResult::parameters).toList();
    }

    /** Measured results of the matrix itself would give tuning what it is to find out. */
    private List<Profile> models(List<Profile> known) {
        return known.stream().flatMap(profile -> profile.model(device).or(() -> profile.hint(device)).stream())
                .map(model -> Profile.empty().with(device, model, Map.of())).toList();
    }

    private Profile without(Fingerprint matrix, Profile sweeps) {
        if (sweepSet == null) {
            sweepSet = TrainingSet.of(sweeps, device, LEAST_RESULTS);
        }
        TrainingSet others = sweepSet.where(one -> !one.matrix().equals(matrix));
        return Profile.empty().with(device, new ModelTrainer(TrainingSettings.DEFAULT).train(others), Map.of());
    }

    private String document() {
        return TuningDocument.of(command, device, outcomes);
    }

    /** Prints means and draws. */
    void finish(Optional<Path> pictures) throws IOException {
        for (Precision precision : Precision.values()) {
            List<TuningOutcome> some = TuningEvaluation.of(outcomes, precision);
            if (!some.isEmpty()) {
                print(precision, some);
            }
        }
        if (!outcomes.isEmpty()) {
            json.write(console, this::document);
        }
        if (pictures.isPresent() && !outcomes.isEmpty()) {
            Files.createDirectories(pictures.get());
            Path picture = pictures.get().resolve("tuning.png");
            TuningChart.convergence(outcomes, Math.min(products, 40), device.toString()).write(picture);
            console.print("%nconvergence %s", picture);
        }
    }

    private void print(Precision precision, List<TuningOutcome> some) {
        console.print("%n%s, %d matrices, share of the exhaustive optimum, mean (least):", precision.label(),
                some.size());
        line("rule", some, outcome -> outcome.share(outcome.rule()));
        line("first guess", some, outcome -> outcome.share(outcome.start()));
        for (int after : new int[]{1, FIRST_PRODUCTS, SEVERAL, products}) {
            line("after " + after + " products", some, outcome -> outcome.shareAfter(after));
        }
        console.print("  slowest way of a product over the rule's: %.2f at most, %.2f on average",
                some.stream().mapToDouble(TuningOutcome::slowestOverRule).max().orElseThrow(),
                some.stream().mapToDouble(TuningOutcome::slowestOverRule).average().orElseThrow());
        console.print("  tuning ended after %.0f products on average, with %s of preparation; %s to the first guess",
                some.stream().mapToInt(TuningOutcome::tunedAfter).average().orElseThrow(),
                Numbers.seconds(some.stream().mapToDouble(TuningOutcome::preparationSeconds).average().orElseThrow()),
                Numbers.seconds(some.stream().mapToDouble(TuningOutcome::adviceSeconds).average().orElseThrow()));
    }

    private void line(String what, List<TuningOutcome> some,
            ToDoubleFunction<TuningOutcome> share) {
        console.print("  %-18s %5.1f %% (%.0f %%)", what,
                100 * some.stream().mapToDouble(share).average().orElseThrow(),
                100 * some.stream().mapToDouble(share).min().orElseThrow());
    }
}
