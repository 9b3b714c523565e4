package org.trellis.bench.matrix;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.console.Usage;
import org.trellis.bench.option.PrecisionConverter;
import org.trellis.bench.report.Numbers;
import org.trellis.common.Precision;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.generate.GeneratorKind;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.matrices.generate.Parameter;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.sparse.CsrMatrix;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Makes matrices and writes them; a subcommand for each generator, with its parameters as options. */
public final class GenerateCommand implements Runnable {
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

    private GenerateCommand() {}

    /**
     * Builds the command from the generators that there are.
     *
     * @param console where it prints
     * @return the command
     */
    public static CommandLine create(Console console) {
        GenerateCommand command = new GenerateCommand();
        CommandSpec spec = command.spec.name("generate");
        spec.usageMessage().description("Makes a matrix and writes it to a file.")
                .synopsisSubcommandLabel("KIND").footer("%nA matrix need not be written to be used: where a command "
                        + "takes a MATRIX, KIND:name=value,name=value makes it on the spot.");
        CommandLine line = new CommandLine(spec);
        for (GeneratorKind kind : GeneratorKind.all()) {
            line.addSubcommand(kind.name(), new Kind(console, kind).spec);
        }
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a kind is missing, expected one of "
                + String.join(", ", spec.subcommands().keySet()));
    }

    /** One generator. */
    private static final class Kind implements Callable<Integer> {
        private static final String OUT = "OUT";
        private static final String PRECISION = "--precision";

        private final Console console;
        private final GeneratorKind kind;
        private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

        Kind(Console console, GeneratorKind kind) {
            this.console = console;
            this.kind = kind;
            spec.usageMessage().description(kind.description()).sortOptions(false);
            spec.addPositional(PositionalParamSpec.builder().index("0").paramLabel(OUT).type(Path.class).required(true)
                    .description(ConvertCommand.NAMES).build());
            for (Parameter parameter : kind.parameters()) {
                spec.addOption(OptionSpec.builder("--" + parameter.name()).type(String.class)
                        .paramLabel(parameter.type().name().toUpperCase(Locale.ROOT))
                        .description(describe(parameter)).build());
            }
            spec.addOption(OptionSpec.builder(PRECISION).paramLabel("f64|f32").type(Precision.class)
                    .converters(new PrecisionConverter()).defaultValue("f64")
                    .description("Round the values to this precision. Default: f64.").build());
        }

        private static String describe(Parameter parameter) {
            String fallback = parameter.defaultText().startsWith("=")
                    ? "that of --" + parameter.defaultText().substring(1)
                    : parameter.defaultText();
            return parameter.description() + " (" + parameter.expected() + "). Default: " + fallback + ".";
        }

        @Override
        public Integer call() throws IOException {
            ParseResult given = spec.commandLine().getParseResult();
            Map<String, String> arguments = new LinkedHashMap<>();
            for (Parameter parameter : kind.parameters()) {
                String value = given.matchedOptionValue("--" + parameter.name(), null);
                if (value != null) {
                    arguments.put(parameter.name(), value);
                }
            }
            Path output = given.matchedPositionalValue(0, null);
            MatrixSpec matrixSpec = Usage.get(spec, () -> {
                OutputFile.check(OUT, output);
                return new MatrixSpec(kind, arguments);
            });
            Precision precision = spec.findOption(PRECISION).getValue();
            return write(matrixSpec, precision, output);
        }

        private int write(MatrixSpec matrixSpec, Precision precision, Path output) throws IOException {
            try (ConsoleProgress progress = new ConsoleProgress(console, false)) {
                CsrMatrix matrix = matrixSpec.generate(precision, progress);
                MatrixFiles.write(output, matrix, WriteOptions.DEFAULT.withProgress(progress)
                        .withComments(List.of("generated by trellis: " + matrixSpec)));
                progress.clear();
                console.print("%s: %s x %s, %s non-zeros", output, Numbers.count(matrix.rows()),
                        Numbers.count(matrix.columns()), Numbers.count(matrix.nonZeros()));
            }
            return ExitCode.OK;
        }
    }
}
