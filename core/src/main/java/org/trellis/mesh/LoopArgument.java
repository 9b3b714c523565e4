package org.trellis.mesh;

/**
 * What a parallel loop binds to a parameter of its kernel: a {@link Dat} on the set of the loop, a dat reached through
 * a map ({@link Dat#at(MeshMap, int)}, {@link Dat#at(MeshMap)}), a {@link Global}, a {@link Scalar} a
 * {@link MeshConstant} or a {@link MeshRaster}. What the kernel does with it, its signature says.
 */
public sealed interface LoopArgument permits Dat, IndirectArgument, Global, Scalar, MeshConstant, MeshRaster {
    /**
     * Returns the name of the data.
     *
     * @return as declared
     */
    String name();
}
