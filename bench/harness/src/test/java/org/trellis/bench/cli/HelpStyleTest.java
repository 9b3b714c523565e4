package org.trellis.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.bench.console.Console;
import org.trellis.testing.PlainWords;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** Help texts have the words of docs/contributing/style.md, and every command, option and parameter has one. */
class HelpStyleTest {
    private final List<String> faults = new ArrayList<>();
    private int commands;

    @Test
    void helpIsInPlainWords() {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        check(TrellisCommand.create(new Console(nowhere, nowhere, false)));
        assertTrue(commands > 40, commands + " are not all commands");
        assertEquals(List.of(), faults, "see docs/contributing/style.md");
    }

    private void check(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        commands++;
        check(name, command.getCommandSpec().usageMessage().description());
        faults.addAll(PlainWords.missing(name, String.join(" ", command.getCommandSpec().usageMessage().footer())));
        for (ArgSpec argument : command.getCommandSpec().args()) {
            if (!argument.hidden()) {
                check(name + " " + argument.paramLabel(), argument.description());
            }
        }
        command.getSubcommands().values().forEach(this::check);
    }

    private void check(String place, String... texts) {
        String text = String.join(" ", texts);
        if (text.isBlank()) {
            faults.add(place + " has no help");
        }
        faults.addAll(PlainWords.missing(place, text));
    }
}
