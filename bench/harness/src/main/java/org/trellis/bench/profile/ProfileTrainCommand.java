package org.trellis.bench.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.report.Numbers;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.model.SpmvModel;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.train.ModelTrainer;
import org.trellis.tuner.train.TrainingSet;
import org.trellis.tuner.train.TrainingSettings;
import org.trellis.tuner.train.Validation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Learns models. */
@Command(name = "train", sortOptions = false, description = {
    "Learns a model for each device from the results in profiles, and says how well models choose for matrices that "
            + "they were not learnt from."})
final class ProfileTrainCommand extends ConsoleCommand {
    private static final int WORST = 5;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Profiles with the results of searches.")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--export", paramLabel = "FILE", description = "Add the models to this profile.")
    private Path export;

    @Option(names = "--min-results", paramLabel = "N", defaultValue = "4", description = {
        "Results that a matrix needs in one precision to count; fewer say nothing of its best. Default: 4."})
    private int minResults;

    @Option(names = "--judge", paramLabel = "MATRIX", split = ";",
            description = "Judge only by these matrices, separated by semicolons. Default: all.")
    private List<String> judged = new ArrayList<>();

    @Option(names = "--without", paramLabel = "FEATURE", split = ",",
            description = "Learn models that do not read these features, named as in models. Default: none.")
    private List<String> without = new ArrayList<>();

    @Option(names = "--no-validation", description = "Do not judge.")
    private boolean withoutValidation;

    @Mixin
    private ProgressOptions progressOptions;

    ProfileTrainCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        checkUsage(() -> OutputFile.check("--export", export));
        checkFeatures();
        Profile all = Profile.empty();
        for (Path file : files) {
            all = all.merge(Profile.read(file));
        }
        int learnt = 0;
        try (ConsoleProgress progress = progressOptions.open(console())) {
            for (TuningDevice device : all.devices()) {
                TrainingSet set = TrainingSet.of(all, device, minResults).without(without);
                if (set.matrices().size() < 3) {
                    console().complain(device + ": results of " + set.matrices().size()
                            + " matrices, expected at least 3 to learn from");
                    continue;
                }
                learn(device, set, progress);
                learnt++;
            }
        }
        return learnt > 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private void checkFeatures() {
        List<String> names = MatrixFeatures.vectorNames();
        if (!names.containsAll(without) || without.containsAll(names)) {
            throw new ParameterException(spec().commandLine(), "--without is " + String.join(",", without)
                    + ", expected some of " + String.join(",", names) + ", not all");
        }
    }

    private void learn(TuningDevice device, TrainingSet set, ProgressListener progress) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("cases", Integer.toString(set.cases().size()));
        facts.put("matrices", Integer.toString(set.matrices().size()));
        console().print("%s: %d matrices, %d cases", device, set.matrices().size(), set.cases().size());
        complainOfUnknown(device, set);
        if (!withoutValidation) {
            Validation validation =
                    Validation.leaveOneMatrixOut(set, TrainingSettings.DEFAULT, judged, progress);
            facts.put("leftOutMeanShare", String.format(Locale.ROOT, "%.4f", validation.meanShare(1)));
            facts.put("leftOutLeastShare", String.format(Locale.ROOT, "%.4f", validation.leastShare(1)));
            print(validation);
        }
        SpmvModel model = new ModelTrainer(TrainingSettings.DEFAULT).train(set);
        if (export != null) {
            new ProfileFile(export).update(profile -> profile.with(device, model, facts));
            console().print("model written to %s", export);
        }
    }

    /** One matrix of an old profile is enough for models to learn from what old profiles have. */
    private void complainOfUnknown(TuningDevice device, TrainingSet set) {
        List<String> old = set.cases().stream()
                .filter(one -> !one.features().knownNames().equals(MatrixFeatures.vectorNames()))
                .map(TrainingSet.Case::name).distinct().toList();
        if (!old.isEmpty()) {
            console().complain(device + ": learns from " + set.knownNames().size() + " of "
                    + MatrixFeatures.vectorNames().size() + " features, since no others are known of " + old.size()
                    + " matrices, the first of them " + old.getFirst()
                    + "; 'trellis profile features' finds the others");
        }
    }

    private void print(Validation validation) {
        console().print("leaving one matrix out, %d choices: %.1f %% of the best on average, %.1f %% at least; regret "
                + "%.1f %% on average", validation.judged().size(), 100 * validation.meanShare(1),
                100 * validation.leastShare(1), 100 * validation.meanRegret());
        for (Precision precision : Precision.values()) {
            DoubleSummaryStatistics shares = validation.judged().stream()
                    .filter(one -> one.name().endsWith(' ' + precision.label()))
                    .mapToDouble(Validation.Judged::share).summaryStatistics();
            if (shares.getCount() > 0) {
                console().print("  %s, %d choices: %.1f %% on average, %.1f %% at least", precision.label(),
                        shares.getCount(), 100 * shares.getAverage(), 100 * shares.getMin());
            }
        }
        for (int choices : new int[]{2, 3, 5, 8}) {
            console().print("  best of the first %d: %.1f %% on average, %.1f %% at least", choices,
                    100 * validation.meanShare(choices), 100 * validation.leastShare(choices));
        }
        validation.judged().stream().sorted((a, b) -> Double.compare(a.share(), b.share())).limit(WORST)
                .forEach(one -> console().print("  %s: %s by %s", one.name(), Numbers.percent(one.share()),
                        one.chosen()));
    }
}
