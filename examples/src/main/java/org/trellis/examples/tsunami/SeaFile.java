package org.trellis.examples.tsunami;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellGroup;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;

/**
 * Turns the mesh of a file into triangles with a bed: quadrilaterals are cut along a diagonal, lines say what the
 * boundary is there, and the bed comes from {@code depth} at the points, or else is their third coordinate. Lines are
 * recognised by their physical tags (Gmsh) or by the type of the boundary (ADCIRC), where {@code open} stands for open
 * boundaries.
 */
final class SeaFile {
    private static final double EARTH_RADIUS = 6_371_000;
    private static final int CORNERS_OF_SQUARE = 4;
    /** The cell data in which lines of ADCIRC's files have the type of their boundary, and that of open ones. */
    private static final String ADCIRC_KIND = "kind";
    private static final int ADCIRC_OPEN = -1;
    private static final String OPEN = "open";

    private final MeshData file;
    private final Map<String, Integer> kinds;

    /**
     * Prepares to turn a mesh.
     *
     * @param file  points, cells and data
     * @param kinds the kinds of boundary edges by the names or numbers of their tags; the others are walls
     */
    SeaFile(MeshData file, Map<String, Integer> kinds) {
        this.file = file;
        this.kinds = kinds;
    }

    /**
     * Makes the mesh.
     *
     * @param degrees whether the coordinates are longitude and latitude, to be projected to metres around their middle
     *                (equidistant along the middle parallel and all meridians)
     * @return the mesh
     * @throws IllegalArgumentException if there are no triangles, or a named boundary is not in the file; says which
     *                                  there are
     */
    TriangleMesh mesh(boolean degrees) {
        if (file.dimensions() < 2) {
            throw new IllegalArgumentException(file + " has points with one coordinate, expected 2 or 3");
        }
        int[] triangles = triangles();
        if (triangles.length == 0) {
            throw new IllegalArgumentException(file + " has no triangles and no quadrilaterals");
        }
        Map<Integer, Integer> kindOfTag = kindOfTag();
        List<int[]> marked = markedLines(kindOfTag);
        int[] boundaryNodes = new int[2 * marked.size()];
        int[] boundaryKinds = new int[marked.size()];
        for (int i = 0; i < marked.size(); i++) {
            boundaryNodes[2 * i] = marked.get(i)[0];
            boundaryNodes[2 * i + 1] = marked.get(i)[1];
            boundaryKinds[i] = marked.get(i)[2];
        }
        double[] plane = plane();
        return new TriangleMesh(degrees ? projected(plane) : plane, bed(), triangles, boundaryNodes, boundaryKinds);
    }

    private int[] triangles() {
        int count = file.cellCount(CellShape.TRIANGLE) + 2 * file.cellCount(CellShape.QUADRILATERAL);
        int[] triangles = new int[Math.multiplyExact(TriangleMesh.CORNERS, count)];
        int at = 0;
        for (CellBlock block : file.blocks()) {
            int corners = block.shape() == CellShape.TRIANGLE
                    ? TriangleMesh.CORNERS
                    : block.shape() == CellShape.QUADRILATERAL ? CORNERS_OF_SQUARE : 0;
            for (int cell = 0; cell < block.cells(); cell++) {
                int first = cell * block.nodesPerCell();
                for (int last = 2; last < corners; last++) {
                    triangles[at++] = block.nodes()[first];
                    triangles[at++] = block.nodes()[first + last - 1];
                    triangles[at++] = block.nodes()[first + last];
                }
            }
        }
        return triangles;
    }

    private Map<Integer, Integer> kindOfTag() {
        Map<Integer, Integer> result = new HashMap<>();
        boolean adcirc = file.cellArray(ADCIRC_KIND).isPresent();
        if (adcirc) {
            result.put(ADCIRC_OPEN, ShallowWater.SEA);
        }
        for (Map.Entry<String, Integer> entry : kinds.entrySet()) {
            result.put(tag(entry.getKey(), adcirc), entry.getValue());
        }
        return result;
    }

    private int tag(String name, boolean adcirc) {
        if (adcirc && name.equals(OPEN)) {
            return ADCIRC_OPEN;
        }
        if (name.matches("\\d{1,9}")) {
            return Integer.parseInt(name);
        }
        List<CellGroup> groups = file.groups().stream().filter(group -> group.dimension() == 1).toList();
        return groups.stream().filter(group -> group.name().equals(name)).mapToInt(CellGroup::tag).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("boundary '" + name
                        + "' is not in the file, expected a number or one of "
                        + (adcirc ? List.of(OPEN) : groups.stream().map(CellGroup::name).toList())));
    }

    /** Two nodes and a kind of each line that is to be no wall. */
    private List<int[]> markedLines(Map<Integer, Integer> kindOfTag) {
        List<int[]> marked = new ArrayList<>();
        Optional<DataArray> tags = file.cellArray(ADCIRC_KIND).or(() -> file.cellArray(MeshData.PHYSICAL));
        if (tags.isEmpty() || kindOfTag.isEmpty()) {
            return marked;
        }
        double[] values = tags.get().values();
        for (CellBlock block : file.blocks()) {
            for (int cell = 0; block.shape() == CellShape.LINE && cell < block.cells(); cell++) {
                int tag = (int) values[block.numbers()[cell]];
                int kind = kindOfTag.getOrDefault(tag, ShallowWater.WALL);
                if (kind != ShallowWater.WALL) {
                    int first = cell * block.nodesPerCell();
                    marked.add(new int[]{block.nodes()[first], block.nodes()[first + 1], kind});
                }
            }
        }
        return marked;
    }

    private double[] plane() {
        int dimensions = file.dimensions();
        double[] plane = new double[2 * file.pointCount()];
        for (int point = 0; point < file.pointCount(); point++) {
            plane[2 * point] = file.points()[dimensions * point];
            plane[2 * point + 1] = file.points()[dimensions * point + 1];
        }
        return plane;
    }

    private double[] bed() {
        double[] bed = new double[file.pointCount()];
        Optional<DataArray> depth = file.pointArray("depth");
        for (int point = 0; point < bed.length; point++) {
            if (depth.isPresent()) {
                bed[point] = -depth.get().values()[point];
            } else if (file.dimensions() > 2) {
                bed[point] = file.points()[file.dimensions() * point + 2];
            }
        }
        return bed;
    }

    private static double[] projected(double[] degrees) {
        double west = Double.MAX_VALUE;
        double east = -Double.MAX_VALUE;
        double south = Double.MAX_VALUE;
        double north = -Double.MAX_VALUE;
        for (int i = 0; i < degrees.length; i += 2) {
            west = Math.min(west, degrees[i]);
            east = Math.max(east, degrees[i]);
            south = Math.min(south, degrees[i + 1]);
            north = Math.max(north, degrees[i + 1]);
        }
        if (south < -90 || north > 90 || east - west > 360) {
            throw new IllegalArgumentException("longitudes from " + west + " to " + east + " and latitudes from "
                    + south + " to " + north + " are no degrees");
        }
        double middleX = 0.5 * (west + east);
        double middleY = 0.5 * (south + north);
        double shrink = Math.cos(Math.toRadians(middleY));
        double[] metres = new double[degrees.length];
        for (int i = 0; i < degrees.length; i += 2) {
            metres[i] = EARTH_RADIUS * shrink * Math.toRadians(degrees[i] - middleX);
            metres[i + 1] = EARTH_RADIUS * Math.toRadians(degrees[i + 1] - middleY);
        }
        return metres;
    }
}
