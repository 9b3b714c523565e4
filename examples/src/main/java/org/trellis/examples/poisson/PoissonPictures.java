package org.trellis.examples.poisson;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.trellis.bench.picture.MeshPicture;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.MeshWriteOptions;

/** The solution and its error as files for others: VTU and PNG. */
final class PoissonPictures {
    private PoissonPictures() {}

    private static MeshData mesh(PlaneMesh plane, List<DataArray> data) {
        int[] numbers = new int[plane.cells()];
        Arrays.setAll(numbers, cell -> cell);
        return new MeshData(2, plane.coordinates(),
                List.of(new CellBlock(CellShape.TRIANGLE, PlaneMesh.CORNERS, plane.cellNodes(), numbers)), data,
                List.of(), List.of());
    }

    /** Writes solution, exact solution, error and coefficient at the nodes. */
    static void vtu(PoissonProblem problem, double contrast, Path file) throws IOException {
        PlaneMesh plane = problem.finestPlane();
        double[] u = problem.solution().toArray();
        double[] exact = problem.exact().toArray();
        double[] error = new double[u.length];
        double[] kappa = new double[u.length];
        double[] frame = plane.frame();
        for (int node = 0; node < u.length; node++) {
            error[node] = u[node] - exact[node];
            kappa[node] = Math.pow(contrast, (plane.coordinates()[2 * node] - frame[0]) / frame[2]);
        }
        MeshFiles.write(file, mesh(plane, List.of(DataArray.of("u", 1, u), DataArray.of("exact", 1, exact),
                DataArray.of("error", 1, error), DataArray.of("kappa", 1, kappa))), MeshWriteOptions.DEFAULT);
    }

    /** Draws the solution. */
    static void draw(PoissonProblem problem, String name, Path file) throws IOException {
        MeshPicture.write(mesh(problem.finestPlane(), List.of()),
                new MeshPicture.Field(DataArray.of("u", 1, problem.solution().toArray()), false, 0), null,
                "Poisson on " + name, file);
    }
}
