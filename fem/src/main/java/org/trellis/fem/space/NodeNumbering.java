package org.trellis.fem.space;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.trellis.common.ParallelRanges;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;

/**
 * Numbers the nodes of a space and places them. First each node gets the number of its entity (corner, edge, face or
 * cell) and its place on it; then nodes are numbered in the order in which cells, one after the other, first touch
 * them. All passes run on several threads and give the same on any number of them.
 */
final class NodeNumbering {
    private static final int CELLS_PER_TASK = 1 << 10;
    /** Cells whose nodes are numbered by one call, of which there are many, so that the JVM compiles it soon. */
    private static final int BLOCK = 1 << 6;
    /** First uses are kept less this, so that 0 is later than any. */
    private static final int LATEST = Integer.MAX_VALUE;

    private final CellMesh mesh;
    private final LagrangeElement element;
    private final ElementShape shape;
    private final int degree;
    private final int inEdge;
    private final int inFace;
    private final int inCell;
    private final int edgeBase;
    private final int faceBase;
    private final int cellBase;
    private final int total;
    private final Seat[] seats;
    private final int[] cellNodes;
    private final double[] coordinates;

    /**
     * Numbers the nodes.
     *
     * @param mesh    the mesh
     * @param element an element on cells of its shape
     * @throws IllegalArgumentException if there would be too many nodes
     */
    NodeNumbering(CellMesh mesh, LagrangeElement element) {
        this.mesh = mesh;
        this.element = element;
        this.shape = mesh.shape();
        this.degree = element.degree();
        boolean simplex = !shape.isTensor();
        inEdge = degree - 1;
        inFace = simplex ? (degree - 1) * (degree - 2) / 2 : (degree - 1) * (degree - 1);
        seats = seats();
        inCell = (int) Arrays.stream(seats).filter(seat -> seat.kind() == Kind.CELL).count();
        long faces = mesh.faces() == null ? 0 : mesh.faces().count();
        long onEdges = mesh.vertices() + (long) mesh.edges().edgeCount() * inEdge;
        long onFaces = onEdges + faces * inFace;
        long all = onFaces + (long) mesh.cells() * inCell;
        long uses = (long) mesh.cells() * seats.length;
        if (Math.max(all, uses) > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("space of " + element + " on " + mesh + " has " + all
                    + " nodes, and its cells have " + uses + ", expected at most " + (Integer.MAX_VALUE - 8));
        }
        edgeBase = mesh.vertices();
        faceBase = (int) onEdges;
        cellBase = (int) onFaces;
        total = (int) all;
        cellNodes = new int[(int) uses];
        int[][] cornersOfEdges = new int[shape.edges()][];
        Arrays.setAll(cornersOfEdges, shape::edge);
        int[][] cornersOfFaces = new int[shape.faces()][];
        Arrays.setAll(cornersOfFaces, shape::face);
        ParallelRanges.strips(mesh.cells(), CELLS_PER_TASK,
                (from, to) -> numberEntities(from, to, cornersOfEdges, cornersOfFaces));
        coordinates = renumber();
    }

    int[] cellNodes() {
        return cellNodes;
    }

    double[] coordinates() {
        return coordinates;
    }

    /** The part of a cell in which a node lies. */
    private enum Kind {
        CORNER, EDGE, FACE, CELL
    }

    /**
     * Where a node of the element lies.
     *
     * @param kind   on what part of the cell
     * @param part   which corner, edge or face
     * @param places its place there, for each way in which the part may lie in the cell
     */
    private record Seat(Kind kind, int part, int[] places) {}

    private Seat[] seats() {
        Seat[] all = new Seat[element.nodes()];
        int inside = 0;
        for (int node = 0; node < all.length; node++) {
            int[] corners = entity(node);
            all[node] = corners.length == shape.corners()
                    ? new Seat(Kind.CELL, 0, new int[]{inside++})
                    : seat(node, corners);
        }
        return all;
    }

    private Seat seat(int node, int... corners) {
        if (corners.length == 1) {
            return new Seat(Kind.CORNER, corners[0], new int[1]);
        }
        for (int e = 0; corners.length == 2 && e < shape.edges(); e++) {
            int[] ends = shape.edge(e);
            if (sameCorners(ends, corners)) {
                return new Seat(Kind.EDGE, e, new int[]{steps(node, ends[0]) - 1, steps(node, ends[1]) - 1});
            }
        }
        for (int f = 0; f < shape.faces(); f++) {
            int[] face = shape.face(f);
            if (sameCorners(face, corners)) {
                int[] places = new int[2 * face.length];
                Arrays.setAll(places, turn -> onFace(node, turn, face));
                return new Seat(Kind.FACE, f, places);
            }
        }
        throw new IllegalStateException("node " + node + " of " + element + " lies on no part of a cell");
    }

    private static boolean sameCorners(int[] a, int... b) {
        int[] one = a.clone();
        int[] other = b.clone();
        Arrays.sort(one);
        Arrays.sort(other);
        return Arrays.equals(one, other);
    }

    /** The corners of the smallest part of the cell that holds a node: those where a linear basis is not 0. */
    private int[] entity(int node) {
        return IntStream.range(0, shape.corners()).filter(corner -> {
            int sum = 0;
            boolean touches = true;
            for (int d = 0; d < shape.dimension(); d++) {
                int x = element.lattice(node, d);
                sum += x;
                touches &= shape.isTensor()
                        ? shape.corner(corner, d) == 0 ? x < degree : x > 0
                        : shape.corner(corner, d) == 0 || x > 0;
            }
            return touches && (shape.isTensor() || corner > 0 || sum < degree);
        }).toArray();
    }

    /** How far a node of an edge is from a corner. */
    private int steps(int node, int corner) {
        int most = 0;
        for (int d = 0; d < shape.dimension(); d++) {
            most = Math.max(most, Math.abs(element.lattice(node, d) - degree * shape.corner(corner, d)));
        }
        return most;
    }

    private int onFace(int node, int turn, int... face) {
        if (face.length == 3) {
            return 0; // degree 3 has one
        }
        int least = turn >> 1;
        int next = face[(least + 1) % face.length];
        int last = face[(least + 3) % face.length];
        boolean swap = (turn & 1) == 1;
        int u = along(node, face[least], swap ? last : next);
        int v = along(node, face[least], swap ? next : last);
        return u - 1 + (v - 1) * (degree - 1);
    }

    private int along(int node, int from, int to) {
        int steps = 0;
        for (int d = 0; d < shape.dimension(); d++) {
            int direction = shape.corner(to, d) - shape.corner(from, d);
            steps += direction * (element.lattice(node, d) - degree * shape.corner(from, d));
        }
        return steps;
    }

    /** Gives the nodes of some cells the numbers of their entities. */
    private void numberEntities(int from, int to, int[][] edges, int[][] faces) {
        int[] cells = mesh.cellVertices();
        int corners = shape.corners();
        int[] ofEdges = mesh.edges().edges();
        int[] ofFaces = mesh.faces() == null ? new int[0] : mesh.faces().ofCell();
        int[] edgeTurns = new int[edges.length];
        int[] faceTurns = new int[faces.length];
        for (int cell = from; cell < to; cell++) {
            int first = cell * corners;
            for (int e = 0; e < edges.length && inEdge > 0; e++) {
                edgeTurns[e] = cells[first + edges[e][0]] < cells[first + edges[e][1]] ? 0 : 1;
            }
            for (int f = 0; f < faces.length && ofFaces.length > 0 && inFace > 0; f++) {
                faceTurns[f] = EntityNumbering.turn(cells, first, faces[f]);
            }
            int at = cell * seats.length;
            for (Seat seat : seats) {
                int part = seat.part();
                cellNodes[at++] = switch (seat.kind()) {
                    case CORNER -> cells[first + part];
                    case EDGE -> edgeBase + ofEdges[cell * edges.length + part] * inEdge
                            + seat.places()[edgeTurns[part]];
                    case FACE -> faceBase + ofFaces[cell * faces.length + part] * inFace
                            + seat.places()[faceTurns[part]];
                    case CELL -> cellBase + cell * inCell + seat.places()[0];
                };
            }
        }
    }

    /**
     * Renumbers in the order of first use, and places nodes where the first of their cells has them.
     *
     * @return the coordinates of all nodes
     */
    private double[] renumber() {
        AtomicIntegerArray places = new AtomicIntegerArray(total);
        int n = seats.length;
        ParallelRanges.strips(cellNodes.length, CELLS_PER_TASK * n, (from, to) -> {
            for (int use = from; use < to; use++) {
                int first = use - LATEST;
                int node = cellNodes[use];
                int now = places.getOpaque(node);
                while (first < now && !places.weakCompareAndSetPlain(node, now, first)) {
                    now = places.getOpaque(node);
                }
            }
        });
        int blocks = Math.ceilDiv(mesh.cells(), BLOCK);
        int[] firsts = new int[blocks + 1];
        ParallelRanges.run(blocks, CELLS_PER_TASK / BLOCK, (from, to) -> {
            for (int block = from; block < to; block++) {
                firsts[block + 1] = firstUses(block * BLOCK * n, end(block) * n, places);
            }
        });
        ParallelRanges.accumulate(firsts);
        double[] placed = new double[Math.multiplyExact(firsts[blocks], mesh.dimension())];
        ParallelRanges.run(blocks, CELLS_PER_TASK / BLOCK, Placing::new, (from, to, placing) -> {
            for (int block = from; block < to; block++) {
                placing.block(block, firsts[block], places, placed);
            }
        });
        ParallelRanges.strips(cellNodes.length, CELLS_PER_TASK * n, (from, to) -> {
            for (int use = from; use < to; use++) {
                cellNodes[use] = places.getPlain(cellNodes[use]) - 1;
            }
        });
        return placed;
    }

    /** The first cell behind a block. */
    private int end(int block) {
        return (int) Math.min(mesh.cells(), (block + 1L) * BLOCK);
    }

    /** Counts the uses in a range that are the first ones of their nodes. */
    private int firstUses(int from, int to, AtomicIntegerArray places) {
        int count = 0;
        for (int use = from; use < to; use++) {
            count += places.getPlain(cellNodes[use]) == use - LATEST ? 1 : 0;
        }
        return count;
    }

    /** Numbers the nodes that are first used in a block of cells, one above their number, and says where they lie. */
    private final class Placing {
        private final int dimension = mesh.dimension();
        private final double[] points = new double[mesh.geometry().nodes() * dimension];
        private final double[] x = new double[dimension];
        private final LagrangeElement.Tabulation table = mesh.geometry().tabulate(reference());

        private double[] reference() {
            double[] all = new double[seats.length * dimension];
            for (int i = 0; i < seats.length; i++) {
                System.arraycopy(element.node(i), 0, all, i * dimension, dimension);
            }
            return all;
        }

        void block(int block, int first, AtomicIntegerArray places, double... placed) {
            int n = seats.length;
            int end = end(block);
            int next = first;
            for (int cell = block * BLOCK; cell < end; cell++) {
                mesh.gather(cell, points);
                for (int i = 0; i < n; i++) {
                    int node = cellNodes[cell * n + i];
                    // Another block may be numbering the node; its use is another one, and numbers are positive.
                    if (places.getOpaque(node) == cell * n + i - LATEST) {
                        ReferenceMap.point(table, i, points, x);
                        System.arraycopy(x, 0, placed, dimension * next, dimension);
                        places.setOpaque(node, ++next);
                    }
                }
            }
        }
    }
}
