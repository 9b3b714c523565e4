package org.trellis.mesh;

import java.util.Objects;

/**
 * A value that belongs to the whole mesh: read by all elements of a loop, or the target of a sum, minimum or maximum. A
 * reduction combines with the value that is there: set it to zero before a sum. Real globals are {@code double}
 * whatever the precision of the loop.
 */
public final class Global extends MeshValue implements LoopArgument {
    private Runnable pending;

    Global(Mesh mesh, String name, double[] reals, int[] ints) {
        super(mesh, "global", name, reals, ints);
    }

    /**
     * Returns the first component.
     *
     * @return its value
     */
    public double get() {
        return get(0);
    }

    /**
     * Sets the component of a global that has one. Allocates nothing.
     *
     * @param value the value; a whole number for a global of those
     * @throws IllegalArgumentException if the global has several components, or holds whole numbers and the value is
     *        none
     */
    public void set(double value) {
        if (components() != 1) {
            throw new IllegalArgumentException("one value for " + described() + ", expected " + components());
        }
        checked(0, value);
        if (mesh().running().awaits(this) && mesh().running().defers(this, value)) {
            return;
        }
        pending = null;
        put(0, value);
    }

    /**
     * Sets all components. Allocates nothing.
     *
     * @param values as many as there are components; whole numbers for a global of those
     * @throws IllegalArgumentException if there are more or fewer, or the global holds whole numbers and a value is
     *        none
     */
    public void set(double... values) {
        if (values.length != components()) {
            throw new IllegalArgumentException(
                    values.length + " values for " + described() + ", expected " + components());
        }
        for (int c = 0; c < values.length; c++) {
            checked(c, values[c]);
        }
        if (mesh().running().awaits(this) && mesh().running().defers(this, values)) {
            return;
        }
        pending = null;
        for (int c = 0; c < values.length; c++) {
            put(c, values[c]);
        }
    }

    private void put(int component, double value) {
        if (real()) {
            reals()[component] = value;
        } else {
            wholes()[component] = (int) checked(component, value);
        }
    }

    private double checked(int component, double value) {
        if (!real() && value != (int) value) {
            throw new IllegalArgumentException("value " + component + " for " + described() + " is " + value
                    + ", expected a whole number");
        }
        return value;
    }

    /**
     * Returns the components of a real global. For backends.
     *
     * @return the array itself
     * @throws IllegalStateException if the components are whole numbers
     */
    public double[] doubles() {
        if (!real()) {
            throw new IllegalStateException(described() + " of whole numbers asked for its double[]");
        }
        settle();
        return reals();
    }

    /**
     * Returns the components of a global of whole numbers. For backends.
     *
     * @return the array itself
     * @throws IllegalStateException if the components are real
     */
    public int[] ints() {
        if (real()) {
            throw new IllegalStateException(described() + " of real numbers asked for its int[]");
        }
        settle();
        return wholes();
    }

    /**
     * Lets a device deliver its result late: the next one who wants to see the value on the host waits for it. If a new
     * value is set before, no caller waits. A device that has combined its result with one that was pending gives the
     * same action again. For backends.
     *
     * @param finish waits for the result and puts it into {@link #doubles} or {@link #ints}; called once, at most; what
     *               another action would have delivered is waited for first
     */
    @SuppressWarnings("ReferenceEquality") // an action is what it is
    public void pending(Runnable finish) {
        if (pending != finish) {
            settle();
        }
        pending = Objects.requireNonNull(finish);
    }

    /**
     * Says whether the value is still to be delivered by an action. For backends.
     *
     * @param finish what was given to {@link #pending}
     * @return false if the value is here, because a program read it or has set another
     */
    @SuppressWarnings("ReferenceEquality")
    public boolean awaits(Runnable finish) {
        return pending == finish;
    }

    /**
     * Says whether the value is still to be delivered, by whatever action. For backends.
     *
     * @return true if reading it now may have to wait
     */
    public boolean isPending() {
        return pending != null;
    }

    @Override
    void reading() {
        mesh().running().passage().reading(this);
    }

    @Override
    void settle() {
        mesh().running().settle(this);
        if (pending != null) {
            Runnable finish = pending;
            pending = null;
            finish.run();
        }
    }
}
