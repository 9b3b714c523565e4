package org.trellis.mesh;

import java.util.Arrays;
import java.util.Objects;
import org.trellis.common.Checks;

/** A value that kernels read and nobody changes after its declaration. */
public final class MeshConstant implements LoopArgument {
    private final Mesh mesh;
    private final String name;
    private final double[] reals;
    private final int[] ints;

    MeshConstant(Mesh mesh, String name, double[] reals, int[] ints) {
        this.mesh = mesh;
        this.name = Objects.requireNonNull(name);
        this.reals = reals;
        this.ints = ints;
        Checks.positive("number of components of constant '" + name + "'", components());
    }

    @Override
    public String name() {
        return name;
    }

    Mesh mesh() {
        return mesh;
    }

    /**
     * Returns the number of components.
     *
     * @return at least 1
     */
    public int components() {
        return ints == null ? reals.length : ints.length;
    }

    /**
     * Says whether the components are real numbers.
     *
     * @return false if they are whole numbers
     */
    public boolean real() {
        return ints == null;
    }

    /**
     * Returns a component.
     *
     * @param component its index
     * @return its value
     * @throws IndexOutOfBoundsException if there is no such component
     */
    public double get(int component) {
        Checks.index("component of constant '" + name + "'", component, components());
        return ints == null ? reals[component] : ints[component];
    }

    /**
     * Returns the components for backends.
     *
     * @return a copy, {@code double[]} or {@code int[]}
     */
    public Object toArray() {
        return ints == null ? reals.clone() : ints.clone();
    }

    @Override
    public String toString() {
        return "constant '" + name + "' " + (ints == null ? Arrays.toString(reals) : Arrays.toString(ints));
    }
}
