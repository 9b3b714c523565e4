package org.trellis.solve.direct;

/**
 * A lower triangular factor of supernodes: columns with the same rows, one after the other, each from its diagonal on.
 *
 * @param rows   the rows of each supernode, the ones of its own columns first
 * @param widths how many columns each has
 * @param values the columns
 */
record SupernodalFactor(int[][] rows, int[] widths, double[][] values) {
    /** Right-hand sides that are solved together. */
    static final int TOGETHER = 4;

    SupernodalFactor(int supernodes) {
        this(new int[supernodes][], new int[supernodes], new double[supernodes][]);
    }

    /** Entries of columns of {@code height, height - 1, ...} rows. */
    static long entries(long width, long height) {
        return width * height - width * (width - 1) / 2;
    }

    /** Solves with the factor for one right-hand side, or for four of which the elements of a row are side by side. */
    void forward(double[] y, boolean four) {
        if (four) {
            forwardFour(y);
        } else {
            forward(y);
        }
    }

    /** Solves with the transpose. */
    void backward(double[] y, boolean four) {
        if (four) {
            backwardFour(y);
        } else {
            backward(y);
        }
    }

    private void forward(double[] y) {
        for (int s = 0; s < widths.length; s++) {
            int[] own = rows[s];
            double[] l = values[s];
            int at = 0;
            for (int j = 0; j < widths[s]; j++) {
                double solved = y[own[j]] / l[at++];
                y[own[j]] = solved;
                for (int i = j + 1; i < own.length; i++) {
                    y[own[i]] -= l[at++] * solved;
                }
            }
        }
    }

    private void backward(double[] y) {
        for (int s = widths.length - 1; s >= 0; s--) {
            int[] own = rows[s];
            double[] l = values[s];
            int end = l.length;
            for (int j = widths[s] - 1; j >= 0; j--) {
                int start = end - (own.length - j);
                double sum = y[own[j]];
                for (int i = j + 1; i < own.length; i++) {
                    sum -= l[start + i - j] * y[own[i]];
                }
                y[own[j]] = sum / l[start];
                end = start;
            }
        }
    }

    private void forwardFour(double[] y) {
        for (int s = 0; s < widths.length; s++) {
            int[] own = rows[s];
            double[] l = values[s];
            int at = 0;
            for (int j = 0; j < widths[s]; j++) {
                int row = TOGETHER * own[j];
                double pivot = l[at];
                double a = y[row] / pivot;
                double b = y[row + 1] / pivot;
                double c = y[row + 2] / pivot;
                double d = y[row + 3] / pivot;
                y[row] = a;
                y[row + 1] = b;
                y[row + 2] = c;
                y[row + 3] = d;
                subtractFour(own, l, at - j, j + 1, y, new double[]{a, b, c, d});
                at += own.length - j;
            }
        }
    }

    private static void subtractFour(int[] own, double[] l, int offset, int from, double[] y, double[] solved) {
        double a = solved[0];
        double b = solved[1];
        double c = solved[2];
        double d = solved[3];
        for (int i = from; i < own.length; i++) {
            int row = TOGETHER * own[i];
            double factor = l[offset + i];
            y[row] -= factor * a;
            y[row + 1] -= factor * b;
            y[row + 2] -= factor * c;
            y[row + 3] -= factor * d;
        }
    }

    private void backwardFour(double[] y) {
        for (int s = widths.length - 1; s >= 0; s--) {
            int[] own = rows[s];
            double[] l = values[s];
            int end = l.length;
            for (int j = widths[s] - 1; j >= 0; j--) {
                int start = end - (own.length - j);
                backwardFour(own, l, start - j, j, y);
                end = start;
            }
        }
    }

    private static void backwardFour(int[] own, double[] l, int offset, int j, double[] y) {
        int target = TOGETHER * own[j];
        double a = y[target];
        double b = y[target + 1];
        double c = y[target + 2];
        double d = y[target + 3];
        for (int i = j + 1; i < own.length; i++) {
            int row = TOGETHER * own[i];
            double factor = l[offset + i];
            a -= factor * y[row];
            b -= factor * y[row + 1];
            c -= factor * y[row + 2];
            d -= factor * y[row + 3];
        }
        double pivot = l[offset + j];
        y[target] = a / pivot;
        y[target + 1] = b / pivot;
        y[target + 2] = c / pivot;
        y[target + 3] = d / pivot;
    }
}
