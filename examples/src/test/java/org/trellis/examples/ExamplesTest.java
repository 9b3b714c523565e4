package org.trellis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the examples and checks what they print. */
final class ExamplesTest {
    private static List<String> run(Runnable example) {
        PrintStream before = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
        try {
            example.run();
        } finally {
            System.setOut(before);
        }
        return captured.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void firstProduct() {
        assertEquals(List.of("y = (201.0, 430.0)"), run(() -> E01FirstProduct.main(new String[0])));
    }

    @Test
    void solveElasticity() {
        List<String> lines = run(() -> E02SolveElasticity.main(new String[0]));
        assertTrue(lines.getFirst().matches("\\d+ unknowns, CONVERGED, relative residual below 1e-9: true"),
                lines.getFirst());
        assertEquals("the plate bends downwards: true", lines.get(1));
    }

    @Test
    void chooseParameters() {
        List<String> lines = run(() -> E03ChooseParameters.main(new String[]{"banded:n=2000"}));
        assertTrue(lines.getFirst().startsWith("CSR matrix 2000 x 2000"), lines.getFirst());
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("threads") && line.contains("csr-balanced")),
                lines.toString());
        assertTrue(lines.stream().filter(line -> line.endsWith("<- rule")).count() >= 2, lines.toString());
    }
}
