package org.trellis.mesh;

/** A value that kernels read and that nothing changes after its declaration. */
public final class MeshConstant extends MeshValue implements LoopArgument {
    MeshConstant(Mesh mesh, String name, double[] reals, int[] ints) {
        super(mesh, "constant", name, reals, ints);
    }

    /**
     * Returns the components for backends.
     *
     * @return a copy, {@code double[]} or {@code int[]}
     */
    public Object toArray() {
        return real() ? reals().clone() : wholes().clone();
    }
}
