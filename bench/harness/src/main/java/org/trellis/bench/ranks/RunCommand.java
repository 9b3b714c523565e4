package org.trellis.bench.ranks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.bench.console.Console;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.DurationConverter;
import org.trellis.common.Checks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs another command on several ranks. */
@Command(name = "run", sortOptions = false, description = {
    "Runs a command on several ranks: powers, solve, spmv, tune --solve, example airfoil, elasticity, poisson, "
            + "poisson-mesh, rotor or tsunami.",
    "What it prints and writes is what it does on one rank, plus the ranks, once. With mpi the ranks are processes "
            + "that mpirun starts; the same goes for a command that you start with mpirun yourself."})
public final class RunCommand extends ConsoleCommand {
    private final RankJob here;
    private final BiFunction<RankJob, String[], Integer> runner;

    @Option(names = "--ranks", paramLabel = "N",
            description = "Ranks. Default: 2; under a launcher of MPI, its processes.")
    private Integer ranks;

    @Option(names = "--transport", paramLabel = "threads|mpi|gpus", description = {
        "How messages travel: between threads of one process, between processes by MPI, or between GPUs, whose ranks "
                + "are threads of one process. Default: mpi under its launcher, else threads."})
    private RankJob.Transport transport;

    @Option(names = "--gpus-per-rank", paramLabel = "N", description = {
        "GPUs of each rank, 0 or 1; ranks take them in turns, so that several can share one. Default: 1 with "
                + "--transport gpus, else 0."})
    private Integer gpusPerRank;

    @Option(names = "--backend", paramLabel = "NAME", split = ",", description = {
        "The backend of rank 0, of rank 1 and so on, round the list: cuda,simd has every other rank on a GPU. "
                + "Default: what the command says, or cuda for ranks with GPUs."})
    private List<String> backends = new ArrayList<>();

    @Option(names = "--partitioner", paramLabel = "NAME", defaultValue = RankJob.DEFAULT_PARTITIONER,
            description = "How rows or meshes are divided: blocks, multilevel, or metis or scotch where installed; "
                    + "with --transport mpi ptscotch, parmetis or zoltan, too, on all ranks together. Default: "
                    + "multilevel.")
    private String partitioner;

    @Option(names = "--mpirun", paramLabel = "PROGRAM", defaultValue = "mpirun",
            description = "What starts processes of MPI. Default: mpirun.")
    private String mpirun;

    @Option(names = "--latency", paramLabel = "TIME", converter = DurationConverter.class,
            description = "Emulate a slower network: messages arrive this much later, such as 100us, at 1e10 bytes a "
                    + "second of each channel. Default: they do not.")
    private Duration latency;

    @Mixin
    private TimelineOptions timelines;

    @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "The command with its options and arguments.")
    private List<String> words = new ArrayList<>();

    /**
     * Makes the command.
     *
     * @param console where it prints
     * @param here    the ranks that a launcher has started, or one
     * @param runner  runs a command line on a job within this process, and returns its exit code
     */
    public RunCommand(Console console, RankJob here, BiFunction<RankJob, String[], Integer> runner) {
        super(console);
        this.here = here;
        this.runner = runner;
    }

    @Override
    public Integer call() throws IOException {
        RankJob job = checked(this::checked);
        checkUsage(timelines::check);
        String[] line = words.toArray(String[]::new);
        if (job.transport() == RankJob.Transport.MPI && !here.isDistributed()) {
            // The processes find out themselves that they are of a job.
            List<String> inner = new ArrayList<>(List.of("run", "--partitioner", partitioner));
            if (!job.backends().isEmpty()) {
                inner.addAll(List.of("--backend", String.join(",", job.backends())));
            }
            if (latency != null) {
                inner.addAll(List.of("--latency", latency.toNanos() % 1000 == 0
                        ? latency.toNanos() / 1000 + "us"
                        : latency.toNanos() + "ns"));
            }
            inner.addAll(timelines.words());
            inner.addAll(words);
            return new MpiLaunch(console(), mpirun, job.ranks()).run(inner);
        }
        if (!timelines.isAsked()) {
            return runner.apply(job, line);
        }
        RankRecording recording = new RankRecording();
        int code = runner.apply(job.recordedBy(recording), line);
        if (recording.report().isPresent()) {
            timelines.tell(console(), recording.report().get(), provenance());
        }
        return code;
    }

    private RankJob checked() {
        requireDistributable(words.getFirst());
        List<String> names = backendsOfRanks();
        if (here.isDistributed()) {
            if ((transport != null && transport != RankJob.Transport.MPI) || (ranks != null && ranks != here.ranks())) {
                throw new IllegalArgumentException("a launcher of MPI has started this process as one of "
                        + here.ranks() + ", and " + (ranks == null ? here.ranks() : ranks) + " ranks over "
                        + (transport == null ? "mpi" : transport.name().toLowerCase(Locale.ROOT))
                        + " were asked for; expected the same, or leave it out");
            }
            return divided(here.on(names));
        }
        int count = Checks.positive("number of ranks", ranks == null ? 2 : ranks);
        if (transport != RankJob.Transport.MPI) {
            RankJob.checkThreads(count);
        }
        return divided(new RankJob(transport == null ? RankJob.Transport.THREADS : transport, count, 0, partitioner,
                names));
    }

    /** What ranks compute with: what was said, a GPU each, or what the command says. */
    private List<String> backendsOfRanks() {
        boolean devices = transport == RankJob.Transport.GPUS;
        int each = gpusPerRank == null ? devices ? 1 : 0 : gpusPerRank;
        if (each < 0 || each > 1 || (devices && each == 0)) {
            throw new IllegalArgumentException("GPUs per rank is " + each + ", expected 1"
                    + (devices ? " with transport gpus" : " or 0"));
        }
        if (!backends.isEmpty()) {
            Set<String> known = Backends.providers().stream().map(BackendProvider::name).collect(Collectors.toSet());
            backends.stream().filter(name -> !known.contains(name)).findFirst().ifPresent(name -> {
                throw new IllegalArgumentException("backend '" + name + "' is unknown, expected one of "
                        + new TreeSet<>(known));
            });
            if (each == 1 && !backends.contains(RankJob.GPU)) {
                throw new IllegalArgumentException("ranks with GPUs have backends " + backends + ", expected "
                        + RankJob.GPU + " among them");
            }
            return backends;
        }
        return each == 1 ? List.of(RankJob.GPU) : List.of();
    }

    private RankJob divided(RankJob job) {
        RankJob result = job.dividedBy(partitioner).delayedBy(latency);
        result.requireDivision();
        return result;
    }

    /**
     * Refuses commands that run on one rank only.
     *
     * @param command the name of a command
     * @throws IllegalArgumentException if it cannot run on several ranks; says which can
     */
    public static void requireDistributable(String command) {
        if (!RankJob.COMMANDS.contains(command)) {
            throw new IllegalArgumentException("'" + command + "' does not run on several ranks"
                    + ", expected one of " + String.join(", ", RankJob.COMMANDS));
        }
    }
}
