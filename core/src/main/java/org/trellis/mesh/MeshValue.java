package org.trellis.mesh;

import java.util.Arrays;
import java.util.Objects;
import org.trellis.common.Checks;

/** Numbers that belong to the whole mesh, real or whole: what globals and constants have in common. */
abstract class MeshValue {
    private final Mesh mesh;
    private final String kind;
    private final String name;
    private final double[] reals;
    private final int[] ints;

    /**
     * Creates the value.
     *
     * @param mesh  the mesh
     * @param kind  what this is, for messages
     * @param name  for messages
     * @param reals the components if they are real numbers, or null; not copied
     * @param ints  the components if they are whole numbers, or null; not copied
     */
    MeshValue(Mesh mesh, String kind, String name, double[] reals, int[] ints) {
        this.mesh = mesh;
        this.kind = kind;
        this.name = Objects.requireNonNull(name);
        this.reals = reals;
        this.ints = ints;
        Checks.positive("number of components of " + described(), components());
    }

    /** Returns the kind and the name. */
    final String described() {
        return kind + " '" + name + "'";
    }

    final Mesh mesh() {
        return mesh;
    }

    /** The components themselves, or null if they are whole numbers. */
    final double[] reals() {
        return reals;
    }

    /** The components themselves, or null if they are real numbers. */
    final int[] wholes() {
        return ints;
    }

    /** Waits for a value that is still to be delivered. Does nothing unless overridden. */
    void settle() {}

    /** The program wants to see the value. Does nothing unless overridden. */
    void reading() {}

    /**
     * Returns the name.
     *
     * @return as declared
     */
    public final String name() {
        return name;
    }

    /**
     * Returns the number of components.
     *
     * @return at least 1
     */
    public final int components() {
        return ints == null ? reals.length : ints.length;
    }

    /**
     * Says whether the components are real numbers.
     *
     * @return false if they are whole numbers
     */
    public final boolean real() {
        return ints == null;
    }

    /**
     * Returns a component. Allocates nothing.
     *
     * @param component its index
     * @return its value
     * @throws IndexOutOfBoundsException if there is no such component
     */
    public final double get(int component) {
        if (component < 0 || component >= components()) {
            Checks.index("component of " + described(), component, components());
        }
        settle();
        reading();
        return ints == null ? reals[component] : ints[component];
    }

    @Override
    public final String toString() {
        settle();
        reading();
        return described() + " " + (ints == null ? Arrays.toString(reals) : Arrays.toString(ints));
    }
}
