package org.trellis.mesh;

import java.util.Optional;
import org.trellis.common.Permutation;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.loop.Layout;

/**
 * Where the values of a dat are. {@link Held} values can be reached: {@link WholeDat whole} on this rank, or
 * {@link DividedDat divided} over ranks. Others become so when they are reached first, or when the mesh is divided.
 */
sealed interface DatHandle permits DatHandle.Held, DatHandle.Zeros, DatHandle.Brought {

    /** Returns what has the values from now on. */
    Held reach();

    /** Returns all values to be divided; null for zeros and for what ranks bring. */
    default double[] undivided() {
        return null;
    }

    /** Returns the values that this rank brings, of a dat that no rank has whole. */
    default Optional<ContributedValues> brought() {
        return Optional.empty();
    }

    /** Returns what this rank has of divided values. */
    default Optional<RankedDat> onRank() {
        return Optional.empty();
    }

    /** Says whether the values are in a memory. */
    default boolean isIn(DatStorage memory) {
        return false;
    }

    /** Says whether a vector shows some of the values. */
    default boolean isShownBy(DenseVector vector) {
        return false;
    }

    /** Says whether the values are those of a vector of the program. */
    default boolean isOnVector() {
        return false;
    }

    /** Numbering or layout have changed: a vector of the program is bound to what there is now. */
    default void follow() {}

    /** A vector of {@link Held#view} is about to be overwritten. */
    default void overwriting() {}

    /** Moves elements. */
    default void renumber(Permutation permutation) {}

    /** Releases the memory. */
    default void release() {}

    /** Values that are there. Elements and components are the user's, and have been checked. */
    sealed interface Held extends DatHandle permits WholeDat, DividedDat {
        @Override
        default Held reach() {
            return this;
        }

        double get(int element, int component);

        void set(int element, int component, double value);

        void setAll(double... values);

        void setAll(int... values);

        void fill(double value);

        double[] toArray();

        /** Moves values to where another layout has them. */
        void layout(Layout wanted);

        /** Returns the memory of all values. */
        DatStorage storage();

        /** Takes other memory for all values, and returns the old. */
        DatStorage replace(DatStorage next);

        /** Returns the values that this rank has to compute with as a vector that is bound to the numbering. */
        DenseVector view();

        /** The program may write into a {@link #view} from now on, without a word. */
        default void watch() {}
    }

    /**
     * Zeros of a mesh that is to be divided: most dats are, before they are examined, and never have memory for all.
     *
     * @param dat    the dat
     * @param length the number of values
     */
    record Zeros(Dat dat, int length) implements DatHandle {
        @Override
        @SuppressWarnings("MustBeClosed") // released with the dat, or with the mesh
        public Held reach() {
            return new WholeDat(dat, dat.set().mesh().kernels().allocate(dat.type(), length));
        }
    }

    /**
     * Values some of which each rank brings. Reaching them divides the mesh.
     *
     * @param dat    the dat
     * @param values what this rank brings
     */
    record Brought(Dat dat, ContributedValues values) implements DatHandle {
        @Override
        public Held reach() {
            dat.set().mesh().divide();
            return dat.divided();
        }

        @Override
        public Optional<ContributedValues> brought() {
            return Optional.of(values);
        }
    }
}
