package org.trellis.fem;

import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.MeshHierarchy;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * Takes functions of a space to one that has them too: of a higher degree on the same mesh, or on the mesh whose cells
 * are the children of its cells.
 */
public final class SpaceTransfer {
    private static final double ZERO = 1e-13;

    private SpaceTransfer() {}

    /**
     * Makes the matrix of the interpolation, on free unknowns.
     *
     * @param fine      the unknowns of the larger space
     * @param to        its space
     * @param coarse    the unknowns of the smaller one
     * @param from      its space, on the same mesh or on the one before it in a hierarchy
     * @param precision of the values
     * @return a row for each fine unknown
     * @throws IllegalArgumentException if there are more entries than an array holds
     */
    public static CsrMatrix prolongation(Unknowns fine, FunctionSpace to, Unknowns coarse, FunctionSpace from,
            Precision precision) {
        int n = to.element().nodes();
        int m = from.element().nodes();
        int dimension = to.mesh().dimension();
        int fields = fine.total() / to.nodes();
        double[] points = new double[n * dimension];
        for (int i = 0; i < n; i++) {
            System.arraycopy(to.element().node(i), 0, points, i * dimension, dimension);
        }
        int children = to.mesh().cells() / from.mesh().cells();
        LagrangeElement.Tabulation table = from.element()
                .tabulate(children == 1 ? points : MeshHierarchy.inParent(to.mesh().shape(), points));
        int[] firsts = new int[fine.free()];
        java.util.Arrays.fill(firsts, -1);
        for (int k = to.cellNodes().length - 1; k >= 0; k--) {
            for (int a = 0; a < fields; a++) {
                int row = fine.place(to.cellNodes()[k] * fields + a);
                if (row < fine.free()) {
                    firsts[row] = k * fields + a;
                }
            }
        }
        int[] offsets = new int[fine.free() + 1];
        int[] columns = new int[Checks.arrayLength("entries of an interpolation", (long) fine.free() * m)];
        double[] values = new double[columns.length];
        int at = 0;
        for (int row = 0; row < firsts.length; row++) {
            int place = firsts[row] / fields;
            int parent = place / n / children;
            int point = place - parent * children * n;
            for (int j = 0; j < m; j++) {
                double value = table.values()[point * m + j];
                int column = coarse.place(from.cellNodes()[parent * m + j] * fields + firsts[row] % fields);
                if (Math.abs(value) > ZERO && column < coarse.free()) {
                    columns[at] = column;
                    values[at++] = value;
                }
            }
            sort(columns, values, offsets[row], at);
            offsets[row + 1] = at;
        }
        double[] kept = java.util.Arrays.copyOf(values, at);
        HostVector vector = HostVector.of(precision, at, k -> kept[k]);
        return CsrMatrix.of(fine.free(), coarse.free(), offsets, java.util.Arrays.copyOf(columns, at), vector);
    }

    private static void sort(int[] columns, double[] values, int from, int to) {
        for (int k = from + 1; k < to; k++) {
            int column = columns[k];
            double value = values[k];
            int place = k;
            while (place > from && columns[place - 1] > column) {
                columns[place] = columns[place - 1];
                values[place] = values[place - 1];
                place--;
            }
            columns[place] = column;
            values[place] = value;
        }
    }
}
