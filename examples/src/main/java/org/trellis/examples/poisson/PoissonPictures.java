package org.trellis.examples.poisson;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.trellis.bench.loop.MeshJob;
import org.trellis.bench.picture.MeshPicture;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.MeshWriteOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.solve.multigrid.Coarsening;
import org.trellis.solve.multigrid.CoarseningOptions;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.sparse.CsrMatrix;

/** The solution and its error, and the aggregates of multigrid, as files for others: VTU and PNG. */
final class PoissonPictures {
    private static final int COLOURS = 16;

    private PoissonPictures() {}

    private static MeshData mesh(PlaneMesh plane, List<DataArray> data) {
        int[] numbers = new int[plane.cells()];
        Arrays.setAll(numbers, cell -> cell);
        return new MeshData(2, plane.coordinates(),
                List.of(new CellBlock(CellShape.TRIANGLE, PlaneMesh.CORNERS, plane.cellNodes(), numbers)), data,
                List.of(), List.of());
    }

    /** Writes solution, exact solution, error and coefficient at the nodes. */
    static void vtu(MeshJob here, PoissonProblem problem, double contrast, Path file) throws IOException {
        PlaneMesh plane = problem.finestPlane();
        double[] u = problem.solution().toArray();
        double[] exact = problem.exact().toArray();
        if (!here.isFirst()) {
            return;
        }
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
    static void draw(MeshJob here, PoissonProblem problem, String name, Path file) throws IOException {
        double[] u = problem.solution().toArray();
        if (!here.isFirst()) {
            return;
        }
        MeshPicture.write(mesh(problem.finestPlane(), List.of()),
                new MeshPicture.Field(DataArray.of("u", 1, u), false, 0), null,
                "Poisson on " + name, file);
    }

    /**
     * Draws which nodes multigrid puts together on the finest level, around an independent set: triangles whose corners
     * are in one aggregate have its colour, and those between aggregates none.
     */
    static void drawAggregates(PoissonProblem problem, String name, Path file) throws IOException {
        CsrMatrix matrix = new PoissonMatrix(problem.finest(), "matrix of the picture").assemble();
        CoarseningOptions options =
                CoarseningOptions.of(Coarsening.SMOOTHED_AGGREGATION).parallel(true).limits(1, 2);
        int[] aggregates = Hierarchy.of(matrix, null, options).aggregates(0).orElse(new int[0]);
        PlaneMesh plane = problem.finestPlane();
        MeshSet nodes = problem.finest().nodes();
        int[] corners = plane.cellNodes();
        double[] colours = new double[plane.cells()];
        for (int cell = 0; cell < colours.length; cell++) {
            int first = aggregates[nodes.current(corners[PlaneMesh.CORNERS * cell])];
            boolean one = first >= 0 && first == aggregates[nodes.current(corners[PlaneMesh.CORNERS * cell + 1])]
                    && first == aggregates[nodes.current(corners[PlaneMesh.CORNERS * cell + 2])];
            // Neighbours have numbers far from each other after a multiplication that permutes the remainders.
            colours[cell] = one ? first * 7 % COLOURS : Double.NaN;
        }
        int count = Arrays.stream(aggregates).max().orElse(-1) + 1;
        MeshPicture.write(mesh(plane, List.of()),
                new MeshPicture.Field(DataArray.of("aggregate modulo " + COLOURS, 1, colours), true, 0), null,
                count + " aggregates on " + name, file);
    }
}
