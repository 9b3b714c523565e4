package org.trellis.tuner;

import java.util.ArrayList;
import java.util.List;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CooMatrix;
import org.trellis.sparse.CsrMatrix;

/** Collects the entries of a small matrix in any order. */
public final class Entries {
    private final int rows;
    private final int columns;
    private final List<Integer> is = new ArrayList<>();
    private final List<Integer> js = new ArrayList<>();
    private final List<Double> values = new ArrayList<>();

    /** Begins without entries. */
    public Entries(int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
    }

    /** Adds an entry. */
    public void add(int row, int column, double value) {
        is.add(row);
        js.add(column);
        values.add(value);
    }

    /** Makes the matrix. */
    public CsrMatrix build() {
        return CooMatrix.of(rows, columns, is.stream().mapToInt(i -> i).toArray(),
                js.stream().mapToInt(j -> j).toArray(),
                HostVector.of(values.stream().mapToDouble(v -> v).toArray())).toCsr();
    }
}
