package org.trellis.adapt.geometry;

import java.util.Arrays;

/** Finds the facets that belong to patches and joins those that are connected, in one line or plane, and alike. */
final class PatchFinder {
    /** Facets whose normals differ by more than this are on different patches. */
    private static final double FLAT = 1e-9;

    private final int dimension;
    private final int width;
    private final double[] x;
    private final int[] corners;
    private final int[] regions;
    private final Stars stars;
    /** For each element and corner: the neighbour there, or -1. */
    private final int[] neighbours;

    PatchFinder(int dimension, double[] x, int[] corners, int[] regions, Stars stars) {
        this.dimension = dimension;
        this.width = dimension + 1;
        this.x = x;
        this.corners = corners;
        this.regions = regions;
        this.stars = stars;
        neighbours = new int[corners.length];
        for (int i = 0; i < corners.length; i++) {
            neighbours[i] = neighbour(i / width, i % width);
        }
    }

    private boolean contains(int element, int vertex) {
        for (int k = 0; k < width; k++) {
            if (corners[element * width + k] == vertex) {
                return true;
            }
        }
        return false;
    }

    private int neighbour(int element, int corner) {
        int first = corners[element * width + (corner == 0 ? 1 : 0)];
        int found = -1;
        for (int s = stars.offsets()[first]; s < stars.offsets()[first + 1]; s++) {
            int other = stars.elements()[s];
            if (other != element && sharesFacet(element, corner, other)) {
                if (found >= 0) {
                    throw new IllegalArgumentException("elements " + element + ", " + found + " and " + other
                            + " share a facet, expected at most two");
                }
                found = other;
            }
        }
        return found;
    }

    private boolean sharesFacet(int element, int corner, int other) {
        for (int k = 0; k < width; k++) {
            if (k != corner && !contains(other, corners[element * width + k])) {
                return false;
            }
        }
        return true;
    }

    SimplexMesh find(int[] facets, int[] facetTags) {
        int[] tags = new int[corners.length];
        boolean[] on = new boolean[corners.length];
        for (int i = 0; i < corners.length; i++) {
            on[i] = neighbours[i] < 0 || regions[neighbours[i]] != regions[i / width];
        }
        for (int f = 0; f < facetTags.length; f++) {
            tag(facets, f, facetTags[f], tags, on);
        }
        int[] leaders = new int[corners.length];
        Arrays.setAll(leaders, i -> i);
        for (int i = 0; i < corners.length; i++) {
            if (on[i]) {
                join(i, on, tags, leaders);
            }
        }
        return numbered(on, tags, leaders);
    }

    private void tag(int[] facets, int f, int tag, int[] tags, boolean[] on) {
        int first = facets[f * dimension];
        boolean found = false;
        for (int s = stars.offsets()[first]; s < stars.offsets()[first + 1]; s++) {
            int element = stars.elements()[s];
            int opposite = opposite(element, facets, f);
            if (opposite >= 0) {
                tags[element * width + opposite] = tag;
                on[element * width + opposite] = true;
                found = true;
            }
        }
        if (!found) {
            throw new IllegalArgumentException("tagged facet " + f + " with vertices "
                    + Arrays.toString(Arrays.copyOfRange(facets, f * dimension, (f + 1) * dimension))
                    + " is no facet of an element");
        }
    }

    /** Returns the corner of the element that the facet lacks, or -1 if it is no facet of the element. */
    private int opposite(int element, int[] facets, int f) {
        for (int k = 0; k < dimension; k++) {
            if (!contains(element, facets[f * dimension + k])) {
                return -1;
            }
        }
        for (int c = 0; c < width; c++) {
            boolean in = false;
            for (int k = 0; k < dimension; k++) {
                in |= facets[f * dimension + k] == corners[element * width + c];
            }
            if (!in) {
                return c;
            }
        }
        return -1;
    }

    /** Joins a facet with its other side, and with what continues it across each of its ridges. */
    private void join(int i, boolean[] on, int[] tags, int[] leaders) {
        int element = i / width;
        int corner = i % width;
        if (neighbours[i] >= 0) {
            unite(leaders, i, back(element, corner));
        }
        for (int c = 0; c < width; c++) {
            if (c != corner) {
                int other = across(element, corner, c, on);
                if (other >= 0 && alike(i, other, tags) && flat(i, other)) {
                    unite(leaders, i, other);
                }
            }
        }
    }

    /** The same facet, as the neighbour sees it. */
    private int back(int element, int corner) {
        int other = neighbours[element * width + corner];
        for (int c = 0; c < width; c++) {
            if (!contains(element, corners[other * width + c])) {
                return other * width + c;
            }
        }
        throw new IllegalArgumentException("elements " + element + " and " + other + " have the same corners");
    }

    /**
     * Goes around the ridge that the facet opposite {@code corner} has opposite {@code without}, on this side, to the
     * next
     * facet that is on a patch.
     */
    private int across(int element, int corner, int without, boolean[] on) {
        int at = element;
        int through = without;
        int kept = corner;
        while (!on[at * width + through]) {
            int next = neighbours[at * width + through];
            int entered = back(at, through) % width;
            int pivot = corners[at * width + kept];
            through = indexOf(next, pivot);
            kept = entered;
            at = next;
        }
        return at * width + through;
    }

    private int indexOf(int element, int vertex) {
        for (int k = 0; k < width; k++) {
            if (corners[element * width + k] == vertex) {
                return k;
            }
        }
        throw new IllegalArgumentException("element " + element + " lacks vertex " + vertex);
    }

    private boolean alike(int one, int other, int[] tags) {
        int first = neighbours[one];
        int second = neighbours[other];
        return tags[one] == tags[other] && regions[one / width] == regions[other / width]
                && (first < 0) == (second < 0)
                && (first < 0 || regions[first] == regions[second]);
    }

    private boolean flat(int one, int other) {
        double[] n = normal(one);
        double[] m = normal(other);
        double dot = 0;
        double square = 0;
        for (int k = 0; k < dimension; k++) {
            dot += n[k] * m[k];
            square += (n[k] - m[k]) * (n[k] - m[k]);
        }
        return dot > 0 && square < FLAT * FLAT;
    }

    /** The unit normal of a facet, outward. */
    private double[] normal(int i) {
        int[] facet = new int[dimension];
        int filled = 0;
        for (int k = 0; k < width; k++) {
            if (k != i % width) {
                facet[filled++] = corners[i / width * width + k];
            }
        }
        double[] normal = normal(dimension, x, facet);
        int apex = corners[i];
        double side = 0;
        double length = 0;
        for (int k = 0; k < dimension; k++) {
            side += normal[k] * (x[apex * dimension + k] - x[facet[0] * dimension + k]);
            length += normal[k] * normal[k];
        }
        double scale = (side > 0 ? -1 : 1) / Math.sqrt(length);
        for (int k = 0; k < dimension; k++) {
            normal[k] *= scale;
        }
        return normal;
    }

    /** A normal as long as the segment, or twice the triangle's area. */
    static double[] normal(int dimension, double[] x, int[] facet) {
        if (dimension == 2) {
            return new double[]{x[2 * facet[1] + 1] - x[2 * facet[0] + 1], x[2 * facet[0]] - x[2 * facet[1]]};
        }
        double[] p = new double[3];
        double[] q = new double[3];
        for (int k = 0; k < 3; k++) {
            p[k] = x[3 * facet[1] + k] - x[3 * facet[0] + k];
            q[k] = x[3 * facet[2] + k] - x[3 * facet[0] + k];
        }
        return new double[]{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
    }

    static double facetMeasure(int dimension, double[] x, int[] facet) {
        double square = 0;
        for (double component : normal(dimension, x, facet)) {
            square += component * component;
        }
        return Math.sqrt(square) / (dimension - 1);
    }

    static int leader(int[] leaders, int i) {
        int at = i;
        while (leaders[at] != at) {
            leaders[at] = leaders[leaders[at]];
            at = leaders[at];
        }
        return at;
    }

    private static void unite(int[] leaders, int one, int other) {
        int a = leader(leaders, one);
        int b = leader(leaders, other);
        leaders[Math.max(a, b)] = Math.min(a, b);
    }

    private SimplexMesh numbered(boolean[] on, int[] tags, int[] leaders) {
        int[] patches = new int[corners.length];
        int[] patchTags = new int[corners.length + 1];
        int count = 0;
        for (int i = 0; i < corners.length; i++) {
            if (on[i]) {
                int leader = leader(leaders, i);
                if (leader == i) {
                    count++;
                    patches[i] = count;
                    patchTags[count] = tags[i];
                } else {
                    patches[i] = patches[leader];
                }
            }
        }
        return new SimplexMesh(dimension, x, corners, regions, patches, Arrays.copyOf(patchTags, count + 1));
    }
}
