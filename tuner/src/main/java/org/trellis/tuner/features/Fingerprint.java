package org.trellis.tuner.features;

import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Pattern;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Names the structure of a matrix: rows, columns, row lengths and columns of the entries, not the values. Two matrices
 * with the same fingerprint are taken to have the same structure; of different structures, two in 2¹²⁸ have the same.
 * It guards against mix-ups, not against forgery.
 *
 * @param text the version of the method, rows, columns, non-zeros and 128 bits in hexadecimal digits
 */
public record Fingerprint(String text) {
    private static final Pattern FORM = Pattern.compile("v1-\\d{1,10}x\\d{1,10}-\\d{1,19}-[0-9a-f]{32}");
    private static final long FIRST_PRIME = 0x9e3779b97f4a7c15L;
    private static final long SECOND_PRIME = 0xc2b2ae3d27d4eb4fL;

    /**
     * Checks the form.
     *
     * @throws IllegalArgumentException if the text has not the form of a fingerprint
     */
    public Fingerprint {
        Objects.requireNonNull(text);
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("fingerprint '" + text
                    + "', expected v1-ROWSxCOLUMNS-NONZEROS- and 32 hexadecimal digits");
        }
    }

    /**
     * Finds the fingerprint of a matrix. One pass over row offsets and columns.
     *
     * @param matrix the matrix
     * @return its fingerprint, the same on every machine and however the matrix is cut into segments
     */
    public static Fingerprint of(CsrMatrix matrix) {
        Lane first = new Lane(FIRST_PRIME, matrix);
        Lane second = new Lane(SECOND_PRIME, matrix);
        for (CsrSegment segment : matrix.segments()) {
            first.addRows(segment);
            second.addRows(segment);
        }
        for (CsrSegment segment : matrix.segments()) {
            addColumns(segment, first, second);
        }
        HexFormat hex = HexFormat.of();
        return new Fingerprint("v1-" + matrix.rows() + 'x' + matrix.columns() + '-' + matrix.nonZeros() + '-'
                + hex.toHexDigits(first.end()) + hex.toHexDigits(second.end()));
    }

    /** Both lanes in one loop, so that the columns are read once. */
    private static void addColumns(CsrSegment segment, Lane first, Lane second) {
        int[] columns = segment.columnIndices();
        int count = segment.nonZeros();
        long a = first.state;
        long b = second.state;
        for (int k = 0; k < count; k++) {
            a = step(a, columns[k], FIRST_PRIME);
            b = step(b, columns[k], SECOND_PRIME);
        }
        first.state = a;
        second.state = b;
    }

    private static long step(long state, int value, long prime) {
        return Long.rotateLeft((state ^ value) * prime, 29);
    }

    private static final class Lane {
        private final long prime;
        private long state;

        Lane(long prime, CsrMatrix matrix) {
            this.prime = prime;
            this.state = (matrix.rows() * SECOND_PRIME + matrix.columns()) * FIRST_PRIME + matrix.nonZeros();
        }

        void addRows(CsrSegment segment) {
            int[] offsets = segment.rowOffsets();
            for (int i = 0; i < segment.rows(); i++) {
                state = step(state, offsets[i + 1] - offsets[i], prime);
            }
        }

        /** Spreads the last values over all bits. */
        long end() {
            long z = state;
            z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
            z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
            return z ^ (z >>> 31);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
