package org.trellis.bench.loop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.report.html.CheckpointPage;
import org.trellis.file.AtomicFile;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.checkpoint.CheckpointInterval;
import org.trellis.mesh.checkpoint.CheckpointPolicy;
import org.trellis.mesh.checkpoint.CheckpointReport;
import org.trellis.mesh.checkpoint.Checkpoints;
import org.trellis.mesh.checkpoint.DryRun;
import picocli.CommandLine.Option;

/** The options that say when an application saves its state, and from which it starts. */
public final class CheckpointOptions {
    private static final String USUAL_INTERVAL = "600";
    private static final String USUAL_POLICY = "speculative";

    @Option(names = "--checkpoint", paramLabel = "FILE",
            description = "Save the state of the mesh now and then, so that --restart FILE can go on from there.")
    private Path file;

    @Option(names = "--checkpoint-every", paramLabel = "SECONDS|Niterations", defaultValue = USUAL_INTERVAL,
            description = "How often: each time so many seconds or, for example, 100iterations are over. Default: "
                    + USUAL_INTERVAL + ".")
    private String every;

    @Option(names = "--checkpoint-policy", paramLabel = "local|speculative|marked:LOOP", defaultValue = USUAL_POLICY,
            description = {"Where: before the next loop that overwrites data, where a period of the loops has least to "
                    + "save,",
                "or before a loop of that name. Default: " + USUAL_POLICY + "."})
    private String policy;

    @Option(names = "--checkpoint-compress", description = "Compress checkpoints, in the background.")
    private boolean compress;

    @Option(names = "--restart", paramLabel = "FILE",
            description = "Start from the last checkpoint in FILE; all else on the command line stays as it was.")
    private Path restart;

    @Option(names = "--dry-run",
            description = "Also print before which loops a checkpoint would save least, in components of data.")
    private boolean dryRun;

    @Option(names = "--dry-run-html", paramLabel = "FILE",
            description = "As --dry-run, and draw it over the sequence of loops, as a page for a browser.")
    private Path page;

    private Checkpoints checkpoints;
    private DryRun dry;

    /** Creates options as if the command line had none of them. */
    public CheckpointOptions() {}

    /**
     * Says whether the application saves its state, starts from one or finds out what it would save.
     *
     * @return true if the command line has one of --checkpoint, --restart, --dry-run and --dry-run-html
     */
    public boolean isAsked() {
        return file != null || restart != null || isDry();
    }

    private boolean isDry() {
        return dryRun || page != null;
    }

    /**
     * Adds to the options of a mesh what the command line says.
     *
     * @param options the options
     * @return those with checkpoints, if any are asked for
     * @throws IllegalArgumentException if words are unknown, files cannot be there, or options do not go together
     */
    public MeshOptions on(MeshOptions options) {
        if (!isAsked()) {
            return options;
        }
        if (isDry() && (file != null || restart != null)) {
            throw new IllegalArgumentException("--dry-run saves nothing, expected it without --checkpoint and "
                    + "--restart");
        }
        if (isDry()) {
            OutputFile.checkHtml("--dry-run-html", page);
            dry = new DryRun();
            return options.withCheckpoints(dry);
        }
        OutputFile.check("--checkpoint", file);
        if (restart != null && Files.isDirectory(restart)) {
            throw new IllegalArgumentException("--restart " + restart + " is a folder, expected the file that "
                    + "--checkpoint named");
        }
        checkpoints = file == null ? Checkpoints.from(restart) : Checkpoints.to(file);
        if (file != null) {
            checkpoints = checkpoints.withInterval(CheckpointInterval.of(every))
                    .withPolicy(CheckpointPolicy.of(policy)).withCompression(compress);
            checkpoints = restart == null ? checkpoints : checkpoints.withRestart(restart);
        }
        return options.withCheckpoints(checkpoints);
    }

    /**
     * Prints what has been saved, or would have been, when the mesh has been closed.
     *
     * @param console where to
     * @param program what was run, for the headline of a page
     * @throws IOException if the page cannot be written
     */
    public void print(Console console, String program) throws IOException {
        if (dry != null) {
            console.printText(dry.analysis().toString());
            if (page != null) {
                AtomicFile.writeText(page, CheckpointPage.of(dry.analysis(), program));
            }
        }
        if (checkpoints == null || file == null) {
            return;
        }
        List<CheckpointReport> reports = checkpoints.reports();
        reports.stream().filter(report -> report.failure().isPresent())
                .forEach(report -> console.print("%s", report));
        List<CheckpointReport> good = reports.stream().filter(report -> report.failure().isEmpty()).toList();
        double seconds = good.stream().mapToDouble(CheckpointReport::seconds).sum();
        console.print("%d checkpoints in %s%s", good.size(), file, good.isEmpty()
                ? ""
                : String.format(Locale.ROOT,
                        ", the last before %s: %d units, %.3f MB; %.4f s of writing, the program waited %.4f s",
                        good.getLast().before(), good.getLast().units(), 1e-6 * good.getLast().bytes(), seconds,
                        good.stream().mapToDouble(CheckpointReport::blocked).sum()));
    }
}
