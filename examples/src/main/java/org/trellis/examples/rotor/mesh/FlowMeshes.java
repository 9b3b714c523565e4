package org.trellis.examples.rotor.mesh;

import java.util.Locale;
import org.trellis.examples.TextSpec;

/**
 * The meshes that a text can name: a box, a channel with a bump, a flat plate, a cylinder, a sector of an annulus, a
 * blade row.
 */
public final class FlowMeshes {
    /** How large a lattice may be in each direction. */
    private static final int MAX_CELLS_ALONG = 4096;
    private static final int QUARTERS = 4;
    /** The radius of a cylinder. */
    private static final double CYLINDER = 0.5;

    private FlowMeshes() {}

    /**
     * Makes the meshes of a text.
     *
     * @param text {@code box:n=,sides=far|wall}, {@code channel:nx=,ny=,nz=,height=,shape=arc|sine,ends=far|given},
     *               {@code plate:nx=,ny=,nz=}, {@code cylinder:nx=,ny=,nz=,far=,growth=,width=},
     *               {@code annulus:nx=,ny=,nz=,blades=,hub=,tip=} or {@code blade:...}, all with {@code mix=},
     *               {@code distort=}, {@code coarse=nested|joined} and
     *               {@code numbers=lines|bricks|refined}
     * @param levels how many meshes, at least 1
     * @return the meshes
     * @throws IllegalArgumentException if the text has another form, or its numbers give no mesh
     */
    public static FlowMesh of(String text, int levels) {
        TextSpec spec = TextSpec.parse("mesh", text);
        double distort = spec.number("distort", 0);
        CellMix mix = mix(spec);
        boolean joined = choice(spec, "coarse", "nested", "joined").equals("joined");
        int step = joined ? 1 : 1 << (levels - 1);
        FlowMesh.Plan plan = switch (spec.name()) {
            case "box" -> box(spec, mix, distort, text);
            case "channel" -> channel(spec, mix, distort, text);
            case "plate" -> plate(spec, mix, distort, text, step);
            case "cylinder" -> cylinder(spec, mix, distort, text);
            case "annulus" -> row(spec, mix, distort, text, false, step);
            case "blade" -> row(spec, mix, distort, text, true, step);
            default -> throw new IllegalArgumentException("mesh '" + spec.name()
                    + "' is unknown, expected box:, channel:, plate:, cylinder:, annulus: or blade:");
        };
        LatticeNumbering numbers = LatticeNumbering.named(spec.text("numbers", "lines"));
        spec.finish();
        if (!joined) {
            return FlowMesh.of(plan, numbers, levels);
        }
        FlowMesh.Level finest = FlowMesh.of(plan, numbers, 1).levels().getFirst();
        return FlowMesh.agglomerated(text, finest.mesh(), new PeriodicSides(finest.pairs(), plan.angle()), levels);
    }

    private static CellMix mix(TextSpec spec) {
        String name = spec.text("mix", "hex");
        for (CellMix mix : CellMix.values()) {
            if (mix.name().toLowerCase(Locale.ROOT).equals(name)) {
                return mix;
            }
        }
        throw new IllegalArgumentException(
                "mesh " + spec.name() + ": mix is '" + name + "', expected hex, prism, tet or mixed");
    }

    /** One of two words, the first unless the text says otherwise. */
    private static String choice(TextSpec spec, String key, String first, String second) {
        String chosen = spec.text(key, first);
        if (!chosen.equals(first) && !chosen.equals(second)) {
            throw new IllegalArgumentException("mesh " + spec.name() + ": " + key + " is '" + chosen + "', expected "
                    + first + " or " + second);
        }
        return chosen;
    }

    private static int[] size(TextSpec spec, int nx, int ny, int nz) {
        return new int[]{spec.whole("nx", nx, 1, MAX_CELLS_ALONG), spec.whole("ny", ny, 1, MAX_CELLS_ALONG),
            spec.whole("nz", nz, 1, MAX_CELLS_ALONG)};
    }

    /** The unit cube, whose boundary is far or a wall; {@code wave} bends its inner lines. */
    private static FlowMesh.Plan box(TextSpec spec, CellMix mix, double distort, String name) {
        int n = spec.whole("n", 8, 1, MAX_CELLS_ALONG);
        double wave = spec.number("wave", 0);
        Patch patch = choice(spec, "sides", "far", "wall").equals("far") ? Patch.FAR : Patch.SLIP;
        return new FlowMesh.Plan(name, new int[]{n, n, n}, mix, (direction, end, i, j, k) -> patch, (s, t, r) -> {
            double bend = wave * Math.sin(Math.PI * s) * Math.sin(Math.PI * t) * Math.sin(Math.PI * r);
            return new double[]{s + bend, t - bend, r + bend};
        }, 0, distort);
    }

    /**
     * A channel three chords long and one high, between planes of symmetry, with a bump of the given height in the
     * middle third of its floor: a circular arc, or the square of a sine.
     */
    private static FlowMesh.Plan channel(TextSpec spec, CellMix mix, double distort, String name) {
        int[] size = size(spec, 48, 8, 16);
        double height = spec.number("height", 0.1);
        double width = spec.positive("width", 1);
        boolean arc = choice(spec, "shape", "arc", "sine").equals("arc");
        boolean far = choice(spec, "ends", "far", "given").equals("far");
        return new FlowMesh.Plan(name, size, mix,
                (direction, end, i, j, k) -> direction > 0
                        ? Patch.SLIP
                        : far ? Patch.FAR : end == 0 ? Patch.INLET : Patch.OUTLET,
                (s, t, r) -> {
                    double x = 3 * s - 1;
                    double floor = arc ? arc(x, height) : height * square(Math.sin(Math.PI * Math.clamp(x, 0, 1)));
                    return new double[]{x, width * t, floor + r * (1 - floor)};
                }, 0, distort);
    }

    private static double square(double x) {
        return x * x;
    }

    /** A circular arc over the unit interval. */
    private static double arc(double x, double height) {
        if (x <= 0 || x >= 1 || height == 0) {
            return 0;
        }
        double radius = (0.25 + square(height)) / (2 * height);
        return Math.sqrt(square(radius) - square(x - 0.5)) - radius + height;
    }

    /** A quarter of the cells of the coarsest lattice along the first direction: where a wall begins. */
    private static int quarter(String name, int nx, int step) {
        if (nx % (QUARTERS * step) != 0) {
            throw new IllegalArgumentException("mesh " + name + ": nx is " + nx + ", expected a multiple of "
                    + QUARTERS * step + " so that walls begin and end at nodes of the coarsest level");
        }
        return nx / step / QUARTERS;
    }

    /**
     * A flat plate from x = 0 to 1 behind a quarter of the lattice without friction; nodes gather at the plate's nose
     * and surface. What the boundary layer displaces has to leave through the far side: nearer than two lengths it
     * speeds the flow up, and friction is too large.
     */
    private static FlowMesh.Plan plate(TextSpec spec, CellMix mix, double distort, String name, int step) {
        int[] size = size(spec, 32, 8, 32);
        int quarter = quarter(spec.name(), size[0], step);
        double height = spec.positive("height", 2);
        double growth = spec.positive("growth", 6);
        double width = spec.positive("width", 0.1);
        double before = spec.positive("before", 0.5);
        return new FlowMesh.Plan(name, size, mix, (direction, end, i, j, k) -> {
            if (direction == 0) {
                return end == 0 ? Patch.INLET : Patch.OUTLET;
            }
            return direction == 1 || (end == 0 && i < quarter) ? Patch.SLIP : end == 1 ? Patch.FAR : Patch.NO_SLIP;
        }, (s, t, r) -> {
            double along = s < 0.25 ? -before * square(1 - 4 * s) : square((4 * s - 1) / 3);
            return new double[]{along, width * t, height * Math.expm1(growth * r) / Math.expm1(growth)};
        }, 0, distort);
    }

    /**
     * Half of the space about a circular cylinder of diameter 1 along y, above the plane of symmetry z = 0: lines go
     * about it from the front to the back, and from its surface, where they gather, to the far side.
     */
    private static FlowMesh.Plan cylinder(TextSpec spec, CellMix mix, double distort, String name) {
        int[] size = size(spec, 64, 4, 48);
        double far = spec.positive("far", 20);
        double growth = spec.positive("growth", 6);
        double width = spec.positive("width", 0.1);
        if (!(far > CYLINDER)) {
            throw new IllegalArgumentException(
                    "mesh " + spec.name() + ": far is " + far + ", expected more than the radius, " + CYLINDER);
        }
        return new FlowMesh.Plan(name, size, mix,
                (direction, end, i, j, k) -> direction < 2 ? Patch.SLIP : end == 0 ? Patch.NO_SLIP : Patch.FAR,
                (s, t, r) -> {
                    double angle = Math.PI * (1 - s);
                    double radius = CYLINDER + (far - CYLINDER) * Math.expm1(growth * r) / Math.expm1(growth);
                    // Exactly on the plane at both ends.
                    double up = s == 0 || s == 1 ? 0 : Math.sin(angle);
                    return new double[]{radius * Math.cos(angle), width * t, radius * up};
                }, 0, distort);
    }

    /**
     * A sector of an annulus about the x axis, from one blade to the next, between hub and casing. Blades, if there are
     * any, stand in the middle half of its length: the sides there are walls, moved apart by the blades' thickness and
     * along by their camber, which grows from hub to tip.
     */
    private static FlowMesh.Plan row(TextSpec spec, CellMix mix, double distort, String name, boolean bladed,
            int step) {
        int[] size = size(spec, 32, 8, 8);
        int blades = spec.whole("blades", 20, 2, 10_000);
        double hub = spec.positive("hub", 0.7);
        double tip = spec.positive("tip", 1);
        double length = spec.positive("length", 1);
        double thickness = bladed ? spec.number("thickness", 0.2) : 0;
        double turn = bladed ? spec.number("turn", 0.3) : 0;
        double twist = bladed ? spec.number("twist", 0.2) : 0;
        if (!(tip > hub)) {
            throw new IllegalArgumentException("mesh " + spec.name() + ": tip is " + tip + ", expected more than hub, "
                    + hub);
        }
        int quarter = bladed ? quarter(spec.name(), size[0], step) : 0;
        double pitch = 2 * Math.PI / blades;
        return new FlowMesh.Plan(name, size, mix, (direction, end, i, j, k) -> {
            if (direction == 1) {
                return bladed && i >= quarter && i < 3 * quarter ? Patch.SLIP : Patch.PERIODIC;
            }
            return direction == 2 ? Patch.SLIP : end == 0 ? Patch.INLET : Patch.OUTLET;
        }, (s, t, r) -> {
            double radius = hub + r * (tip - hub);
            double along = Math.clamp(2 * s - 0.5, 0, 1);
            double open = 1 - thickness * square(Math.sin(Math.PI * along));
            double camber = (turn + twist * (r - 0.5)) * pitch * along * along;
            double angle = pitch * (t - 0.5) * open + camber;
            return new double[]{s * length, radius * Math.sin(angle), radius * Math.cos(angle)};
        }, pitch, distort);
    }
}
