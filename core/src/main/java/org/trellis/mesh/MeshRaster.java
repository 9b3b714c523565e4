package org.trellis.mesh;

import java.util.Objects;
import org.trellis.kernel.Raster;

/** A raster that kernels sample and that nothing changes after its declaration. */
public final class MeshRaster implements LoopArgument {
    private final Mesh mesh;
    private final String name;
    private final Raster raster;
    private final boolean filtered;

    private MeshRaster(Mesh mesh, String name, Raster raster, boolean filtered) {
        this.mesh = mesh;
        this.name = Objects.requireNonNull(name);
        this.raster = Objects.requireNonNull(raster);
        this.filtered = filtered;
    }

    /**
     * Declares a raster that kernels sample.
     *
     * @param mesh     the mesh whose loops take it
     * @param name     for messages
     * @param raster   the values
     * @param filtered whether a device may interpolate in hardware: faster, but in single precision and, on CUDA
     *                 devices, at 256 places between two points
     * @return the raster
     */
    public static MeshRaster of(Mesh mesh, String name, Raster raster, boolean filtered) {
        return new MeshRaster(Objects.requireNonNull(mesh), name, raster, filtered);
    }

    Mesh mesh() {
        return mesh;
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Returns the values.
     *
     * @return the raster
     */
    public Raster raster() {
        return raster;
    }

    /**
     * Says whether a device may interpolate in hardware, in single precision and with few places between points.
     *
     * @return as declared
     */
    public boolean filtered() {
        return filtered;
    }

    @Override
    public String toString() {
        return "raster '" + name + "' (" + raster + ")";
    }
}
