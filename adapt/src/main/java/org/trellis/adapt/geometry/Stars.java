package org.trellis.adapt.geometry;

/**
 * The elements around each vertex.
 *
 * @param offsets  where the elements of each vertex start, and the length of the list
 * @param elements the elements, in ascending order for each vertex
 */
public record Stars(int[] offsets, int[] elements) {

    /**
     * Lists the elements of all vertices.
     *
     * @param vertices number of vertices
     * @param corners  vertices of elements
     * @param width    vertices of an element
     * @return the lists
     */
    public static Stars of(int vertices, int[] corners, int width) {
        int[] offsets = new int[vertices + 1];
        for (int vertex : corners) {
            offsets[vertex + 1]++;
        }
        for (int v = 0; v < vertices; v++) {
            offsets[v + 1] += offsets[v];
        }
        int[] next = offsets.clone();
        int[] elements = new int[corners.length];
        for (int i = 0; i < corners.length; i++) {
            elements[next[corners[i]]++] = i / width;
        }
        return new Stars(offsets, elements);
    }

    /**
     * Returns the number of vertices.
     *
     * @return at least 0
     */
    public int vertices() {
        return offsets.length - 1;
    }

    /**
     * Returns the number of elements around a vertex.
     *
     * @param vertex the vertex
     * @return at least 0
     */
    public int size(int vertex) {
        return offsets[vertex + 1] - offsets[vertex];
    }
}
