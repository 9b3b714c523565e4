package org.trellis.adapt;

/**
 * Maximises the least quality around a vertex: the direction is the shortest convex combination of the gradients of
 * the worst
 * elements, the first step leads to where the worst element would change by Taylor's formula, and steps are halved
 * until the gain
 * is nine tenths of what was estimated (Freitag, Jones, Plassmann 1999, section 2; Rokos 2010, algorithm 3).
 * Gradients hold
 * the metric; gains are those of the metric at the new place.
 */
final class AscentStep {
    /** Steps of a vertex in a sweep. */
    static final int ITERATIONS = 6;
    private static final int HALVINGS = 7;
    private static final double ACTIVE = 0.03;
    private static final double SUFFICIENT_GAIN = 0.9;
    private static final int MOST_ACTIVE = 8;

    private final CavityMesh mesh;
    private final Mobility mobility;
    private final VertexSmoother smoother;
    private final int dimension;
    private final QualityGradient gradient;
    private double[] gradients = new double[192];
    private final int[] active = new int[MOST_ACTIVE];
    private int activeCount;
    private final double[] direction = new double[3];
    private final double[] one;

    AscentStep(CavityMesh mesh, Mobility mobility, VertexSmoother smoother) {
        this.mesh = mesh;
        this.mobility = mobility;
        this.smoother = smoother;
        dimension = mesh.dimension;
        gradient = new QualityGradient(mesh);
        one = new double[dimension];
    }

    /** Moves a vertex uphill by steps that gain at least so much; returns whether it has moved. */
    boolean climb(int vertex, double leastGain) {
        boolean moved = false;
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            double least = smoother.leastQuality(vertex);
            mobility.turn(mesh, vertex);
            computeGradients(vertex);
            findActive(vertex, least);
            if (!ShortestCombination.of(dimension, gradients, active, activeCount, direction)) {
                break;
            }
            double slope = slope();
            if (!(slope > 0)) {
                break;
            }
            if (!search(vertex, least, slope, leastGain)) {
                break;
            }
            moved = true;
        }
        return moved;
    }

    private void computeGradients(int vertex) {
        int count = mesh.degrees[vertex];
        if (count * dimension > gradients.length) {
            gradients = new double[2 * count * dimension];
        }
        for (int i = 0; i < count; i++) {
            gradient.of(mesh.stars[vertex][i], vertex, one);
            mobility.project(vertex, one);
            System.arraycopy(one, 0, gradients, i * dimension, dimension);
        }
    }

    private void findActive(int vertex, double least) {
        activeCount = 0;
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            double quality = mesh.quality[mesh.stars[vertex][i]];
            if (quality <= least * (1 + ACTIVE)) {
                insert(vertex, i, quality);
            }
        }
    }

    /** Keeps the worst elements, in order. */
    private void insert(int vertex, int i, double quality) {
        int place = activeCount;
        while (place > 0 && mesh.quality[mesh.stars[vertex][active[place - 1]]] > quality) {
            place--;
        }
        if (place == MOST_ACTIVE) {
            return;
        }
        activeCount = Math.min(MOST_ACTIVE, activeCount + 1);
        System.arraycopy(active, place, active, place + 1, activeCount - 1 - place);
        active[place] = i;
    }

    /** Returns the least growth of an active element for each unit of the direction, which it scales to unit length. */
    private double slope() {
        double length = 0;
        for (int k = 0; k < dimension; k++) {
            length += direction[k] * direction[k];
        }
        length = Math.sqrt(length);
        for (int k = 0; k < dimension; k++) {
            direction[k] /= length;
        }
        double slope = Double.POSITIVE_INFINITY;
        for (int i = 0; i < activeCount; i++) {
            slope = Math.min(slope, along(active[i]));
        }
        return slope;
    }

    private double along(int i) {
        double sum = 0;
        for (int k = 0; k < dimension; k++) {
            sum += gradients[i * dimension + k] * direction[k];
        }
        return sum;
    }

    private boolean search(int vertex, double least, double slope, double leastGain) {
        double unit = 0.5 / smoother.length(vertex, direction);
        double step = unit;
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            double above = mesh.quality[mesh.stars[vertex][i]] - least;
            double closing = slope - along(i);
            if (above > ACTIVE * least && closing > 0) {
                step = Math.min(step, above / closing);
            }
        }
        step = Math.max(step, unit / 1024);
        return climbBy(vertex, least, slope, step, leastGain);
    }

    /** Halves a step until the gain is as promised, or gets less; returns whether it was worth a move. */
    private boolean climbBy(int vertex, double least, double slope, double first, double leastGain) {
        smoother.keep(vertex);
        double step = first;
        double best = leastGain;
        double bestStep = 0;
        for (int halving = 0; halving < HALVINGS; halving++) {
            double floor = least + best;
            double reached = smoother.tryAt(vertex, direction, step, floor);
            if (reached > floor) {
                best = reached - least;
                bestStep = step;
                if (best >= SUFFICIENT_GAIN * step * slope) {
                    smoother.accept(vertex);
                    return true;
                }
            } else if (bestStep > 0) {
                break;
            }
            step /= 2;
        }
        if (bestStep > 0) {
            smoother.tryAt(vertex, direction, bestStep, Double.NEGATIVE_INFINITY);
            smoother.accept(vertex);
            return true;
        }
        smoother.restore(vertex);
        return false;
    }
}
