package org.trellis.matrices.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trellis.common.Predicates;

/**
 * What is unusual about a mesh but no error: points that no cell has, points that lie where another one does, and
 * triangles and tetrahedra with their corners the other way round.
 */
final class MeshRemarks {
    private static final int PLANE = 2;
    private static final int SPACE = 3;
    /** 2⁶⁴ over the golden ratio, which spreads the bits of a product. */
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final MeshData mesh;
    private final List<String> remarks = new ArrayList<>();

    private MeshRemarks(MeshData mesh) {
        this.mesh = mesh;
    }

    static List<String> of(MeshData mesh) {
        MeshRemarks found = new MeshRemarks(mesh.flattened());
        boolean[] used = found.used();
        found.remarkUnused(used);
        found.remarkDuplicates(used);
        found.remarkInverted(CellShape.TRIANGLE, PLANE, "triangles", "clockwise");
        found.remarkInverted(CellShape.TETRAHEDRON, SPACE, "tetrahedra", "in an order of negative volume");
        return List.copyOf(found.remarks);
    }

    private boolean[] used() {
        boolean[] used = new boolean[mesh.pointCount()];
        for (CellBlock block : mesh.blocks()) {
            for (int node : block.nodes()) {
                used[node] = true;
            }
        }
        return used;
    }

    private void remarkUnused(boolean... used) {
        int count = 0;
        int first = -1;
        for (int point = used.length - 1; point >= 0; point--) {
            if (!used[point]) {
                count++;
                first = point;
            }
        }
        if (count > 0) {
            remarks.add(String.format(Locale.ROOT, "%,d of %,d points belong to no cell, such as point %d at %s; "
                    + "adaptation leaves them out", count, used.length, first, place(first)));
        }
    }

    /** Only points of cells: others change nothing, wherever they are. */
    private void remarkDuplicates(boolean... used) {
        int[] table = new int[Math.max(2, Integer.highestOneBit(Math.clamp(used.length, 1, 1 << 28)) << 2)];
        Arrays.fill(table, -1);
        int count = 0;
        int example = -1;
        int twin = -1;
        for (int point = 0; point < used.length; point++) {
            int slot = used[point] ? slot(table, point) : 0;
            if (used[point] && table[slot] < 0) {
                table[slot] = point;
            } else if (used[point]) {
                example = count == 0 ? point : example;
                twin = count == 0 ? table[slot] : twin;
                count++;
            }
        }
        if (count > 0) {
            remarks.add(String.format(Locale.ROOT, "%,d of %,d points lie exactly where an earlier one does, such as "
                    + "point %d where point %d is, at %s; cells that do not share points do not hang together, which "
                    + "is a crack", count, used.length, example, twin, place(example)));
        }
    }

    /** Returns where an equal point is, or else where this one belongs. */
    private int slot(int[] table, int point) {
        long hash = 0;
        for (int k = 0; k < mesh.dimensions(); k++) {
            // Adding 0 makes 0 of -0, which is the same place.
            hash = (hash ^ Double.doubleToLongBits(mesh.points()[point * mesh.dimensions() + k] + 0.0)) * MIX;
            hash ^= hash >>> 32;
        }
        int slot = (int) hash & table.length - 1;
        while (table[slot] >= 0 && !isSamePlace(table[slot], point)) {
            slot = slot + 1 & table.length - 1;
        }
        return slot;
    }

    private boolean isSamePlace(int one, int other) {
        int d = mesh.dimensions();
        for (int k = 0; k < d; k++) {
            // What is not a number is the same as another, so that many of them do not make the search slow.
            if (Double.compare(mesh.points()[one * d + k] + 0.0, mesh.points()[other * d + k] + 0.0) != 0) {
                return false;
            }
        }
        return true;
    }

    private void remarkInverted(CellShape shape, int dimension, String what, String how) {
        if (mesh.dimensions() != dimension) {
            return;
        }
        int count = 0;
        int example = Integer.MAX_VALUE;
        for (CellBlock block : mesh.blocks()) {
            for (int i = 0; block.shape() == shape && i < block.cells(); i++) {
                if (Predicates.orientation(dimension, mesh.points(), block.nodes(), i * block.nodesPerCell()) < 0) {
                    count++;
                    example = Math.min(example, block.numbers()[i]);
                }
            }
        }
        if (count > 0) {
            remarks.add(String.format(Locale.ROOT, "%,d of %,d %s have their corners %s, such as cell %d; adaptation "
                    + "exchanges two corners of each", count, mesh.cellCount(shape), what, how, example));
        }
    }

    private String place(int point) {
        return Arrays.toString(
                Arrays.copyOfRange(mesh.points(), point * mesh.dimensions(), (point + 1) * mesh.dimensions()));
    }
}
