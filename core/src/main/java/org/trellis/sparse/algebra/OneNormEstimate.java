package org.trellis.sparse.algebra;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * The block estimator of the 1-norm (N. J. Higham and F. Tisseur, "A block algorithm for matrix 1-norm estimation",
 * SIAM J. Matrix Anal. Appl. 21(4), 2000, algorithm 2.4): a search for the column of greatest sum by products with
 * vectors of signs, several at a time.
 */
final class OneNormEstimate {
    private static final int COLUMNS = 2;
    private static final int MOST_STEPS = 5;
    private static final long SEED = 20000401;

    private final int n;
    private final UnaryOperator<double[]> product;
    private final UnaryOperator<double[]> transposed;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Set<Integer> seen = new HashSet<>();

    OneNormEstimate(int n, UnaryOperator<double[]> product, UnaryOperator<double[]> transposed) {
        this.n = n;
        this.product = product;
        this.transposed = transposed;
    }

    double find() {
        if (n <= COLUMNS * COLUMNS) {
            return exact();
        }
        List<double[]> x = starts();
        List<double[]> signs = List.of();
        double estimate = 0;
        int best = -1;
        List<Integer> columns = List.of();
        for (int step = 0; step <= MOST_STEPS; step++) {
            List<double[]> y = x.stream().map(product).toList();
            int largest = largest(y);
            double found = norm(y.get(largest));
            if (step > 0 && !(found > estimate)) {
                return estimate;
            }
            estimate = found;
            best = step == 0 ? -1 : columns.get(largest);
            List<double[]> before = signs;
            signs = new ArrayList<>(y.stream().map(OneNormEstimate::signs).toList());
            if (step == MOST_STEPS || allParallel(signs, before)) {
                return estimate;
            }
            drawAgain(signs, before);
            columns = next(signs.stream().map(transposed).toList(), best);
            if (columns.isEmpty()) {
                return estimate;
            }
            x = columns.stream().map(this::unit).toList();
        }
        return estimate;
    }

    private double exact() {
        double greatest = 0;
        for (int j = 0; j < n; j++) {
            greatest = Math.max(greatest, norm(product.apply(unit(j))));
        }
        return greatest;
    }

    /** Ones, and signs drawn at random, as long as a unit vector. */
    private List<double[]> starts() {
        List<double[]> x = new ArrayList<>();
        for (int k = 0; k < COLUMNS; k++) {
            double[] one = new double[n];
            boolean first = k == 0;
            Arrays.setAll(one, i -> (first || random.nextBoolean() ? 1.0 : -1.0) / n);
            x.add(one);
        }
        return x;
    }

    private double[] unit(int j) {
        double[] unit = new double[n];
        unit[j] = 1;
        return unit;
    }

    private static int largest(List<double[]> y) {
        int largest = 0;
        for (int k = 1; k < y.size(); k++) {
            largest = norm(y.get(k)) > norm(y.get(largest)) ? k : largest;
        }
        return largest;
    }

    private static double norm(double[] y) {
        double sum = 0;
        for (double element : y) {
            sum += Math.abs(element);
        }
        return sum;
    }

    private static double[] signs(double[] y) {
        double[] signs = new double[y.length];
        Arrays.setAll(signs, i -> y[i] >= 0 ? 1 : -1);
        return signs;
    }

    private static boolean allParallel(List<double[]> signs, List<double[]> before) {
        return signs.stream().allMatch(s -> isParallelToOne(s, before));
    }

    private static boolean isParallelToOne(double[] s, List<double[]> others) {
        return others.stream().anyMatch(o -> {
            double dot = 0;
            for (int i = 0; i < s.length; i++) {
                dot += s[i] * o[i];
            }
            return Math.abs(dot) == s.length;
        });
    }

    /** Replaces what says nothing new. */
    private void drawAgain(List<double[]> signs, List<double[]> before) {
        for (int k = 0; k < signs.size(); k++) {
            for (int tries = 0; tries < n && (isParallelToOne(signs.get(k), before)
                    || isParallelToOne(signs.get(k), signs.subList(0, k))); tries++) {
                double[] drawn = new double[n];
                Arrays.setAll(drawn, i -> random.nextBoolean() ? 1 : -1);
                signs.set(k, drawn);
            }
        }
    }

    /** Columns that promise most and have not been tried; none if the best one was. */
    private List<Integer> next(List<double[]> z, int best) {
        double[] promise = new double[n];
        double greatest = 0;
        for (int i = 0; i < n; i++) {
            for (double[] one : z) {
                promise[i] = Math.max(promise[i], Math.abs(one[i]));
            }
            greatest = Math.max(greatest, promise[i]);
        }
        if (best >= 0 && promise[best] == greatest) {
            return List.of();
        }
        List<Integer> chosen = new ArrayList<>();
        while (chosen.size() < COLUMNS) {
            int most = -1;
            for (int i = 0; i < n; i++) {
                if (!seen.contains(i) && (most < 0 || promise[i] > promise[most])) {
                    most = i;
                }
            }
            if (most < 0) {
                break;
            }
            seen.add(most);
            chosen.add(most);
        }
        return chosen;
    }
}
