package org.trellis.examples.rotor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.examples.rotor.mesh.CellKind;
import org.trellis.examples.rotor.mesh.FlowMesh;
import org.trellis.examples.rotor.mesh.FlowMeshes;
import org.trellis.examples.rotor.mesh.HybridMesh;
import org.trellis.examples.rotor.mesh.MedianDual;
import org.trellis.examples.rotor.mesh.Patch;
import org.trellis.examples.rotor.mesh.Refinement;
import org.trellis.examples.rotor.mesh.SlipWalls;
import org.trellis.examples.rotor.mesh.WallDistance;
import org.trellis.matrices.mesh.MeshData;

/** Meshes of the flow solver and their median duals. */
final class FlowMeshTest {
    private static double volume(FlowMesh.Level level) {
        return Arrays.stream(level.dual().volumes()).sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hex", "prism", "tet", "mixed"})
    void volumesFillTheCubeAndAreClosed(String mix) {
        FlowMesh mesh = FlowMeshes.of("box:n=6,distort=0.3,mix=" + mix, 2);
        assertEquals(2, mesh.levels().size());
        for (FlowMesh.Level level : mesh.levels()) {
            assertEquals(1, volume(level), 1e-12);
            assertTrue(level.dual().largestGap() < 1e-15, () -> "gap " + level.dual().largestGap());
        }
    }

    @Test
    void mixedMeshHasAllKindsAndConforms() {
        HybridMesh mesh = FlowMeshes.of("box:n=6,mix=mixed", 2).levels().getFirst().mesh();
        for (CellKind kind : CellKind.values()) {
            assertTrue(mesh.count(kind) > 0, kind::name);
        }
        // Each face is met by two cells, or by one and the boundary.
        List<List<Integer>> faces = new ArrayList<>();
        for (CellKind kind : CellKind.values()) {
            int[] nodes = mesh.cells().get(kind);
            for (int at = 0; at < nodes.length; at += kind.corners()) {
                for (int[] face : kind.faces()) {
                    int start = at;
                    faces.add(Arrays.stream(face).map(k -> nodes[start + k]).sorted().boxed().toList());
                }
            }
        }
        for (int f = 0; f < mesh.patches().size(); f++) {
            faces.add(Arrays.stream(mesh.faces(), 4 * f, 4 * f + mesh.cornersOf(f)).sorted().boxed().toList());
        }
        faces.stream().collect(Collectors.groupingBy(face -> face)).values()
                .forEach(same -> assertEquals(2, same.size(), () -> "face " + same.getFirst()));
    }

    /** The dual of one cube: an eighth of it at each corner, and a border of a quarter across each edge. */
    @Test
    void dualOfOneCube() {
        MedianDual dual = FlowMeshes.of("box:n=1", 1).levels().getFirst().dual();
        assertEquals(12, dual.edges().length / 2);
        assertEquals(0, dual.edges()[0]);
        assertEquals(1, dual.edges()[1]);
        assertEquals(0.25, dual.normals()[0], 1e-15);
        assertEquals(0, dual.normals()[1], 1e-15);
        assertEquals(0, dual.normals()[2], 1e-15);
        Arrays.stream(dual.volumes()).forEach(volume -> assertEquals(0.125, volume, 1e-15));
        MedianDual.Boundary far = dual.boundary(Patch.FAR);
        assertEquals(8, far.nodes().length);
        assertEquals(-0.25, far.normals()[0], 1e-15);
        assertEquals(0, dual.boundary(Patch.NO_SLIP).nodes().length);
    }

    @Test
    void refinedPyramidsAndTetrahedraFillTheSame() {
        HybridMesh mixed = FlowMeshes.of("box:n=3,mix=mixed", 1).levels().getFirst().mesh();
        Refinement.Refined refined = Refinement.of(mixed);
        int pyramids = mixed.count(CellKind.PYRAMID);
        int tetrahedra = mixed.count(CellKind.TETRAHEDRON);
        assertEquals(6 * pyramids, refined.fine().count(CellKind.PYRAMID));
        assertEquals(8 * tetrahedra + 4 * pyramids, refined.fine().count(CellKind.TETRAHEDRON));
        MedianDual dual = MedianDual.of(refined.fine());
        assertEquals(1, Arrays.stream(dual.volumes()).sum(), 1e-13);
        for (int node = 0; node < refined.fine().nodes(); node++) {
            for (int d = 0; d < 3; d++) {
                double x = 0;
                for (int k = 0; k < Refinement.PARENTS; k++) {
                    int at = Refinement.PARENTS * node + k;
                    x += refined.weights()[at] * mixed.points()[3 * refined.parents()[at] + d];
                }
                assertEquals(refined.fine().points()[3 * node + d], x, 1e-13);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"hex", "mixed"})
    void sectorsHaveTheirVolumeAndTheirSidesMatch(String mix) {
        FlowMesh mesh = FlowMeshes.of("annulus:nx=8,ny=8,nz=4,blades=12,distort=0.2,mix=" + mix, 2);
        FlowMesh.Level level = mesh.levels().getFirst();
        assertEquals(Math.PI * (1 - 0.49) / 12, volume(level), 2e-3);
        assertTrue(level.dual().largestGap() < 1e-15);
        assertTrue(level.pairs().length >= 2 * 9 * 5);
        double[] x = level.mesh().points();
        double cos = Math.cos(mesh.angle());
        double sin = Math.sin(mesh.angle());
        for (int p = 0; p < level.pairs().length; p += 2) {
            int a = 3 * level.pairs()[p];
            int b = 3 * level.pairs()[p + 1];
            assertEquals(x[a], x[b], 1e-14);
            assertEquals(cos * x[a + 1] + sin * x[a + 2], x[b + 1], 1e-14);
            assertEquals(cos * x[a + 2] - sin * x[a + 1], x[b + 2], 1e-14);
        }
    }

    @Test
    void bladesAndPlatesAreWallsWhereTheyStand() {
        FlowMesh.Level blade = FlowMeshes.of("blade:nx=16,ny=4,nz=4", 2).levels().getFirst();
        assertTrue(blade.dual().largestGap() < 1e-15);
        assertEquals(2 * 10 * 5, blade.pairs().length);
        FlowMesh.Level plate = FlowMeshes.of("plate:nx=16,ny=2,nz=8", 2).levels().getFirst();
        assertEquals(13 * 3, plate.dual().boundary(Patch.NO_SLIP).nodes().length);
        double[] distance = WallDistance.of(plate.mesh());
        for (int node = 0; node < distance.length; node++) {
            double x = plate.mesh().points()[3 * node];
            double z = plate.mesh().points()[3 * node + 2];
            assertEquals(Math.hypot(Math.min(x, 0), z), distance[node], 1e-12);
        }
    }

    /** Half of a ring, on whose inner side is a wall, between planes of symmetry. */
    @Test
    void cylindersAreHalfRings() {
        FlowMesh mesh = FlowMeshes.of("cylinder:nx=64,ny=2,nz=8,far=3,growth=1,width=0.5", 2);
        FlowMesh.Level level = mesh.levels().getFirst();
        assertEquals(0.5 * 0.5 * Math.PI * (9 - 0.25), volume(level), 5e-3);
        assertTrue(level.dual().largestGap() < 1e-14);
        MedianDual.Boundary wall = level.dual().boundary(Patch.NO_SLIP);
        assertEquals(65 * 3, wall.nodes().length);
        double through = 0;
        for (int i = 0; i < wall.nodes().length; i++) {
            int at = 3 * wall.nodes()[i];
            assertEquals(0.5, Math.hypot(level.mesh().points()[at], level.mesh().points()[at + 2]), 1e-14);
            through += wall.normals()[3 * i + 2];
        }
        // Out of the fluid, downwards: the area that the half cylinder has seen from above.
        assertEquals(-0.5, through, 1e-3);
        // Both ends of the span, and the plane of symmetry before and behind the cylinder between them.
        assertEquals(2 * 65 * 9 + 2 * 9, level.dual().boundary(Patch.SLIP).nodes().length);
    }

    /** A node on a face of a box cannot leave it; on an edge it has two such directions, at a corner three. */
    @Test
    void wallsOfABoxHaveDirections() {
        FlowMesh.Level box = FlowMeshes.of("box:n=2,sides=wall,mix=tet", 1).levels().getFirst();
        SlipWalls walls = SlipWalls.of(box, 0, Set.of(Patch.SLIP));
        assertEquals(26, walls.nodes().length);
        for (int i = 0; i < walls.nodes().length; i++) {
            double[] held = new double[3];
            for (int k = 0; k < 9; k++) {
                held[k % 3] += walls.directions()[9 * i + k] * walls.directions()[9 * i + k];
            }
            for (int d = 0; d < 3; d++) {
                double x = box.mesh().points()[3 * walls.nodes()[i] + d];
                assertEquals(x == 0 || x == 1 ? 1 : 0, held[d], 1e-14);
            }
        }
    }

    /** Nodes of a pair have the same directions, turned, although each sees other faces of the hub. */
    @Test
    void pairsHaveTheSameWalls() {
        FlowMesh mesh = FlowMeshes.of("blade:nx=16,ny=4,nz=4,mix=mixed", 2);
        for (FlowMesh.Level level : mesh.levels()) {
            SlipWalls walls = SlipWalls.of(level, mesh.angle(), Set.of(Patch.SLIP));
            double cos = Math.cos(mesh.angle());
            double sin = Math.sin(mesh.angle());
            int both = 0;
            for (int p = 0; p < level.pairs().length; p += 2) {
                int a = Arrays.binarySearch(walls.nodes(), level.pairs()[p]);
                int b = Arrays.binarySearch(walls.nodes(), level.pairs()[p + 1]);
                assertEquals(a >= 0, b >= 0);
                for (int d = 0; a >= 0 && d < 9; d += 3) {
                    double y = walls.directions()[9 * a + d + 1];
                    double z = walls.directions()[9 * a + d + 2];
                    assertEquals(walls.directions()[9 * a + d], walls.directions()[9 * b + d], 1e-15);
                    assertEquals(cos * y + sin * z, walls.directions()[9 * b + d + 1], 1e-15);
                    assertEquals(cos * z - sin * y, walls.directions()[9 * b + d + 2], 1e-15);
                }
                both += a >= 0 ? 1 : 0;
            }
            assertTrue(both >= 10, "pairs on walls " + both);
        }
    }

    @Test
    void filesHaveTheCells() {
        MeshData data = FlowMeshes.of("channel:nx=6,ny=2,nz=2,mix=mixed", 1).levels().getFirst().mesh()
                .toMeshData(List.of());
        assertEquals(4, data.blocks().size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"sphere:n=4; unknown", "box:n=5; multiple of 2", "box:m=5; parameter 'm'",
        "box:mix=wood; expected hex, prism, tet or mixed", "blade:nx=12; multiple of 8", "box:n=4,wave=2; inside out",
        "channel:shape=cone; expected arc or sine", "annulus:hub=2; tip is",
        "cylinder:nx=8,far=0.4; far is 0.4"})
    void wrongTextsAreRefused(String text, String expected) {
        String message = assertThrows(IllegalArgumentException.class, () -> FlowMeshes.of(text, 2)).getMessage();
        assertTrue(message.contains(expected), message);
    }
}
