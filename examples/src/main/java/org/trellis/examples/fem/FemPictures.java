package org.trellis.examples.fem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.bench.picture.MeshPicture;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.NodeFamily;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.MeshWriteOptions;

/** Solutions as files for others: VTU with cells of the degree of the element, and PNG. */
final class FemPictures {
    private FemPictures() {}

    /**
     * Writes a function with cells of its degree, which ParaView draws as the polynomials that they are: VTK's Lagrange
     * cells, whose nodes lie at equal distances, where the function is evaluated.
     *
     * @param space  the space of the function
     * @param values at its nodes, fields side by side
     * @param fields components of the function
     * @param name   of the function
     * @param file   where to write
     * @throws IOException if it cannot be written
     */
    static void vtu(FunctionSpace space, double[] values, int fields, String name, Path file) throws IOException {
        FunctionSpace even = FunctionSpace.of(space.mesh(),
                LagrangeElement.of(space.element().shape(), space.element().degree(), NodeFamily.EQUISPACED));
        double[] at = evaluate(space, values, fields, even);
        int dimension = space.mesh().dimension();
        // vectors have three components in VTK
        int components = fields == 1 ? 1 : 3;
        double[] padded = new double[even.nodes() * components];
        for (int k = 0; k < at.length; k++) {
            padded[k / fields * components + k % fields] = at[k];
        }
        int[] order = order(even.element());
        int n = order.length;
        int[] nodes = new int[even.cellNodes().length];
        Arrays.setAll(nodes, k -> even.cellNodes()[k / n * n + order[k % n]]);
        CellBlock block = new CellBlock(FemInput.shapeInFiles(space.mesh().shape()), n, nodes,
                IntStream.range(0, space.mesh().cells()).toArray());
        MeshData mesh = new MeshData(dimension, even.coordinates(), List.of(block),
                List.of(DataArray.of(name, components, padded)), List.of(), List.of());
        MeshFiles.write(file, mesh, MeshWriteOptions.DEFAULT);
    }

    private static double[] evaluate(FunctionSpace space, double[] values, int fields, FunctionSpace even) {
        int n = space.element().nodes();
        int dimension = space.mesh().dimension();
        double[] points = new double[n * dimension];
        for (int i = 0; i < n; i++) {
            System.arraycopy(even.element().node(i), 0, points, i * dimension, dimension);
        }
        double[] table = space.element().tabulate(points).values();
        double[] result = new double[even.nodes() * fields];
        for (int k = 0; k < even.cellNodes().length; k++) {
            int cell = k / n;
            for (int a = 0; a < fields; a++) {
                double sum = 0;
                for (int i = 0; i < n; i++) {
                    sum += table[k % n * n + i] * values[space.cellNodes()[cell * n + i] * fields + a];
                }
                result[even.cellNodes()[k] * fields + a] = sum;
            }
        }
        return result;
    }

    /**
     * The order of nodes in files: corners, the insides of edges, of faces, and of the cell, each with the first
     * coordinate running fastest; edges of triangles and tetrahedra run from one corner to the next.
     */
    static int[] order(LagrangeElement element) {
        ElementShape shape = element.shape();
        List<int[]> parts = new ArrayList<>();
        for (int c = 0; c < shape.corners(); c++) {
            parts.add(new int[]{c});
        }
        parts.addAll(edges(element));
        parts.addAll(faces(shape));
        if (shape.dimension() == 3 || shape.isTensor() || element.degree() > 2) {
            parts.add(IntStream.range(0, shape.corners()).toArray());
        }
        List<Integer> order = new ArrayList<>();
        for (int[] part : parts) {
            int[] sorted = part.clone();
            Arrays.sort(sorted);
            List<Integer> inside = new ArrayList<>(IntStream.range(0, element.nodes())
                    .filter(node -> Arrays.equals(support(element, node), sorted)).boxed().toList());
            if (part.length == 2 && !shape.isTensor()) {
                inside.sort(Comparator.comparingInt(node -> distance(element, node, part[0])));
            }
            order.addAll(inside);
        }
        return order.stream().distinct().mapToInt(node -> node).toArray();
    }

    /** The edges; the last two of a cube change places in cells of degree 3 and more, as files of version 1 have it. */
    private static List<int[]> edges(LagrangeElement element) {
        ElementShape shape = element.shape();
        List<int[]> edges = new ArrayList<>();
        for (int e = 0; e < shape.edges(); e++) {
            edges.add(shape.edge(e));
        }
        if (shape == ElementShape.HEXAHEDRON && element.degree() > 2) {
            edges.add(edges.remove(edges.size() - 2));
        }
        return edges;
    }

    private static List<int[]> faces(ElementShape shape) {
        return switch (shape) {
            case HEXAHEDRON -> List.of(new int[]{0, 3, 4, 7}, new int[]{1, 2, 5, 6}, new int[]{0, 1, 4, 5},
                    new int[]{2, 3, 6, 7}, new int[]{0, 1, 2, 3}, new int[]{4, 5, 6, 7});
            case TETRAHEDRON -> List.of(new int[]{0, 1, 3}, new int[]{1, 2, 3}, new int[]{0, 2, 3},
                    new int[]{0, 1, 2});
            default -> List.of();
        };
    }

    private static int distance(LagrangeElement element, int node, int corner) {
        int most = 0;
        for (int d = 0; d < element.shape().dimension(); d++) {
            most = Math.max(most, Math.abs(element.lattice(node, d)
                    - element.degree() * element.shape().corner(corner, d)));
        }
        return most;
    }

    /** The corners of the smallest part of the cell that holds a node: those whose linear function is not 0 there. */
    private static int[] support(LagrangeElement element, int node) {
        double[] linear = LagrangeElement.of(element.shape(), 1).tabulate(element.node(node)).values();
        LagrangeElement corners = LagrangeElement.of(element.shape(), 1);
        return IntStream.range(0, element.shape().corners())
                .filter(c -> Math.abs(linear[corners.cornerNode(c)]) > 1e-12).toArray();
    }

    /** Draws a function at the corners of cells; in space the surface. */
    static void draw(FunctionSpace space, double[] values, int fields, String name, Path file) throws IOException {
        int dimension = space.mesh().dimension();
        double[] corner = new double[space.mesh().vertices()];
        int n = space.element().nodes();
        int corners = space.mesh().shape().corners();
        for (int cell = 0; cell < space.mesh().cells(); cell++) {
            for (int c = 0; c < corners; c++) {
                int node = space.cellNodes()[cell * n + space.element().cornerNode(c)];
                double square = 0;
                for (int a = 0; a < fields; a++) {
                    square += values[node * fields + a] * values[node * fields + a];
                }
                corner[space.mesh().cellVertices()[cell * corners + c]] =
                        fields == 1 ? values[node] : Math.sqrt(square);
            }
        }
        CellBlock block = new CellBlock(FemInput.shapeInFiles(space.mesh().shape()), corners,
                space.mesh().cellVertices(), IntStream.range(0, space.mesh().cells()).toArray());
        MeshData mesh = new MeshData(dimension, space.mesh().vertexCoordinates(), List.of(block), List.of(), List.of(),
                List.of());
        MeshPicture.write(mesh, new MeshPicture.Field(DataArray.of(fields == 1 ? "u" : "|u|", 1, corner), false, 0),
                null, name, file);
    }
}
