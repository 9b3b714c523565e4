package org.trellis.bench.ranks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.Usage;
import org.trellis.common.Checks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs another command on several ranks. */
@Command(name = "run", sortOptions = false, description = {
    "Runs a command on several ranks: powers, solve, spmv, example airfoil or example tsunami.",
    "What it prints and writes is what it does on one rank, plus the ranks, once. With mpi the ranks are processes "
            + "that mpirun starts; the same goes for a command that you start with mpirun yourself."})
public final class RunCommand implements Callable<Integer> {
    private final Console console;
    private final RankJob here;
    private final BiFunction<RankJob, String[], Integer> runner;

    @Spec
    private CommandSpec spec;

    @Option(names = "--ranks", paramLabel = "N",
            description = "Ranks. Default: 2; under a launcher of MPI, its processes.")
    private Integer ranks;

    @Option(names = "--transport", paramLabel = "threads|mpi", description = {
        "How messages travel: between threads of one process, or between processes by MPI. Default: mpi under its "
                + "launcher, else threads."})
    private RankJob.Transport transport;

    @Option(names = "--partitioner", paramLabel = "NAME", defaultValue = RankJob.DEFAULT_PARTITIONER,
            description = "How rows or meshes are divided: blocks, multilevel, or metis or scotch where installed. "
                    + "Default: multilevel.")
    private String partitioner;

    @Option(names = "--mpirun", paramLabel = "PROGRAM", defaultValue = "mpirun",
            description = "What starts processes of MPI. Default: mpirun.")
    private String mpirun;

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
        this.console = console;
        this.here = here;
        this.runner = runner;
    }

    @Override
    public Integer call() throws IOException {
        RankJob job = Usage.get(spec, this::checked);
        String[] line = words.toArray(String[]::new);
        if (job.transport() == RankJob.Transport.MPI && !here.isDistributed()) {
            // The processes find out themselves that they are of a job.
            List<String> inner = new ArrayList<>(List.of("run", "--partitioner", partitioner));
            inner.addAll(words);
            return new MpiLaunch(console, mpirun, job.ranks()).run(inner);
        }
        return runner.apply(job, line);
    }

    private RankJob checked() {
        requireDistributable(words.getFirst());
        if (transport == RankJob.Transport.GPUS) {
            throw new IllegalArgumentException("transport gpus is not there, expected threads or mpi: ranks compute "
                    + "on the host so far");
        }
        if (here.isDistributed()) {
            if (transport == RankJob.Transport.THREADS || (ranks != null && ranks != here.ranks())) {
                throw new IllegalArgumentException("a launcher of MPI has started this process as one of "
                        + here.ranks() + ", and " + (ranks == null ? here.ranks() : ranks) + " ranks over "
                        + (transport == null ? "mpi" : transport.name().toLowerCase(Locale.ROOT))
                        + " were asked for; expected the same, or leave it out");
            }
            return divided(here);
        }
        int count = Checks.positive("number of ranks", ranks == null ? 2 : ranks);
        return divided(new RankJob(transport == null ? RankJob.Transport.THREADS : transport, count, 0, partitioner));
    }

    private RankJob divided(RankJob job) {
        RankJob result = job.dividedBy(partitioner);
        result.division();
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
