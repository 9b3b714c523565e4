package org.trellis.bench.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.console.Usage;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKey;
import org.trellis.common.ConfigurationKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the settings. */
@Command(name = "config", description = "Lists the settings, their values and where each comes from.")
final class ConfigCommand implements Callable<Integer> {
    private final Console console;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the same as JSON.")
    private Path json;

    @Spec
    private CommandSpec spec;

    ConfigCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Usage.check(spec, () -> OutputFile.check("--json", json));
        ObjectNode root = JsonReport.start("trellis-config", Provenance.of(Usage.commandLine(spec)));
        ArrayNode all = root.putArray("settings");
        Configuration configuration = Configuration.load();
        for (ConfigurationKey<?> key : ConfigurationKeys.all()) {
            console.print("%s = %s", key.name(), configuration.get(key));
            console.print("    from %s; environment variable %s", configuration.origin(key), key.environmentName());
            console.print("    %s", key.description());
            all.addObject().put("name", key.name()).put("value", String.valueOf(configuration.get(key)))
                    .put("origin", String.valueOf(configuration.origin(key)))
                    .put("environmentVariable", key.environmentName()).put("description", key.description());
        }
        if (json != null) {
            OutputFile.write(json, JsonReport.finish(root));
        }
        return ExitCode.OK;
    }
}
