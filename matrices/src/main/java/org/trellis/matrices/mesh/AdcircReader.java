package org.trellis.matrices.mesh;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * ADCIRC's grid file (fort.14, .grd, .14): triangles with depths, and chains of boundary nodes, which become line
 * cells.
 */
final class AdcircReader {
    /** Boundary types whose lines name a second node across a barrier. */
    private static final List<Integer> PAIRED = List.of(4, 5, 24, 25);

    private final MeshText text;
    private final Map<Integer, Integer> pointOf = new HashMap<>();
    private final CellCollector cells = new CellCollector();
    private double[] boundary = new double[64];
    private double[] kind = new double[64];

    private AdcircReader(MeshText text) {
        this.text = text;
    }

    static MeshData read(MeshText text) {
        return new AdcircReader(text).read();
    }

    private MeshData read() {
        text.skipLine();
        int elements = text.count("a number of elements", 8);
        int nodes = text.count("a number of nodes", 8);
        text.skipRemark("the end of the line, behind the numbers of elements and nodes");
        double[] points = new double[2 * nodes];
        double[] depth = new double[nodes];
        for (int i = 0; i < nodes; i++) {
            int before = text.position();
            if (pointOf.put(text.integer(0, Integer.MAX_VALUE, "a node number"), i) != null) {
                throw text.failure(before, "a node number that was not there before");
            }
            points[2 * i] = text.real("a coordinate");
            points[2 * i + 1] = text.real("a coordinate");
            depth[i] = text.real("a depth");
            text.skipRemark("the end of the line, behind a depth");
        }
        for (int i = 0; i < elements; i++) {
            text.integer(0, Integer.MAX_VALUE, "an element number");
            int count = text.integer(3, 4, "a number of nodes");
            int[] cell = new int[count];
            for (int k = 0; k < count; k++) {
                cell[k] = point();
            }
            cells.add(count == 3 ? CellShape.TRIANGLE : CellShape.QUADRILATERAL, cell, 0, count);
            text.skipRemark("the end of the line, behind the nodes of an element");
        }
        if (text.skip()) {
            readBoundaries(0, true);
        }
        if (text.skip()) {
            readBoundaries(1, false);
        }
        text.end("nothing behind the boundaries");
        int count = cells.count();
        reserve(count);
        return new MeshData(2, points, cells.blocks(), List.of(DataArray.of("depth", 1, depth)),
                List.of(new DataArray("boundary", 1, NumberType.INT32, Arrays.copyOf(boundary, count)),
                        new DataArray("kind", 1, NumberType.INT32, Arrays.copyOf(kind, count))),
                List.of());
    }

    private int point() {
        int number = text.integer(0, Integer.MAX_VALUE, "a node");
        Integer point = pointOf.get(number);
        if (point == null) {
            throw text.failure(text.position(), "a node of the file before this; " + number + " is none");
        }
        return point;
    }

    /** Reads open or land boundaries; open ones get the kind −1. */
    private void readBoundaries(int group, boolean open) {
        int segments = text.count("a number of boundaries", 2);
        text.skipRemark("the end of the line, behind a number of boundaries");
        text.integer(0, Integer.MAX_VALUE, "a number of boundary nodes");
        text.skipRemark("the end of the line, behind a number of boundary nodes");
        for (int segment = 0; segment < segments; segment++) {
            int count = text.count("a number of boundary nodes", 2);
            int type = -1;
            if (text.moreOnLine() && !open) {
                type = text.integer(0, 1000, "a boundary type");
            }
            text.skipLine();
            int[] edge = new int[2];
            for (int i = 0; i < count; i++) {
                edge[0] = edge[1];
                edge[1] = point();
                if (PAIRED.contains(type)) {
                    point();
                }
                text.skipLine();
                if (i > 0) {
                    addEdge(edge, group == 0 ? segment + 1 : -segment - 1, type);
                }
            }
        }
    }

    private void addEdge(int[] edge, int segment, int type) {
        int cell = cells.add(CellShape.LINE, edge, 0, 2);
        reserve(cell + 1);
        boundary[cell] = segment;
        kind[cell] = type;
    }

    private void reserve(int cellCount) {
        if (cellCount > boundary.length) {
            boundary = Arrays.copyOf(boundary, 2 * cellCount);
            kind = Arrays.copyOf(kind, 2 * cellCount);
        }
    }
}
