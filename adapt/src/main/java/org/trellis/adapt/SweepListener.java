package org.trellis.adapt;

import org.trellis.adapt.geometry.SimplexMesh;

/** Is shown the mesh between the sweeps of an adaptation. */
@FunctionalInterface
public interface SweepListener {
    /** Looks at nothing, which costs nothing. */
    SweepListener NONE = (sweep, mesh, metric) -> {};

    /**
     * Looks at the mesh after a sweep.
     *
     * @param sweep  the number of sweeps that have been done; the last number comes again once the mesh is finished
     * @param mesh   a copy of the mesh as it is
     * @param metric the metric at its vertices
     */
    void swept(int sweep, SimplexMesh mesh, double[] metric);
}
