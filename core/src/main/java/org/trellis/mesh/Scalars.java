package org.trellis.mesh;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HostStorage;

/**
 * Real numbers in double precision that live where the vectors live: results of reductions and coefficients of updates.
 * Loops reduce into them and read them, and operators write dot products into {@link #vector()}, without the host; they
 * come to the host when {@link #get} or {@link #copyTo} asks for them.
 *
 * <p>A reduction into a {@link Global} combines with the value that is there. A reduction into scalars does not: it
 * begins with the neutral value (0 for a sum, infinities for a minimum or maximum) and overwrites, so that nothing has
 * to be set before. Over no elements at all it leaves the neutral value.
 *
 * <p>Scalars of one mesh may be used in all of its loops, whatever their precision; a loop in single precision rounds
 * what it reads. Closed with the mesh; use afterwards is an {@link IllegalStateException}.
 */
public final class Scalars {
    private final Mesh mesh;
    private final String name;
    private final DatStorage storage;
    private final Scalar[] ones;
    private boolean exposed;

    Scalars(Mesh mesh, String name, DatStorage storage) {
        this.mesh = mesh;
        this.name = Objects.requireNonNull(name);
        this.storage = storage;
        this.ones = new Scalar[storage.length()];
        for (int i = 0; i < ones.length; i++) {
            ones[i] = new Scalar(this, i, 1);
        }
    }

    /**
     * Returns the name.
     *
     * @return as declared
     */
    public String name() {
        return name;
    }

    /**
     * Returns the mesh.
     *
     * @return the one that has declared them
     */
    public Mesh mesh() {
        return mesh;
    }

    /** Releases the memory with the mesh. */
    void release() {
        storage.close();
    }

    DatStorage storage() {
        if (mesh.isClosed()) {
            throw new IllegalStateException(this + " are used after their mesh was closed");
        }
        mesh.running().settle();
        return storage;
    }

    /**
     * Returns the number of scalars.
     *
     * @return at least 1
     */
    public int count() {
        return ones.length;
    }

    /**
     * Returns one scalar as an argument of loops. Allocates nothing.
     *
     * @param index its index
     * @return the argument, for a kernel's {@code @GlobalRead}, {@code @Sum}, {@code @Min} or {@code @Max} of one
     *         component
     * @throws IndexOutOfBoundsException if there is no such scalar
     */
    public Scalar at(int index) {
        if (index < 0 || index >= ones.length) {
            Checks.index("scalar of '" + name + "'", index, ones.length);
        }
        return ones[index];
    }

    /**
     * Returns consecutive scalars as one argument of loops.
     *
     * @param first      the index of the first
     * @param components how many, at least 1
     * @return the argument, for a kernel's parameter of as many components
     * @throws IllegalArgumentException if there are not as many
     */
    public Scalar at(int first, int components) {
        Checks.positive("number of scalars of '" + name + "'", components);
        if (first < 0 || first > ones.length - components) {
            throw new IllegalArgumentException("scalars " + first + " to " + ((long) first + components - 1) + " of '"
                    + name + "', expected them within 0 to " + (ones.length - 1));
        }
        return components == 1 ? ones[first] : new Scalar(this, first, components);
    }

    /**
     * Returns the scalars as a vector for operators.
     *
     * @return a view in double precision, in the backend's memory space
     * @throws IllegalStateException if the mesh is closed
     */
    public DenseVector vector() {
        mesh.running().requireSeen("a vector of " + this);
        exposed = true;
        return inner();
    }

    /** Returns the vector to a backend, which uses it within loops only. */
    DenseVector inner() {
        return storage().vector().orElseThrow();
    }

    /** Says whether a program can see the values without asking. */
    boolean isExposed() {
        return exposed;
    }

    /**
     * Returns a scalar. Waits for a device, and costs a transfer.
     *
     * @param index its index
     * @return its value
     * @throws IndexOutOfBoundsException if there is no such scalar
     * @throws IllegalStateException if the mesh is closed
     */
    public double get(int index) {
        reading();
        return storage().get(at(index).first());
    }

    private void reading() {
        mesh.running().settle(); // what is seen of the program comes in its order
        mesh.running().passage().reading(this);
    }

    /**
     * Copies all scalars to the host, at the cost of one transfer. Waits for a device.
     *
     * @param target as many values as there are scalars; overwritten
     * @throws IllegalArgumentException if the array has another length
     * @throws IllegalStateException if the mesh is closed
     */
    public void copyTo(double[] target) {
        if (target.length != ones.length) {
            Checks.length("array for scalars '" + name + "'", target.length, ones.length);
        }
        reading();
        HostStorage host = storage().toHost();
        for (int i = 0; i < target.length; i++) {
            target[i] = host.get(i);
        }
    }

    /**
     * Sets a scalar, when everything queued before is done. Costs a transfer.
     *
     * @param index its index
     * @param value its value
     * @throws IndexOutOfBoundsException if there is no such scalar
     * @throws IllegalStateException if the mesh is closed
     */
    public void set(int index, double value) {
        storage().set(at(index).first(), value);
    }

    @Override
    public String toString() {
        return ones.length + " scalars '" + name + "'";
    }
}
