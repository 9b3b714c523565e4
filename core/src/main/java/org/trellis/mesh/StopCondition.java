package org.trellis.mesh;

import java.util.List;
import java.util.Objects;

/**
 * What is examined after each round of a {@link Repetition}: scalars that are recorded, and bounds within which others
 * have to be for another round. All belong to the same {@link Scalars}.
 *
 * @param recorded consecutive scalars whose values are kept after each round
 * @param bounds   what has to hold for another round, all of it; none for as many rounds as are asked for
 */
public record StopCondition(Scalar recorded, List<Bound> bounds) {
    /**
     * Checks that all belong to the same scalars.
     *
     * @throws IllegalArgumentException if they do not
     */
    public StopCondition {
        bounds = List.copyOf(bounds);
        for (Bound bound : bounds) {
            if (!bound.values().scalars().equals(recorded.scalars())) {
                throw new IllegalArgumentException("a repetition that records " + recorded + " and checks "
                        + bound.values() + ", expected scalars of one declaration");
            }
        }
    }

    /**
     * Scalars that have to be more than another one. What is not a number is not more than anything.
     *
     * @param values one scalar or several consecutive ones, each of which has to be more
     * @param floor  one scalar of the same declaration
     */
    public record Bound(Scalar values, Scalar floor) {
        /**
         * Checks that both belong to the same scalars.
         *
         * @throws IllegalArgumentException if they do not, or the floor is more than one scalar
         */
        public Bound {
            Objects.requireNonNull(values);
            if (!values.scalars().equals(floor.scalars()) || floor.components() != 1) {
                throw new IllegalArgumentException("a bound of " + values + " by " + floor
                        + ", expected one scalar of the same declaration");
            }
        }

        /** Says whether all values, among those of the declaration, are more than the floor. */
        boolean holds(double... all) {
            for (int i = 0; i < values.components(); i++) {
                if (!(all[values.first() + i] > all[floor.first()])) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Says whether there is to be another round, from all scalars of the declaration. */
    boolean goesOn(double... all) {
        for (int i = 0; i < bounds.size(); i++) {
            if (!bounds.get(i).holds(all)) {
                return false;
            }
        }
        return true;
    }
}
