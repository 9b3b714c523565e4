package org.trellis.adapt.geometry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.trellis.common.Checks;

/**
 * Makes patches of meshes of tetrahedra that stand for surfaces: facets with all corners on a surface and nearly
 * parallel to it are one patch, those of the same tag between the same regions. All others stay on their flat patches.
 * Where two patches meet of which one is curved, ridges are curves too: what both surfaces have in common. Facets that
 * meet at small angles may make a smooth surface by themselves.
 */
public final class CurvedSurface {
    /** Corners are on a surface if their distance from it is less than this share of the facet's longest edge. */
    private static final double ON_SURFACE = 1e-6;
    /** The least cosine of the angle between a facet and the surface that it is on. */
    private static final double PARALLEL = 0.5;

    private final SimplexMesh mesh;
    /** Those that were given, and then those found by normals. */
    private final List<SurfaceShape> surfaces;
    private final int given;
    /** For each place of a facet the surface found by normals that it is on, or -1. */
    private int[] smooth;
    /** Where a facet is among those of elements: once, with -1, or twice. */
    private final Map<Facet, int[]> places = new LinkedHashMap<>();

    /** A facet by its vertices in ascending order. */
    private record Facet(int first, int second, int third) {}

    /** What facets of one patch have in common; flat ones have no surface but the number of their patch. */
    private record Kind(int surface, int flat, int tag, int lower, int upper) {}

    private CurvedSurface(SimplexMesh mesh, List<SurfaceShape> surfaces) {
        this.mesh = mesh;
        this.surfaces = new ArrayList<>(surfaces);
        given = surfaces.size();
    }

    /**
     * Gives a mesh curved patches. Takes time proportional to the mesh.
     *
     * @param mesh     tetrahedra
     * @param surfaces what parts of the boundary or of the boundaries of regions stand for; a facet belongs to the
     *                 first that it is on
     * @param degrees  facets on none of them that meet at less than this angle belong to one {@link SmoothSurface},
     *                 whose normals are theirs; from 0, which makes none, to below 90. Facets inside a region stay flat
     * @return the same mesh with other patches
     * @throws IllegalArgumentException if the mesh is not of tetrahedra, the angle is out of range, or no facet is on
     *                                  one of the surfaces
     */
    public static SimplexMesh of(SimplexMesh mesh, List<? extends SurfaceShape> surfaces, double degrees) {
        Checks.length("dimensions of a mesh with curved surfaces", mesh.dimension(), 3);
        if (!(degrees >= 0 && degrees < 90)) {
            throw new IllegalArgumentException("angle of smooth facets is " + degrees + ", expected 0 to below 90");
        }
        CurvedSurface curved = new CurvedSurface(mesh, List.copyOf(surfaces));
        curved.collect();
        if (degrees > 0) {
            curved.join(Math.cos(Math.toRadians(degrees)));
        }
        return curved.numbered();
    }

    private void collect() {
        int[] facet = new int[3];
        for (int i = 0; i < mesh.patches().length; i++) {
            if (mesh.patches()[i] != 0) {
                places.merge(key(i, facet), new int[]{i, -1}, (one, other) -> new int[]{one[0], other[0]});
            }
        }
        smooth = new int[mesh.patches().length];
        Arrays.fill(smooth, -1);
    }

    /** Finds facets that continue each other smoothly; groups that are not flat get a surface. */
    private void join(double straightness) {
        Map<Long, List<Integer>> ridges = new LinkedHashMap<>();
        int[] leaders = new int[mesh.patches().length];
        Arrays.setAll(leaders, i -> i);
        int[] facet = new int[3];
        for (int[] both : places.values()) {
            boolean between = both[1] < 0 || mesh.regions()[both[0] / 4] != mesh.regions()[both[1] / 4];
            mesh.facet(both[0] / 4, both[0] % 4, facet);
            for (int k = 0; k < 3 && between && surfaceOf(facet) < 0; k++) {
                long low = Math.min(facet[k], facet[(k + 1) % 3]);
                long high = Math.max(facet[k], facet[(k + 1) % 3]);
                ridges.computeIfAbsent(low << 32 | high, edge -> new ArrayList<>()).add(outside(both));
            }
        }
        ridges.values().forEach(sides -> {
            if (sides.size() == 2 && continues(sides.get(0), sides.get(1), straightness)) {
                int one = PatchFinder.leader(leaders, sides.get(0));
                int other = PatchFinder.leader(leaders, sides.get(1));
                leaders[Math.max(one, other)] = Math.min(one, other);
            }
        });
        Map<Integer, List<Integer>> groups = new TreeMap<>();
        ridges.values().forEach(sides -> sides.forEach(
                side -> groups.computeIfAbsent(PatchFinder.leader(leaders, side), first -> new ArrayList<>())
                        .add(side)));
        groups.values().forEach(this::addSmooth);
    }

    /** The place of a facet from whose element all facets between the same regions are visited. */
    private int outside(int[] both) {
        return both[1] >= 0 && mesh.regions()[both[1] / 4] < mesh.regions()[both[0] / 4] ? both[1] : both[0];
    }

    private boolean continues(int one, int other, double straightness) {
        int[] first = new int[3];
        int[] second = new int[3];
        Kind a = kind(one, first);
        Kind b = kind(other, second);
        double[] n = PatchFinder.normal(3, mesh.coordinates(), oriented(one));
        double[] m = PatchFinder.normal(3, mesh.coordinates(), oriented(other));
        double dot = n[0] * m[0] + n[1] * m[1] + n[2] * m[2];
        double squares = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        return a.tag() == b.tag() && a.lower() == b.lower() && a.upper() == b.upper()
                && dot > straightness * Math.sqrt(squares);
    }

    /** The vertices of a facet in the order in which its normal points out of its element. */
    private int[] oriented(int place) {
        int[] facet = new int[3];
        mesh.facet(place / 4, place % 4, facet);
        return place % 2 == 0 ? new int[]{facet[0], facet[1], facet[2]} : new int[]{facet[1], facet[0], facet[2]};
    }

    /** Each facet of a group is in it three times, once for each of its sides. */
    private void addSmooth(List<Integer> group) {
        int[] facets = group.stream().mapToInt(place -> place).distinct().sorted().toArray();
        if (Arrays.stream(facets).map(place -> mesh.patches()[place]).distinct().count() > 1) {
            int[] corners = Arrays.stream(facets).flatMap(place -> Arrays.stream(oriented(place))).toArray();
            int[] vertices = Arrays.stream(corners).distinct().sorted().toArray();
            double[] points = new double[3 * vertices.length];
            for (int v = 0; v < vertices.length; v++) {
                System.arraycopy(mesh.coordinates(), 3 * vertices[v], points, 3 * v, 3);
            }
            surfaces.add(new SmoothSurface(points,
                    Arrays.stream(corners).map(corner -> Arrays.binarySearch(vertices, corner)).toArray()));
            int[] facet = new int[3];
            for (int place : facets) {
                for (int both : places.get(key(place, facet))) {
                    if (both >= 0) {
                        smooth[both] = surfaces.size() - 1;
                    }
                }
            }
        }
    }

    private SimplexMesh numbered() {
        int[] facet = new int[3];
        Map<Kind, Integer> numbers = new LinkedHashMap<>();
        List<Integer> examples = new ArrayList<>();
        boolean[] found = new boolean[surfaces.size()];
        int[] patches = new int[mesh.patches().length];
        for (int i = 0; i < patches.length; i++) {
            if (mesh.patches()[i] != 0) {
                Kind kind = kind(i, facet);
                Integer number = numbers.putIfAbsent(kind, numbers.size() + 1);
                if (number == null) {
                    examples.add(i);
                }
                patches[i] = numbers.get(kind);
                if (kind.surface() >= 0) {
                    found[kind.surface()] = true;
                }
            }
        }
        for (int s = 0; s < found.length; s++) {
            if (!found[s]) {
                throw new IllegalArgumentException("no facet on the boundary or between regions is on "
                        + surfaces.get(s) + ", expected some");
            }
        }
        int[] tags = new int[numbers.size() + 1];
        BoundaryShape[] shapes = new BoundaryShape[tags.length];
        numbers.forEach((kind, number) -> {
            tags[number] = kind.tag();
            shapes[number] = kind.surface() >= 0 ? surfaces.get(kind.surface()) : plane(examples.get(number - 1));
        });
        return new SimplexMesh(3, mesh.coordinates(), mesh.corners(), mesh.regions(), patches, tags, shapes);
    }

    private Facet key(int place, int[] facet) {
        mesh.facet(place / 4, place % 4, facet);
        int[] sorted = facet.clone();
        Arrays.sort(sorted);
        return new Facet(sorted[0], sorted[1], sorted[2]);
    }

    private Kind kind(int place, int[] facet) {
        int[] both = places.get(key(place, facet));
        int here = mesh.regions()[both[0] / 4];
        int there = both[1] < 0 ? Integer.MIN_VALUE : mesh.regions()[both[1] / 4];
        int patch = mesh.patches()[place];
        int surface = smooth[place] >= 0 ? smooth[place] : surfaceOf(facet);
        return new Kind(surface, surface < 0 ? patch : 0, mesh.patchTags()[patch], Math.min(here, there),
                Math.max(here, there));
    }

    private int surfaceOf(int[] facet) {
        for (int s = 0; s < given; s++) {
            if (isOn(surfaces.get(s), facet)) {
                return s;
            }
        }
        return -1;
    }

    private boolean isOn(SurfaceShape surface, int[] facet) {
        double[] x = mesh.coordinates();
        double longest = 0;
        for (int k = 0; k < 3; k++) {
            longest = Math.max(longest, distance(x, 3 * facet[k], x, 3 * facet[(k + 1) % 3]));
        }
        double[] foot = new double[3];
        for (int vertex : facet) {
            surface.nearest(x, 3 * vertex, foot);
            if (!(distance(x, 3 * vertex, foot, 0) < ON_SURFACE * longest)) {
                return false;
            }
        }
        return Math.abs(cosine(surface, x, facet)) > PARALLEL;
    }

    private static double distance(double[] x, int o, double[] y, int p) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            square += (x[o + k] - y[p + k]) * (x[o + k] - y[p + k]);
        }
        return Math.sqrt(square);
    }

    /**
     * Computes the cosine of the angle between the normals of a triangle and of a surface near its centre.
     *
     * @param surface the surface
     * @param x       coordinates of points in space
     * @param facet   the three corners
     * @return from -1 to 1
     */
    public static double cosine(SurfaceShape surface, double[] x, int[] facet) {
        double[] centre = new double[3];
        for (int vertex : facet) {
            for (int k = 0; k < 3; k++) {
                centre[k] += x[3 * vertex + k] / 3;
            }
        }
        double[] wanted = new double[3];
        surface.normal(centre, 0, wanted);
        double[] normal = PatchFinder.normal(3, x, facet);
        double dot = 0;
        double square = 0;
        for (int k = 0; k < 3; k++) {
            dot += normal[k] * wanted[k];
            square += normal[k] * normal[k];
        }
        return dot / Math.sqrt(square);
    }

    private PlaneShape plane(int place) {
        int[] facet = new int[3];
        mesh.facet(place / 4, place % 4, facet);
        double[] x = mesh.coordinates();
        double[] n = PatchFinder.normal(3, x, facet);
        double length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        return new PlaneShape(x[3 * facet[0]], x[3 * facet[0] + 1], x[3 * facet[0] + 2], n[0] / length, n[1] / length,
                n[2] / length);
    }
}
