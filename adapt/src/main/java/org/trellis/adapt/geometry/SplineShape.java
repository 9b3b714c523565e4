package org.trellis.adapt.geometry;

import org.trellis.common.Checks;

/**
 * A smooth curve through given points: cubics between neighbours, with the tangents of the parabolas through three
 * points at a time, parametrised by the lengths of chords (C. de Boor, "A Practical Guide to Splines", chapter IV,
 * Bessel's interpolation). Between points on a smooth curve at distance h it is off by a multiple of h³ at most.
 * Finding the nearest point takes time proportional to the number of points.
 */
public final class SplineShape implements BoundaryShape {
    private static final int SAMPLES = 8;
    private static final int NEWTON_STEPS = 12;

    private final double[] knots;
    private final double[] slopes;
    private final int points;
    private final int segments;

    /**
     * Puts a curve through points.
     *
     * @param knots  x and y of each point, in order, no two neighbours the same; copied
     * @param closed whether the last is joined to the first
     * @throws IllegalArgumentException if there are fewer than two points, or than three of a closed curve, or
     *                                  neighbours are the same
     */
    public SplineShape(double[] knots, boolean closed) {
        Checks.length("remainder of the number of coordinates by 2", knots.length % 2, 0);
        this.knots = knots.clone();
        points = knots.length / 2;
        segments = closed ? points : points - 1;
        if (points < (closed ? 3 : 2)) {
            throw new IllegalArgumentException("curve has " + points + " points, expected at least "
                    + (closed ? "3 as it is closed" : "2"));
        }
        for (int s = 0; s < segments; s++) {
            if (!(chord(s) > 0)) {
                throw new IllegalArgumentException("points " + s + " and " + next(s) + " of a curve are the same, ("
                        + knots[2 * s] + ", " + knots[2 * s + 1] + "), expected different ones");
            }
        }
        slopes = new double[knots.length];
        for (int i = closed ? 0 : 1; i < (closed ? points : points - 1); i++) {
            int before = (i + points - 1) % points;
            double first = chord(before);
            double second = chord(i);
            for (int k = 0; k < 2; k++) {
                slopes[2 * i + k] = (second * secant(before, k) + first * secant(i, k)) / (first + second);
            }
        }
        for (int k = 0; k < 2 && !closed; k++) {
            int last = points - 1;
            slopes[k] = points == 2 ? secant(0, k) : 2 * secant(0, k) - slopes[2 + k];
            slopes[2 * last + k] = points == 2 ? secant(0, k) : 2 * secant(last - 1, k) - slopes[2 * last - 2 + k];
        }
    }

    private int next(int point) {
        return point + 1 == points ? 0 : point + 1;
    }

    private double chord(int segment) {
        int end = next(segment);
        return Math.hypot(knots[2 * end] - knots[2 * segment], knots[2 * end + 1] - knots[2 * segment + 1]);
    }

    private double secant(int segment, int k) {
        return (knots[2 * next(segment) + k] - knots[2 * segment + k]) / chord(segment);
    }

    /** The value, or the first or second derivative by t, of a component of a segment at t from 0 to 1. */
    private double at(int segment, double t, int k, int derivative) {
        int end = next(segment);
        double h = chord(segment);
        double p = knots[2 * segment + k];
        double q = knots[2 * end + k];
        double u = h * slopes[2 * segment + k];
        double v = h * slopes[2 * end + k];
        double c = 3 * (q - p) - 2 * u - v;
        double d = u + v - 2 * (q - p);
        return switch (derivative) {
            case 0 -> t == 1 ? q : p + t * (u + t * (c + t * d));
            case 1 -> u + t * (2 * c + t * 3 * d);
            default -> 2 * c + 6 * t * d;
        };
    }

    private double squareTo(int segment, double t, double x, double y) {
        double dx = at(segment, t, 0, 0) - x;
        double dy = at(segment, t, 1, 0) - y;
        return dx * dx + dy * dy;
    }

    /** The segment whose chord is nearest. */
    private int nearestChord(double x, double y) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int s = 0; s < segments; s++) {
            int end = next(s);
            double ex = knots[2 * end] - knots[2 * s];
            double ey = knots[2 * end + 1] - knots[2 * s + 1];
            double dx = x - knots[2 * s];
            double dy = y - knots[2 * s + 1];
            double t = Math.clamp((dx * ex + dy * ey) / (ex * ex + ey * ey), 0, 1);
            double square = (dx - t * ex) * (dx - t * ex) + (dy - t * ey) * (dy - t * ey);
            if (square < least) {
                least = square;
                best = s;
            }
        }
        return best;
    }

    /** Returns the segment plus the parameter of the nearest point on the segments around the nearest chord. */
    private double locate(double x, double y) {
        int centre = nearestChord(x, y);
        double best = Double.POSITIVE_INFINITY;
        int segment = centre;
        double place = 0;
        for (int step = -1; step <= 1; step++) {
            int s = centre + step;
            if (segments == points) {
                s = (s + points) % points;
            }
            for (int i = 0; i <= SAMPLES && s >= 0 && s < segments; i++) {
                double square = squareTo(s, (double) i / SAMPLES, x, y);
                if (square < best) {
                    best = square;
                    segment = s;
                    place = (double) i / SAMPLES;
                }
            }
        }
        double found = polished(segment, place, x, y);
        int across = segment + (place == 1 ? 1 : -1);
        if (segments == points) {
            across = (across + points) % points;
        }
        if ((place == 0 || place == 1) && across >= 0 && across < segments) {
            double other = polished(across, 1 - place, x, y);
            if (squareTo(across, other, x, y) < squareTo(segment, found, x, y)) {
                segment = across;
                found = other;
            }
        }
        return found == 1 && segment + 1 < segments ? segment + 1 : segment + found;
    }

    /** Follows the distance downhill from a place on a segment, while it falls. */
    private double polished(int segment, double start, double x, double y) {
        double place = start;
        double least = squareTo(segment, start, x, y);
        for (int i = 0; i < NEWTON_STEPS && least > 0; i++) {
            double moved = refined(segment, place, x, y);
            double square = squareTo(segment, moved, x, y);
            if (square >= least) {
                break;
            }
            least = square;
            place = moved;
        }
        return place;
    }

    /** A step of Newton's method for the foot of the perpendicular, or of Gauss and Newton's where that would leave. */
    private double refined(int segment, double t, double x, double y) {
        double gradient = 0;
        double curvature = 0;
        double square = 0;
        for (int k = 0; k < 2; k++) {
            double difference = at(segment, t, k, 0) - (k == 0 ? x : y);
            double slope = at(segment, t, k, 1);
            gradient += difference * slope;
            square += slope * slope;
            curvature += difference * at(segment, t, k, 2);
        }
        double second = square + curvature > 0 ? square + curvature : square;
        return Math.clamp(t - gradient / second, 0, 1);
    }

    @Override
    public void nearest(double[] x, int o, double[] point) {
        double place = locate(x[o], x[o + 1]);
        int segment = Math.min((int) place, segments - 1);
        point[0] = at(segment, place - segment, 0, 0);
        point[1] = at(segment, place - segment, 1, 0);
    }

    @Override
    public void tangent(double[] x, int o, double[] direction) {
        double place = locate(x[o], x[o + 1]);
        int segment = Math.min((int) place, segments - 1);
        double u = at(segment, place - segment, 0, 1);
        double v = at(segment, place - segment, 1, 1);
        double length = Math.sqrt(u * u + v * v);
        direction[0] = u / length;
        direction[1] = v / length;
    }

    @Override
    public String toString() {
        return (segments == points ? "closed spline through " : "spline through ") + points + " points from ("
                + knots[0] + ", " + knots[1] + ")";
    }
}
