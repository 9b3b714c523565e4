package org.trellis.examples.poisson;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trellis.bench.console.Usage;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The mesh that the command line names: a file, or one to generate. */
final class PlaneInput {
    /** What is solved on if the command line names nothing. */
    static final String USUAL = "disc:rings=8";

    private static final Pattern DISC = Pattern.compile("disc:rings=(\\d{1,4})");
    private static final Pattern SQUARE = Pattern.compile("square:n=(\\d{1,4})(?:,shake=(0(?:\\.\\d{1,6})?))?");
    private static final double MOST_SHAKE = 0.3;
    private static final long SEED = 20261122;
    private static final int SEXTANTS = 6;
    private static final int QUADRILATERAL = 4;

    private PlaneInput() {}

    /**
     * Reads or generates a mesh.
     *
     * @param input what the command line says
     * @param spec  the command, for complaints
     * @return the mesh
     * @throws IOException              if a file cannot be read
     * @throws IllegalArgumentException if a file holds no mesh of triangles in the plane
     * @throws ParameterException       if the text names neither a file of meshes nor a mesh that can be generated
     */
    static PlaneMesh read(String input, CommandSpec spec) throws IOException {
        if (input.startsWith("disc:") || input.startsWith("square:")) {
            return Usage.get(spec, () -> generated(input));
        }
        Path file = Path.of(input);
        if (!MeshFiles.hasMeshName(file)) {
            throw new ParameterException(spec.commandLine(), "MESH is '" + input
                    + "', expected a file with the extension of a mesh format, disc:rings=R or square:n=N,shake=S");
        }
        return of(MeshFiles.read(file));
    }

    /** Makes a mesh that a text describes. */
    static PlaneMesh generated(String text) {
        Matcher disc = DISC.matcher(text);
        if (disc.matches() && Integer.parseInt(disc.group(1)) > 0) {
            return disc(Integer.parseInt(disc.group(1)));
        }
        Matcher square = SQUARE.matcher(text);
        if (square.matches() && Integer.parseInt(square.group(1)) > 0) {
            double shake = square.group(2) == null ? 0 : Double.parseDouble(square.group(2));
            if (shake <= MOST_SHAKE) {
                return square(Integer.parseInt(square.group(1)), shake, SEED);
            }
        }
        throw new IllegalArgumentException("mesh is '" + text + "', expected disc:rings=R with R from 1 to 9999, or "
                + "square:n=N,shake=S with N from 1 to 9999 and S from 0 to " + MOST_SHAKE);
    }

    /** A disc of radius 1: six nodes more in each ring than in the one within. */
    private static PlaneMesh disc(int rings) {
        double[] x = new double[2 * (1 + SEXTANTS / 2 * rings * (rings + 1))];
        int[] cells = new int[PlaneMesh.CORNERS * SEXTANTS * rings * rings];
        int at = 0;
        for (int ring = 1; ring <= rings; ring++) {
            for (int i = 0; i < SEXTANTS * ring; i++) {
                double angle = 2 * Math.PI * i / (SEXTANTS * ring);
                int node = ringNode(ring, i);
                x[2 * node] = Math.cos(angle) * ring / rings;
                x[2 * node + 1] = Math.sin(angle) * ring / rings;
                int sextant = i / ring;
                int within = i - sextant; // of the ring within, at the same place in its sextant
                at = put(cells, at, node, ringNode(ring, i + 1), ringNode(ring - 1, within));
                if (i % ring != 0) {
                    at = put(cells, at, node, ringNode(ring - 1, within), ringNode(ring - 1, within - 1));
                }
            }
        }
        return PlaneMesh.of(x, cells);
    }

    private static int ringNode(int ring, int i) {
        return ring == 0 ? 0 : 1 + SEXTANTS / 2 * ring * (ring - 1) + i % (SEXTANTS * ring);
    }

    private static int put(int[] cells, int at, int a, int b, int c) {
        cells[at] = a;
        cells[at + 1] = b;
        cells[at + 2] = c;
        return at + PlaneMesh.CORNERS;
    }

    /** The unit square, its inner nodes shaken by a share of the distance between neighbours. */
    static PlaneMesh square(int n, double shake, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] x = new double[2 * (n + 1) * (n + 1)];
        int[] cells = new int[2 * PlaneMesh.CORNERS * n * n];
        int at = 0;
        for (int j = 0; j <= n; j++) {
            for (int i = 0; i <= n; i++) {
                int node = i + (n + 1) * j;
                boolean inside = i > 0 && i < n && j > 0 && j < n;
                x[2 * node] = (i + (inside ? shake * (2 * random.nextDouble() - 1) : 0)) / n;
                x[2 * node + 1] = (j + (inside ? shake * (2 * random.nextDouble() - 1) : 0)) / n;
                if (i < n && j < n) {
                    int up = node + n + 1;
                    boolean even = (i + j) % 2 == 0;
                    at = put(cells, at, node, node + 1, even ? up + 1 : up);
                    at = put(cells, at, even ? node : node + 1, up + 1, up);
                }
            }
        }
        return PlaneMesh.of(x, cells);
    }

    /**
     * Takes the triangles of a file, and its quadrilaterals cut along a diagonal.
     *
     * @param file points and cells
     * @return the mesh
     * @throws IllegalArgumentException if there are none, or the points do not lie in a plane of constant z
     */
    static PlaneMesh of(MeshData file) {
        MeshData plane = flat(file);
        int[] cells = new int[PlaneMesh.CORNERS * (file.cellCount(CellShape.TRIANGLE)
                + 2 * file.cellCount(CellShape.QUADRILATERAL))];
        int at = 0;
        for (CellBlock block : plane.blocks()) {
            int corners = block.shape() == CellShape.TRIANGLE
                    ? PlaneMesh.CORNERS
                    : block.shape() == CellShape.QUADRILATERAL ? QUADRILATERAL : 0;
            for (int cell = 0; cell < block.cells(); cell++) {
                int first = cell * block.nodesPerCell();
                for (int last = 2; last < corners; last++) {
                    at = put(cells, at, block.nodes()[first], block.nodes()[first + last - 1],
                            block.nodes()[first + last]);
                }
            }
        }
        if (at == 0) {
            throw new IllegalArgumentException(file + " has no triangles and no quadrilaterals, expected some: "
                    + "the equation is solved in the plane");
        }
        return PlaneMesh.of(plane.points(), cells);
    }

    private static MeshData flat(MeshData file) {
        double[] points = file.points();
        int dimensions = file.dimensions();
        if (dimensions < 2) {
            throw new IllegalArgumentException(file + " has points with one coordinate, expected 2");
        }
        double[] plane = new double[2 * file.pointCount()];
        for (int point = 0; point < file.pointCount(); point++) {
            plane[2 * point] = points[dimensions * point];
            plane[2 * point + 1] = points[dimensions * point + 1];
            if (dimensions > 2 && points[dimensions * point + 2] != points[2]) {
                throw new IllegalArgumentException(file + " has points at z = " + points[2] + " and "
                        + points[dimensions * point + 2] + ", expected a mesh in the plane");
            }
        }
        return new MeshData(2, plane, file.blocks(), file.pointData(), file.cellData(), file.groups());
    }

    /**
     * Numbers the nodes of a mesh anew, and its triangles by their nodes.
     *
     * @param mesh   the mesh
     * @param places the new number of each node
     * @return the same mesh in another order
     */
    static PlaneMesh renumbered(PlaneMesh mesh, int[] places) {
        double[] x = new double[2 * places.length];
        for (int node = 0; node < places.length; node++) {
            x[2 * places[node]] = mesh.coordinates()[2 * node];
            x[2 * places[node] + 1] = mesh.coordinates()[2 * node + 1];
        }
        int[] cells = Arrays.stream(mesh.cellNodes()).map(node -> places[node]).toArray();
        Integer[] order = new Integer[mesh.cells()];
        Arrays.setAll(order, cell -> cell);
        Arrays.sort(order, (a, b) -> Integer.compare(least(cells, a), least(cells, b)));
        int[] sorted = new int[cells.length];
        for (int place = 0; place < order.length; place++) {
            System.arraycopy(cells, PlaneMesh.CORNERS * order[place], sorted, PlaneMesh.CORNERS * place,
                    PlaneMesh.CORNERS);
        }
        return PlaneMesh.of(x, sorted);
    }

    private static int least(int[] cells, int cell) {
        int first = PlaneMesh.CORNERS * cell;
        return Math.min(cells[first], Math.min(cells[first + 1], cells[first + 2]));
    }
}
