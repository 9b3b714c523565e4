package org.trellis.examples.tsunami;

/**
 * The exact solution of a dam break on a flat bed without friction: water at rest, deeper on the left of a wall that
 * vanishes at time zero. With water on the right it is J. J. Stoker's (Water Waves, 1957, section 10.8): a rarefaction,
 * water of constant depth, a bore. Without, it is A. Ritter's (1892): a parabola.
 */
final class DamBreak {
    private static final int BISECTIONS = 200;

    private final double x;
    private final double left;
    private final double right;
    private final double gravity;
    private final double middle;
    private final double front;

    /**
     * Describes a dam.
     *
     * @param x       where it was, in m
     * @param left    the depth on the left, in m
     * @param right   the depth on the right, in m; 0 if it is dry
     * @param gravity in m/s²
     */
    DamBreak(double x, double left, double right, double gravity) {
        if (!(left > right && right >= 0)) {
            throw new IllegalArgumentException("a dam between depths of " + left + " m and " + right
                    + " m, expected more water on the left and no negative depth");
        }
        this.x = x;
        this.left = left;
        this.right = right;
        this.gravity = gravity;
        this.middle = right > 0 ? meeting() : 0;
        this.front = right > 0
                ? behindRarefaction(middle) * middle / (middle - right)
                : 2 * Math.sqrt(gravity * left);
    }

    /** Bisection: the shallower the water, the faster behind the rarefaction, and the slower behind the bore. */
    private double meeting() {
        double low = right;
        double high = left;
        for (int i = 0; i < BISECTIONS; i++) {
            double depth = 0.5 * (low + high);
            if (behindRarefaction(depth) > behindBore(depth)) {
                low = depth;
            } else {
                high = depth;
            }
        }
        return 0.5 * (low + high);
    }

    private double behindRarefaction(double depth) {
        return 2 * (Math.sqrt(gravity * left) - Math.sqrt(gravity * depth));
    }

    private double behindBore(double depth) {
        return (depth - right) * Math.sqrt(0.5 * gravity * (depth + right) / (depth * right));
    }

    /** The depth between rarefaction and bore, where the water behind both is equally fast; 0 on a dry bed. */
    double middleDepth() {
        return middle;
    }

    /** The speed of the bore, in m/s; on a dry bed, of the front. */
    double frontSpeed() {
        return front;
    }

    /** The depth at a place and time, in m. */
    double depth(double place, double time) {
        double way = place - x;
        double c = Math.sqrt(gravity * left);
        if (way <= -c * time) {
            return way < 0 ? left : right;
        }
        if (way >= front * time) {
            return right;
        }
        double inFan = (2 * c - way / time) / 3;
        return inFan > Math.sqrt(gravity * middle) ? inFan * inFan / gravity : middle;
    }

    /** The velocity at a place and time, in m/s. */
    double velocity(double place, double time) {
        double way = place - x;
        double c = Math.sqrt(gravity * left);
        if (way <= -c * time || way >= front * time) {
            return 0;
        }
        return Math.min(2 * (c + way / time) / 3, behindRarefaction(middle));
    }
}
