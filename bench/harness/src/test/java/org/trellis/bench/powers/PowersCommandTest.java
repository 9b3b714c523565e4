package org.trellis.bench.powers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.testing.JsonSchemas;

/** Products on several ranks as a user meets them. */
class PowersCommandTest {
    private static final int COLUMNS = 8;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return JsonSchemas.checked(
                TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), arguments),
                arguments);
    }

    /** The words of the line that begins with a number of rings. */
    private List<String> line(int rings) {
        return out.toString().lines().map(text -> List.of(text.strip().split("  +")))
                .filter(words -> words.size() == COLUMNS && words.getFirst().equals(Integer.toString(rings)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void ringsSaveMessagesAndKeepBits() {
        assertEquals(ExitCode.OK, run("powers", "poisson2d:nx=20", "--ranks", "3", "--partitioner", "blocks", "--steps",
                "10", "--rings", "1,2,3", "--seconds", "0.02"), err::toString);
        assertTrue(out.toString().contains("3 ranks over threads, rows divided by blocks, 10 products in a row"));
        // Blocks of rows are strips: the middle one has two neighbours, the outer ones have one each.
        assertEquals(List.of("10", "40"), line(1).subList(3, 5));
        assertEquals(List.of("5", "20"), line(2).subList(3, 5));
        assertEquals(List.of("4", "16"), line(3).subList(3, 5));
        assertEquals(line(1).get(7), line(2).get(7), "the same bits");
        assertEquals(line(1).get(7), line(3).get(7), "the same bits");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "powers x --ranks 0 | number of ranks is 0, expected 1 to 1024",
        "powers x --rings 1,0 | number of rings is 0, expected 1 to 64",
        "powers x --steps 0 | number of steps is 0, expected at least 1"
    })
    void wrongOptionsAreRefused(String line, String message) {
        assertEquals(ExitCode.USAGE, run(line.split(" ", -1)));
        assertTrue(err.toString().contains(message), err::toString);
    }

    @Test
    void mpiNeedsItsLauncher() {
        assertEquals(ExitCode.FAILED, run("powers", "poisson2d:nx=9", "--transport", "mpi"));
        assertTrue(err.toString().contains("no launcher of MPI has started this process"), err::toString);
    }

    @Test
    void matricesMustBeSquare() {
        assertEquals(ExitCode.FAILED, run("powers", "random:rows=30,columns=20,mean=3", "--ranks", "2"));
        assertTrue(err.toString().contains("columns of a matrix to partition is 20, expected 30"), err::toString);
    }
}
