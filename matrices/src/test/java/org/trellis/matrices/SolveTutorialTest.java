package org.trellis.matrices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.sparse.CsrMatrix;

/** The program of docs/tutorials/solve-a-file.md compiles, and prints on the tutorial's matrix what the page says. */
final class SolveTutorialTest {
    private static final Path PAGE = Path.of("..", "docs", "tutorials", "solve-a-file.md");

    private static String block(String page, String language, int number) {
        Matcher matcher = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
        for (int i = 0; i <= number; i++) {
            assertTrue(matcher.find(), () -> "the page has no block " + number + " of " + language);
        }
        return matcher.group(1);
    }

    @Test
    void programSaysWhatThePageSays(@TempDir Path folder) throws Exception {
        String page = Files.readString(PAGE);
        Path file = folder.resolve("plate.mtx");
        CsrMatrix plate =
                MatrixSpec.parse("jump2d:nx=150,contrast=1e4,block=10").generate(Precision.F64, ProgressListener.NONE);
        MatrixFiles.write(file, plate, WriteOptions.DEFAULT);
        assertTrue(page.contains(String.format(Locale.ROOT, "%,d", plate.nonZeros())), "non-zeros");

        String printed = SparseGuideTest.run(folder, "SolvePlate", block(page, "java", 0), file.toString(),
                folder.toString());
        String shown = page.substring(page.indexOf("SolvePlate plate.mtx"));
        List<String> expected = block(shown, "text", 0).lines().toList();
        List<String> lines = printed.lines().toList();
        assertEquals(expected.getFirst(), lines.getFirst());
        assertTrue(lines.get(1).matches("CONVERGED after (11|12|13) iterations"), lines.get(1));
        assertEquals("CONVERGED after 12 iterations", expected.get(1));
        assertEquals(150, ImageIO.read(folder.resolve("temperature.png").toFile()).getWidth());
        List<String> history = Files.readAllLines(folder.resolve("residuals.csv"));
        assertEquals("iteration,residual", history.getFirst());
        assertTrue(history.get(1).startsWith("1,756.39"), history.get(1));
    }
}
