package org.trellis.tuner.features;

import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** The one pass over the row offsets. */
final class RowPass {
    /** Successive rows that one warp or a few vectors handle together. */
    static final int GROUP = 32;
    /** Successive rows whose entries a vector holds. */
    static final int VECTOR = 8;

    private final int rows;
    private final long nonZeros;
    private double squares;
    private double cubes;
    private int maximum;
    private int empty;
    private long padded;
    private int groupRows;
    private int groupMaximum;
    private long vectorPadded;
    private int vectorMaximum;

    private RowPass(int rows, long nonZeros) {
        this.rows = rows;
        this.nonZeros = nonZeros;
    }

    static RowPass over(CsrMatrix matrix) {
        RowPass pass = new RowPass(matrix.rows(), matrix.nonZeros());
        for (CsrSegment segment : matrix.segments()) {
            pass.add(segment.rowOffsets(), segment.rows());
        }
        pass.endGroup();
        return pass;
    }

    private void add(int[] offsets, int count) {
        double mean = mean();
        double sum2 = 0;
        double sum3 = 0;
        for (int i = 0; i < count; i++) {
            int length = offsets[i + 1] - offsets[i];
            double difference = length - mean;
            sum2 += difference * difference;
            sum3 += difference * difference * difference;
            empty += length == 0 ? 1 : 0;
            vectorMaximum = Math.max(vectorMaximum, length);
            groupRows++;
            if (groupRows % VECTOR == 0) {
                endVector(VECTOR);
            }
            if (groupRows == GROUP) {
                endGroup();
            }
        }
        squares += sum2;
        cubes += sum3;
    }

    private void endVector(int count) {
        vectorPadded += (long) count * vectorMaximum;
        groupMaximum = Math.max(groupMaximum, vectorMaximum);
        vectorMaximum = 0;
    }

    private void endGroup() {
        endVector(groupRows % VECTOR);
        padded += (long) groupRows * groupMaximum;
        maximum = Math.max(maximum, groupMaximum);
        groupRows = 0;
        groupMaximum = 0;
    }

    double mean() {
        return rows == 0 ? 0 : (double) nonZeros / rows;
    }

    double deviation() {
        return rows == 0 ? 0 : Math.sqrt(squares / rows);
    }

    double skew() {
        double deviation = deviation();
        return deviation == 0 ? 0 : cubes / rows / (deviation * deviation * deviation);
    }

    int maximum() {
        return maximum;
    }

    double emptyShare() {
        return rows == 0 ? 0 : (double) empty / rows;
    }

    double padding() {
        return nonZeros == 0 ? 1 : (double) padded / nonZeros;
    }

    double vectorPadding() {
        return nonZeros == 0 ? 1 : (double) vectorPadded / nonZeros;
    }
}
