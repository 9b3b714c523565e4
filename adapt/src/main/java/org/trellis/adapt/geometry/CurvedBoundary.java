package org.trellis.adapt.geometry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.common.Checks;

/**
 * Makes patches of plane meshes that stand for curves: sides whose ends lie on a given circle, and sides that follow
 * each other without a corner, through whose ends goes a spline. Patches join sides of the same tag between the same
 * regions; where more than two sides of patches meet is a corner.
 */
public final class CurvedBoundary {
    /** Ends are on a circle if their distance from it is less than this share of the radius. */
    private static final double ON_CIRCLE = 1e-6;

    private final SimplexMesh mesh;
    private final List<CircleShape> circles;
    private final double straightness;
    private final List<Side> sides = new ArrayList<>();
    private final Map<Integer, List<Integer>> sidesOf = new HashMap<>();
    private int[] leaders;

    /** A side on a patch: its ends, where it is among the facets of elements (once or twice), what it is like. */
    private record Side(int first, int second, List<Integer> places, long likeness, int circle) {}

    private CurvedBoundary(SimplexMesh mesh, List<CircleShape> circles, double degrees) {
        this.mesh = mesh;
        this.circles = circles;
        straightness = Math.cos(Math.toRadians(degrees));
    }

    /**
     * Gives a mesh curved patches. Sides on none of the curves stay on their flat patches. Takes time proportional to
     * the mesh.
     *
     * @param mesh    triangles in the plane
     * @param circles circles that parts of the boundary or of the boundaries of regions stand for
     * @param degrees sides that meet at less than this angle, and are not on a circle, belong to one curve, a spline;
     *                from 0, which makes none, to below 90
     * @return the same mesh with other patches
     * @throws IllegalArgumentException if the mesh is not plane, the angle out of range, or no side on a circle
     */
    public static SimplexMesh of(SimplexMesh mesh, List<CircleShape> circles, double degrees) {
        Checks.length("dimensions of a mesh with curves", mesh.dimension(), 2);
        if (!(degrees >= 0 && degrees < 90)) {
            throw new IllegalArgumentException("angle of smooth sides is " + degrees + ", expected 0 to below 90");
        }
        CurvedBoundary boundary = new CurvedBoundary(mesh, List.copyOf(circles), degrees);
        boundary.collect();
        boundary.join(degrees > 0);
        return boundary.numbered();
    }

    private void collect() {
        Map<Long, Integer> known = new LinkedHashMap<>();
        int[] facet = new int[2];
        for (int i = 0; i < mesh.patches().length; i++) {
            if (mesh.patches()[i] != 0) {
                mesh.facet(i / 3, i % 3, facet);
                long key = (long) Math.min(facet[0], facet[1]) << 32 | Math.max(facet[0], facet[1]);
                Integer side = known.putIfAbsent(key, sides.size());
                if (side == null) {
                    sides.add(new Side(facet[0], facet[1], new ArrayList<>(List.of(i)), 0, circleOf(facet)));
                } else {
                    sides.get(side).places().add(i);
                }
            }
        }
        int[] found = new int[circles.size()];
        for (int s = 0; s < sides.size(); s++) {
            Side side = sides.get(s);
            sides.set(s, new Side(side.first(), side.second(), side.places(), likeness(side), side.circle()));
            for (int end : new int[]{side.first(), side.second()}) {
                sidesOf.computeIfAbsent(end, vertex -> new ArrayList<>()).add(s);
            }
            if (side.circle() >= 0) {
                found[side.circle()]++;
            }
        }
        for (int c = 0; c < found.length; c++) {
            if (found[c] == 0) {
                throw new IllegalArgumentException("no side of the boundary has both ends on " + circles.get(c)
                        + ", expected some");
            }
        }
    }

    private int circleOf(int[] ends) {
        for (int c = 0; c < circles.size(); c++) {
            CircleShape circle = circles.get(c);
            boolean on = true;
            for (int end : ends) {
                double distance = Math.hypot(mesh.coordinates()[2 * end] - circle.centreX(),
                        mesh.coordinates()[2 * end + 1] - circle.centreY());
                on &= Math.abs(distance - circle.radius()) < ON_CIRCLE * circle.radius();
            }
            if (on) {
                return c;
            }
        }
        return -1;
    }

    /** Sides of the same tag between the same regions have the same number. */
    private long likeness(Side side) {
        int[] regions = new int[]{Integer.MIN_VALUE, Integer.MIN_VALUE};
        for (int k = 0; k < side.places().size(); k++) {
            regions[k] = mesh.regions()[side.places().get(k) / 3];
        }
        Arrays.sort(regions);
        int tag = mesh.patchTags()[mesh.patches()[side.places().getFirst()]];
        return 31L * (31L * regions[0] + regions[1]) * (1L << 20) + tag;
    }

    private void join(boolean splines) {
        leaders = new int[sides.size()];
        Arrays.setAll(leaders, s -> s);
        Map<Integer, Integer> flat = new HashMap<>();
        for (int s = 0; s < leaders.length; s++) {
            if (sides.get(s).circle() < 0 && !splines) {
                int patch = mesh.patches()[sides.get(s).places().getFirst()];
                Integer other = flat.putIfAbsent(patch, s);
                if (other != null) {
                    unite(s, other);
                }
            }
        }
        sidesOf.forEach((vertex, around) -> {
            if (around.size() == 2 && continues(vertex, sides.get(around.get(0)), sides.get(around.get(1)), splines)) {
                unite(around.get(0), around.get(1));
            }
        });
    }

    private boolean continues(int vertex, Side one, Side other, boolean splines) {
        if (one.likeness() != other.likeness() || one.circle() != other.circle()) {
            return false;
        }
        if (one.circle() >= 0) {
            return true;
        }
        double[] x = mesh.coordinates();
        int before = one.first() == vertex ? one.second() : one.first();
        int after = other.first() == vertex ? other.second() : other.first();
        double ux = x[2 * vertex] - x[2 * before];
        double uy = x[2 * vertex + 1] - x[2 * before + 1];
        double vx = x[2 * after] - x[2 * vertex];
        double vy = x[2 * after + 1] - x[2 * vertex + 1];
        return splines && (ux * vx + uy * vy) / (Math.hypot(ux, uy) * Math.hypot(vx, vy)) > straightness;
    }

    private int leader(int side) {
        int at = side;
        while (leaders[at] != at) {
            leaders[at] = leaders[leaders[at]];
            at = leaders[at];
        }
        return at;
    }

    private void unite(int one, int other) {
        int a = leader(one);
        int b = leader(other);
        leaders[Math.max(a, b)] = Math.min(a, b);
    }

    private SimplexMesh numbered() {
        Map<Integer, List<Integer>> groups = new LinkedHashMap<>();
        for (int s = 0; s < leaders.length; s++) {
            groups.computeIfAbsent(leader(s), first -> new ArrayList<>()).add(s);
        }
        int[] patches = new int[mesh.patches().length];
        int[] tags = new int[groups.size() + 1];
        BoundaryShape[] shapes = new BoundaryShape[groups.size() + 1];
        int patch = 0;
        for (List<Integer> group : groups.values()) {
            patch++;
            for (int s : group) {
                sides.get(s).places().forEach(new Numbering(patches, patch)::set);
            }
            Side first = sides.get(group.getFirst());
            tags[patch] = mesh.patchTags()[mesh.patches()[first.places().getFirst()]];
            shapes[patch] = first.circle() >= 0 ? circles.get(first.circle()) : isFlat(group) ? null : spline(group);
        }
        return new SimplexMesh(2, mesh.coordinates(), mesh.corners(), mesh.regions(), patches, tags, shapes);
    }

    /** Writes the number of a patch. */
    private record Numbering(int[] patches, int patch) {
        void set(int place) {
            patches[place] = patch;
        }
    }

    private boolean isFlat(List<Integer> group) {
        return group.stream().map(s -> mesh.patches()[sides.get(s).places().getFirst()]).distinct().count() == 1;
    }

    /** The curve through the ends of sides, from one end of the chain to the other, or around it. */
    private SplineShape spline(List<Integer> group) {
        Map<Integer, List<Integer>> around = new LinkedHashMap<>();
        for (int s : group) {
            around.computeIfAbsent(sides.get(s).first(), vertex -> new ArrayList<>()).add(s);
            around.computeIfAbsent(sides.get(s).second(), vertex -> new ArrayList<>()).add(s);
        }
        int start = around.entrySet().stream().filter(entry -> entry.getValue().size() == 1).map(Map.Entry::getKey)
                .findFirst().orElse(-1);
        boolean closed = start < 0;
        int at = closed ? sides.get(group.getFirst()).first() : start;
        int points = closed ? group.size() : group.size() + 1;
        double[] knots = new double[2 * points];
        int last = -1;
        for (int i = 0; i < points; i++) {
            knots[2 * i] = mesh.coordinates()[2 * at];
            knots[2 * i + 1] = mesh.coordinates()[2 * at + 1];
            List<Integer> both = around.get(at);
            last = both.getFirst() == last ? both.getLast() : both.getFirst();
            at = sides.get(last).first() == at ? sides.get(last).second() : sides.get(last).first();
        }
        return new SplineShape(knots, closed);
    }
}
