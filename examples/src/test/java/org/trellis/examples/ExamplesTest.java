package org.trellis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void firstLoop() {
        assertEquals(List.of("node 0: 1.0", "node 1: 11.0", "node 2: 110.0", "node 3: 100.0", "greatest weight: 100.0"),
                run(() -> E04FirstLoop.main(new String[0])));
    }

    @Test
    void assembleAndSolve() {
        // 1 / (2 tanh 2), to which 64 linear elements come within 2e-4.
        assertEquals(List.of("65 points, 193 entries", "left end 0.519, exact 0.519"),
                run(() -> E05AssembleAndSolve.main(new String[0])));
    }

    @Test
    void solveOnRanks() {
        List<String> expected = List.of(
                "4225 points, 20865 entries, converged: corner 2.071, 1.000000 of the heat is lost");
        for (String ranks : new String[]{"1", "4"}) {
            assertEquals(expected, run(() -> E07SolveOnRanks.main(new String[]{ranks})), ranks + " ranks");
        }
    }

    @Test
    void keepWhatWasLearnt(@TempDir Path folder) {
        String file = folder.resolve("profile.json").toString();
        List<String> first = run(() -> keep(file));
        List<String> second = run(() -> keep(file));
        assertNotEquals("the first guess comes from: PROFILE", first.getFirst());
        assertEquals(List.of("the first guess comes from: PROFILE", "matrices in the profile: 1"), second);
    }

    private static void keep(String file) {
        try {
            E06KeepWhatWasLearnt.main(new String[]{file});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
