package org.trellis.bench.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.report.chart.HistogramChart;
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
            HistogramChart.rowLengths(matrix, matrix.statistics(), "empty").write(folder.resolve("rows.png"));
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
}
