package org.trellis.examples.airfoil;

import org.trellis.common.Precision;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.matrices.mesh.AirfoilPart;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.RankRows;

/** The mesh of Airfoil as it is declared: sets, maps, and the data that do not follow from others. */
record AirfoilTables(MeshSet cells, MeshSet edges, MeshSet boundary, MeshMap cellNodes, MeshMap edgeNodes,
        MeshMap edgeCells, MeshMap boundaryNodes, MeshMap boundaryCell, Dat x, Dat state, Dat kind) {

    /** Declares a mesh of which every rank has all. */
    static AirfoilTables of(Mesh mesh, AirfoilMesh file, Precision precision) {
        MeshSet nodes = mesh.set("nodes", file.nodes());
        MeshSet cells = mesh.set("cells", file.cells());
        MeshSet edges = mesh.set("edges", file.edges());
        MeshSet boundary = mesh.set("boundary edges", file.boundaryEdges());
        return new AirfoilTables(cells, edges, boundary,
                mesh.map("cell to nodes", cells, nodes, 4, file.cellNodes()),
                mesh.map("edge to nodes", edges, nodes, 2, file.edgeNodes()),
                mesh.map("edge to cells", edges, cells, 2, file.edgeCells()),
                mesh.map("boundary edge to nodes", boundary, nodes, 2, file.boundaryNodes()),
                mesh.map("boundary edge to cell", boundary, cells, 1, file.boundaryCells()),
                mesh.dat("x", nodes, 2, precision, file.coordinates()),
                mesh.dat("q", cells, AirfoilSolver.COMPONENTS, precision, freeStream(file.cells())),
                mesh.intDat("kind", boundary, 1, file.boundaryKinds()));
    }

    /** Declares a mesh of which each rank has read a share. */
    static AirfoilTables of(Mesh mesh, AirfoilPart file, Precision precision) {
        RankRows rows = RankRows.of(mesh);
        MeshSet nodes = mesh.set("nodes", file.nodes());
        MeshSet cells = mesh.set("cells", file.cells());
        MeshSet edges = mesh.set("edges", file.edges());
        MeshSet boundary = mesh.set("boundary edges", file.boundaryEdges());
        int[] ownCells = file.ownCells();
        int[] ownEdges = file.ownEdges();
        int[] ownBoundary = file.ownBoundaryEdges();
        return new AirfoilTables(cells, edges, boundary,
                rows.map("cell to nodes", cells, nodes, 4, ownCells, file.cellNodes()),
                rows.map("edge to nodes", edges, nodes, 2, ownEdges, file.edgeNodes()),
                rows.map("edge to cells", edges, cells, 2, ownEdges, file.edgeCells()),
                rows.map("boundary edge to nodes", boundary, nodes, 2, ownBoundary, file.boundaryNodes()),
                rows.map("boundary edge to cell", boundary, cells, 1, ownBoundary, file.boundaryCells()),
                rows.dat("x", nodes, 2, precision, file.ownNodes(), file.coordinates()),
                rows.dat("q", cells, AirfoilSolver.COMPONENTS, precision, ownCells, freeStream(ownCells.length)),
                rows.intDat("kind", boundary, 1, ownBoundary, file.boundaryKinds()));
    }

    /** The free stream in some cells. */
    private static double[] freeStream(int cells) {
        double[] values = AirfoilSolver.freeStream();
        double[] all = new double[values.length * cells];
        for (int i = 0; i < cells; i++) {
            System.arraycopy(values, 0, all, i * values.length, values.length);
        }
        return all;
    }
}
