package org.trellis.bench.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.TuningResult;

/** The best cell is the darkest, and a search without two axes draws nothing. */
class HeatMapPictureTest {
    private static final Fingerprint MATRIX = Fingerprint.of(CsrMatrix.identity(3, Precision.F64));

    @TempDir
    private Path folder;

    private static TuningResult result(int threads, int rows, double seconds) {
        return new TuningResult(MATRIX, Precision.F64, SpmvParameters.of(SpmvFamily.CSR).withBlockSize(128)
                .withCooperatingThreads(threads).withRowsPerGroup(rows), new double[]{seconds}, 0, Invalidity.CORRECT,
                Instant.EPOCH);
    }

    @Test
    void drawsThreadsByRows() throws IOException {
        List<TuningResult> results = new ArrayList<>();
        for (int threads = 1; threads <= 8; threads *= 2) {
            for (int rows = 1; rows <= 2; rows *= 2) {
                results.add(result(threads, rows, threads == 4 && rows == 2 ? 1 : 4));
            }
        }
        Path file = folder.resolve("map.png");
        assertTrue(HeatMapPicture.write(results, "a test", file));
        BufferedImage image = ImageIO.read(file.toFile());
        Figure frame = new Figure(1, 1, 1);
        // The corners of the cells: threads 4 is the third column, rows 2 the upper line.
        int best = image.getRGB(frame.left() + 2 * 92 + 8, frame.top() + 8);
        int worst = image.getRGB(frame.left() + 8, frame.top() + 8);
        assertNotEquals(best, worst);
        assertEquals(worst, image.getRGB(frame.left() + 2 * 92 + 8, frame.top() + 92 + 8));
    }

    @Test
    void drawsNothingWithoutTwoAxes() throws IOException {
        Path file = folder.resolve("none.png");
        assertFalse(HeatMapPicture.write(List.of(result(1, 1, 1)), "a test", file));
        assertFalse(HeatMapPicture.write(List.of(), "a test", file));
        assertFalse(Files.exists(file));
    }

    @Test
    void saysThatTextCannotBeDrawnBeforeAnythingIsMeasured() {
        PictureFonts.check("--pictures", folder);
        PictureFonts.check("--pictures", null);
        IllegalArgumentException problem =
                assertThrows(IllegalArgumentException.class, () -> PictureFonts.check("--pictures", folder, () -> {
                    throw new InternalError(new IllegalStateException("Fontconfig head is null"));
                }));
        assertEquals("--pictures " + folder + ": this JVM cannot draw text (java.lang.IllegalStateException: "
                + "Fontconfig head is null), expected fonts and the library fontconfig", problem.getMessage());
    }
}
