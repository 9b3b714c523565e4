package org.trellis.cuda.solve;

import org.trellis.common.Precision;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

/** Poisson's equation on grids. */
public final class Stencils {
    private Stencils() {}

    /**
     * A grid of points of which each is coupled with its neighbours, the sum of a row being 0 but at the boundary.
     *
     * @param sides     points in each of three directions
     * @param diagonals whether neighbours across edges and corners count
     * @param precision of the values
     * @return the matrix
     */
    public static CsrMatrix poisson(int[] sides, boolean diagonals, Precision precision) {
        int width = sides[0];
        int layer = width * sides[1];
        CsrBuilder builder = new CsrBuilder(layer * sides[2], precision, (diagonals ? 27L : 7L) * layer * sides[2]);
        int neighbours = neighbours(sides, diagonals);
        for (int z = 0; z < sides[2]; z++) {
            for (int y = 0; y < sides[1]; y++) {
                for (int x = 0; x < width; x++) {
                    addRow(builder, new int[]{x, y, z}, sides, diagonals, neighbours);
                }
            }
        }
        return builder.build();
    }

    private static int neighbours(int[] sides, boolean diagonals) {
        int all = 1;
        int straight = 0;
        for (int side : sides) {
            all *= side > 1 ? 3 : 1;
            straight += side > 1 ? 2 : 0;
        }
        return diagonals ? all - 1 : straight;
    }

    private static void addRow(CsrBuilder builder, int[] at, int[] sides, boolean diagonals, int neighbours) {
        for (int dz = -1; dz <= 1; dz++) {
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    int[] to = {at[0] + dx, at[1] + dy, at[2] + dz};
                    int moved = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
                    if ((moved <= 1 || diagonals) && within(to, sides)) {
                        builder.add((to[2] * sides[1] + to[1]) * sides[0] + to[0], moved == 0 ? neighbours : -1);
                    }
                }
            }
        }
        builder.endRow();
    }

    private static boolean within(int[] at, int[] sides) {
        for (int i = 0; i < at.length; i++) {
            if (at[i] < 0 || at[i] >= sides[i]) {
                return false;
            }
        }
        return true;
    }
}
