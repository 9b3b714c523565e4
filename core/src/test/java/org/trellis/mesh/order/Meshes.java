package org.trellis.mesh.order;

import java.util.random.RandomGenerator;
import org.trellis.common.Permutation;

/** Small meshes for tests. */
public final class Meshes {
    private Meshes() {}

    /** Returns the four corners of each cell of a grid of so many cells. */
    public static int[] quadrilaterals(int columns, int rows) {
        int[] table = new int[4 * columns * rows];
        int at = 0;
        for (int j = 0; j < rows; j++) {
            for (int i = 0; i < columns; i++) {
                int corner = i + j * (columns + 1);
                table[at++] = corner;
                table[at++] = corner + 1;
                table[at++] = corner + columns + 2;
                table[at++] = corner + columns + 1;
            }
        }
        return table;
    }

    /** Returns random pairs of vertices, loops and repetitions among them. */
    public static int[] pairs(int vertices, int count, RandomGenerator random) {
        int[] table = new int[2 * count];
        for (int i = 0; i < table.length; i++) {
            table[i] = random.nextInt(vertices);
        }
        return table;
    }

    /** Returns a table whose targets have other numbers. */
    public static int[] renumbered(int[] table, Permutation order) {
        int[] result = new int[table.length];
        for (int i = 0; i < table.length; i++) {
            result[i] = order.newIndex(table[i]);
        }
        return result;
    }

    /** Returns the graph of a grid of so many cells, its corners in random order. */
    public static Graph shuffledGrid(int columns, int rows, RandomGenerator random) {
        int corners = (columns + 1) * (rows + 1);
        int[] table = renumbered(quadrilaterals(columns, rows), Permutation.random(corners, random));
        return Graph.ofTargets(corners, table, 4);
    }
}
