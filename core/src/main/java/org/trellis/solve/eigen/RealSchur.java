package org.trellis.solve.eigen;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;

/**
 * The real Schur form {@code A = Q T Qᵀ} of a small dense matrix: T is upper triangular but for blocks of two rows with
 * pairs of complex eigenvalues. By Householder reduction to Hessenberg form and the double-shift QR iteration (G.
 * Golub, C. Van Loan, Matrix Computations, sections 7.4 and 7.5). Blocks are put into another order by swapping
 * neighbours (Z. Bai, J. Demmel, "On swapping diagonal blocks in real Schur form", Linear Algebra Appl. 186, 1993).
 */
final class RealSchur {
    private static final double ROUNDING = 0x1p-52;
    /** Steps for an eigenvalue before the iteration is given up. */
    private static final int MOST_STEPS = 120;
    /** Steps after which shifts of another kind are tried. */
    private static final int EXCEPTIONAL = 10;
    /** Of the norm: what may be left below the diagonal by a swap. */
    private static final double SWAPPED = 0x1p-44;

    private final int n;
    private final double[][] t;
    /** Columns of Q as rows. */
    private final double[][] q;
    private final double[] sums;
    private final double norm;
    /** The form of the transpose in reversed order, or null. */
    private RealSchur reversed;

    /**
     * Computes the form. Costs some 25 times the cube of the size.
     *
     * @param a a square matrix; overwritten
     * @throws ArithmeticException if an element is not finite, or the iteration does not converge
     */
    RealSchur(double[][] a) {
        n = a.length;
        t = a;
        q = Decomposition.identity(n);
        sums = new double[n];
        double largest = 0;
        for (int i = 0; i < n; i++) {
            for (double element : t[i]) {
                largest = Math.max(largest, Math.abs(element));
                if (!Double.isFinite(element)) {
                    throw new ArithmeticException("Schur form of a matrix with " + element
                            + ", expected finite numbers");
                }
            }
        }
        norm = largest;
        for (int row = n - 1; row > 1; row--) {
            hessenberg(row);
        }
        iterate();
    }

    int size() {
        return n;
    }

    double[][] t() {
        return t;
    }

    /** Returns Q. */
    double[][] q() {
        double[][] rows = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                rows[i][k] = q[k][i];
            }
        }
        return rows;
    }

    /** Says whether a row is the first of a block of two. */
    boolean isPair(int i) {
        return i + 1 < n && t[i + 1][i] != 0;
    }

    /** Returns the real part of the eigenvalue of a row. */
    double real(int i) {
        int first = first(i);
        return isPair(first) ? (t[first][first] + t[first + 1][first + 1]) / 2 : t[i][i];
    }

    /** Returns the imaginary part of the eigenvalue of a row: positive for the first of a block of two. */
    double imaginary(int i) {
        int first = first(i);
        if (!isPair(first)) {
            return 0;
        }
        double half = (t[first][first] - t[first + 1][first + 1]) / 2;
        double square = -(half * half + t[first][first + 1] * t[first + 1][first]);
        double value = Math.sqrt(Math.max(square, 0));
        return first == i ? value : -value;
    }

    private int first(int i) {
        return i > 0 && t[i][i - 1] != 0 ? i - 1 : i;
    }

    /**
     * Annihilates a row before the element beside the diagonal. From the last row upwards nothing is filled that was in
     * Hessenberg form: the matrix of a decomposition that was contracted has one full row, and that form behind it, so
     * that the rows before are all that is transformed.
     */
    private void hessenberg(int row) {
        double[] elements = t[row];
        int from = 0;
        while (from < row - 1 && elements[from] == 0) {
            from++;
        }
        if (from == row - 1) {
            return;
        }
        double[] v = new double[n];
        System.arraycopy(elements, from, v, from, row - from);
        reflector(v, from, row, row - 1);
        reflect(v, from, row, 0, row + 1);
        Arrays.fill(elements, from, row - 1, 0);
    }

    private static boolean reflector(double[] v, int from, int to) {
        return reflector(v, from, to, from);
    }

    /** Makes v a unit vector whose reflection maps what it was to a multiple of a unit vector; false for zeros. */
    private static boolean reflector(double[] v, int from, int to, int place) {
        double largest = 0;
        for (int i = from; i < to; i++) {
            largest = Math.max(largest, Math.abs(v[i]));
        }
        if (largest == 0) {
            return false;
        }
        double square = 0;
        for (int i = from; i < to; i++) {
            v[i] /= largest;
            square += v[i] * v[i];
        }
        v[place] += Math.copySign(Math.sqrt(square), v[place]);
        double length = 0;
        for (int i = from; i < to; i++) {
            length += v[i] * v[i];
        }
        length = Math.sqrt(length);
        for (int i = from; i < to; i++) {
            v[i] /= length;
        }
        return true;
    }

    /** Computes {@code T = H T H} and {@code Q = Q H} with a reflection of the elements from one to another. */
    private void reflect(double[] v, int from, int to, int firstColumn, int rows) {
        fromLeft(t, v, from, to, firstColumn);
        fromRight(t, v, from, to, rows);
        fromLeft(q, v, from, to, 0);
    }

    private void fromLeft(double[][] a, double[] v, int from, int to, int firstColumn) {
        if (to - from == 3) {
            fromLeft(a[from], a[from + 1], a[from + 2], v[from], v[from + 1], v[from + 2], firstColumn);
            return;
        }
        Arrays.fill(sums, 0);
        for (int i = from; i < to; i++) {
            add(2 * v[i], a[i], sums, firstColumn);
        }
        for (int i = from; i < to; i++) {
            add(-v[i], sums, a[i], firstColumn);
        }
    }

    /** Three rows, as in most steps. */
    private static void fromLeft(double[] x, double[] y, double[] z, double u, double v, double w, int first) {
        for (int j = first; j < x.length; j++) {
            double sum = 2 * (u * x[j] + v * y[j] + w * z[j]);
            x[j] -= sum * u;
            y[j] -= sum * v;
            z[j] -= sum * w;
        }
    }

    private static void add(double factor, double[] x, double[] y, int first) {
        for (int j = first; j < y.length; j++) {
            y[j] += factor * x[j];
        }
    }

    private static void fromRight(double[][] a, double[] v, int from, int to, int rows) {
        if (to - from == 3) {
            fromRight(a, from, v[from], v[from + 1], v[from + 2], rows);
            return;
        }
        for (int i = 0; i < rows; i++) {
            double[] row = a[i];
            double sum = 0;
            for (int j = from; j < to; j++) {
                sum += row[j] * v[j];
            }
            sum *= 2;
            for (int j = from; j < to; j++) {
                row[j] -= sum * v[j];
            }
        }
    }

    /** Three columns, as in most steps. */
    private static void fromRight(double[][] a, int at, double u, double v, double w, int rows) {
        for (int i = 0; i < rows; i++) {
            double[] row = a[i];
            double x = row[at];
            double y = row[at + 1];
            double z = row[at + 2];
            double sum = 2 * (u * x + v * y + w * z);
            row[at] = x - sum * u;
            row[at + 1] = y - sum * v;
            row[at + 2] = z - sum * w;
        }
    }

    private void iterate() {
        int high = n - 1;
        int steps = 0;
        while (high > 0) {
            int low = high;
            while (low > 0 && !isNegligible(low)) {
                low--;
            }
            if (low > 0) {
                t[low][low - 1] = 0;
            }
            if (low >= high - 1) {
                if (low == high - 1) {
                    split(low);
                }
                high = low - 1;
                steps = 0;
                continue;
            }
            steps++;
            if (steps > MOST_STEPS) {
                throw new ArithmeticException("the QR iteration of a matrix of " + n + " rows did not converge in "
                        + MOST_STEPS + " steps for an eigenvalue");
            }
            step(low, high, steps);
        }
    }

    private boolean isNegligible(int i) {
        double beside = Math.abs(t[i - 1][i - 1]) + Math.abs(t[i][i]);
        return Math.abs(t[i][i - 1]) <= ROUNDING * (beside == 0 ? norm : beside);
    }

    /** One double-shift step on the rows from one to another. */
    private void step(int low, int high, int steps) {
        double sum = t[high - 1][high - 1] + t[high][high];
        double product = t[high - 1][high - 1] * t[high][high] - t[high - 1][high] * t[high][high - 1];
        if (steps % EXCEPTIONAL == 0) {
            double size = Math.abs(t[high][high - 1]) + Math.abs(t[high - 1][high - 2]);
            sum = 1.5 * size;
            product = size * size;
        }
        double[] v = new double[n];
        v[low] = t[low][low] * t[low][low] + t[low][low + 1] * t[low + 1][low] - sum * t[low][low] + product;
        v[low + 1] = t[low + 1][low] * (t[low][low] + t[low + 1][low + 1] - sum);
        v[low + 2] = t[low + 1][low] * t[low + 2][low + 1];
        for (int k = low; k < high; k++) {
            int to = Math.min(k + 3, high + 1);
            if (k > low) {
                for (int i = k; i < to; i++) {
                    v[i] = t[i][k - 1];
                }
            }
            if (reflector(v, k, to)) {
                reflect(v, k, to, Math.max(k - 1, low), Math.min(k + 4, high + 1));
            }
            for (int i = k + 1; k > low && i < to; i++) {
                t[i][k - 1] = 0;
            }
        }
    }

    /** Makes a block of two rows triangular if its eigenvalues are real. */
    private void split(int i) {
        double c = t[i + 1][i];
        if (c == 0) {
            return;
        }
        double half = (t[i][i] - t[i + 1][i + 1]) / 2;
        double square = half * half + t[i][i + 1] * c;
        if (square < 0) {
            return;
        }
        double z = half + Math.copySign(Math.sqrt(square), half);
        double length = Math.hypot(z, c);
        rotate(i, z / length, c / length);
        t[i + 1][i] = 0;
    }

    private void rotate(int i, double cosine, double sine) {
        rotate(t[i], t[i + 1], cosine, sine);
        rotate(q[i], q[i + 1], cosine, sine);
        for (double[] row : t) {
            double left = row[i];
            double right = row[i + 1];
            row[i] = cosine * left + sine * right;
            row[i + 1] = -sine * left + cosine * right;
        }
    }

    private static void rotate(double[] upper, double[] lower, double cosine, double sine) {
        for (int j = 0; j < upper.length; j++) {
            double x = upper[j];
            double y = lower[j];
            upper[j] = cosine * x + sine * y;
            lower[j] = -sine * x + cosine * y;
        }
    }

    /**
     * Puts blocks into order.
     *
     * @param rank  of an eigenvalue's real and imaginary part: the larger, the sooner it comes
     * @param count rows at the beginning that are to be in order
     */
    void order(DoubleBinaryOperator rank, int count) {
        reversed = null;
        int place = 0;
        while (place < Math.min(count, n)) {
            int best = place;
            for (int i = place; i < n; i += isPair(i) ? 2 : 1) {
                if (rankOf(rank, i) > rankOf(rank, best)) {
                    best = i;
                }
            }
            boolean moving = true;
            while (moving && best > place) {
                int before = first(best - 1);
                int size = isPair(best) ? 2 : 1;
                moving = swap(before, best - before, size);
                best = before;
            }
            place += isPair(place) ? 2 : 1;
        }
    }

    private double rankOf(DoubleBinaryOperator rank, int i) {
        return rank.applyAsDouble(real(i), Math.abs(imaginary(i)));
    }

    /** Swaps the block at a row with the one behind it; false if rounding would spoil the form. */
    private boolean swap(int at, int upper, int lower) {
        if (upper == 1 && lower == 1) {
            swapOnes(at);
            return true;
        }
        double[][] x = sylvester(at, upper, lower);
        if (x == null) {
            return false;
        }
        int size = upper + lower;
        double[][] reflections = reflections(x, upper, lower);
        double[][] block = new double[size][];
        for (int i = 0; i < size; i++) {
            block[i] = Arrays.copyOfRange(t[at + i], at, at + size);
        }
        for (int c = 0; c < lower; c++) {
            if (reflections[c] != null) {
                fromRight(block, reflections[c], c, size, size);
                for (int j = 0; j < size; j++) {
                    reflectColumn(block, reflections[c], c, j);
                }
            }
        }
        double left = 0;
        for (int i = lower; i < size; i++) {
            for (int j = 0; j < lower; j++) {
                left = Math.max(left, Math.abs(block[i][j]));
            }
        }
        if (!(left <= SWAPPED * norm)) {
            return false;
        }
        for (int c = 0; c < lower; c++) {
            if (reflections[c] != null) {
                double[] v = new double[n];
                System.arraycopy(reflections[c], 0, v, at, size);
                reflect(v, at + c, at + size, 0, n);
            }
        }
        for (int i = at + lower; i < at + size; i++) {
            Arrays.fill(t[i], at, at + lower, 0);
        }
        clean(at, lower, upper);
        return true;
    }

    private static void reflectColumn(double[][] a, double[] v, int from, int column) {
        double sum = 0;
        for (int i = from; i < a.length; i++) {
            sum += v[i] * a[i][column];
        }
        for (int i = from; i < a.length; i++) {
            a[i][column] -= 2 * sum * v[i];
        }
    }

    /** Returns reflections that map the columns of {@code (−X, I)} to multiples of the first unit vectors. */
    private static double[][] reflections(double[][] x, int upper, int lower) {
        int size = upper + lower;
        double[][] columns = new double[lower][size];
        for (int c = 0; c < lower; c++) {
            for (int i = 0; i < upper; i++) {
                columns[c][i] = -x[i][c];
            }
            columns[c][upper + c] = 1;
        }
        double[][] all = new double[lower][];
        for (int c = 0; c < lower; c++) {
            double[] v = columns[c].clone();
            if (reflector(v, c, size)) {
                all[c] = v;
                fromRight(columns, v, c, size, lower);
            }
        }
        return all;
    }

    /** Swaps two real eigenvalues, by a rotation to the vector of the second; nothing spoils that. */
    private void swapOnes(int at) {
        double b = t[at][at + 1];
        double difference = t[at + 1][at + 1] - t[at][at];
        double length = Math.hypot(b, difference);
        rotate(at, length > 0 ? b / length : 0, length > 0 ? difference / length : 1);
        t[at + 1][at] = 0;
    }

    private void clean(int at, int first, int second) {
        if (first == 2) {
            split(at);
        }
        if (second == 2) {
            split(at + first);
        }
    }

    /** Solves {@code T₁₁ X − X T₂₂ = T₁₂} by elimination with complete pivoting; null if it is singular. */
    private double[][] sylvester(int at, int upper, int lower) {
        int size = upper * lower;
        double[][] system = new double[size][size + 1];
        for (int i = 0; i < upper; i++) {
            for (int j = 0; j < lower; j++) {
                double[] row = system[i * lower + j];
                for (int k = 0; k < upper; k++) {
                    row[k * lower + j] += t[at + i][at + k];
                }
                for (int k = 0; k < lower; k++) {
                    row[i * lower + k] -= t[at + upper + k][at + upper + j];
                }
                row[size] = t[at + i][at + upper + j];
            }
        }
        double[] solution = DenseElimination.solve(system, ROUNDING * ROUNDING * norm);
        if (solution == null) {
            return null;
        }
        double[][] x = new double[upper][lower];
        for (int i = 0; i < upper; i++) {
            System.arraycopy(solution, i * lower, x[i], 0, lower);
        }
        return x;
    }

    /**
     * Computes an eigenvector of T, of length 1.
     *
     * @param at row of its eigenvalue; the first row of a pair gives the one with the positive imaginary part
     * @return real and imaginary parts
     */
    double[][] vector(int at) {
        int i = first(at);
        double re = real(i);
        double im = imaginary(i);
        double[][] y = new double[2][n];
        int row = i;
        if (isPair(i)) {
            // (T − λ) y = 0 in the block: the first row says (a − λ) y₁ + b y₂ = 0.
            y[0][i] = -t[i][i + 1];
            y[0][i + 1] = t[i][i] - re;
            y[1][i + 1] = -im;
        } else {
            y[0][i] = 1;
        }
        row--;
        while (row >= 0) {
            int first = first(row);
            substitute(y, first, row, re, im);
            row = first - 1;
        }
        normalise(y);
        return y;
    }

    /**
     * Computes by how much more than a perturbation of the matrix an eigenvalue moves: {@code 1 / |zᵀ y|} with its
     * eigenvectors y of T and z of the transpose, of length 1 (Golub and Van Loan, section 7.2.2).
     *
     * @param at row of the eigenvalue
     * @param y  its eigenvector, as {@link #vector} returns it
     * @return at least 1
     */
    double condition(int at, double[][] y) {
        if (reversed == null) {
            double[][] transpose = new double[n][n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    transpose[i][j] = t[n - 1 - j][n - 1 - i];
                }
            }
            reversed = new RealSchur(transpose);
        }
        double[][] z = reversed.vector(n - 1 - at);
        double re = 0;
        double im = 0;
        for (int i = 0; i < n; i++) {
            int other = n - 1 - i;
            re += z[0][other] * y[0][i] - z[1][other] * y[1][i];
            im += z[0][other] * y[1][i] + z[1][other] * y[0][i];
        }
        return 1 / Math.min(1, Math.hypot(re, im));
    }

    /** Solves for the elements of a block, from those behind it. */
    private void substitute(double[][] y, int first, int last, double re, double im) {
        int size = last - first + 1;
        if (size == 1 && substitute(y, first, re, im)) {
            return;
        }
        double[][] system = new double[2 * size][2 * size + 1];
        double largest = 0;
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                double element = t[first + i][first + j] - (i == j ? re : 0);
                system[i][j] = element;
                system[size + i][size + j] = element;
            }
            system[i][size + i] += im;
            system[size + i][i] -= im;
            for (int part = 0; part < 2; part++) {
                double sum = 0;
                for (int k = last + 1; k < n; k++) {
                    sum -= t[first + i][k] * y[part][k];
                }
                system[part * size + i][2 * size] = sum;
                largest = Math.max(largest, Math.abs(sum));
            }
        }
        double[] found = DenseElimination.solveNearly(system, ROUNDING * norm);
        for (int i = 0; i < size; i++) {
            y[0][first + i] = found[i];
            y[1][first + i] = found[size + i];
            largest = Math.max(largest, Math.max(Math.abs(found[i]), Math.abs(found[size + i])));
        }
        if (largest > 1e100) {
            normalise(y);
        }
    }

    /** Solves for the element of a real eigenvalue; false if it is that of the vector but for rounding. */
    private boolean substitute(double[][] y, int row, double re, double im) {
        double[] factors = t[row];
        double distance = factors[row] - re;
        double square = distance * distance + im * im;
        if (!(square > 4 * ROUNDING * norm * (ROUNDING * norm) && square >= Double.MIN_NORMAL)) {
            return false;
        }
        double real = 0;
        double imaginary = 0;
        for (int k = row + 1; k < n; k++) {
            real -= factors[k] * y[0][k];
            imaginary -= factors[k] * y[1][k];
        }
        y[0][row] = (distance * real - im * imaginary) / square;
        y[1][row] = (distance * imaginary + im * real) / square;
        if (Math.max(Math.abs(y[0][row]), Math.abs(y[1][row])) > 1e100) {
            normalise(y);
        }
        return true;
    }

    private static void normalise(double[][] y) {
        double largest = 0;
        for (double[] part : y) {
            for (double element : part) {
                largest = Math.max(largest, Math.abs(element));
            }
        }
        double sum = 0;
        for (double[] part : y) {
            for (double element : part) {
                sum += element / largest * (element / largest);
            }
        }
        double factor = 1 / Math.sqrt(sum);
        for (double[] part : y) {
            for (int i = 0; i < part.length; i++) {
                part[i] = part[i] / largest * factor;
            }
        }
    }
}
