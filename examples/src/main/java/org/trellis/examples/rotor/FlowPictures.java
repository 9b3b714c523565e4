package org.trellis.examples.rotor;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.trellis.bench.picture.MeshPicture;
import org.trellis.bench.report.chart.ResidualChart;
import org.trellis.examples.rotor.kernels.Gas;
import org.trellis.examples.rotor.mesh.HybridMesh;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.MeshWriteOptions;

/** A flow as files for others: VTU and PNG. */
final class FlowPictures {
    private FlowPictures() {}

    private static double[] component(double[] w, int component) {
        double[] values = new double[w.length / Gas.STATE];
        for (int node = 0; node < values.length; node++) {
            values[node] = w[Gas.STATE * node + component];
        }
        return values;
    }

    /** Writes density, velocity, pressure, Mach number and ν̃ at the nodes. */
    static void vtu(HybridMesh mesh, double[] w, Path file) throws IOException {
        double[] velocity = new double[HybridMesh.SPACE * mesh.nodes()];
        double[] mach = new double[mesh.nodes()];
        for (int node = 0; node < mach.length; node++) {
            int at = Gas.STATE * node;
            double square = 0;
            for (int d = 0; d < HybridMesh.SPACE; d++) {
                velocity[HybridMesh.SPACE * node + d] = w[at + 1 + d];
                square += w[at + 1 + d] * w[at + 1 + d];
            }
            mach[node] = Math.sqrt(square * w[at] / (Gas.GAMMA * w[at + 4]));
        }
        MeshFiles.write(file, mesh.toMeshData(List.of(DataArray.of("density", 1, component(w, 0)),
                DataArray.of("velocity", HybridMesh.SPACE, velocity), DataArray.of("pressure", 1, component(w, 4)),
                DataArray.of("Mach number", 1, mach), DataArray.of("nu tilde", 1, component(w, 5)))),
                MeshWriteOptions.DEFAULT);
    }

    /** Draws the pressure on the boundary. */
    static void draw(HybridMesh mesh, double[] w, String name, Path file) throws IOException {
        MeshPicture.write(mesh.toMeshData(List.of()),
                new MeshPicture.Field(DataArray.of("pressure", 1, component(w, 4)), false, 0), null, name, file);
    }

    /** Draws the residuals. */
    static void plot(List<ResidualChart.Curve> curves, double orders, String name, Path file) throws IOException {
        double first = curves.getFirst().report().rightHandSideNorm();
        ResidualChart.of(curves, false, first * Math.pow(10, -orders), name).write(file);
    }
}
