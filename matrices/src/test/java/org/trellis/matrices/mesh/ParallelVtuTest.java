package org.trellis.matrices.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pieces of a mesh and the file that lists them. */
class ParallelVtuTest {
    @TempDir
    private Path folder;

    /** A strip of three triangles over five points. */
    private static MeshData strip() {
        CellBlock block =
                new CellBlock(CellShape.TRIANGLE, 3, new int[]{0, 1, 2, 1, 3, 2, 2, 3, 4}, new int[]{0, 1, 2});
        return new MeshData(2, new double[]{0, 0, 1, 0, 0, 1, 1, 1, 0, 2}, List.of(block), List.of(), List.of(),
                List.of());
    }

    @Test
    void piecesHaveTheirOwnPoints() throws IOException {
        DataArray level = DataArray.of("level", 1, 7, 8);
        MeshData piece = ParallelVtu.piece(strip(), new int[]{2, 1}, List.of(level));
        assertArrayEquals(new double[]{0, 1, 1, 1, 0, 2, 1, 0}, piece.points());
        assertArrayEquals(new int[]{0, 1, 2, 3, 1, 0}, piece.blocks().getFirst().nodes());
        Path file = ParallelVtu.file(folder.resolve("sea.pvtu"), 1);
        MeshFiles.write(file, piece, MeshWriteOptions.DEFAULT);
        assertArrayEquals(new double[]{7, 8}, MeshFiles.read(file).cellData().getFirst().values());
    }

    @Test
    void pieceWithoutCellsHasNoPoints() {
        MeshData empty = ParallelVtu.piece(strip(), new int[0], List.of(DataArray.of("level", 1)));
        assertEquals(0, empty.pointCount());
        assertEquals(List.of(), empty.blocks());
    }

    @Test
    void indexListsPiecesAndArrays() throws IOException {
        Path index = folder.resolve("a&b.pvtu");
        ParallelVtu.writeIndex(index, 2, List.of(new DataArray("v", 3, NumberType.FLOAT32, new double[3])));
        assertEquals("""
                <?xml version="1.0"?>
                <VTKFile type="PUnstructuredGrid" version="1.0">
                <PUnstructuredGrid GhostLevel="0">
                <PPointData/>
                <PCellData>
                <PDataArray type="Float32" Name="v" NumberOfComponents="3"/>
                </PCellData>
                <PPoints>
                <PDataArray type="Float64" Name="Points" NumberOfComponents="3"/>
                </PPoints>
                <Piece Source="a&amp;b-0.vtu"/>
                <Piece Source="a&amp;b-1.vtu"/>
                </PUnstructuredGrid>
                </VTKFile>
                """, Files.readString(index));
    }

    @Test
    void refusesOtherNamesAndCells() {
        assertThrows(IllegalArgumentException.class, () -> ParallelVtu.file(Path.of("sea.vtu"), 0));
        assertThrows(IndexOutOfBoundsException.class, () -> ParallelVtu.piece(strip(), new int[]{3}, List.of()));
    }
}
