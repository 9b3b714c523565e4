package org.trellis.mesh;

import java.util.Objects;
import org.trellis.memory.DenseVector;

/**
 * One of some {@link Scalars}, or several consecutive ones, as an argument of a loop. Made by {@link Scalars#at(int)}.
 *
 * @param scalars    what it belongs to
 * @param first      the index of the first
 * @param components how many, at least 1
 */
public record Scalar(Scalars scalars, int first, int components) implements LoopArgument {
    /** Checks that there is something. */
    public Scalar {
        Objects.requireNonNull(scalars);
    }

    @Override
    public String name() {
        return scalars.name() + "[" + first + (components == 1 ? "" : ".." + (first + components - 1)) + "]";
    }

    /**
     * Returns all scalars as a vector. For backends.
     *
     * @return in double precision; this argument's begin at element {@link #first}
     */
    public DenseVector vector() {
        return scalars.inner();
    }

    /** Says whether a scalar belongs to both. */
    boolean overlaps(Scalar other) {
        return scalars.equals(other.scalars) && first < other.first + other.components
                && other.first < first + components;
    }

    @Override
    public String toString() {
        return (components == 1 ? "scalar '" : "scalars '") + name() + "'";
    }
}
