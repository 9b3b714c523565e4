package org.trellis.adapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.metric.AnalyticMetrics;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

class FieldTransferTest {
    private static SimplexMesh start(int d) {
        return d == 2 ? SimplexMesh.square(7) : SimplexMesh.cube(3);
    }

    private static SimplexMesh adapted(int d) {
        return new Adaptation(start(d), AnalyticMetrics.linear(d, d == 2 ? 0.05 : 0.2, 0.4),
                AdaptOptions.DEFAULT.withSweeps(3), ProgressListener.NONE).run().mesh();
    }

    private static double[] linear(SimplexMesh mesh) {
        int d = mesh.dimension();
        double[] values = new double[2 * mesh.vertices()];
        for (int v = 0; v < mesh.vertices(); v++) {
            values[2 * v] = 3 * mesh.coordinates()[v * d] - 2 * mesh.coordinates()[v * d + 1] + 1;
            values[2 * v + 1] = 5;
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void interpolationIsExactForLinearFields(int d) {
        SimplexMesh from = start(d);
        SimplexMesh to = adapted(d);
        assertArrayEquals(linear(to), FieldTransfer.between(from, to).interpolate(linear(from), 2), 1e-12);
    }

    /** A step between vertices, which interpolation would not conserve. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void projectionKeepsIntegralsConstantsAndBounds(int d) {
        SimplexMesh from = start(d);
        SimplexMesh to = adapted(d);
        double[] values = new double[2 * from.vertices()];
        for (int v = 0; v < from.vertices(); v++) {
            values[2 * v] = from.coordinates()[v * d] > 0.4 ? 1 : 0;
            values[2 * v + 1] = 5;
        }
        double[] projected = FieldTransfer.between(from, to).project(values, 2);
        double[] before = FieldTransfer.integral(from, values, 2);
        double[] after = FieldTransfer.integral(to, projected, 2);
        assertEquals(before[0], after[0], 1e-12);
        assertEquals(5, after[1], 1e-12);
        for (int v = 0; v < to.vertices(); v++) {
            assertEquals(5, projected[2 * v + 1], 1e-11);
            assertTrue(projected[2 * v] > -1e-12 && projected[2 * v] < 1 + 1e-12);
        }
        double[] back = FieldTransfer.between(to, from).project(projected, 2);
        assertEquals(before[0], FieldTransfer.integral(from, back, 2)[0], 1e-12);
    }

    /** The square in two regions: what is on one side does not reach the other, and constants stay to the last bit. */
    @Test
    void elementsTakeFromTheirRegionOnly() {
        SimplexMesh plain = SimplexMesh.square(8);
        int[] regions = new int[plain.elements()];
        double[] values = new double[2 * regions.length];
        for (int e = 0; e < regions.length; e++) {
            regions[e] = plain.coordinates()[2 * plain.corners()[3 * e]] < 0.5 ? 1 : 2;
            values[2 * e] = regions[e] == 1 ? 0.1 : 100;
            values[2 * e + 1] = e % 7;
        }
        SimplexMesh from = SimplexMesh.of(2, plain.coordinates(), plain.corners(), regions, new int[0], new int[0]);
        SimplexMesh to = new Adaptation(from, AnalyticMetrics.linear(2, 0.05, 0.4), AdaptOptions.DEFAULT.withSweeps(3),
                ProgressListener.NONE).run().mesh();
        FieldTransfer transfer = FieldTransfer.between(from, to);
        double[] projected = transfer.projectElements(values, 2);
        double[] sampled = transfer.sampleElements(values, 2);
        double sum = 0;
        for (int e = 0; e < to.elements(); e++) {
            assertEquals(to.regions()[e] == 1 ? 0.1 : 100, projected[2 * e]);
            assertEquals(projected[2 * e], sampled[2 * e]);
            assertTrue(projected[2 * e + 1] >= 0 && projected[2 * e + 1] <= 6);
            assertEquals(Math.rint(sampled[2 * e + 1]), sampled[2 * e + 1]);
            sum += projected[2 * e + 1] * SimplexQuality.measure(2, to.coordinates(), to.corners(), 3 * e);
        }
        double wanted = 0;
        for (int e = 0; e < from.elements(); e++) {
            wanted += values[2 * e + 1] / from.elements();
        }
        assertEquals(wanted, sum, 1e-13);
        FieldTransfer back = FieldTransfer.between(to, plain);
        String message = assertThrows(IllegalArgumentException.class,
                () -> back.projectElements(new double[to.elements()], 1)).getMessage();
        assertTrue(message.contains("region 0"), message);
    }

    @Test
    void refusesWhatDoesNotFit() {
        assertThrows(IllegalArgumentException.class, () -> FieldTransfer.between(start(2), start(3)));
        FieldTransfer same = FieldTransfer.between(start(2), start(2));
        assertThrows(IllegalArgumentException.class, () -> same.interpolate(new double[3], 1));
    }

    /** A mesh of the runtime follows: sets, a map, and a dat by each of the rules. */
    @Test
    void datsOfAMeshFollow() {
        SimplexMesh from = start(2);
        SimplexMesh to = adapted(2);
        double[] field = new double[from.vertices()];
        Arrays.setAll(field, v -> Math.exp(from.coordinates()[2 * v]));
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            MeshSet vertices = mesh.set("vertices", from.vertices());
            MeshSet elements = mesh.set("elements", from.elements());
            MeshMap corners = mesh.map("corners", elements, vertices, 3, from.corners());
            Dat smooth = mesh.dat("smooth", vertices, 1, Precision.F64, field);
            Dat kept = mesh.dat("kept", vertices, 1, Precision.F64, field);
            FieldTransfer transfer = FieldTransfer.between(from, to);
            int[] none = new int[to.elements()];
            Arrays.fill(none, -1);
            int[] noVertices = new int[to.vertices()];
            Arrays.fill(noVertices, -1);
            mesh.change(edit -> edit.resize(vertices, to.vertices(), noVertices)
                    .resize(elements, to.elements(), none).targets(corners, to.corners())
                    .values(smooth, transfer.interpolating(1)).values(kept, transfer.projecting(1)));
            assertEquals(to.vertices(), vertices.size());
            assertArrayEquals(transfer.interpolate(field, 1), smooth.toArray());
            assertEquals(FieldTransfer.integral(from, field, 1)[0],
                    FieldTransfer.integral(to, kept.toArray(), 1)[0], 1e-12);
        }
    }
}
