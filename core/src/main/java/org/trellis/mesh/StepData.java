package org.trellis.mesh;

import java.util.Objects;
import org.trellis.kernel.Access;

/**
 * What a step does with some data.
 *
 * @param data   a {@link Dat}, {@link Global}, {@link Scalar}, {@link MeshConstant}, or a vector of an operator's
 *               product
 * @param access what it does with it
 */
public record StepData(Object data, Access access) {
    /** Checks that there is something. */
    public StepData {
        Objects.requireNonNull(data);
        Objects.requireNonNull(access);
    }

    /**
     * Says whether the step needs the values of before.
     *
     * @return false for data that are overwritten only; a reduction into a {@link Scalar} overwrites
     */
    public boolean reads() {
        return access != Access.WRITE && !(data instanceof Scalar && access.reduces());
    }

    /**
     * Says whether the step changes the values.
     *
     * @return true for all but reads
     */
    public boolean writes() {
        return access.writes() || access.reduces();
    }

    @Override
    public String toString() {
        return access + " " + data;
    }
}
