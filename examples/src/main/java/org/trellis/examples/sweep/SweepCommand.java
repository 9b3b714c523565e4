package org.trellis.examples.sweep;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.DeviceTiming;
import org.trellis.bench.cli.Console;
import org.trellis.bench.cli.ConsoleProgress;
import org.trellis.bench.cli.ExitCode;
import org.trellis.bench.cli.OutputFile;
import org.trellis.bench.cli.PrecisionConverter;
import org.trellis.bench.cli.Usage;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.file.AtomicFile;
import org.trellis.mesh.Layout;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.ParallelLoop;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that measures all parameters of all loops of an application on a device. */
public abstract class SweepCommand implements Callable<Integer> {
    private static final int WARM_UP_STEPS = 20;

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Option(names = "--backend", paramLabel = "NAME", defaultValue = "cuda",
            description = "The backend, one with a clock of its own. Default: cuda.")
    private String backend;

    @Option(names = "--precision", paramLabel = "f64|f32", converter = PrecisionConverter.class,
            description = "Default: the application's.")
    private Precision precision;

    @Option(names = "--order", paramLabel = "O", split = ",", defaultValue = "file",
            description = "How sets are numbered, several separated by commas: ${COMPLETION-CANDIDATES}.")
    private List<SetOrder> orders;

    @Option(names = "--layout", paramLabel = "L", split = ",", defaultValue = "aos,soa,mixed",
            description = {"${COMPLETION-CANDIDATES}; mixed is aos for what is read through maps, else soa.",
                "Default: aos,soa,mixed."})
    private List<SweepLayout> layouts;

    @Option(names = "--block-size", paramLabel = "N", defaultValue = "256",
            description = "Edges of the blocks of the order partition. Default: 256.")
    private int blockSize;

    @Option(names = "--json", paramLabel = "FILE", description = "Write all measurements as JSON.")
    private Path json;

    @Option(names = {"-q", "--quiet"}, description = "Show no progress.")
    private boolean quiet;

    /**
     * An application on a mesh.
     *
     * @param loops     what is measured
     * @param edgeCells the map through which its loops over edges add to cells
     * @param step      runs a step or an iteration, for values that are not those of the beginning
     */
    protected record Application(List<ParallelLoop> loops, MeshMap edgeCells, Runnable step) {
        /** Keeps a copy of the list. */
        public Application {
            loops = List.copyOf(loops);
        }
    }

    /** Declares an application, once for each order. */
    @FunctionalInterface
    protected interface Declaration {
        /**
         * Declares data and loops.
         *
         * @param mesh      an empty mesh
         * @param precision the precision of all data
         * @return the application
         */
        Application on(Mesh mesh, Precision precision);
    }

    /**
     * Creates the command.
     *
     * @param console where it prints
     */
    protected SweepCommand(Console console) {
        this.console = console;
    }

    /**
     * Returns what is measured.
     *
     * @return as the user named it
     */
    protected abstract String input();

    /**
     * Returns the precision that the application has unless the user says otherwise.
     *
     * @return the precision
     */
    protected abstract Precision usualPrecision();

    /**
     * Reads or makes the mesh.
     *
     * @param progress told about it
     * @return declares the application on it
     * @throws IOException if a file cannot be read
     */
    protected abstract Declaration read(ConsoleProgress progress) throws IOException;

    /**
     * Returns this command.
     *
     * @return to complain about
     */
    protected final CommandSpec spec() {
        return spec;
    }

    @Override
    public final Integer call() throws IOException {
        Usage.check(spec, () -> OutputFile.check("--json", json));
        Configuration configuration = Configuration.builder().set(ConfigurationKeys.BACKEND, backend).build();
        Precision chosen = precision == null ? usualPrecision() : precision;
        List<LoopSweep.Result> all = new ArrayList<>();
        final String device;
        final double bandwidth;
        try (ConsoleProgress progress = new ConsoleProgress(console, quiet);
                Backend opened = Backends.open(configuration)) {
            device = opened.device().name();
            bandwidth = opened.kernels(DeviceTiming.class).copyBandwidth();
            Declaration declaration = read(progress);
            for (SetOrder order : orders) {
                sweep(opened, declaration, chosen, order, progress, results -> {
                    all.addAll(results);
                    write(new SweepResults(input(), device, chosen, bandwidth, all));
                });
            }
        }
        console.printText(new SweepResults(input(), device, chosen, bandwidth, all).text());
        List<LoopSweep.Result> wrong =
                all.stream().filter(r -> !(r.difference() <= LoopSweep.tolerance(chosen))).toList();
        wrong.forEach(r -> console.err().printf(Locale.ROOT, "wrong: %s as %s in order %s, layout %s differs by %.3g%n",
                r.report().name(), r.report().parameters(), r.order().label(), r.layout().label(), r.difference()));
        return wrong.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Writes what there is so far, since a sweep takes long. */
    private void write(SweepResults results) {
        if (json != null) {
            try {
                AtomicFile.writeText(json, results.json(Usage.commandLine(spec)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void sweep(Backend opened, Declaration declaration, Precision chosen, SetOrder order,
            ConsoleProgress progress, Consumer<List<LoopSweep.Result>> taken) {
        MeshOptions options = new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false);
        try (Mesh mesh = Mesh.on(opened, options)) {
            Application application = declaration.on(mesh, chosen);
            progress.progress("order " + order.label(), 0, 1);
            order.apply(application.edgeCells(), blockSize);
            for (int i = 0; i < WARM_UP_STEPS; i++) {
                application.step().run();
            }
            LoopSweep sweep = new LoopSweep(opened);
            for (SweepLayout layout : layouts) {
                progress.progress("order " + order.label() + ", layout " + layout.label(), 0, 1);
                taken.accept(sweep.run(order, layout, application.loops()));
                progress.clear();
            }
        }
    }
}
