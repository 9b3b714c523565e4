package org.trellis.solve.dense;

/**
 * Loops of scalar code that go over to vector code once the JIT compiler has compiled that: until then vectors
 * are objects, and take a hundred times as long. Trials, whose results are dropped, take as much time as it takes to
 * have it compiled, but no more than a fifth.
 */
final class WarmingDots implements DotLoops {
    private final DotLoops scalar;
    private final DotLoops vectors;
    private final Warming doubles = new Warming(8);
    private final Warming floats = new Warming(8);
    private final Warming one = new Warming(4);
    private final Warming two = new Warming(4);
    private final Warming sum = new Warming(4);
    /** Targets of trials. */
    private double[][] dropped = new double[2][0];

    /**
     * Makes loops.
     *
     * @param scalar what is run at first
     * @param vectors what gives the same bits
     */
    WarmingDots(DotLoops scalar, DotLoops vectors) {
        this.scalar = scalar;
        this.vectors = vectors;
    }

    @Override
    public double dot(double[] x, int xAt, double[] y, int yAt, int count) {
        if (doubles.done()) {
            return vectors.dot(x, xAt, y, yAt, count);
        }
        long start = System.nanoTime();
        double sum = scalar.dot(x, xAt, y, yAt, count);
        int trial = doubles.trial(System.nanoTime() - start, count);
        if (trial > 0) {
            vectors.dot(x, xAt, y, yAt, trial);
            doubles.tried();
        }
        return sum;
    }

    @Override
    public double dot(float[] x, int xAt, float[] y, int yAt, int count) {
        if (floats.done()) {
            return vectors.dot(x, xAt, y, yAt, count);
        }
        long start = System.nanoTime();
        double sum = scalar.dot(x, xAt, y, yAt, count);
        int trial = floats.trial(System.nanoTime() - start, count);
        if (trial > 0) {
            vectors.dot(x, xAt, y, yAt, trial);
            floats.tried();
        }
        return sum;
    }

    @Override
    public void fourByOne(double[][] v, int k, double[] w, int from, int to, double[] sums, int at) {
        if (one.done()) {
            vectors.fourByOne(v, k, w, from, to, sums, at);
            return;
        }
        long start = System.nanoTime();
        scalar.fourByOne(v, k, w, from, to, sums, at);
        int trial = one.trial(System.nanoTime() - start, to - from);
        if (trial > 0) {
            vectors.fourByOne(v, k, w, from, from + trial, new double[FOUR], 0);
            one.tried();
        }
    }

    @Override
    @SuppressWarnings("checkstyle:ParameterNumber") // as the interface
    public void fourByTwo(double[][] v, int k, double[][] w, int j, int from, int to, double[] sums, int at) {
        if (two.done()) {
            vectors.fourByTwo(v, k, w, j, from, to, sums, at);
            return;
        }
        long start = System.nanoTime();
        scalar.fourByTwo(v, k, w, j, from, to, sums, at);
        int trial = two.trial(System.nanoTime() - start, to - from);
        if (trial > 0) {
            vectors.fourByTwo(v, k, w, j, from, from + trial, new double[FOUR * FOUR], 0);
            two.tried();
        }
    }

    @Override
    @SuppressWarnings("checkstyle:ParameterNumber") // as the interface
    public void addFour(double[][] v, int k, double[] factors, int at, int stride, double[][] w, int j, int from,
            int to) {
        if (sum.done()) {
            vectors.addFour(v, k, factors, at, stride, w, j, from, to);
            return;
        }
        long start = System.nanoTime();
        scalar.addFour(v, k, factors, at, stride, w, j, from, to);
        int trial = sum.trial(System.nanoTime() - start, to - from);
        if (trial > 0) {
            double[][] targets = dropped;
            if (targets[0].length < to) {
                targets = new double[2][to];
                dropped = targets;
            }
            vectors.addFour(v, k, factors, at, stride, targets, 0, from, from + trial);
            sum.tried();
        }
    }
}
