package org.trellis.bench.cli;

import java.util.concurrent.Callable;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKey;
import org.trellis.common.ConfigurationKeys;
import picocli.CommandLine.Command;

/** Lists the settings. */
@Command(name = "config", description = "Lists the settings, their values and where each comes from.")
final class ConfigCommand implements Callable<Integer> {
    private final Console console;

    ConfigCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Configuration configuration = Configuration.load();
        for (ConfigurationKey<?> key : ConfigurationKeys.all()) {
            console.print("%s = %s", key.name(), configuration.get(key));
            console.print("    from %s; environment variable %s", configuration.origin(key), key.environmentName());
            console.print("    %s", key.description());
        }
        return ExitCode.OK;
    }
}
