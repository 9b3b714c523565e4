package org.trellis.bench.loop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
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

    @Option(names = "--checkpoint-every", paramLabel = "SECONDS|Niterations",
            description = "How often: each time so many seconds or, for example, 100iterations are over. Default: "
                    + USUAL_INTERVAL + ".")
    private String every;

    @Option(names = "--checkpoint-policy", paramLabel = "local|speculative|marked:LOOP",
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
        if (file == null && (every != null || policy != null || compress)) {
            throw new IllegalArgumentException("--checkpoint-every, --checkpoint-policy and --checkpoint-compress are "
                    + "for --checkpoint FILE, expected it too");
        }
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
            checkpoints = checkpoints.withInterval(CheckpointInterval.of(every == null ? USUAL_INTERVAL : every))
                    .withPolicy(CheckpointPolicy.of(policy == null ? USUAL_POLICY : policy)).withCompression(compress);
            checkpoints = restart == null ? checkpoints : checkpoints.withRestart(restart);
        }
        return options.withCheckpoints(checkpoints);
    }

    /**
     * Says whether the program starts again and is still before its checkpoint: loops compute nothing, and times say
     * nothing.
     *
     * @return false without --restart
     */
    public boolean isStartingAgain() {
        return checkpoints != null && checkpoints.isStartingAgain();
    }

    /**
     * Prints from what the program has gone on, and what has been saved, or would have been, when the mesh has been
     * closed.
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
        if (checkpoints == null) {
            return;
        }
        checkpoints.startedFrom().ifPresent(from -> console.print("went on from %s", from));
        if (file == null) {
            return;
        }
        List<CheckpointReport> reports = checkpoints.reports();
        reports.stream().filter(report -> report.failure().isPresent())
                .forEach(report -> console.print("%s", report));
        // One report for each rank of this process; the slowest counts.
        Collection<List<CheckpointReport>> good = reports.stream().filter(report -> report.failure().isEmpty())
                .collect(Collectors.groupingBy(CheckpointReport::generation, TreeMap::new, Collectors.toList()))
                .values();
        String last = "";
        for (List<CheckpointReport> ranks : good) {
            last = String.format(Locale.ROOT, ", the last before %s: %d units, %.3f MB", ranks.getFirst().before(),
                    ranks.getFirst().units(), 1e-6 * ranks.stream().mapToLong(CheckpointReport::bytes).sum());
        }
        console.print("%d checkpoints written to %s%s%s", good.size(), file, last, good.isEmpty()
                ? ""
                : String.format(Locale.ROOT, "; %.4f s of writing, the program waited %.4f s",
                        slowest(good, CheckpointReport::seconds), slowest(good, CheckpointReport::blocked)));
    }

    private static double slowest(Collection<List<CheckpointReport>> good, ToDoubleFunction<CheckpointReport> time) {
        return good.stream().mapToDouble(ranks -> ranks.stream().mapToDouble(time).max().orElse(0)).sum();
    }
}
