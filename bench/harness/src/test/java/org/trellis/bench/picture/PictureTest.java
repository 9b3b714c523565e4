package org.trellis.bench.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Precision;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

class PictureTest {
    private static final int WHITE = 0xffffffff;

    @TempDir
    private Path folder;

    @Test
    void showsTheDiagonalFromTheUpperLeftToTheLowerRight() throws IOException {
        Path file = folder.resolve("spy.png");
        SpyPicture.write(CsrMatrix.identity(4, Precision.F64), "identity", file);
        BufferedImage image = ImageIO.read(file.toFile());
        Figure frame = new Figure(800, 800, 0);
        assertNotEquals(WHITE, image.getRGB(frame.left() + 100, frame.top() + 100));
        assertNotEquals(WHITE, image.getRGB(frame.left() + 700, frame.top() + 700));
        assertEquals(WHITE, image.getRGB(frame.left() + 700, frame.top() + 100));
        assertEquals(WHITE, image.getRGB(frame.left() + 100, frame.top() + 700));
    }

    @Test
    void drawsMatricesWithoutEntriesRowsOrColumns() throws IOException {
        for (CsrMatrix matrix : List.of(new CsrBuilder(0, Precision.F64, 0).build(),
                new CsrBuilder(5, Precision.F64, 0).build(), new CsrBuilder(0, Precision.F64, 0).endRow().build())) {
            SpyPicture.write(matrix, "empty", folder.resolve("spy.png"));
            RowLengthPicture.write(matrix, matrix.statistics(), "empty", folder.resolve("rows.png"));
        }
        assertTrue(folder.resolve("rows.png").toFile().length() > 1000);
    }

    @Test
    void coloursTheCellsOfAMesh() throws IOException {
        // Two squares side by side; the picture shows the lower half of both.
        MeshData mesh = new MeshData(2, new double[]{0, 0, 1, 0, 2, 0, 0, 1, 1, 1, 2, 1},
                List.of(new CellBlock(CellShape.QUADRILATERAL, 4, new int[]{0, 1, 4, 3, 1, 2, 5, 4},
                        new int[]{0, 1})),
                List.of(), List.of(DataArray.of("a", 2, 0, 5, 0, 7)), List.of());
        MeshPicture.Field field = new MeshPicture.Field(mesh.cellData().getFirst(), true, 1);
        Path file = folder.resolve("mesh.png");
        MeshPicture.write(mesh, field, new MeshPicture.Window(0, 2, 0, 0.5), "squares", file);
        BufferedImage image = ImageIO.read(file.toFile());
        Figure frame = new Figure(1000, 250, 0);
        int y = frame.top() + 125;
        assertEquals(Shades.of(0).getRGB(), image.getRGB(frame.left() + 200, y));
        assertEquals(Shades.of(1).getRGB(), image.getRGB(frame.left() + 800, y));
        assertThrows(IllegalArgumentException.class, () -> new MeshPicture.Field(field.array(), true, 2));
        assertThrows(IllegalArgumentException.class, () -> new MeshPicture.Window(0, 0, 0, 1));
    }

    @Test
    void drawsMeshesInSpaceLinesAndNothing() throws IOException {
        double[] cube = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
        int[] numbers = {0};
        CellBlock hexahedron = new CellBlock(CellShape.HEXAHEDRON, 8, new int[]{0, 1, 2, 3, 4, 5, 6, 7}, numbers);
        MeshData solid =
                new MeshData(3, cube, List.of(hexahedron), List.of(DataArray.of("z", 1, 0, 0, 0, 0, 1, 1, 1, 1)),
                        List.of(), List.of());
        assertEquals(6, MeshFaces.of(solid).count());
        Path file = folder.resolve("solid.png");
        MeshPicture.write(solid, new MeshPicture.Field(solid.pointData().getFirst(), false, 0), null, "cube", file);
        BufferedImage image = ImageIO.read(file.toFile());
        assertNotEquals(WHITE, image.getRGB(image.getWidth() / 2 - 20, image.getHeight() / 2));
        CellBlock line = new CellBlock(CellShape.LINE, 2, new int[]{0, 7}, numbers);
        MeshPicture.write(new MeshData(3, cube, List.of(line), List.of(), List.of(), List.of()), null, null, "line",
                file);
        MeshPicture.write(new MeshData(2, new double[0], List.of(), List.of(), List.of(), List.of()), null, null,
                "nothing", file);
        assertTrue(file.toFile().length() > 1000);
    }

    @Test
    void countsEveryLengthWhileThereAreFew() {
        RowLengthHistogram histogram = RowLengthHistogram.of(new int[]{0, 2, 2, 3});
        assertFalse(histogram.logarithmic());
        assertEquals(List.of(1L, 0L, 2L, 1L), histogram.bins().stream().map(RowLengthHistogram.Bin::rows).toList());
    }

    @Test
    void countsAllRowsInGrowingBins() {
        RowLengthHistogram histogram = RowLengthHistogram.of(IntStream.rangeClosed(0, 5000).toArray());
        assertTrue(histogram.logarithmic());
        assertEquals(5001, histogram.bins().stream().mapToLong(RowLengthHistogram.Bin::rows).sum());
        assertEquals(new RowLengthHistogram.Bin(0, 1, 1), histogram.bins().getFirst());
        for (int i = 1; i < histogram.bins().size(); i++) {
            assertEquals(histogram.bins().get(i - 1).to(), histogram.bins().get(i).from());
        }
    }

    @Test
    void choosesRoundTicks() {
        assertEquals(List.of(0.0, 20.0, 40.0, 60.0, 80.0, 100.0), Scale.linear(0, 100).ticks(5));
        assertEquals(List.of(1.0, 10.0, 100.0, 1000.0), Scale.logarithmic(0.5, 2000).ticks(5));
        assertEquals(0.5, Scale.logarithmic(1, 100).position(10), 1e-12);
        assertThrows(IllegalArgumentException.class, () -> new Scale(0, 1, true));
    }

    @Test
    void labelsTicksBriefly() {
        Scale linear = Scale.linear(0, 1);
        assertEquals("20k", linear.label(20_000));
        assertEquals("1.5M", linear.label(1_500_000));
        assertEquals("0.25", linear.label(0.25));
        assertEquals("1e-8", Scale.logarithmic(1e-9, 1).label(1e-8));
        assertEquals("1e5", Scale.logarithmic(1, 1e6).label(1e5));
    }
}
