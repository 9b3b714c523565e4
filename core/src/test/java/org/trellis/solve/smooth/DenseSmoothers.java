package org.trellis.solve.smooth;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.IntStream;
import org.trellis.mesh.plan.Colouring;

/** Smoothers by the formulas of textbooks on dense matrices: one application to a vector, slowly. */
final class DenseSmoothers {
    private final double[][] a;
    private final Colouring colours;
    private final Map<String, String> options;

    /**
     * Creates them.
     *
     * @param a       the matrix
     * @param colours of its rows
     * @param options of the smoother
     */
    DenseSmoothers(double[][] a, Colouring colours, Map<String, String> options) {
        this.a = a;
        this.colours = colours;
        this.options = options;
    }

    private double real(String option, double otherwise) {
        return Double.parseDouble(options.getOrDefault(option, Double.toString(otherwise)));
    }

    private int whole(String option, int otherwise) {
        return Integer.parseInt(options.getOrDefault(option, Integer.toString(otherwise)));
    }

    /** Applies the sweeps that the options ask for, from zero. */
    double[] apply(String name, double[] r) {
        double[] x = new double[r.length];
        for (int sweep = 0; sweep < whole("sweeps", 1); sweep++) {
            x = improve(name, r, x, options.getOrDefault("direction", "symmetric"));
        }
        return x;
    }

    /** Does one sweep from an iterate. */
    double[] improve(String name, double[] b, double[] x, String direction) {
        double[] result = x.clone();
        switch (name) {
            case "gauss-seidel", "sor", "ssor", "hybrid-gauss-seidel" -> relax(name, b, result, direction);
            case "block-gauss-seidel" -> relaxBlocks(b, result, direction);
            case "chebyshev" -> result = chebyshev(b, x);
            case "polynomial" -> {
                for (int k = 0; k <= whole("degree", 2); k++) {
                    double[] step = scaledByDiagonal(residual(b, result), real("omega", 1));
                    add(result, step);
                }
            }
            default -> add(result, inverse(name, residual(b, x)));
        }
        return result;
    }

    private static void add(double[] x, double[] y) {
        for (int i = 0; i < x.length; i++) {
            x[i] += y[i];
        }
    }

    private double[] scaledByDiagonal(double[] r, double omega) {
        double[] z = new double[r.length];
        for (int i = 0; i < z.length; i++) {
            z[i] = omega / a[i][i] * r[i];
        }
        return z;
    }

    private double[] multiply(double[] x) {
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < x.length; j++) {
                y[i] += a[i][j] * x[j];
            }
        }
        return y;
    }

    double[] residual(double[] b, double[] x) {
        double[] r = multiply(x);
        for (int i = 0; i < r.length; i++) {
            r[i] = b[i] - r[i];
        }
        return r;
    }

    /** M⁻¹ r of what does not depend on a direction. */
    private double[] inverse(String name, double[] r) {
        double[] z = new double[r.length];
        switch (name) {
            case "jacobi" -> z = scaledByDiagonal(r, real("omega", 1));
            case "l1-jacobi" -> {
                for (int i = 0; i < z.length; i++) {
                    z[i] = real("omega", 1) * r[i] / Arrays.stream(a[i]).map(Math::abs).sum();
                }
            }
            case "spai0" -> {
                for (int i = 0; i < z.length; i++) {
                    z[i] = a[i][i] / Arrays.stream(a[i]).map(v -> v * v).sum() * r[i];
                }
            }
            case "block-jacobi" -> {
                int size = whole("block-size", 4);
                for (int from = 0; from < z.length; from += size) {
                    int to = Math.min(z.length, from + size);
                    double[] part = solve(part(from, to), Arrays.copyOfRange(r, from, to));
                    for (int i = from; i < to; i++) {
                        z[i] = real("omega", 1) * part[i - from];
                    }
                }
            }
            case "fsai" -> z = factorisedInverse(r);
            case "ic0", "ilu0" -> z = incomplete(r);
            case "ick", "iluk" -> z = levelled(r, whole("level", 1));
            // Without a threshold the factors are complete.
            case "ict", "ilut", "direct" -> z = solve(a, r);
            default -> throw new IllegalArgumentException(name);
        }
        return z;
    }

    private double[][] part(int from, int to) {
        double[][] block = new double[to - from][];
        for (int i = from; i < to; i++) {
            block[i - from] = Arrays.copyOfRange(a[i], from, to);
        }
        return block;
    }

    /** Solves a small dense system by elimination with partial pivoting. */
    static double[] solve(double[][] matrix, double[] right) {
        int n = right.length;
        double[][] m = new double[n][];
        for (int i = 0; i < n; i++) {
            m[i] = Arrays.copyOf(matrix[i], n + 1);
            m[i][n] = right[i];
        }
        for (int p = 0; p < n; p++) {
            int column = p;
            int best = IntStream.range(p, n).boxed()
                    .max(Comparator.comparingDouble(i -> Math.abs(m[i][column]))).orElseThrow();
            double[] row = m[best];
            m[best] = m[p];
            m[p] = row;
            for (int i = p + 1; i < n; i++) {
                double factor = m[i][p] / row[p];
                for (int j = p; j <= n; j++) {
                    m[i][j] -= factor * row[j];
                }
            }
        }
        double[] x = new double[n];
        for (int i = n - 1; i >= 0; i--) {
            double sum = m[i][n];
            for (int j = i + 1; j < n; j++) {
                sum -= m[i][j] * x[j];
            }
            x[i] = sum / m[i][i];
        }
        return x;
    }

    private void relax(String name, double[] b, double[] x, String direction) {
        int n = x.length;
        double omega = real("omega", name.equals("sor") ? 1.5 : 1);
        int blocks = name.startsWith("hybrid") ? whole("blocks", 1) : 1;
        int[] blockOf = new int[n];
        for (int block = 0; block < blocks; block++) {
            Arrays.fill(blockOf, (int) ((long) n * block / blocks), (int) ((long) n * (block + 1) / blocks), block);
        }
        boolean natural = blocks > 1 || options.getOrDefault("order", "coloured").equals("natural")
                || name.startsWith("hybrid");
        int[] order = IntStream.range(0, n).boxed()
                .sorted(Comparator.comparingInt(i -> natural ? i : colours.colours()[i]))
                .mapToInt(Integer::intValue).toArray();
        double[] old = x.clone();
        if (!direction.equals("backward")) {
            for (int row : order) {
                relaxRow(row, omega, b, x, old, blockOf);
            }
        }
        if (!direction.equals("forward")) {
            for (int i = n - 1; i >= 0; i--) {
                relaxRow(order[i], omega, b, x, old, blockOf);
            }
        }
    }

    /** Rows of other blocks are read as they were. */
    private void relaxRow(int row, double omega, double[] b, double[] x, double[] old, int[] blockOf) {
        double sum = b[row];
        for (int j = 0; j < x.length; j++) {
            if (j != row) {
                sum -= a[row][j] * (blockOf[j] == blockOf[row] ? x[j] : old[j]);
            }
        }
        x[row] = (1 - omega) * x[row] + omega * sum / a[row][row];
    }

    /** Solves for the unknowns of one block after another, in their order or by colours. */
    private void relaxBlocks(double[] b, double[] x, String direction) {
        int size = whole("block-size", 4);
        int blocks = Math.ceilDiv(x.length, size);
        boolean natural = options.getOrDefault("order", "coloured").equals("natural");
        int[] colour = blockColours(size, blocks);
        int[] order = IntStream.range(0, blocks).boxed()
                .sorted(Comparator.comparingInt(block -> natural ? block : colour[block]))
                .mapToInt(Integer::intValue).toArray();
        for (int i = 0; !direction.equals("backward") && i < blocks; i++) {
            relaxBlock(order[i] * size, size, b, x);
        }
        for (int i = blocks - 1; !direction.equals("forward") && i >= 0; i--) {
            relaxBlock(order[i] * size, size, b, x);
        }
    }

    /** The lowest colour that no coupled block before has. */
    private int[] blockColours(int size, int blocks) {
        int[] colour = new int[blocks];
        for (int block = 0; block < blocks; block++) {
            boolean[] taken = new boolean[blocks + 1];
            for (int i = block * size; i < Math.min(a.length, (block + 1) * size); i++) {
                for (int j = 0; j < block * size; j++) {
                    taken[colour[j / size]] |= a[i][j] != 0 || a[j][i] != 0;
                }
            }
            while (taken[colour[block]]) {
                colour[block]++;
            }
        }
        return colour;
    }

    private void relaxBlock(int from, int size, double[] b, double[] x) {
        int to = Math.min(x.length, from + size);
        double[] part = solve(part(from, to), Arrays.copyOfRange(residual(b, x), from, to));
        for (int i = from; i < to; i++) {
            x[i] += real("omega", 1) * part[i - from];
        }
    }

    /**
     * The error after a sweep is the polynomial of the error before; the polynomial by the recurrence of T or W, in
     * the matrix.
     */
    private double[] chebyshev(double[] b, double[] x) {
        double largest = real("lambda-max", 2);
        double smallest = real("lambda-min", largest / real("ratio", 30));
        boolean fourth = whole("kind", 1) == 4;
        double centre = fourth ? largest / 2 : (largest + smallest) / 2;
        double radius = fourth ? largest / 2 : (largest - smallest) / 2;
        double[] exact = solve(a, b);
        double[] error = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            error[i] = exact[i] - x[i];
        }
        double[] before = error.clone();
        double[] now = mapped(error, centre, radius);
        double scaleBefore = 1;
        double scale = centre / radius;
        if (fourth) {
            for (int i = 0; i < now.length; i++) {
                now[i] = 2 * now[i] + before[i];
            }
        }
        int degree = whole("degree", 3);
        for (int k = 1; k < degree; k++) {
            double[] next = mapped(now, centre, radius);
            for (int i = 0; i < next.length; i++) {
                next[i] = 2 * next[i] - before[i];
            }
            before = now;
            now = next;
            double scaleNext = 2 * centre / radius * scale - scaleBefore;
            scaleBefore = scale;
            scale = scaleNext;
        }
        double[] result = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            result[i] = exact[i] - now[i] / (fourth ? 2 * degree + 1 : scale);
        }
        return result;
    }

    /** (centre − D⁻¹A) v over radius. */
    private double[] mapped(double[] v, double centre, double radius) {
        double[] product = scaledByDiagonal(multiply(v), 1);
        for (int i = 0; i < v.length; i++) {
            product[i] = (centre * v[i] - product[i]) / radius;
        }
        return product;
    }

    private double[] factorisedInverse(double[] r) {
        int n = r.length;
        double[][] g = new double[n][n];
        for (int row = 0; row < n; row++) {
            int i = row;
            int[] pattern = IntStream.rangeClosed(0, row).filter(j -> a[i][j] != 0).toArray();
            double[][] block = new double[pattern.length][pattern.length];
            double[] unit = new double[pattern.length];
            unit[pattern.length - 1] = 1;
            for (int p = 0; p < pattern.length; p++) {
                for (int q = 0; q < pattern.length; q++) {
                    block[p][q] = a[pattern[p]][pattern[q]];
                }
            }
            double[] found = solve(block, unit);
            for (int p = 0; p < pattern.length; p++) {
                g[row][pattern[p]] = found[p] / Math.sqrt(found[pattern.length - 1]);
            }
        }
        double[] z = new double[n];
        for (int i = 0; i < n; i++) {
            double t = 0;
            for (int j = 0; j < n; j++) {
                t += g[i][j] * r[j];
            }
            for (int j = 0; j < n; j++) {
                z[j] += g[i][j] * t;
            }
        }
        return z;
    }

    /** Elimination that keeps zeros; of a symmetric matrix the same as a Cholesky factorisation. */
    private double[] incomplete(double[] r) {
        int n = r.length;
        double[][] m = new double[n][];
        for (int i = 0; i < n; i++) {
            m[i] = a[i].clone();
            m[i][i] *= 1 + real("shift", 0);
        }
        for (int i = 1; i < n; i++) {
            for (int k = 0; k < i; k++) {
                if (a[i][k] != 0) {
                    m[i][k] /= m[k][k];
                    for (int j = k + 1; j < n; j++) {
                        if (a[i][j] != 0) {
                            m[i][j] -= m[i][k] * m[k][j];
                        }
                    }
                }
            }
        }
        boolean iterated = options.getOrDefault("triangular", "levels").equals("iterated");
        int iterations = iterated ? whole("iterations", 3) : n;
        double[] y = triangle(m, r, iterations, true);
        return triangle(m, y, iterations, false);
    }

    /** Elimination that keeps what paths up to a length make, the level of each entry found beside it. */
    private double[] levelled(double[] r, int most) {
        int n = r.length;
        double[][] m = new double[n][];
        int[][] level = new int[n][n];
        for (int i = 0; i < n; i++) {
            m[i] = a[i].clone();
            for (int j = 0; j < n; j++) {
                level[i][j] = i == j || a[i][j] != 0 ? 0 : n;
            }
        }
        for (int i = 1; i < n; i++) {
            for (int k = 0; k < i; k++) {
                if (level[i][k] > most) {
                    continue;
                }
                m[i][k] /= m[k][k];
                for (int j = k + 1; j < n; j++) {
                    int ofTerm = level[i][k] + level[k][j] + 1;
                    if (level[k][j] <= most && (level[i][j] <= most || ofTerm <= most)) {
                        m[i][j] -= m[i][k] * m[k][j];
                        level[i][j] = Math.min(level[i][j], ofTerm);
                    }
                }
            }
            for (int j = 0; j < n; j++) {
                m[i][j] = level[i][j] > most ? 0 : m[i][j];
            }
        }
        return triangle(m, triangle(m, r, n, true), n, false);
    }

    /** Jacobi iterations for a triangle, exact after n. */
    private static double[] triangle(double[][] m, double[] right, int iterations, boolean lower) {
        int n = right.length;
        double[] x = new double[n];
        for (int k = 0; k <= iterations; k++) {
            double[] next = new double[n];
            for (int i = 0; i < n; i++) {
                double sum = right[i];
                for (int j = lower ? 0 : i + 1; j < (lower ? i : n); j++) {
                    sum -= m[i][j] * x[j];
                }
                next[i] = lower ? sum : sum / m[i][i];
            }
            x = next;
        }
        return x;
    }
}
