package org.trellis.bench.matrix;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.PrecisionConverter;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.SourceOptions;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.source.MatrixSource;
import org.trellis.bench.text.Printable;
import org.trellis.common.Precision;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Writes a matrix to another file. */
@Command(name = "convert", sortOptions = false, description = "Writes a matrix to a file of another "
        + "format or with other options.")
public final class ConvertCommand extends ConsoleCommand {
    /** What the name of an output file says. */
    static final String NAMES = "The file, replaced if it exists: .mtx for Matrix Market, .hb or .rb for "
            + "Harwell-Boeing, .npz for SciPy, .mat for MATLAB, .el or .wel for edges; with .gz behind it, text is "
            + "compressed.";

    @Parameters(index = "0", paramLabel = "IN", description = "The matrix: anything that MATRIX may be.")
    private String input;

    @Parameters(index = "1", paramLabel = "OUT", description = NAMES)
    private Path output;

    @Option(names = "--precision", paramLabel = "f64|f32", converter = PrecisionConverter.class, defaultValue = "f64",
            description = "Round the values to this precision first. Default: f64.")
    private Precision precision;

    @Option(names = "--symmetric", description = "Write the lower triangle of a symmetric matrix only.")
    private boolean symmetric;

    @Option(names = "--pattern", description = "Write no values.")
    private boolean pattern;

    @Mixin
    private SourceOptions sourceOptions;

    @Mixin
    private ProgressOptions progressOptions;

    /**
     * Makes the command.
     *
     * @param console where it prints
     */
    public ConvertCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        checkUsage(() -> OutputFile.check("OUT", output));
        List<MatrixSource> sources = sourceOptions.locator().locate(input);
        if (sources.size() != 1) {
            throw new ParameterException(spec().commandLine(),
                    "'" + input + "' stands for " + sources.size() + " matrices, expected 1");
        }
        try (ConsoleProgress progress = progressOptions.open(console())) {
            CsrMatrix matrix = sources.getFirst().load(progress).toPrecision(precision);
            if (sources.getFirst().isRealForm()) {
                return writeComplex(ComplexCsr.fromRealForm(matrix), progress);
            }
            MatrixFiles.write(output, matrix, options(progress));
            progress.clear();
            console().print("%s: %s x %s, %s non-zeros", output, Numbers.count(matrix.rows()),
                    Numbers.count(matrix.columns()), Numbers.count(matrix.nonZeros()));
        }
        return ExitCode.OK;
    }

    private int writeComplex(ComplexCsr matrix, ConsoleProgress progress) throws IOException {
        MatrixFiles.writeComplex(output, matrix, options(progress));
        progress.clear();
        console().print("%s: %s x %s, %s complex non-zeros", output, Numbers.count(matrix.rows()),
                Numbers.count(matrix.columns()), Numbers.count(matrix.nonZeros()));
        return ExitCode.OK;
    }

    private WriteOptions options(ConsoleProgress progress) {
        return WriteOptions.DEFAULT.withSymmetric(symmetric).withPattern(pattern).withProgress(progress)
                .withComments(List.of("written by trellis from " + oneLine(input)));
    }

    /**
     * Makes a text fit for a comment of one line.
     *
     * @param text any text
     * @return the text without line breaks and control characters
     */
    public static String oneLine(String text) {
        return Printable.line(text.replaceAll("\\R", " "));
    }
}
