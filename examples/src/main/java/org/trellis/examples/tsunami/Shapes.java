package org.trellis.examples.tsunami;

import java.util.List;
import org.trellis.examples.TextSpec;
import org.trellis.examples.tsunami.TriangleMesh.Bounds;

/** Beds, levels and uplifts that options describe by a text. Lengths are in metres; places default to the centre. */
final class Shapes {
    /** The names that {@code --bed} takes. */
    static final List<String> BEDS = List.of("flat", "slope", "cone", "bumps");
    /** The names that {@code --surface} takes. */
    static final List<String> SURFACES = List.of("still", "hump", "dam");
    /** The names that {@code --uplift} takes. */
    static final List<String> UPLIFTS = List.of("hump", "fault");

    private static final double TENTH = 0.1;
    private static final double DEEP = -100;

    private Shapes() {}

    private static IllegalArgumentException unknown(String what, TextSpec spec, List<String> names) {
        return new IllegalArgumentException(
                what + ": '" + spec.name() + "' is unknown, expected one of " + String.join(", ", names));
    }

    /**
     * A bed: {@code flat:z}; {@code slope:from,to} from the left end to the right; {@code cone:x,y,radius,height,z}, a
     * conical island on a flat bed; {@code bumps:z,height,length}, hills in rows and columns.
     *
     * @param text   the description
     * @param bounds the mesh
     * @return z at each place
     */
    static Field bed(String text, Bounds bounds) {
        TextSpec spec = TextSpec.parse("--bed", text);
        Field bed = switch (spec.name()) {
            case "flat" -> flat(spec.number("z", DEEP));
            case "slope" -> slope(bounds, spec.number("from", DEEP), spec.number("to", -TENTH * DEEP));
            case "cone" -> cone(spec, bounds);
            case "bumps" -> bumps(bounds, spec.number("z", DEEP), spec.number("height", -(1 + TENTH) * DEEP),
                    spec.positive("length", bounds.width() / 4));
            default -> throw unknown("--bed", spec, BEDS);
        };
        spec.finish();
        return bed;
    }

    static Field flat(double z) {
        return (x, y) -> z;
    }

    private static Field slope(Bounds bounds, double from, double to) {
        return (x, y) -> from + (to - from) * (x - bounds.left()) / bounds.width();
    }

    private static Field cone(TextSpec spec, Bounds bounds) {
        double x0 = spec.number("x", bounds.centreX());
        double y0 = spec.number("y", bounds.centreY());
        double radius = spec.positive("radius", TENTH * bounds.width());
        double height = spec.number("height", -(1 + TENTH) * DEEP);
        double z = spec.number("z", DEEP);
        return (x, y) -> z + height * Math.max(0, 1 - Math.hypot(x - x0, y - y0) / radius);
    }

    /** Hills of the given height, a length apart. */
    static Field bumps(Bounds bounds, double z, double height, double length) {
        return (x, y) -> {
            double along = Math.sin(Math.PI * (x - bounds.left()) / length);
            double across = Math.sin(Math.PI * (y - bounds.bottom()) / length);
            return z + height * along * along * across * across;
        };
    }

    /**
     * A level of the water: {@code still}; {@code hump:x,y,radius,height}, a Gaussian above the sea level;
     * {@code dam:x,left,right}, two levels.
     *
     * @param text     the description
     * @param bounds   the mesh
     * @param seaLevel the level elsewhere
     * @return the level at each place, where the bed is not higher
     */
    static Field surface(String text, Bounds bounds, double seaLevel) {
        TextSpec spec = TextSpec.parse("--surface", text);
        Field surface = switch (spec.name()) {
            case "still" -> flat(seaLevel);
            case "hump" -> {
                Field hump = hump(spec, bounds);
                yield (x, y) -> seaLevel + hump.at(x, y);
            }
            case "dam" -> dam(spec.number("x", bounds.centreX()), spec.number("left", seaLevel + 1),
                    spec.number("right", seaLevel));
            default -> throw unknown("--surface", spec, SURFACES);
        };
        spec.finish();
        return surface;
    }

    static Field dam(double x0, double left, double right) {
        return (x, y) -> x < x0 ? left : right;
    }

    private static Field hump(TextSpec spec, Bounds bounds) {
        return hump(spec.number("x", bounds.centreX()), spec.number("y", bounds.centreY()),
                spec.positive("radius", TENTH * bounds.width()), spec.number("height", 1));
    }

    static Field hump(double x0, double y0, double radius, double height) {
        return (x, y) -> {
            double r = Math.hypot(x - x0, y - y0) / radius;
            return height * Math.exp(-r * r);
        };
    }

    /**
     * How far the bed rises, and the water with it: {@code hump:x,y,radius,height}; {@code fault:x,y,length,width,
     * strike,up,down}, a Gaussian ridge beside a trough, length along the strike (degrees from the x axis) and width
     * across.
     *
     * @param text   the description
     * @param bounds the mesh
     * @return the uplift at each place
     */
    static Field uplift(String text, Bounds bounds) {
        TextSpec spec = TextSpec.parse("--uplift", text);
        Field uplift = switch (spec.name()) {
            case "hump" -> hump(spec, bounds);
            case "fault" -> fault(spec, bounds);
            default -> throw unknown("--uplift", spec, UPLIFTS);
        };
        spec.finish();
        return uplift;
    }

    private static Field fault(TextSpec spec, Bounds bounds) {
        double x0 = spec.number("x", bounds.centreX());
        double y0 = spec.number("y", bounds.centreY());
        double length = spec.positive("length", 2 * TENTH * bounds.width());
        double width = spec.positive("width", TENTH * bounds.width());
        double strike = Math.toRadians(spec.number("strike", 90));
        double up = spec.number("up", 1);
        double down = spec.number("down", 0.5);
        return (x, y) -> {
            double along = ((x - x0) * Math.cos(strike) + (y - y0) * Math.sin(strike)) / length;
            double across = ((y - y0) * Math.cos(strike) - (x - x0) * Math.sin(strike)) / width;
            double ridge = Math.exp(-along * along - 4 * (across - 0.5) * (across - 0.5));
            double trough = Math.exp(-along * along - 4 * (across + 0.5) * (across + 0.5));
            return up * ridge - down * trough;
        };
    }
}
