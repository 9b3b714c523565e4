package org.trellis.examples.tsunami;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.trellis.examples.tsunami.TriangleMesh.Bounds;

/** Beds, levels, uplifts and cases from text. */
final class ShapesTest {
    private static final Bounds BOUNDS = new Bounds(0, 0, 100, 50);

    @Test
    void beds() {
        assertEquals(-7, Shapes.bed("flat:z=-7", BOUNDS).at(3, 4));
        assertEquals(-30, Shapes.bed("slope:from=-40,to=0", BOUNDS).at(25, 9));
        Field cone = Shapes.bed("cone:radius=10,height=20,z=-5", BOUNDS);
        assertEquals(15, cone.at(50, 25));
        assertEquals(5, cone.at(50, 30), 1e-12);
        assertEquals(-5, cone.at(0, 0));
        Field bumps = Shapes.bed("bumps:z=-1,height=3,length=10", BOUNDS);
        assertEquals(-1, bumps.at(0, 5), 1e-12);
        assertEquals(2, bumps.at(5, 15), 1e-12);
    }

    @Test
    void surfacesAndUplifts() {
        assertEquals(2, Shapes.surface("still", BOUNDS, 2).at(1, 1));
        assertEquals(5, Shapes.surface("hump:height=3,radius=4", BOUNDS, 2).at(50, 25));
        assertEquals(2 + 3 / Math.E, Shapes.surface("hump:height=3,radius=4", BOUNDS, 2).at(54, 25), 1e-12);
        assertEquals(4, Shapes.surface("dam:x=10,left=4,right=1", BOUNDS, 0).at(9.9, 0));
        assertEquals(1, Shapes.surface("dam:x=10,left=4,right=1", BOUNDS, 0).at(10, 0));
        // Along the x axis, the ridge is above and the trough below.
        Field fault = Shapes.uplift("fault:strike=0,width=10,length=30,up=2,down=1", BOUNDS);
        assertEquals(2, fault.at(50, 30), 0.05);
        assertEquals(-1, fault.at(50, 20), 0.05);
        assertEquals(0, fault.at(50, 0), 1e-3);
    }

    /** The bed takes the water with it; land stays dry. */
    @Test
    void initialState() {
        TriangleMesh mesh = Rectangles.of(BOUNDS, 1, 1, ShallowWater.WALL).withBed((x, y) -> x - 50);
        MeshTopology topology = MeshTopology.of(mesh);
        double[] state = InitialState.of(topology, Shapes.flat(1), Shapes.flat(0.5));
        double bed = 50.0 / 3;
        assertArrayEquals(new double[]{bed + 0.5, 0, 0, bed + 0.5, 1.5, 0, 0, -bed + 0.5}, state, 1e-12);
    }

    private static void fails(String expected, Runnable reading) {
        String message = assertThrows(IllegalArgumentException.class, reading::run).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void wrongTexts() {
        fails("--bed: 'hill' is unknown, expected one of flat, slope", () -> Shapes.bed("hill", BOUNDS));
        fails("--bed flat: parameter 'height' is unknown, expected one of z",
                () -> Shapes.bed("flat:height=1", BOUNDS));
        fails("'z', expected parameter=value", () -> Shapes.bed("flat:z", BOUNDS));
        fails("z is given twice", () -> Shapes.bed("flat:z=1,z=2", BOUNDS));
        fails("z is 'deep', expected a number", () -> Shapes.bed("flat:z=deep", BOUNDS));
        fails("z is 'NaN', expected a finite number", () -> Shapes.bed("flat:z=NaN", BOUNDS));
        fails("radius is '0.0', expected a number above 0", () -> Shapes.uplift("hump:radius=0", BOUNDS));
        fails("nx is '1.5', expected a whole number from 1",
                () -> TsunamiCase.builtIn("channel:nx=1.5", Settings.DEFAULT));
        fails("ends is 'glass', expected wall, open or sea",
                () -> TsunamiCase.builtIn("channel:ends=glass", Settings.DEFAULT));
        fails("expected more water on the left", () -> TsunamiCase.builtIn("dambreak:left=1", Settings.DEFAULT));
        fails("expected the first two above 0", () -> Settings.DEFAULT.withCourant(1.5));
    }

    @Test
    void cases() {
        for (String name : TsunamiCase.BUILT_IN) {
            assertTrue(TsunamiCase.isBuiltIn(name + ":n=2"));
            assertTrue(TsunamiCase.builtIn(name, Settings.DEFAULT).mesh().cells() > 0);
        }
        assertTrue(!TsunamiCase.isBuiltIn("lake.msh"));
    }
}
