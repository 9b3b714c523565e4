package org.trellis.examples.tsunami;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.examples.TextSpec;
import org.trellis.examples.tsunami.TriangleMesh.Bounds;

/**
 * What is simulated: a mesh, the water on it, and what is known about its motion.
 *
 * @param name    as the user named it
 * @param mesh    nodes, bed and triangles
 * @param surface the level of the water at the beginning; the sea level if absent
 * @param exact   the exact solution, if there is one
 */
record TsunamiCase(String name, TriangleMesh mesh, Optional<Field> surface, Optional<DamBreak> exact) {
    /** The names of the built-in cases. */
    static final List<String> BUILT_IN = List.of("channel", "basin", "dambreak", "lake", "drop");

    private static final int MAX_CELLS_ALONG = 1 << 15;
    private static final double TENTH = 0.1;
    /** The hills of a lake, in depths. */
    private static final double HILLS = 1.5;

    /** Looks whether a text names a built-in case rather than a file. */
    static boolean isBuiltIn(String text) {
        int colon = text.indexOf(':');
        return BUILT_IN.contains(colon < 0 ? text : text.substring(0, colon));
    }

    /**
     * Makes a built-in case. Lengths are in metres, {@code ends} is wall, open or sea:
     * {@code channel:nx,ny,length,width,depth,ends}, a flat bed;
     * {@code basin:n,size,depth}, a square with walls;
     * {@code dambreak:nx,ny,length,width,left,right}, two depths and a dam in the middle;
     * {@code lake:n,size,depth,height}, a lake at rest with hills, some of them islands;
     * {@code drop:n,size,depth,height,radius}, a hump of water in the middle of a square basin.
     *
     * @param text     the name and parameters
     * @param settings gravity and sea level
     * @return the case
     * @throws IllegalArgumentException if a name or value is wrong
     */
    static TsunamiCase builtIn(String text, Settings settings) {
        TextSpec spec = TextSpec.parse("mesh", text);
        TsunamiCase result = switch (spec.name()) {
            case "channel" -> channel(text, spec, settings);
            case "basin" -> basin(text, spec, settings);
            case "dambreak" -> dambreak(text, spec, settings);
            case "lake" -> lake(text, spec, settings);
            case "drop" -> drop(text, spec, settings);
            default -> throw new IllegalArgumentException("mesh '" + spec.name() + "' is unknown, expected one of "
                    + String.join(", ", BUILT_IN));
        };
        spec.finish();
        return result;
    }

    /** A case of a mesh with water at rest. */
    static TsunamiCase of(String name, TriangleMesh mesh) {
        return new TsunamiCase(name, mesh, Optional.empty(), Optional.empty());
    }

    private static TsunamiCase channel(String text, TextSpec spec, Settings settings) {
        int ends = boundary("ends", spec.text("ends", "wall"));
        TriangleMesh mesh = strip(spec, ends);
        return of(text, mesh.withBed(Shapes.flat(settings.seaLevel() - spec.positive("depth", 10))));
    }

    private static TriangleMesh strip(TextSpec spec, int ends) {
        int nx = spec.whole("nx", 200, 1, MAX_CELLS_ALONG);
        int ny = spec.whole("ny", 8, 1, MAX_CELLS_ALONG);
        double length = spec.positive("length", 1000);
        return Rectangles.of(new Bounds(0, 0, length, spec.positive("width", length * ny / nx)), nx, ny, ends);
    }

    private static TriangleMesh square(TextSpec spec) {
        int n = spec.whole("n", 100, 1, MAX_CELLS_ALONG);
        double half = 0.5 * spec.positive("size", 1000);
        return Rectangles.of(new Bounds(-half, -half, half, half), n, n, ShallowWater.WALL);
    }

    private static TsunamiCase basin(String text, TextSpec spec, Settings settings) {
        return of(text, square(spec).withBed(Shapes.flat(settings.seaLevel() - spec.positive("depth", 10))));
    }

    private static TsunamiCase dambreak(String text, TextSpec spec, Settings settings) {
        TriangleMesh mesh = strip(spec, ShallowWater.WALL);
        double left = spec.positive("left", 10);
        double right = spec.number("right", 5);
        double x = mesh.bounds().centreX();
        DamBreak exact = new DamBreak(x, left, right, settings.gravity());
        return new TsunamiCase(text, mesh, Optional.of(Shapes.dam(x, left, right)), Optional.of(exact));
    }

    private static TsunamiCase lake(String text, TextSpec spec, Settings settings) {
        TriangleMesh mesh = square(spec);
        Bounds bounds = mesh.bounds();
        double depth = spec.positive("depth", 10);
        Field bed = Shapes.bumps(bounds, settings.seaLevel() - depth, spec.number("height", HILLS * depth),
                bounds.width() / 4);
        return of(text, mesh.withBed(bed));
    }

    private static TsunamiCase drop(String text, TextSpec spec, Settings settings) {
        TriangleMesh mesh = square(spec);
        double depth = spec.positive("depth", 10);
        Field hump = Shapes.hump(0, 0, spec.positive("radius", TENTH * mesh.bounds().width()),
                spec.number("height", TENTH * depth));
        Field surface = (x, y) -> settings.seaLevel() + hump.at(x, y);
        return new TsunamiCase(text, mesh.withBed(Shapes.flat(settings.seaLevel() - depth)), Optional.of(surface),
                Optional.empty());
    }

    /**
     * Returns the kind of boundary edges of a given name.
     *
     * @param what for messages
     * @param name wall, open or sea
     * @return the kind
     */
    static int boundary(String what, String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "wall" -> ShallowWater.WALL;
            case "open" -> ShallowWater.OPEN;
            case "sea" -> ShallowWater.SEA;
            default -> throw new IllegalArgumentException(
                    what + " is '" + name + "', expected wall, open or sea");
        };
    }
}
