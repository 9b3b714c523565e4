package org.trellis.bench.matrix;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ErrorMessages;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.measure.MeasureSettings;
import org.trellis.bench.measure.ReadBenchmark;
import org.trellis.bench.measure.Reading;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.ContenderOptions;
import org.trellis.bench.option.HtmlOption;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.ThreadsConverter;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.Peers;
import org.trellis.bench.peer.process.SeparatePeer;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.ReadReport;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.html.TablesPage;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.io.ReadOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Times the reading of files. */
@Command(name = "read", sortOptions = false,
        description = "Times the reading of matrix files, without the cache, and by other libraries.")
public final class ReadCommand extends ConsoleCommand {
    private static final int BUFFER = 1 << 16;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Matrix Market files.")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--threads", paramLabel = "N", converter = ThreadsConverter.class,
            description = "Threads of Trellis, which is also measured on one. Default: the setting trellis.threads.")
    private Integer threads;

    @Option(names = "--peer", paramLabel = "NAME", split = ",",
            description = "Libraries to measure beside Trellis: ejml, smile or all; may be repeated.")
    private List<String> peers = new ArrayList<>();

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "3",
            description = "Measured time for each reader and file; at least three samples. Default: 3.")
    private double seconds;

    @Mixin
    private JsonOption json;

    @Mixin
    private HtmlOption html;

    @Mixin
    private ProgressOptions progressOptions;

    private final List<ReadReport.FileTimes> results = new ArrayList<>();
    private final TablesPage page = new TablesPage("Reading of matrix files");
    private List<Peer> measured = List.of();
    private boolean failed;

    /**
     * Makes the command.
     *
     * @param console where it prints
     */
    public ReadCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        List<ReadBenchmark.Reader> readers = checked(() -> {
            json.check();
            html.check();
            return readers();
        });
        if (!SeparatePeer.names(measured).isEmpty()) {
            console().print("In a process of their own, timed there: %s.",
                    String.join(", ", SeparatePeer.names(measured)));
        }
        try (ConsoleProgress progress = progressOptions.open(console())) {
            ReadBenchmark benchmark = new ReadBenchmark(seconds, MeasureSettings.DEFAULT_SEED, progress);
            for (Path file : files) {
                measure(benchmark, file, readers, progress);
            }
        } finally {
            SeparatePeer.closeAll(measured);
        }
        json.write(console(), () -> ReadReport.of(provenance(), results));
        html.write(console(), () -> page.of(provenance()));
        return failed ? ExitCode.FAILED : ExitCode.OK;
    }

    private List<ReadBenchmark.Reader> readers() {
        int most = threads == null ? Configuration.load().get(ConfigurationKeys.THREADS) : threads;
        List<ReadBenchmark.Reader> readers = new ArrayList<>();
        readers.add(new OwnReader(most));
        if (most > 1) {
            readers.add(new OwnReader(1));
        }
        boolean all = peers.contains(ContenderOptions.ALL);
        List<Peer> reading = all
                ? Peers.all().stream().filter(Peer::reads).toList()
                : peers.stream().distinct().map(name -> reading(Peers.named(name))).toList();
        List<String> leftOut = new ArrayList<>();
        measured = SeparatePeer.apart(ContenderOptions.usable(reading, leftOut));
        measured.forEach(peer -> readers.add(new PeerReader(peer)));
        leftOut.forEach(console()::complain);
        failed = !all && !leftOut.isEmpty();
        return readers;
    }

    private static Peer reading(Peer peer) {
        if (!peer.reads()) {
            throw new IllegalArgumentException("peer '" + peer.name() + "' does not read Matrix Market files");
        }
        return peer;
    }

    private void measure(ReadBenchmark benchmark, Path file, List<ReadBenchmark.Reader> readers,
            ConsoleProgress progress) {
        try {
            long bytes = textBytes(file);
            List<ReadBenchmark.Times> times = benchmark.run(file, readers);
            progress.clear();
            results.add(new ReadReport.FileTimes(file.toString(), Files.size(file), bytes, times));
            print(file, bytes, times);
        } catch (IOException e) {
            progress.clear();
            failed = true;
            console().complain(ErrorMessages.describe(e));
            page.trouble(file + ": " + ErrorMessages.describe(e));
        }
    }

    private static long textBytes(Path file) throws IOException {
        if (!file.toString().endsWith(".gz")) {
            return Files.size(file);
        }
        try (InputStream input = new GZIPInputStream(Files.newInputStream(file), BUFFER)) {
            return input.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }

    private void print(Path file, long bytes, List<ReadBenchmark.Times> all) {
        console().print("%n%s: %s of text", file, Numbers.bytes(bytes));
        Table table = new Table(Column.words("reader").means("Who reads."),
                Column.of("threads", Format.NUMBER).means("Threads that read."),
                Column.of("entries", Format.COUNT).means("Entries of the matrix.").asMinor(),
                Column.of("samples", Format.NUMBER).means("How often the file was read.").asMinor(),
                Column.of("median", Format.SECONDS).means("Median time."),
                Column.of("minimum", Format.SECONDS).means("The fastest time.").asMinor(),
                Column.of("spread", Format.PERCENT)
                        .means("Distance of the quartiles of all times, relative to the median.").asMinor(),
                Column.of("", Format.REAL).in("MB/s").means("Text read a second, by the median."),
                Column.of("", Format.REAL).in("MB/s a thread").means("The same over the threads."));
        for (ReadBenchmark.Times times : all) {
            if (times.problem().isEmpty()) {
                SampleStatistics statistics = SampleStatistics.of(times.samples());
                double rate = bytes * 1e-6 / statistics.median();
                table.row(times.reader(), times.threads(), times.entries(), statistics.count(), statistics.median(),
                        statistics.minimum(), statistics.relativeSpread(), rate, rate / times.threads());
            } else {
                failed = true;
                String words = file + ": " + times.reader() + " failed: " + times.problem();
                console().complain(words);
                page.trouble(words);
            }
        }
        if (!table.isEmpty()) {
            console().printText(table.text());
            page.add(file.toString(), List.of(Numbers.bytes(bytes) + " of text"), table);
        }
    }

    /** Trellis itself. */
    private record OwnReader(int threads) implements ReadBenchmark.Reader {
        @Override
        public String name() {
            return "trellis";
        }

        @Override
        public long read(Path file) throws IOException {
            return MatrixFiles.read(file, ReadOptions.DEFAULT.withThreads(threads)).nonZeros();
        }
    }

    /** Another library. */
    private record PeerReader(Peer peer) implements ReadBenchmark.Reader {
        @Override
        public String name() {
            return peer.name();
        }

        @Override
        public int threads() {
            return 1;
        }

        @Override
        public long read(Path file) throws IOException {
            return peer.read(file);
        }

        @Override
        public Reading time(Path file) throws IOException {
            return peer.timeReading(file);
        }
    }
}
