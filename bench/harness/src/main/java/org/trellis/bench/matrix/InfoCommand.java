package org.trellis.bench.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.MatrixArguments;
import org.trellis.bench.option.PictureNames;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.picture.SpyPicture;
import org.trellis.bench.report.InfoReport;
import org.trellis.bench.report.MatrixFacts;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.chart.HistogramChart;
import org.trellis.bench.source.MatrixSource;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.MatrixStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Describes matrices. */
@Command(name = "info", sortOptions = false,
        description = "Shows facts and row-length statistics of each matrix, and draws its entries and row lengths.")
public final class InfoCommand extends ConsoleCommand {
    @Parameters(paramLabel = "MATRIX", arity = "1..*", description = "Matrices to inspect.")
    private List<String> matrices = new ArrayList<>();

    @Mixin
    private JsonOption json;

    @Option(names = "--pictures", paramLabel = "DIR", defaultValue = "trellis-out",
            description = "Write a spy picture and a row-length histogram of each matrix here, as PNG; made if need "
                    + "be. Default: trellis-out.")
    private Path output;

    @Option(names = "--no-pictures", description = "Write no pictures.")
    private boolean withoutPictures;

    @Mixin
    private SourceOptions sourceOptions;

    @Mixin
    private ProgressOptions progressOptions;

    private final List<MatrixFacts> facts = new ArrayList<>();
    private final PictureNames pictureNames = new PictureNames();
    private final List<InfoReport.Unread> unread = new ArrayList<>();

    /**
     * Makes the command.
     *
     * @param console where it prints
     */
    public InfoCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        checkUsage(() -> {
            json.check();
            OutputFile.checkPictureFolder("--pictures", withoutPictures ? null : output);
        });
        if (!withoutPictures) {
            Files.createDirectories(output);
        }
        try (ConsoleProgress progress = progressOptions.open(console())) {
            MatrixArguments arguments =
                    new MatrixArguments(console(), progress, sourceOptions.locator());
            arguments.forEach(matrices, this::show,
                    (name, message) -> unread.add(new InfoReport.Unread(name, message)));
        }
        json.write(console(), () -> InfoReport.of(provenance(), facts, unread));
        return unread.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void show(MatrixSource source, CsrMatrix matrix) throws IOException {
        MatrixStatistics statistics = matrix.statistics();
        facts.add(new MatrixFacts(source.name(), source.origin(), statistics));
        if (facts.size() > 1) {
            console().print("");
        }
        print(source, matrix, statistics);
        if (!withoutPictures) {
            PictureNames.Name name = pictureNames.of(source.name(), source.origin());
            Path spy = output.resolve(name.stem() + "-spy.png");
            Path lengths = output.resolve(name.stem() + "-rows.png");
            SpyPicture.write(matrix, source.name(), spy);
            HistogramChart.rowLengths(matrix, statistics, source.name()).write(lengths);
            console().print("  pictures          %s, %s", spy, lengths);
            if (!name.note().isEmpty()) {
                console().print("                    %s", name.note());
            }
        }
    }

    private void print(MatrixSource source, CsrMatrix matrix, MatrixStatistics s) throws IOException {
        console().print("%s", source.name());
        console().print("  from              %s", source.origin());
        if (source.isRealForm()) {
            console().print("  values            complex: this is the equivalent real matrix of twice the size");
        }
        console().print("  rows x columns    %s x %s", Numbers.count(s.rows()), Numbers.count(s.columns()));
        console().print("  non-zeros         %s, %s of the places%s", Numbers.count(s.nonZeros()),
                String.format(Locale.ROOT, "%.3g %%", 100 * s.density()),
                s.explicitZeros() == 0 ? "" : ", " + Numbers.count(s.explicitZeros()) + " of them explicit zeros");
        console().print("  row lengths       mean %s, standard deviation %s, from %s to %s",
                Numbers.real(s.meanRowLength()), Numbers.real(s.rowLengthDeviation()),
                Numbers.count(s.minimumRowLength()), Numbers.count(s.maximumRowLength()));
        console().print("  empty rows        %s", Numbers.count(s.emptyRows()));
        console().print("  bandwidth         %s below the diagonal, %s above", Numbers.count(s.lowerBandwidth()),
                Numbers.count(s.upperBandwidth()));
        console().print("  diagonal          %s entries of %s", Numbers.count(s.diagonalEntries()),
                Numbers.count(Math.min(s.rows(), s.columns())));
        console().print("  symmetry          %s", s.symmetric()
                ? "symmetric"
                : s.patternSymmetric() ? "pattern symmetric, values not" : "none");
        console().print("  memory as CSR     %s", Numbers.bytes(matrix.storedBytes()));
    }
}
