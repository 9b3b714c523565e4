package org.trellis.bench.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.bench.console.Console;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The page about the command line shows what the commands print. */
class CommandLineDocumentTest {
    private static final Path PAGE = Path.of("../../docs/reference/command-line.md");
    private static final String SHARED = "\nExit codes:";

    @Test
    void showsTheHelpOfEveryCommand() throws IOException {
        String page = Files.readString(PAGE).replace("\r\n", "\n");
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        CommandLine line = TrellisCommand.create(new Console(nowhere, nowhere, false)).setUsageHelpAutoWidth(false);
        List<CommandLine> commands = new ArrayList<>(line.getSubcommands().values());
        commands.add(line);
        commands.add(line.getSubcommands().get("generate").getSubcommands().get("poisson3d"));
        for (CommandLine command : commands) {
            String help = command.getUsageMessage(Ansi.OFF).replace("\r\n", "\n");
            String own = help.substring(0, help.indexOf(SHARED)).stripTrailing();
            assertTrue(page.contains(own), "docs/reference/command-line.md lacks the help of "
                    + command.getCommandSpec().qualifiedName() + ":\n" + own);
        }
    }
}
