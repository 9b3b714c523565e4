package org.trellis.adapt.geometry;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.Predicates;

/**
 * A mesh of triangles in the plane or tetrahedra in space, with its boundary. Every element is oriented (positive
 * area or
 * volume, decided exactly), and elements meet in whole facets. Facets on the boundary, between regions, or with a tag
 * of
 * their own belong to flat <em>patches</em>: connected facets in one line or plane between the same regions and with
 * the same
 * tag. Patches are what adaptation keeps: their vertices may slide within them, and where patches meet, corners stay.
 *
 * <p>Immutable by convention: arrays are not copied and not to be changed.
 */
public final class SimplexMesh {
    private final int dimension;
    private final double[] coordinates;
    private final int[] corners;
    private final int[] regions;
    private final int[] patches;
    private final int[] patchTags;
    /** What patches stand for, by their numbers; null where they are flat. */
    private final BoundaryShape[] shapes;

    /**
     * Puts a mesh together whose parts are known to fit; {@link #of} finds patches and checks.
     *
     * @param dimension   2 or 3
     * @param coordinates of all vertices, vertex after vertex
     * @param corners     vertices of the elements, element after element
     * @param regions     the region of each element
     * @param patches     for each element and each of its corners, the patch of the facet opposite, or 0 inside
     * @param patchTags   the user's tag of each patch; the first entry is of no patch
     */
    public SimplexMesh(int dimension, double[] coordinates, int[] corners, int[] regions, int[] patches,
            int[] patchTags) {
        this(dimension, coordinates, corners, regions, patches, patchTags, new BoundaryShape[patchTags.length]);
    }

    /**
     * Puts a mesh together whose parts are known to fit, with curves; {@link CurvedBoundary} finds such patches.
     *
     * @param dimension   2 or 3
     * @param coordinates of all vertices, vertex after vertex
     * @param corners     vertices of the elements, element after element
     * @param regions     the region of each element
     * @param patches     for each element and each of its corners, the patch of the facet opposite, or 0 inside
     * @param patchTags   the user's tag of each patch; the first entry is of no patch
     * @param shapes      for each patch the curve that it stands for, or null if it is flat
     */
    public SimplexMesh(int dimension, double[] coordinates, int[] corners, int[] regions, int[] patches,
            int[] patchTags, BoundaryShape[] shapes) {
        this.dimension = dimension;
        this.coordinates = coordinates;
        this.corners = corners;
        this.regions = regions;
        this.patches = patches;
        this.patchTags = patchTags;
        this.shapes = shapes;
    }

    /**
     * Makes a mesh of one region whose boundary has no tags.
     *
     * @param dimension   2 or 3
     * @param coordinates of all vertices; each is used by some element
     * @param corners     vertices of the elements, in any orientation; corners of inverted ones are exchanged
     * @return the mesh
     * @throws IllegalArgumentException if an element is flat, a vertex unused, or more than two elements share a facet
     */
    public static SimplexMesh of(int dimension, double[] coordinates, int[] corners) {
        return of(dimension, coordinates, corners, new int[corners.length / (dimension + 1)], new int[0], new int[0]);
    }

    /**
     * Makes a mesh with regions and tagged facets. Takes time proportional to the mesh.
     *
     * @param dimension   2 or 3
     * @param coordinates of all vertices; each is used by some element
     * @param corners     vertices of the elements, in any orientation; corners of inverted ones are exchanged
     * @param regions     the region of each element
     * @param facets      vertices of facets that have tags, {@code dimension} each; those that are no facets of
     *                    elements
     *                    are refused
     * @param facetTags   the tag of each of these facets, not 0 if patches of that tag are to be kept apart from others
     * @return the mesh
     * @throws IllegalArgumentException if an element is flat, a vertex unused, a facet unknown, or more than two
     *                                  elements
     *                                  share a facet; says which
     * @throws IndexOutOfBoundsException if an element has a corner that is no vertex
     */
    public static SimplexMesh of(int dimension, double[] coordinates, int[] corners, int[] regions, int[] facets,
            int[] facetTags) {
        if (dimension != 2 && dimension != 3) {
            throw new IllegalArgumentException("dimension is " + dimension + ", expected 2 or 3");
        }
        int width = dimension + 1;
        Checks.length("remainder of the number of corners by " + width, corners.length % width, 0);
        Checks.length("number of regions", regions.length, corners.length / width);
        Checks.length("number of vertices of tagged facets", facets.length, (long) facetTags.length * dimension);
        int[] oriented = oriented(dimension, coordinates, corners);
        Stars stars = Stars.of(coordinates.length / dimension, oriented, width);
        for (int vertex = 0; vertex < stars.vertices(); vertex++) {
            if (stars.size(vertex) == 0) {
                throw new IllegalArgumentException("vertex " + vertex + " belongs to no element, expected each to");
            }
        }
        return new PatchFinder(dimension, coordinates, oriented, regions, stars).find(facets, facetTags);
    }

    private static int[] oriented(int dimension, double[] coordinates, int[] corners) {
        int width = dimension + 1;
        int[] oriented = corners.clone();
        for (int e = 0; e < corners.length / width; e++) {
            for (int k = 0; k < width; k++) {
                Checks.index("corner " + k + " of element " + e, corners[e * width + k],
                        coordinates.length / dimension);
            }
            int sign = Predicates.orientation(dimension, coordinates, oriented, e * width);
            if (sign == 0) {
                throw new IllegalArgumentException("element " + e + " is flat, expected area or volume: vertices "
                        + Arrays.toString(Arrays.copyOfRange(corners, e * width, (e + 1) * width)));
            }
            if (sign < 0) {
                int last = e * width + dimension;
                int other = oriented[last];
                oriented[last] = oriented[last - 1];
                oriented[last - 1] = other;
            }
        }
        return oriented;
    }

    /**
     * Makes a mesh of the unit square: n by n squares, each cut in two along the diagonal that rises.
     *
     * @param n squares in each direction, at least 1
     * @return 2 n^2 triangles
     * @throws IllegalArgumentException if n is not positive or so great that an array cannot hold the corners
     */
    public static SimplexMesh square(int n) {
        Checks.positive("number of squares in a row", n);
        // The number of squares first: 6 times that of any n may have more than 64 bits.
        int squares = Checks.arrayLength("corners of all triangles", (long) n * n);
        int cornersOfAll = Checks.arrayLength("corners of all triangles", 6L * squares);
        double[] x = new double[Checks.arrayLength("coordinates of a mesh", 2 * (n + 1L) * (n + 1L))];
        int[] corners = new int[cornersOfAll];
        for (int j = 0; j <= n; j++) {
            for (int i = 0; i <= n; i++) {
                int v = j * (n + 1) + i;
                x[2 * v] = (double) i / n;
                x[2 * v + 1] = (double) j / n;
                if (i < n && j < n) {
                    int[] pair = {v, v + 1, v + n + 2, v, v + n + 2, v + n + 1};
                    System.arraycopy(pair, 0, corners, 6 * (j * n + i), pair.length);
                }
            }
        }
        return of(2, x, corners);
    }

    /**
     * Makes a mesh of the unit cube: n by n by n cubes, each cut in six around the diagonal that rises (Kuhn's).
     *
     * @param n cubes in each direction, at least 1
     * @return 6 n^3 tetrahedra
     * @throws IllegalArgumentException if n is not positive or so great that an array cannot hold the corners
     */
    public static SimplexMesh cube(int n) {
        Checks.positive("number of cubes in a row", n);
        // Those of a plane first, then the cubes: products of three numbers may have more than 64 bits.
        int plane = Checks.arrayLength("corners of all tetrahedra", (long) n * n);
        int cubes = Checks.arrayLength("corners of all tetrahedra", (long) plane * n);
        int cornersOfAll = Checks.arrayLength("corners of all tetrahedra", 24L * cubes);
        int m = n + 1;
        double[] x = new double[Checks.arrayLength("coordinates of a mesh", 3L * m * m * m)];
        int[] corners = new int[cornersOfAll];
        int[][] ways = {{1, m}, {1, m * m}, {m, 1}, {m, m * m}, {m * m, 1}, {m * m, m}};
        int filled = 0;
        for (int v = 0; v < m * m * m; v++) {
            int i = v % m;
            int j = v / m % m;
            int k = v / (m * m);
            x[3 * v] = (double) i / n;
            x[3 * v + 1] = (double) j / n;
            x[3 * v + 2] = (double) k / n;
            if (i < n && j < n && k < n) {
                for (int[] way : ways) {
                    int[] one = {v, v + way[0], v + way[0] + way[1], v + 1 + m + m * m};
                    System.arraycopy(one, 0, corners, filled, one.length);
                    filled += one.length;
                }
            }
        }
        return of(3, x, corners);
    }

    /**
     * Returns the dimension.
     *
     * @return 2 or 3
     */
    public int dimension() {
        return dimension;
    }

    /**
     * Returns the number of vertices.
     *
     * @return at least 3
     */
    public int vertices() {
        return coordinates.length / dimension;
    }

    /**
     * Returns the number of triangles or tetrahedra.
     *
     * @return at least 1
     */
    public int elements() {
        return regions.length;
    }

    /**
     * Returns coordinates.
     *
     * @return {@code dimension} for each vertex; the array itself
     */
    public double[] coordinates() {
        return coordinates;
    }

    /**
     * Returns the vertices of elements.
     *
     * @return {@code dimension + 1} for each element; the array itself
     */
    public int[] corners() {
        return corners;
    }

    /**
     * Returns regions.
     *
     * @return one for each element; the array itself
     */
    public int[] regions() {
        return regions;
    }

    /**
     * Returns the patches of facets.
     *
     * @return for each element and corner the patch of the facet opposite, from 1, or 0 inside; the array itself
     */
    public int[] patches() {
        return patches;
    }

    /**
     * Returns the tags that the user gave to facets.
     *
     * @return one for each patch, by its number; entry 0 is of no patch; the array itself
     */
    public int[] patchTags() {
        return patchTags;
    }

    /**
     * Returns what patches stand for.
     *
     * @return for each patch, by its number, a curve, or null if it is flat; the array itself
     */
    public BoundaryShape[] shapes() {
        return shapes;
    }

    /**
     * Adds up areas or volumes.
     *
     * @return the measure of the domain
     */
    public double measure() {
        return IntStream.range(0, elements())
                .mapToDouble(e -> SimplexQuality.measure(dimension, coordinates, corners, e * (dimension + 1))).sum();
    }

    /**
     * Adds up lengths or areas of the facets on patches, those between regions once for each side.
     *
     * @return the perimeter or surface
     */
    public double boundaryMeasure() {
        double sum = 0;
        int[] facet = new int[dimension];
        for (int i = 0; i < patches.length; i++) {
            if (patches[i] != 0) {
                facet(i / (dimension + 1), i % (dimension + 1), facet);
                sum += PatchFinder.facetMeasure(dimension, coordinates, facet);
            }
        }
        return sum;
    }

    /**
     * Counts elements whose area or volume is not positive, exactly.
     *
     * @return 0 for a valid mesh
     */
    public int inverted() {
        return (int) IntStream.range(0, elements()).filter(
                e -> Predicates.orientation(dimension, coordinates, corners, e * (dimension + 1)) <= 0).count();
    }

    /**
     * Returns the vertices of a facet, in the order of the element's corners.
     *
     * @param element an element
     * @param corner  the corner opposite, from 0
     * @param facet   gets {@code dimension} vertices
     */
    public void facet(int element, int corner, int[] facet) {
        int filled = 0;
        for (int k = 0; k <= dimension; k++) {
            if (k != corner) {
                facet[filled++] = corners[element * (dimension + 1) + k];
            }
        }
    }

    /**
     * Checks the whole mesh anew: orientation, use of vertices, facets shared by at most two elements, and that
     * patches are
     * on exactly those facets that lie on the boundary or between regions, or had a tag.
     *
     * @throws IllegalStateException if something is wrong; says what
     */
    public void verify() {
        try {
            SimplexMesh again = of(dimension, coordinates, corners, regions, new int[0], new int[0]);
            for (int i = 0; i < patches.length; i++) {
                if (again.patches[i] != 0 && patches[i] == 0) {
                    throw new IllegalStateException("facet " + i % (dimension + 1) + " of element "
                            + i / (dimension + 1) + " is on the boundary but on no patch");
                }
            }
            if (inverted() > 0) {
                throw new IllegalStateException(inverted() + " elements are inverted, expected none");
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("the mesh is not valid: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "mesh of " + vertices() + " vertices and " + elements()
                + (dimension == 2 ? " triangles" : " tetrahedra");
    }
}
