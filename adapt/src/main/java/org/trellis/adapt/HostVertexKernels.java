package org.trellis.adapt;

import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.Write;

/** Copies of positions and metric between dats of all vertices and those of {@link HostVertices}. */
final class HostVertexKernels {
    private HostVertexKernels() {}

    /** Copies a position and a tensor in the plane. */
    @MeshKernel
    static void plane(@Read(2) double[] p, @Read(3) double[] m, @Write(2) double[] q, @Write(3) double[] n) {
        q[0] = p[0];
        q[1] = p[1];
        n[0] = m[0];
        n[1] = m[1];
        n[2] = m[2];
    }

    /** Copies a position and a tensor in space. */
    @MeshKernel
    static void space(@Read(3) double[] p, @Read(6) double[] m, @Write(3) double[] q, @Write(6) double[] n) {
        for (int c = 0; c < 3; c++) {
            q[c] = p[c];
        }
        for (int c = 0; c < 6; c++) {
            n[c] = m[c];
        }
    }
}
