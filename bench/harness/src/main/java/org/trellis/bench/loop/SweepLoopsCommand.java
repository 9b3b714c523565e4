package org.trellis.bench.loop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.DeviceTiming;
import org.trellis.bench.application.LoopProgram;
import org.trellis.bench.application.MeshApplication;
import org.trellis.bench.application.MeshInput;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.PrecisionConverter;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.Layout;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Measures all parameters of all loops of an application on a device: {@code trellis sweep-loops APPLICATION}. */
@Command(sortOptions = false, mixinStandardHelpOptions = true)
final class SweepLoopsCommand extends ConsoleCommand {
    private static final int WARM_UP_STEPS = 20;

    private final MeshApplication application;

    @Mixin
    private final MeshInput input;

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

    @Option(names = "--loops", paramLabel = "NAME", split = ",",
            description = {
                "Only loops whose names have one of these in them, such as Fluxes.upwind, and of several of one",
                "name the one over the most elements. Default: all."})
    private List<String> names = List.of();

    @Mixin
    private JsonOption json;

    @Mixin
    private ProgressOptions progressOptions;

    SweepLoopsCommand(Console console, MeshApplication application) {
        super(console);
        this.application = application;
        this.input = application.input();
    }

    @Override
    public Integer call() throws IOException {
        checkUsage(json::check);
        Configuration configuration = Configuration.builder().set(ConfigurationKeys.BACKEND, backend).build();
        Precision chosen = precision == null ? application.usualPrecision() : precision;
        List<LoopSweep.Result> all = new ArrayList<>();
        final String device;
        final double bandwidth;
        try (ConsoleProgress progress = progressOptions.open(console());
                Backend opened = Backends.open(configuration)) {
            device = opened.device().name();
            bandwidth = opened.kernels(DeviceTiming.class).copyBandwidth();
            MeshInput.Declaration declaration = input.read(spec(), progress);
            for (SetOrder order : orders) {
                sweep(opened, declaration, chosen, order, progress, results -> {
                    all.addAll(results);
                    write(new SweepResults(input.name(), device, chosen, bandwidth, all));
                });
            }
        }
        console().printText(new SweepResults(input.name(), device, chosen, bandwidth, all).text());
        List<LoopSweep.Result> wrong =
                all.stream().filter(r -> !(r.difference() <= LoopSweep.tolerance(chosen))).toList();
        wrong.forEach(r -> console().err().printf(Locale.ROOT,
                "wrong: %s as %s in order %s, layout %s differs by %.3g%n",
                r.report().name(), r.report().parameters(), r.order().label(), r.layout().label(), r.difference()));
        return wrong.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Writes what there is so far after each loop, since a sweep takes long and may be stopped. */
    private void write(SweepResults results) {
        try {
            json.write(() -> results.json(commandLine()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void sweep(Backend opened, MeshInput.Declaration declaration, Precision chosen, SetOrder order,
            ConsoleProgress progress, Consumer<List<LoopSweep.Result>> taken) {
        MeshOptions options = new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false);
        try (Mesh mesh = Mesh.on(opened, options)) {
            LoopProgram program = declaration.on(mesh, chosen);
            progress.progress("order " + order.label(), 0, 1);
            order.apply(program.edgeCells(), blockSize);
            for (int i = 0; i < WARM_UP_STEPS; i++) {
                program.step().run();
            }
            LoopSweep sweep = new LoopSweep(opened);
            for (SweepLayout layout : layouts) {
                progress.progress("order " + order.label() + ", layout " + layout.label(), 0, 1);
                layout.apply(program.loops());
                for (ParallelLoop loop : chosen(program.loops())) {
                    progress.progress(layout.label() + ", " + loop.declaration().name(), 0, 1);
                    taken.accept(sweep.run(order, layout, loop));
                }
                progress.clear();
            }
        }
    }

    /** Leaves out what is not requested, and of loops of one name all but the largest. */
    private List<ParallelLoop> chosen(List<ParallelLoop> loops) {
        if (names.isEmpty()) {
            return loops;
        }
        Map<String, ParallelLoop> largest = new LinkedHashMap<>();
        for (ParallelLoop loop : loops) {
            String name = loop.declaration().name();
            if (names.stream().anyMatch(name::contains)) {
                largest.merge(name, loop,
                        (a, b) -> a.declaration().set().size() >= b.declaration().set().size() ? a : b);
            }
        }
        if (largest.isEmpty()) {
            throw new ParameterException(spec().commandLine(), "--loops is " + String.join(",", names)
                    + ", expected parts of "
                    + loops.stream().map(loop -> loop.declaration().name()).distinct().toList());
        }
        return List.copyOf(largest.values());
    }
}
