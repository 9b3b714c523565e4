package org.trellis.fem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.NodeFamily;
import org.trellis.fem.element.Quadrature;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.ReferenceMap;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.testing.TestSeed;

/** Elements, quadrature, the numbering of nodes, and meshes that are refused. */
class SpaceTest {
    /** Orientations that leave a cell what it is: rotations, as permutations of its corners. */
    private static final int[][] QUADRILATERALS = {{0, 1, 2, 3}, {1, 2, 3, 0}, {2, 3, 0, 1}, {3, 0, 1, 2}};
    private static final int[][] HEXAHEDRA = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 2, 3, 0, 5, 6, 7, 4},
        {3, 2, 6, 7, 0, 1, 5, 4}, {1, 5, 6, 2, 0, 4, 7, 3}, {4, 7, 6, 5, 0, 3, 2, 1}, {6, 5, 4, 7, 2, 1, 0, 3}};
    private static final int[][] TRIANGLES = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
    private static final int[][] TETRAHEDRA = {{0, 1, 2, 3}, {1, 2, 0, 3}, {1, 0, 3, 2}, {3, 2, 1, 0}, {2, 0, 1, 3}};

    private static double integral(Quadrature rule, int... exponents) {
        double sum = 0;
        for (int q = 0; q < rule.size(); q++) {
            double value = rule.weights()[q];
            for (int d = 0; d < exponents.length; d++) {
                value *= Math.pow(rule.points()[q * exponents.length + d], exponents[d]);
            }
            sum += value;
        }
        return sum;
    }

    private static double factorial(int n) {
        return n < 2 ? 1 : n * factorial(n - 1);
    }

    @Test
    void quadratureIsExactUpToItsDegree() {
        for (int n = 1; n <= 12; n++) {
            for (int k = 0; k < 2 * n; k++) {
                assertEquals(1.0 / (k + 1), integral(Quadrature.gauss(n), k), 1e-14, n + " points, power " + k);
            }
            for (int k = 0; n > 1 && k < 2 * n - 2; k++) {
                assertEquals(1.0 / (k + 1), integral(Quadrature.gaussLobatto(n), k), 1e-14, n + " points, power " + k);
            }
        }
        for (int degree = 0; degree <= 8; degree++) {
            for (int i = 0; i <= degree; i++) {
                for (int j = 0; i + j <= degree; j++) {
                    assertEquals(factorial(i) * factorial(j) / factorial(i + j + 2),
                            integral(Quadrature.ofDegree(ElementShape.TRIANGLE, degree), i, j), 1e-15);
                    int k = degree - i - j;
                    assertEquals(factorial(i) * factorial(j) * factorial(k) / factorial(degree + 3),
                            integral(Quadrature.ofDegree(ElementShape.TETRAHEDRON, degree), i, j, k), 1e-15);
                }
            }
        }
        assertArrayEquals(new double[]{0, 0.5 - Math.sqrt(5) / 10, 0.5 + Math.sqrt(5) / 10, 1},
                Quadrature.gaussLobatto(4).points(), 1e-15);
        assertThrows(IllegalArgumentException.class, () -> Quadrature.gauss(0));
        assertThrows(IllegalArgumentException.class, () -> Quadrature.gaussLobatto(1));
    }

    @ParameterizedTest
    @EnumSource
    void basesAreOneAtTheirNodesAndAddUpToOne(ElementShape shape) {
        for (int degree = 1; degree <= (shape.isTensor() ? 4 : 3); degree++) {
            LagrangeElement element = LagrangeElement.of(shape, degree);
            int n = element.nodes();
            for (int node = 0; node < n; node++) {
                LagrangeElement.Tabulation table = element.tabulate(element.node(node));
                for (int i = 0; i < n; i++) {
                    assertEquals(i == node ? 1 : 0, table.values()[i], 1e-13, element + " " + i + " at " + node);
                }
                for (int d = 0; d < shape.dimension(); d++) {
                    double sum = 0;
                    double slope = 0;
                    for (int i = 0; i < n; i++) {
                        sum += table.gradients()[d * n + i];
                        slope += table.gradients()[d * n + i] * element.node(i)[d];
                    }
                    assertEquals(0, sum, 1e-11);
                    assertEquals(1, slope, 1e-12);
                }
            }
        }
        assertThrows(IllegalArgumentException.class, () -> LagrangeElement.of(shape, 0));
        assertThrows(IllegalArgumentException.class, () -> LagrangeElement.of(shape, 9));
        assertThrows(IllegalArgumentException.class,
                () -> LagrangeElement.of(ElementShape.TRIANGLE, 3, NodeFamily.GLL));
    }

    /** More cells than one thread goes through at a time. */
    @ParameterizedTest
    @CsvSource({"QUADRILATERAL, 60, 3", "TRIANGLE, 40, 2", "HEXAHEDRON, 14, 2", "TETRAHEDRON, 9, 3"})
    void nodesAreNumberedAsCellsFirstTouchThem(ElementShape shape, int n, int degree) {
        FunctionSpace space = FunctionSpace.of(StructuredMeshes.unit(shape, n, FemCases.DISTORTED), degree);
        int nodes = space.element().nodes();
        int next = 0;
        double[] points = new double[space.mesh().geometry().nodes() * shape.dimension()];
        double[] x = new double[shape.dimension()];
        for (int k = 0; k < space.cellNodes().length; k++) {
            int node = space.cellNodes()[k];
            assertTrue(node <= next, "node " + node + " of cell " + k / nodes + ", expected at most " + next);
            next = Math.max(next, node + 1);
            space.mesh().gather(k / nodes, points);
            ReferenceMap.point(space.mesh().geometry().tabulate(space.element().node(k % nodes)), 0, points, x);
            for (int d = 0; d < x.length; d++) {
                assertEquals(x[d], space.coordinates()[node * x.length + d], 1e-13);
            }
        }
        assertEquals(space.nodes(), next);
        assertEquals(Math.round(Math.pow(n * degree + 1.0, shape.dimension())), space.nodes());
    }

    @ParameterizedTest
    @EnumSource
    void nodesAreSharedWhateverTheOrientationOfCells(ElementShape shape) {
        int[][] turns = switch (shape) {
            case TRIANGLE -> TRIANGLES;
            case QUADRILATERAL -> QUADRILATERALS;
            case TETRAHEDRON -> TETRAHEDRA;
            case HEXAHEDRON -> HEXAHEDRA;
        };
        SplittableRandom random = TestSeed.random("turns of " + shape);
        CellMesh plain = StructuredMeshes.unit(shape, 3, FemCases.DISTORTED);
        int corners = shape.corners();
        int[] numbers = random.ints(plain.vertices()).boxed().sorted().mapToInt(k -> 0).toArray();
        Arrays.setAll(numbers, k -> k);
        for (int k = numbers.length - 1; k > 0; k--) {
            int other = random.nextInt(k + 1);
            int kept = numbers[k];
            numbers[k] = numbers[other];
            numbers[other] = kept;
        }
        double[] x = new double[plain.vertexCoordinates().length];
        int[] cells = new int[plain.cellVertices().length];
        for (int v = 0; v < numbers.length; v++) {
            System.arraycopy(plain.vertexCoordinates(), v * shape.dimension(), x, numbers[v] * shape.dimension(),
                    shape.dimension());
        }
        for (int cell = 0; cell < plain.cells(); cell++) {
            int[] turn = turns[random.nextInt(turns.length)];
            for (int c = 0; c < corners; c++) {
                cells[cell * corners + c] = numbers[plain.cellVertices()[cell * corners + turn[c]]];
            }
        }
        CellMesh turned = CellMesh.of(shape, x, cells);
        for (int degree = 1; degree <= (shape.isTensor() ? 4 : 3); degree++) {
            FunctionSpace space = FunctionSpace.of(turned, degree);
            int expected = FunctionSpace.of(plain, degree).nodes();
            int steps = 3 * degree + 1;
            assertEquals((int) Math.pow(steps, shape.dimension()), expected, "degree " + degree);
            assertEquals(expected, space.nodes(), "degree " + degree + ", seed " + TestSeed.value());
            requireOnePlaceForEachNode(space);
        }
    }

    /** Places computed from each cell are one place: a wrong order along an edge or on a face would move nodes. */
    private static void requireOnePlaceForEachNode(FunctionSpace space) {
        int dimension = space.mesh().dimension();
        int n = space.element().nodes();
        double[] corners = new double[space.mesh().geometry().nodes() * dimension];
        for (int cell = 0; cell < space.mesh().cells(); cell++) {
            space.mesh().gather(cell, corners);
            for (int i = 0; i < n; i++) {
                double[] at = new double[dimension];
                LagrangeElement.Tabulation map = space.mesh().geometry().tabulate(space.element().node(i));
                org.trellis.fem.space.ReferenceMap.point(map, 0, corners, at);
                int node = space.cellNodes()[cell * n + i];
                for (int d = 0; d < dimension; d++) {
                    assertEquals(space.coordinates()[node * dimension + d], at[d], 1e-13,
                            "node " + i + " of cell " + cell + ", seed " + TestSeed.value());
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"QUADRILATERAL, 2, 5, 40", "TRIANGLE, 3, 4, 48", "HEXAHEDRON, 2, 2, 98", "TETRAHEDRON, 2, 2, 98"})
    void boundaryNodesAreThoseOfItsFacets(ElementShape shape, int degree, int n, int expected) {
        FunctionSpace space = FunctionSpace.of(FemCases.mesh(shape, n, false), degree);
        int[] nodes = space.boundaryNodes();
        assertEquals(expected, nodes.length);
        int dimension = shape.dimension();
        for (int node : nodes) {
            double nearest = 1;
            for (int d = 0; d < dimension; d++) {
                double x = space.coordinates()[node * dimension + d];
                nearest = Math.min(nearest, Math.min(Math.abs(x), Math.abs(1 - x)));
            }
            assertEquals(0, nearest, 1e-12);
        }
    }

    private static void refused(String message, ElementShape shape, double[] x, int... cells) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> CellMesh.of(shape, x, cells));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    @Test
    void meshesWithDefectsAreRefusedWithThePlace() {
        double[] square = {0, 0, 1, 0, 1, 1, 0, 1};
        ElementShape quad = ElementShape.QUADRILATERAL;
        assertEquals(1, CellMesh.of(quad, square, new int[]{0, 1, 2, 3}).cells());
        refused("cell 0 with corners (0.0, 0.0) (0.0, 1.0) (1.0, 1.0) (1.0, 0.0) is inverted", quad, square, 0, 3, 2,
                1);
        refused("is not convex, or folded", quad, new double[]{0, 0, 1, 0, 0.2, 0.2, 0, 1}, 0, 1, 2, 3);
        refused("is collapsed", quad, new double[]{0, 0, 1, 0, 2, 0, 3, 0}, 0, 1, 2, 3);
        refused("is collapsed", ElementShape.TRIANGLE, new double[]{0, 0, 1, 1, 2, 2}, 0, 1, 2);
        refused("node 4 at (7.0, 8.0) belongs to no cell", quad, new double[]{0, 0, 1, 0, 1, 1, 0, 1, 7, 8}, 0, 1, 2,
                3);
        refused("corner 3 of cell 0 is 4, expected 0 to 3", quad, square, 0, 1, 2, 4);
        refused("node 6 at (1.0, 0.5) lies on a facet of cell 0", quad,
                new double[]{0, 0, 1, 0, 1, 1, 0, 1, 2, 0, 2, 0.5, 1, 0.5, 2, 1}, 0, 1, 2, 3, 1, 4, 5, 6, 6, 5, 7, 2);
        refused("belongs to a third cell", ElementShape.TRIANGLE, new double[]{0, 0, 1, 0, 0, 1, 0.2, 2, 0.3, 3},
                0, 1, 2, 0, 1, 3, 0, 1, 4);
        refused("has the coordinate NaN", quad, new double[]{0, 0, 1, 0, 1, Double.NaN, 0, 1}, 0, 1, 2, 3);
        double[] cubes = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
        refused("is inverted", ElementShape.HEXAHEDRON, cubes, 4, 5, 6, 7, 0, 1, 2, 3);
    }

    @Test
    void hangingNodesOfFacesAreFound() {
        // a cube beside four smaller ones, whose middle node lies on its face
        double[] x = new double[3 * (8 + 18)];
        int at = 0;
        for (int v = 0; v < 8; v++) {
            x[at++] = (v & 1) - 1;
            x[at++] = v >> 1 & 1;
            x[at++] = v >> 2 & 1;
        }
        int[] number = new int[18];
        int next = 8;
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 3; j++) {
                for (int i = 0; i < 2; i++) {
                    boolean corner = i == 0 && j % 2 == 0 && k % 2 == 0;
                    int node = corner ? 1 + j + 2 * k : next++;
                    number[i + 2 * (j + 3 * k)] = node;
                    x[3 * node] = 0.5 * i;
                    x[3 * node + 1] = 0.5 * j;
                    x[3 * node + 2] = 0.5 * k;
                }
            }
        }
        int[] cells = new int[8 * 5];
        int[] order = {0, 1, 3, 2, 4, 5, 7, 6};
        for (int c = 0; c < 8; c++) {
            cells[c] = order[c];
        }
        for (int cell = 0; cell < 4; cell++) {
            for (int c = 0; c < 8; c++) {
                int corner = order[c];
                int j = cell % 2 + (corner >> 1 & 1);
                int k = cell / 2 + (corner >> 2 & 1);
                cells[8 * (cell + 1) + c] = number[(corner & 1) + 2 * (j + 3 * k)];
            }
        }
        double[] used = Arrays.copyOf(x, 3 * next);
        refused("lies on a facet of cell 0", ElementShape.HEXAHEDRON, used, cells);
    }

    @Test
    void curvedMeshesBendTheDomain() {
        CellMesh flat = FemCases.mesh(ElementShape.QUADRILATERAL, 4, false);
        CellMesh ring = flat.curved(3, x -> {
            double radius = 1 + x[0];
            double angle = 0.5 * Math.PI * x[1];
            return new double[]{radius * Math.cos(angle), radius * Math.sin(angle)};
        });
        FunctionSpace space = FunctionSpace.of(ring, 3);
        double[] ones = new double[space.nodes()];
        Arrays.fill(ones, 1);
        FunctionErrors area = FunctionErrors.of(space, ones, 1, (x, v) -> v[0] = 0, (x, v) -> Arrays.fill(v, 0));
        assertEquals(0.25 * Math.PI * (4 - 1), area.l2() * area.l2(), 1e-6);
        assertThrows(IllegalArgumentException.class, () -> flat.curved(2, x -> new double[]{-x[0], x[1]}));
    }
}
