package org.trellis.mesh;

import org.trellis.memory.DenseVector;

/**
 * Vectors of dats for operators, smoothers and the like that are made of loops: as {@link Dat#vector}, but on a mesh
 * with checkpoints, too. There they may be used only while a solver does a step, which {@link #requireStep} makes sure
 * of, and the code that overwrites one declares it by {@link #overwriting}: what such work leaves in dats belongs to
 * it.
 */
public final class DatVectors {
    private DatVectors() {}

    /**
     * Says that {@link #inside} is going to be asked for the values of a dat, which must not move from now on. Unlike
     * that, it does not divide a mesh over ranks.
     *
     * @param dat the dat
     */
    public static void announce(Dat dat) {
        dat.expose();
    }

    /**
     * Returns the values of a dat as a vector, in the current layout and numbering, to which it is bound; over ranks
     * those of the elements that the rank owns. Loops then notice what is written into it by {@link #overwriting} only.
     *
     * @param dat a dat of real numbers
     * @return a view: writing one writes the other; closing it does nothing
     * @throws IllegalStateException if the dat holds whole numbers, is closed, or is divided over ranks with components
     *                               that lie apart
     */
    public static DenseVector inside(Dat dat) {
        return dat.view();
    }

    /**
     * Makes sure that work with vectors of a mesh is part of what its checkpoints see.
     *
     * @param mesh the mesh
     * @param what what is to be done, for the message
     * @throws IllegalStateException if the mesh has checkpoints and no solver does a step of it
     */
    public static void requireStep(Mesh mesh, Object what) {
        mesh.running().passage().bypass(what, " outside of a solver's steps");
    }

    /**
     * Says that all values of a dat are about to be overwritten by its vector, within a solver's step.
     *
     * @param dat the dat
     */
    public static void overwriting(Dat dat) {
        dat.overwriting();
    }
}
