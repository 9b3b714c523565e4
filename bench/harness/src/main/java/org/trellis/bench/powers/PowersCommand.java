package org.trellis.bench.powers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.TextTable;
import org.trellis.bench.console.Usage;
import org.trellis.bench.option.PrecisionConverter;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.MpiRanks;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.mesh.partition.Partitioners;
import org.trellis.sparse.CsrMatrix;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Multiplies on several ranks. */
@Command(name = "powers", sortOptions = false, description = {
    "Times products in a row, A x, A (A x), ..., on several ranks, with halos of one ring and more.",
    "With k rings, ranks exchange messages once for k products, and compute rows of others for that.",
    "Under mpirun the ranks are its processes: mpirun -n 4 ./trellis powers MATRIX."})
public final class PowersCommand implements Callable<Integer> {
    private static final String BLOCKS = "blocks";

    /** How messages travel. */
    private enum Transport {
        /** Ranks are threads of this process. */
        THREADS,
        /** Ranks are the processes that a launcher has started. */
        MPI
    }

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "MATRIX", description = "The matrix A, square.")
    private String input;

    @Option(names = "--ranks", paramLabel = "N", defaultValue = "2",
            description = "Ranks that are threads; under MPI its launcher decides. Default: 2.")
    private int ranks;

    @Option(names = "--transport", paramLabel = "threads|mpi",
            description = "How messages travel. Default: mpi if its launcher has started this process, else threads.")
    private Transport transport;

    @Option(names = "--rings", paramLabel = "K", split = ",", defaultValue = "1,2,4",
            description = "Numbers of rings, 1 to 64 each. Default: 1,2,4.")
    private int[] rings;

    @Option(names = "--steps", paramLabel = "M", defaultValue = "20",
            description = "Products in a row. Default: 20.")
    private int steps;

    @Option(names = "--partitioner", paramLabel = "NAME", defaultValue = "multilevel",
            description = "How rows are divided: blocks, multilevel, or metis or scotch where installed. "
                    + "Default: multilevel.")
    private String partitioner;

    @Option(names = "--precision", paramLabel = "f64|f32", converter = PrecisionConverter.class, defaultValue = "f64",
            description = "The precision. Default: f64.")
    private Precision precision;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "1",
            description = "Measured time for each number of rings; at least five passes. Default: 1.")
    private double seconds;

    @Mixin
    private SourceOptions sourceOptions;

    /**
     * Makes the command.
     *
     * @param console where it prints
     */
    public PowersCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        PowersRun run = Usage.get(spec, this::checked);
        List<MatrixSource> sources = sourceOptions.locator().locate(input);
        Usage.check(spec, () -> Checks.length("number of matrices that '" + input + "' stands for", sources.size(), 1));
        MatrixSource source = sources.getFirst();
        boolean underMpi = transport == null ? MpiRanks.probe().available() : transport == Transport.MPI;
        if (underMpi) {
            MpiRanks.run(Configuration.load(), communicator -> runAndPrint(run, communicator, source));
        } else {
            ThreadRanks.run(ranks, communicator -> runAndPrint(run, communicator, source));
        }
        return ExitCode.OK;
    }

    private PowersRun checked() {
        Checks.positive("number of ranks", ranks);
        Checks.positive("number of steps", steps);
        for (int count : rings) {
            if (count < 1 || count > 64) {
                throw new IllegalArgumentException("number of rings is " + count + ", expected 1 to 64");
            }
        }
        return new PowersRun(rings, steps, seconds,
                partitioner.equals(BLOCKS) ? null : Partitioners.named(partitioner));
    }

    private Void runAndPrint(PowersRun run, Communicator communicator, MatrixSource source) {
        PowersReport report = run.run(communicator, () -> load(source));
        if (communicator.rank() == 0) {
            print(source.name(), report);
        }
        return null;
    }

    private CsrMatrix load(MatrixSource source) {
        try {
            return source.load(ProgressListener.NONE).toPrecision(precision);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void print(String name, PowersReport report) {
        console.print("%s: %s rows, %s non-zeros, %s", name, Numbers.count(report.rows()),
                Numbers.count(report.nonZeros()), precision.label());
        console.print("  %d ranks over %s, rows divided by %s, %d products in a row", report.ranks(),
                report.transport(), partitioner, steps);
        TextTable table = new TextTable("rings", "a product", "exchanges", "messages", "bytes sent", "redundant",
                "checksum");
        for (PowersReport.Rings result : report.results()) {
            table.row(Integer.toString(result.rings()), Numbers.seconds(result.seconds()),
                    Numbers.count(result.exchanges()), Numbers.count(result.messages()),
                    Numbers.bytes(result.bytes()), Numbers.percent(result.redundant()),
                    Long.toHexString(result.checksum() & 0xFFFF_FFFFL));
        }
        console.printText(table.render());
    }
}
