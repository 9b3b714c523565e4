package org.trellis.bench.loop;

import java.io.IOException;
import org.trellis.backend.Backend;
import org.trellis.bench.application.LoopProgram;
import org.trellis.bench.application.MeshApplication;
import org.trellis.bench.application.MeshInput;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.common.Checks;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tunes the loops of an application, whatever it computes: {@code trellis tune-loops APPLICATION}. */
@Command(sortOptions = false, mixinStandardHelpOptions = true)
final class TuneLoopsCommand extends ConsoleCommand {
    private static final String DEFAULT_ITERATIONS = "1000";

    @Mixin
    private final MeshInput input;

    @Mixin
    private final MeshDataOptions data;

    @Option(names = "--iterations", paramLabel = "N", defaultValue = DEFAULT_ITERATIONS,
            description = "The most iterations that "
                    + "loops are tuned within; it ends when nothing is left to try. Default: " + DEFAULT_ITERATIONS
                    + ".")
    private int iterations;

    @Mixin
    private LoopTuningOptions tuning;

    @Mixin
    private ProgressOptions progressOptions;

    TuneLoopsCommand(Console console, MeshApplication application) {
        super(console);
        this.input = application.input();
        this.data = new MeshDataOptions(application.usualPrecision(), application.usualBlockSize());
    }

    @Override
    public Integer call() throws IOException {
        MeshOptions options = checked(() -> {
            Checks.positive("--iterations", iterations);
            MeshOptions chosen = data.meshOptions();
            tuning.check(chosen);
            return chosen;
        });
        try (ConsoleProgress progress = progressOptions.open(console())) {
            MeshInput.Declaration declaration = input.read(spec(), progress);
            try (Backend opened = data.open(spec())) {
                tune(opened, options, declaration, progress);
            }
        }
        return ExitCode.OK;
    }

    private void tune(Backend opened, MeshOptions options, MeshInput.Declaration declaration, ConsoleProgress progress)
            throws IOException {
        LoopTuningRun tuned = tuning.start(opened, console(), progress);
        try (Mesh mesh = Mesh.on(opened, tuned.meshOptions(options))) {
            LoopProgram program = declaration.on(mesh, data.precision());
            data.number(mesh, program.edgeCells());
            tuned.search(program.parts());
            for (int done = 0; tuned.isTuning() && !tuned.isDone() && done < iterations; done++) {
                long start = System.nanoTime();
                program.step().run();
                tuned.iterated(1e-9 * (System.nanoTime() - start));
                progress.progress("iterations", done + 1, iterations);
            }
            progress.clear();
            tuned.finish(program.parts(), program.step(), commandLine());
        }
    }
}
