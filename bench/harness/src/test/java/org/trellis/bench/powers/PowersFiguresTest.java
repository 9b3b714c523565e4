package org.trellis.bench.powers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;

/** Each figure about products in a row beside one that was worked out by hand. */
class PowersFiguresTest {
    private static final int ROWS = 8;
    private static final int STEPS = 6;
    /** Three in each row but the first and the last. */
    private static final int NON_ZEROS = 3 * ROWS - 2;

    @TempDir
    private Path folder;

    private Path chain() throws Exception {
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix coordinate real general\n")
                .append(ROWS + " " + ROWS + " " + NON_ZEROS + "\n");
        for (int row = 1; row <= ROWS; row++) {
            for (int column = Math.max(1, row - 1); column <= Math.min(ROWS, row + 1); column++) {
                text.append(row + " " + column + " " + (row == column ? 0.5 : 0.25) + "\n");
            }
        }
        return Files.writeString(folder.resolve("chain.mtx"), text.toString());
    }

    /**
     * Two ranks have rows 0 to 3 and 4 to 7 of a chain. With k rings each sends k elements of 8 bytes once in k steps,
     * and between two exchanges computes k-1 rows of the other, then k-2 and so on, each of three entries.
     */
    @Test
    void countsMessagesBytesAndRedundantWork() throws Exception {
        Path json = folder.resolve("powers.json");
        StringWriter err = new StringWriter();
        assertEquals(ExitCode.OK, TrellisCommand.run(
                new Console(new PrintWriter(new StringWriter()), new PrintWriter(err), false), "powers",
                chain().toString(), "--ranks", "2", "--partitioner", "blocks", "--steps", String.valueOf(STEPS),
                "--rings", "1,2,3", "--seconds", "0.005", "--json", json.toString()), err::toString);
        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertEquals(ROWS, root.get("rows").asInt());
        assertEquals(NON_ZEROS, root.get("nonZeros").asInt());
        int[] rowsOfOthers = {0, 1, 1 + 2};
        for (int k = 1; k <= 3; k++) {
            JsonNode result = root.get("results").get(k - 1);
            int exchanges = STEPS / k;
            assertEquals(k, result.get("rings").asInt());
            assertEquals(exchanges, result.get("exchanges").asInt());
            assertEquals(2 * exchanges, result.get("messages").asInt());
            assertEquals(2 * exchanges * k * Double.BYTES, result.get("bytes").asInt());
            assertEquals(2.0 * exchanges * 3 * rowsOfOthers[k - 1] / (STEPS * NON_ZEROS),
                    result.get("redundantShare").asDouble(), 1e-15);
            assertEquals(root.get("results").get(0).get("checksum"), result.get("checksum"), "the same bits");
        }
    }
}
