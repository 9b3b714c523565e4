package org.trellis.bench.loop;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.Table;
import org.trellis.file.AtomicFile;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.tuner.contest.Contest;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.loop.LoopAdvisor;
import org.trellis.tuner.loop.LoopSearch;
import org.trellis.tuner.loop.LoopTuningSettings;
import org.trellis.tuner.loop.MeshSearch;
import org.trellis.tuner.loop.TunedLoops;
import org.trellis.tuner.profile.LoopResult;
import org.trellis.tuner.profile.TuningDevice;

/**
 * Judges tuning within iterations: each loop is searched exhaustively; then the best of the search, what tuning chose
 * and the rule's parameters are measured again in turns; then iterations are timed with each of the three.
 */
final class LoopTuningEvaluation {
    private static final int CONTENDERS = 5;
    private static final int ROUNDS = 3;
    private static final int ITERATIONS = 20;
    private static final int TURNS = 3;

    private final Backend backend;
    private final TunedLoops tuner;
    private final List<MeshSearch.Part> parts;
    private final LoopTuningSettings settings;
    private final ConsoleProgress progress;

    /** What a loop is run with: by the rule, by tuning, by the exhaustive search; and their times. */
    private record Judged(ParallelLoop loop, LoopParameters rule, LoopParameters tuned, LoopParameters best,
            Map<LoopParameters, Double> seconds, int searched, long failed) {
        double share(LoopParameters parameters) {
            return seconds.get(best) / seconds.get(parameters);
        }
    }

    LoopTuningEvaluation(Backend backend, TunedLoops tuner, List<MeshSearch.Part> parts, LoopTuningSettings settings,
            ConsoleProgress progress) {
        this.backend = backend;
        this.tuner = tuner;
        this.parts = parts;
        this.settings = settings;
        this.progress = progress;
    }

    void run(Runnable iteration, List<Double> iterations, List<Integer> untuned, String command, Path file,
            Console console) throws IOException {
        List<Judged> judged = parts.stream().map(part -> judge(part.loop())).toList();
        progress.clear();
        Map<String, double[]> times = iterate(judged, iteration);
        Format share = Format.scaled(100, "%.1f %%");
        Table table = new Table(Column.words("loop"), Column.of("best", LoopTuningRun.MICROS).in("us"),
                Column.of("tuned", share), Column.of("rule", share), Column.words("best"), Column.words("tuned"));
        for (Judged one : judged) {
            table.row(one.loop().declaration().name(), one.seconds().get(one.best()), one.share(one.tuned()),
                    one.share(one.rule()), one.best().toString(), one.tuned().toString());
        }
        console.printText(table.text());
        times.forEach((name, seconds) -> console.print("%s: %s us an iteration", name,
                LoopTuningRun.micros(SampleStatistics.of(seconds).median())));
        AtomicFile.writeText(file, json(judged, times, iterations, untuned, command));
    }

    private Judged judge(ParallelLoop loop) {
        LoopSearch search = new LoopSearch(backend, loop,
                new LoopAdvisor(TuningDevice.of(backend), List.of(), settings.allowUnrepeatable()), settings,
                List.of());
        search.run(SearchBudget.EXHAUSTIVE, 1, (result, best, done, total) -> progress
                .progress("all of " + loop.declaration().name(), done, total));
        Set<LoopParameters> contenders = new LinkedHashSet<>(List.of(search.rule(), loop.parameters()));
        search.results().stream().filter(LoopResult::isCorrect)
                .sorted(Comparator.comparingDouble(LoopResult::medianSeconds)).limit(CONTENDERS)
                .forEach(result -> contenders.add(result.parameters()));
        Map<LoopParameters, Double> seconds = new LinkedHashMap<>();
        search.again(contenders, ROUNDS).forEach(
                (parameters, samples) -> seconds.put(parameters, SampleStatistics.of(samples).median()));
        LoopParameters best = contenders.stream().min(Comparator.comparingDouble(seconds::get)).orElseThrow();
        return new Judged(loop, search.rule(), loop.parameters(), best, seconds, search.results().size(),
                search.results().stream().filter(result -> !result.isCorrect()).count());
    }

    /** Times iterations with each choice, in turns. */
    private static Map<String, double[]> iterate(List<Judged> judged, Runnable iteration) {
        Map<String, double[]> times = new LinkedHashMap<>();
        for (int turn = 0; turn < TURNS; turn++) {
            for (String name : List.of("rule", "tuned", "best")) {
                judged.forEach(one -> one.loop().parameters(
                        name.equals("rule") ? one.rule() : name.equals("tuned") ? one.tuned() : one.best()));
                double[] all = Arrays.copyOf(times.getOrDefault(name, new double[0]), (turn + 1) * ITERATIONS);
                for (int i = 0; i < 3; i++) {
                    iteration.run();
                }
                for (int i = turn * ITERATIONS; i < all.length; i++) {
                    long start = System.nanoTime();
                    iteration.run();
                    all[i] = (System.nanoTime() - start) * 1e-9;
                }
                times.put(name, all);
            }
        }
        return times;
    }

    private String json(List<Judged> judged, Map<String, double[]> times, List<Double> iterations,
            List<Integer> untuned, String command) {
        ObjectNode root = JsonReport.start("trellis-loop-tuning", Provenance.of(command));
        root.put("backend", backend.name()).put("device", TuningDevice.of(backend).toString());
        root.put("preparationSeconds", tuner.preparationSeconds());
        ArrayNode during = root.putArray("iterationSecondsDuring");
        iterations.forEach(during::add);
        ArrayNode open = root.putArray("loopsNotTunedAfterIteration");
        untuned.forEach(open::add);
        ObjectNode after = root.putObject("iterationSeconds");
        times.forEach((name, seconds) -> {
            ArrayNode list = after.putArray(name);
            for (double one : seconds) {
                list.add(one);
            }
        });
        ArrayNode loops = root.putArray("loops");
        judged.forEach(one -> put(loops.addObject(), one));
        ArrayNode histories = root.putArray("tuning");
        tuner.loops().forEach(loop -> put(histories.addObject(), loop));
        return JsonReport.finish(root);
    }

    private void put(ObjectNode node, Judged one) {
        node.put("kernel", one.loop().declaration().name()).put("set", one.loop().declaration().set().name());
        node.put("elements", one.loop().declaration().set().size()).put("usefulBytes",
                one.loop().report().usefulBytes());
        node.put("rule", one.rule().toString()).put("tuned", one.tuned().toString()).put("best", one.best().toString());
        node.put("tunedShare", one.share(one.tuned())).put("ruleShare", one.share(one.rule()));
        node.put("searched", one.searched()).put("failed", one.failed());
        node.put("space", backend.kernels(LoopKernels.class).parameterSpace(one.loop().declaration()).size());
        ObjectNode seconds = node.putObject("medianSeconds");
        one.seconds().forEach((parameters, median) -> seconds.put(parameters.toString(), median));
    }

    private static void put(ObjectNode node, TunedLoops.LoopState loop) {
        node.put("kernel", loop.features().kernel()).put("layouts", loop.features().layouts());
        node.put("best", loop.best().toString()).put("finished", loop.tuned()).put("timedRuns", loop.timedRuns());
        node.put("preparationSeconds", loop.preparationSeconds());
        ArrayNode history = node.putArray("history");
        for (Contest.Tried<LoopParameters> tried : loop.history()) {
            ArrayNode seconds =
                    history.addObject().put("parameters", tried.parameters().toString()).putArray("seconds");
            for (double one : tried.seconds()) {
                seconds.add(one);
            }
        }
    }
}
