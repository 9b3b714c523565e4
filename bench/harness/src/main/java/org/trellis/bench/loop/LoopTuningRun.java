package org.trellis.bench.loop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Table;
import org.trellis.mesh.Dat;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.Layout;
import org.trellis.tuner.loop.LoopTuningSettings;
import org.trellis.tuner.loop.MeshSearch;
import org.trellis.tuner.loop.TunedLoops;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;

/** Tunes the loops of an application as the command line says: within its iterations, by a search, or not at all. */
public final class LoopTuningRun {
    private static final long SEED = 1;

    private final LoopTuningOptions options;
    private final Backend backend;
    private final List<Profile> known;
    private final Console console;
    private final ConsoleProgress progress;
    private final Optional<TunedLoops> tuner;
    private final List<Double> iterations = new ArrayList<>();
    private final List<Integer> untuned = new ArrayList<>();

    LoopTuningRun(LoopTuningOptions options, Backend backend, List<Profile> known, Console console,
            ConsoleProgress progress) {
        this.options = options;
        this.backend = backend;
        this.known = known;
        this.console = console;
        this.progress = progress;
        LoopTuningSettings settings = options.settings();
        boolean needed = options.isWithinIterations() || (!known.isEmpty() && !options.isSearch());
        this.tuner = needed
                ? Optional.of(new TunedLoops(backend, known, options.isWithinIterations()
                        ? settings
                        : settings.withLimits(settings.limits().withTrials(0))))
                : Optional.empty();
    }

    /**
     * Adds the tuner to the options of a mesh, if there is one.
     *
     * @param mesh the options without it
     * @return the options for the mesh
     */
    public MeshOptions meshOptions(MeshOptions mesh) {
        return tuner.map(mesh::withTuner).orElse(mesh);
    }

    /**
     * Searches before the first iteration, if the command line asks for it, and gives loops and dats what was found.
     *
     * @param parts the loops and how often an iteration runs them
     * @throws IOException if results cannot be kept
     */
    public void search(List<MeshSearch.Part> parts) throws IOException {
        if (!options.isSearch()) {
            return;
        }
        MeshSearch search = new MeshSearch(backend, parts, known, options.settings());
        MeshSearch.Listener listener = (loop, result, best, done, total) -> progress
                .progress("search " + loop.kernel() + ", " + loop.layouts(), done, total);
        MeshSearch.Choice choice = options.layouts()
                ? search.layoutsAndParameters(options.budget(), SEED, listener)
                : search.parameters(options.budget(), SEED, listener);
        progress.clear();
        choice.apply();
        print(choice);
        if (options.export() != null) {
            new ProfileFile(options.export()).update(search::export);
        }
    }

    private void print(MeshSearch.Choice choice) {
        Table table = new Table(Column.words("loop"), Column.of("", MICROS).in("us"),
                Column.of("rule", MICROS).in("us"), Column.words("parameters"));
        for (MeshSearch.Found found : choice.loops()) {
            table.row(found.loop().declaration().name(), found.best().medianSeconds(),
                    found.rule().medianSeconds(), found.best().parameters().toString());
        }
        console.printText(table.text());
        if (options.layouts()) {
            List<String> soa = choice.layouts().entrySet().stream()
                    .filter(entry -> entry.getValue() == Layout.SOA && entry.getKey().components() > 1)
                    .map(entry -> entry.getKey().name()).sorted().toList();
            List<String> aos = choice.layouts().keySet().stream()
                    .filter(dat -> dat.components() > 1 && !soa.contains(dat.name())).map(Dat::name).sorted().toList();
            console.print("aos: %s; soa: %s; %s us an iteration", String.join(", ", aos), String.join(", ", soa),
                    micros(choice.seconds()));
        }
    }

    /** Seconds, shown as microseconds. */
    static final Format MICROS = Format.scaled(1e6, "%.1f");

    static String micros(double seconds) {
        return String.format(Locale.ROOT, "%.1f", 1e6 * seconds);
    }

    /**
     * Says whether loops are tuned within the iterations, and so each of them is to be timed.
     *
     * @return false if the command line says nothing of it
     */
    public boolean isTuning() {
        return options.isWithinIterations();
    }

    /**
     * Says whether tuning within the iterations has nothing left to try.
     *
     * @return false before the first iteration, and where loops are not tuned within iterations
     */
    public boolean isDone() {
        return !untuned.isEmpty() && untuned.getLast() == 0;
    }

    /**
     * Notes how long an iteration took. Does nothing unless loops are tuned within them.
     *
     * @param seconds wall time, everything that it asked of a device included
     */
    public void iterated(double seconds) {
        if (options.isWithinIterations()) {
            iterations.add(seconds);
            untuned.add((int) tuner.orElseThrow().loops().stream().filter(loop -> !loop.tuned()).count());
        }
    }

    /**
     * Prints what tuning within the iterations has found, keeps it, and evaluates it, as the command line says.
     *
     * @param parts     the loops and how often an iteration runs them
     * @param iteration makes one more iteration and waits for it
     * @param command   the command line, for the evaluation
     * @throws IOException if results cannot be kept
     */
    public void finish(List<MeshSearch.Part> parts, Runnable iteration, String command) throws IOException {
        if (!options.isWithinIterations()) {
            return;
        }
        TunedLoops loops = tuner.orElseThrow();
        Table table = new Table(Column.words("loop"), Column.of("sets", Format.NUMBER),
                Column.of("runs", Format.NUMBER), Column.of("prepare", Format.of("%.2f")).in("s"),
                Column.words("initially"), Column.words("best so far"), Column.of("done", Format.YES_NO));
        for (TunedLoops.LoopState loop : loops.loops()) {
            table.row(loop.features().kernel(), loop.history().size(), loop.timedRuns(), loop.preparationSeconds(),
                    loop.advice().parameters() + " (" + loop.advice().origin().name().toLowerCase(Locale.ROOT) + ")",
                    loop.best().toString(), loop.tuned());
        }
        console.printText(table.text());
        if (options.export() != null) {
            new ProfileFile(options.export()).update(loops::export);
        }
        if (options.evaluation() != null) {
            loops.stop();
            new LoopTuningEvaluation(backend, loops, parts, options.settings(), progress).run(iteration,
                    iterations, untuned, command, options.evaluation(), console);
        }
    }
}
