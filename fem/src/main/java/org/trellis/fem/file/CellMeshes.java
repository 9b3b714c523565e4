package org.trellis.fem.file;

import java.io.IOException;
import java.nio.file.Path;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.space.CellMesh;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;

/**
 * Meshes of finite elements from mesh files: the cells of the highest dimension, which are triangles, quadrilaterals,
 * tetrahedra or hexahedra, all of one shape, straight or of degree 2 or 3.
 *
 * <pre>{@code
 * PoissonProblem.on(CellMeshes.read(Path.of("plate.msh"))).degree(2).source(x -> 1).solve();
 * }</pre>
 */
public final class CellMeshes {
    /** Coordinates of a point that files give even in the plane. */
    private static final int IN_SPACE = 3;

    private CellMeshes() {}

    /**
     * Reads a mesh.
     *
     * @param file a file of any format of {@link MeshFiles}
     * @return the mesh
     * @throws IOException              if the file cannot be read
     * @throws IllegalArgumentException if it has cells of no or of several shapes, or finite elements cannot use it
     */
    public static CellMesh read(Path file) throws IOException {
        return of(MeshFiles.read(file));
    }

    /**
     * Takes the cells of the highest dimension.
     *
     * @param data what a file holds; a mesh in the plane may have a third coordinate, the same for all points
     * @return the mesh; its coordinates are copied, its cells are shared where they are straight
     * @throws IllegalArgumentException if there are cells of no or of several shapes, or finite elements cannot use
     *                                  them
     */
    @SuppressWarnings("exports") // programs without module matrices compile
    public static CellMesh of(MeshData data) {
        int dimension = data.blocks().stream().mapToInt(block -> block.shape().dimension()).max().orElse(0);
        CellBlock found = null;
        for (CellBlock block : data.blocks()) {
            if (block.shape().dimension() == dimension) {
                if (found != null) {
                    throw new IllegalArgumentException(data + " has cells of the shapes " + found.shape() + " and "
                            + block.shape() + ", expected one shape");
                }
                found = block;
            }
        }
        return of(data, found, dimension);
    }

    private static CellMesh of(MeshData data, CellBlock block, int dimension) {
        ElementShape shape = dimension < 2 ? null : switch (block.shape()) {
            case TRIANGLE -> ElementShape.TRIANGLE;
            case QUADRILATERAL -> ElementShape.QUADRILATERAL;
            case TETRAHEDRON -> ElementShape.TETRAHEDRON;
            case HEXAHEDRON -> ElementShape.HEXAHEDRON;
            default -> null;
        };
        int degree = shape == null ? 0 : CurvedCells.degree(shape, block.nodesPerCell());
        if (degree == 0 || data.dimensions() < dimension) {
            throw new IllegalArgumentException(data + " has "
                    + (block == null
                            ? "no cells"
                            : "cells of the shape " + block.shape() + " with "
                                    + block.nodesPerCell() + " nodes")
                    + ", expected triangles, quadrilaterals, tetrahedra or hexahedra "
                    + "of degree 1, 2 or 3 with all nodes");
        }
        double[] points = points(data, dimension);
        if (degree == 1) {
            return CellMesh.of(shape, points, block.nodes());
        }
        LagrangeElement map = CurvedCells.element(shape, degree);
        return CellMesh.isoparametric(map, points, CurvedCells.sorted(map, block.nodes()));
    }

    private static double[] points(MeshData data, int dimension) {
        double[] points = new double[data.pointCount() * dimension];
        for (int p = 0; p < data.pointCount(); p++) {
            System.arraycopy(data.points(), p * data.dimensions(), points, p * dimension, dimension);
            if (data.dimensions() > dimension && data.points()[p * IN_SPACE + 2] != data.points()[2]) {
                throw new IllegalArgumentException(data + " has points at z = " + data.points()[2] + " and "
                        + data.points()[p * IN_SPACE + 2] + ", expected a mesh in the plane");
            }
        }
        return points;
    }
}
