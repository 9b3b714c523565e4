package org.trellis.bench.measurement;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Runs one of the programs behind single figures, or lists them. */
@Command(name = "measure", sortOptions = false, description = {
    "Runs one of the programs behind single figures of the documentation.",
    "Without NAME, lists them with their arguments. Under a launcher of MPI, those about ranks run on its processes."})
public final class MeasureCommand extends ConsoleCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "Which program.")
    private String name;

    @Parameters(index = "1..*", paramLabel = "ARGUMENT", description = "Its arguments, in order.")
    private List<String> arguments = new ArrayList<>();

    /**
     * Makes the command.
     *
     * @param console where it lists
     */
    public MeasureCommand(Console console) {
        super(console);
    }

    private static Map<String, Measurement> all() {
        List<Measurement> found = new ArrayList<>(new HarnessMeasurements().measurements());
        ServiceLoader.load(MeasurementSet.class).forEach(set -> found.addAll(set.measurements()));
        Map<String, Measurement> byName = new TreeMap<>();
        for (Measurement one : found) {
            if (byName.put(one.name(), one) != null) {
                throw new IllegalStateException("two measurements are called " + one.name());
            }
        }
        return byName;
    }

    @Override
    public Integer call() throws IOException {
        Map<String, Measurement> known = all();
        if (name == null) {
            Table table = new Table(Column.words("name"), Column.words("arguments"), Column.words("measures"));
            known.values().forEach(one -> table.row(one.name(), one.arguments(), one.description()));
            console().printText(table.text());
            return ExitCode.OK;
        }
        Measurement chosen = known.get(name);
        if (chosen == null) {
            throw new ParameterException(spec().commandLine(), "measurement '" + name + "', expected one of "
                    + String.join(", ", known.keySet()));
        }
        if (arguments.size() < chosen.least()) {
            throw new ParameterException(spec().commandLine(), "measurement " + name + " with " + arguments.size()
                    + " arguments, expected " + chosen.arguments());
        }
        try {
            chosen.program().run(arguments.toArray(String[]::new));
        } catch (NumberFormatException e) {
            throw new ParameterException(spec().commandLine(), "measurement " + name + ": " + e.getMessage()
                    + " is no number, expected " + chosen.arguments(), e);
        }
        return ExitCode.OK;
    }
}
