package org.trellis.matrices.mesh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.file.AtomicFile;

/**
 * A mesh in several VTU files, each written by another rank at the same time, and a PVTU file that lists them: VTK's
 * parallel XML format for unstructured grids. Nothing is checked between the pieces.
 */
public final class ParallelVtu {
    private static final String INDEX = ".pvtu";

    private ParallelVtu() {}

    /**
     * Takes some cells out of a mesh, with the points that they have.
     *
     * @param whole    a mesh with cells of one kind
     * @param cells    the numbers of the cells, in the order of the piece
     * @param cellData arrays with a value for each cell of the piece
     * @return the piece; points are numbered in the order in which cells have them first
     * @throws IllegalArgumentException  if the mesh has other than one block of cells, or an array does not fit
     * @throws IndexOutOfBoundsException if there is no such cell
     */
    public static MeshData piece(MeshData whole, int[] cells, List<DataArray> cellData) {
        Checks.length("number of kinds of cells of a mesh in pieces", whole.blocks().size(), 1);
        CellBlock block = whole.blocks().getFirst();
        int width = block.nodesPerCell();
        int[] places = new int[whole.pointCount()];
        Arrays.fill(places, -1);
        int[] nodes = new int[cells.length * width];
        double[] points = new double[Math.min(nodes.length, places.length) * whole.dimensions()];
        int count = 0;
        for (int i = 0; i < nodes.length; i++) {
            int cell = Checks.index("cell of a mesh in pieces", cells[i / width], block.numbers().length);
            int node = block.nodes()[cell * width + i % width];
            if (places[node] < 0) {
                System.arraycopy(whole.points(), node * whole.dimensions(), points, count * whole.dimensions(),
                        whole.dimensions());
                places[node] = count++;
            }
            nodes[i] = places[node];
        }
        int[] numbers = new int[cells.length];
        Arrays.setAll(numbers, i -> i);
        List<CellBlock> blocks =
                cells.length == 0 ? List.of() : List.of(new CellBlock(block.shape(), width, nodes, numbers));
        return new MeshData(whole.dimensions(), Arrays.copyOf(points, count * whole.dimensions()), blocks, List.of(),
                cellData, List.of());
    }

    /**
     * Returns where a piece belongs.
     *
     * @param index the file that lists the pieces, which ends in {@code .pvtu}
     * @param piece its number
     * @return a file beside it, {@code NAME-PIECE.vtu}
     * @throws IllegalArgumentException if the file ends otherwise
     */
    public static Path file(Path index, int piece) {
        String name = index.getFileName().toString();
        if (!name.endsWith(INDEX)) {
            throw new IllegalArgumentException("pieces of a mesh were to be listed in " + index + ", expected a file "
                    + "that ends in " + INDEX);
        }
        return index.resolveSibling(name.substring(0, name.length() - INDEX.length()) + "-" + piece + ".vtu");
    }

    /**
     * Writes the file that lists the pieces. They need not be there yet.
     *
     * @param index    the file
     * @param pieces   how many, numbered from 0
     * @param cellData the arrays of the pieces; only their names, components and types count
     * @throws IOException              if it cannot be written
     * @throws IllegalArgumentException if its name does not end in {@code .pvtu}
     */
    public static void writeIndex(Path index, int pieces, List<DataArray> cellData) throws IOException {
        StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\" "
                + "version=\"1.0\">\n<PUnstructuredGrid GhostLevel=\"0\">\n<PPointData/>\n<PCellData>\n");
        cellData.forEach(array -> describe(text, array));
        text.append("</PCellData>\n<PPoints>\n");
        describe(text, DataArray.of("Points", 3));
        text.append("</PPoints>\n");
        for (int piece = 0; piece < pieces; piece++) {
            text.append("<Piece Source=\"").append(VtuWriter.escaped(file(index, piece).getFileName().toString()))
                    .append("\"/>\n");
        }
        AtomicFile.writeText(index, text.append("</PUnstructuredGrid>\n</VTKFile>\n").toString());
    }

    private static void describe(StringBuilder text, DataArray array) {
        text.append("<PDataArray type=\"").append(VtuWriter.typeName(array.type())).append("\" Name=\"")
                .append(VtuWriter.escaped(array.name())).append("\" NumberOfComponents=\"").append(array.components())
                .append("\"/>\n");
    }
}
