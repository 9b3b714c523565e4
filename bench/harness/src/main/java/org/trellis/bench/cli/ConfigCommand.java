package org.trellis.bench.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.report.JsonReport;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKey;
import org.trellis.common.ConfigurationKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the settings. */
@Command(name = "config", description = "Lists the settings, their values and where each comes from.")
final class ConfigCommand extends ConsoleCommand {
    @Mixin
    private JsonOption json;

    ConfigCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        checkUsage(json::check);
        ObjectNode root = JsonReport.start("trellis-config", provenance());
        ArrayNode all = root.putArray("settings");
        Configuration configuration = Configuration.load();
        for (ConfigurationKey<?> key : ConfigurationKeys.all()) {
            console().print("%s = %s", key.name(), configuration.get(key));
            console().print("    from %s; environment variable %s", configuration.origin(key), key.environmentName());
            console().print("    %s", key.description());
            all.addObject().put("name", key.name()).put("value", String.valueOf(configuration.get(key)))
                    .put("origin", String.valueOf(configuration.origin(key)))
                    .put("environmentVariable", key.environmentName()).put("description", key.description());
        }
        json.write(() -> JsonReport.finish(root));
        return ExitCode.OK;
    }
}
