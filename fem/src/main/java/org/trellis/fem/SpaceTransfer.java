package org.trellis.fem;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.MeshHierarchy;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseMatrix;

/**
 * Takes functions of a space to one that has them too: of a higher degree on the same mesh, or on the mesh whose cells
 * are the children of its cells.
 */
public final class SpaceTransfer {
    private static final double ZERO = 1e-13;
    private static final int ROWS_PER_TASK = 1 << 13;
    private static final int PLACES_PER_TASK = 1 << 15;
    private static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(int[].class);

    private SpaceTransfer() {}

    /**
     * Makes the matrix of the interpolation, on free unknowns.
     *
     * @param fine      the unknowns of the larger space
     * @param to        its space
     * @param coarse    the unknowns of the smaller one
     * @param from      its space, on the same mesh or on the one before it in a hierarchy
     * @param precision of the values
     * @return a row for each fine unknown, over ranks for each that the rank owns; a column for each coarse unknown of
     *         all ranks
     * @throws IllegalArgumentException if there are more entries than an array holds
     */
    public static CsrMatrix prolongation(Unknowns fine, FunctionSpace to, Unknowns coarse, FunctionSpace from,
            Precision precision) {
        return prolongation(fine, to, coarse, from, precision,
                fine.share() == null ? null : fine.share().numbers().own());
    }

    /** Makes rows of the matrix: those of a list, or all if it is null. */
    private static CsrMatrix prolongation(Unknowns fine, FunctionSpace to, Unknowns coarse, FunctionSpace from,
            Precision precision, int[] list) {
        int n = to.element().nodes();
        int m = from.element().nodes();
        int fields = fine.total() / to.nodes();
        int children = to.mesh().cells() / from.mesh().cells();
        Rows rows = new Rows(list, firsts(fine, to.cellNodes(), fields), fields, n, m, children, table(to, from),
                from.cellNodes(), coarse);
        int count = list == null ? fine.free() : list.length;
        int[] offsets = new int[count + 1];
        ParallelRanges.run(count, ROWS_PER_TASK, (first, last) -> {
            for (int row = first; row < last; row++) {
                offsets[row + 1] = rows.length(row);
            }
        });
        Checks.arrayLength("entries of an interpolation", Arrays.stream(offsets).parallel().asLongStream().sum());
        Arrays.parallelPrefix(offsets, Integer::sum);
        int[] columns = new int[offsets[count]];
        double[] values = new double[columns.length];
        ParallelRanges.run(count, ROWS_PER_TASK, (first, last) -> {
            for (int row = first; row < last; row++) {
                rows.write(row, columns, values, offsets[row]);
                sort(columns, values, offsets[row], offsets[row + 1]);
            }
        });
        HostVector vector = precision == Precision.F64
                ? HostVector.of(values)
                : HostVector.of(precision, values.length, k -> values[k]);
        return CsrMatrix.of(count, coarse.free(), offsets, columns, vector);
    }

    /**
     * Makes the matrix of the interpolation, on free unknowns, where it is needed: in the memory of a backend that has
     * kernels for forms, otherwise on the host.
     *
     * @param fine      the unknowns of the larger space
     * @param to        its space
     * @param coarse    the unknowns of the smaller one
     * @param from      its space, on the same mesh or on the one before it in a hierarchy
     * @param precision of the values
     * @param backend   the backend
     * @return a row for each fine unknown; a {@link org.trellis.sparse.BackendMatrix} is the caller's to close
     * @throws IllegalArgumentException if there are more entries than an array holds
     */
    @SuppressWarnings("MustBeClosed") // returned
    public static SparseMatrix prolongation(Unknowns fine, FunctionSpace to, Unknowns coarse, FunctionSpace from,
            Precision precision, Backend backend) {
        Optional<DeviceForms> device = backend.optionalKernels(DeviceForms.class);
        if (device.isEmpty()) {
            return prolongation(fine, to, coarse, from, precision);
        }
        double[] table = table(to, from);
        Arrays.setAll(table, k -> Math.abs(table[k]) > ZERO ? table[k] : 0);
        int fields = fine.total() / to.nodes();
        return device.get().interpolation(new DeviceForms.Interpolation(fine.ofCells(), fine.perCell(), fine.free(),
                coarse.ofCells(), from.element().nodes(), coarse.free(), fields,
                to.mesh().cells() / from.mesh().cells(), table), precision);
    }

    /** The functions of the smaller space at the nodes of the larger one, in all children of a cell if it has some. */
    private static double[] table(FunctionSpace to, FunctionSpace from) {
        int n = to.element().nodes();
        int dimension = to.mesh().dimension();
        double[] points = new double[n * dimension];
        for (int i = 0; i < n; i++) {
            System.arraycopy(to.element().node(i), 0, points, i * dimension, dimension);
        }
        LagrangeElement.Tabulation table = from.element().tabulate(to.mesh().cells() == from.mesh().cells()
                ? points
                : MeshHierarchy.inParent(to.mesh().shape(), points));
        return table.values();
    }

    /** Finds the first place of each free unknown in the cells: place times fields, plus the field. */
    private static int[] firsts(Unknowns fine, int[] cellNodes, int fields) {
        int[] firsts = new int[fine.free()];
        Arrays.fill(firsts, Integer.MAX_VALUE);
        ParallelRanges.run(cellNodes.length, PLACES_PER_TASK, (from, to) -> {
            for (int k = from; k < to; k++) {
                for (int a = 0; a < fields; a++) {
                    int row = fine.place(cellNodes[k] * fields + a);
                    if (row < fine.free()) {
                        lower(firsts, row, k * fields + a);
                    }
                }
            }
        });
        return firsts;
    }

    /** Lowers an element to a value unless it is lower already, whatever other threads do. */
    private static void lower(int[] elements, int at, int value) {
        int now = (int) ELEMENTS.getVolatile(elements, at);
        while (value < now) {
            int before = (int) ELEMENTS.compareAndExchange(elements, at, now, value);
            if (before == now) {
                return;
            }
            now = before;
        }
    }

    /** Rows of the matrix: the functions of the smaller space at a node, in the first cell that has it. */
    private record Rows(int[] list, int[] firsts, int fields, int nodes, int functions, int children, double[] table,
            int[] cells,
            Unknowns coarse) {
        int length(int row) {
            return visit(row, null, null, 0);
        }

        void write(int row, int[] columns, double[] values, int at) {
            visit(row, columns, values, at);
        }

        private int visit(int row, int[] columns, double[] values, int from) {
            int at = from;
            int first = firsts[list == null ? row : list[row]];
            int place = first / fields;
            int parent = place / nodes / children;
            int point = place - parent * children * nodes;
            for (int j = 0; j < functions; j++) {
                double value = table[point * functions + j];
                int column = coarse.place(cells[parent * functions + j] * fields + first % fields);
                if (Math.abs(value) > ZERO && column < coarse.free()) {
                    if (columns != null) {
                        columns[at] = column;
                        values[at] = value;
                    }
                    at++;
                }
            }
            return at - from;
        }
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
