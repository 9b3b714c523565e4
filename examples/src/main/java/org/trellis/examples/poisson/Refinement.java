package org.trellis.examples.poisson;

/**
 * A mesh whose triangles are cut into four, with a new node in the middle of each edge. A coarse node's number is
 * followed by those of the middles of the edges that it is the smaller end of, so that neighbours stay neighbours.
 *
 * @param fine    the mesh of four times as many triangles; those of one come together
 * @param parents two coarse nodes for each fine one: the ends of its edge, or twice the node that it is itself
 */
public record Refinement(PlaneMesh fine, int[] parents) {
    private static final int PARTS = 4;

    /**
     * Cuts the triangles of a mesh.
     *
     * @param coarse the mesh
     * @return the finer one and the way back
     * @throws IllegalArgumentException if there would be more than 2³¹ − 1 corners
     */
    static Refinement of(PlaneMesh coarse) {
        long corners = (long) PARTS * coarse.cellNodes().length;
        if (corners > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("cutting " + coarse.cells() + " triangles into four gives "
                    + corners / PlaneMesh.CORNERS + ", expected at most " + Integer.MAX_VALUE / PlaneMesh.CORNERS);
        }
        int[] node = new int[coarse.nodes()];
        int[] middle = new int[coarse.edges()];
        int[] parents = new int[2 * (coarse.nodes() + coarse.edges())];
        int next = 0;
        int edge = 0;
        for (int n = 0; n < node.length; n++) {
            parents[2 * next] = n;
            parents[2 * next + 1] = n;
            node[n] = next++;
            for (; edge < middle.length && coarse.edgeNodes()[2 * edge] == n; edge++) {
                parents[2 * next] = n;
                parents[2 * next + 1] = coarse.edgeNodes()[2 * edge + 1];
                middle[edge] = next++;
            }
        }
        return new Refinement(PlaneMesh.of(middles(coarse, parents), cells(coarse, node, middle)), parents);
    }

    private static double[] middles(PlaneMesh coarse, int[] parents) {
        double[] x = coarse.coordinates();
        double[] fine = new double[parents.length];
        for (int i = 0; i < parents.length; i += 2) {
            fine[i] = 0.5 * (x[2 * parents[i]] + x[2 * parents[i + 1]]);
            fine[i + 1] = 0.5 * (x[2 * parents[i] + 1] + x[2 * parents[i + 1] + 1]);
        }
        return fine;
    }

    private static int[] cells(PlaneMesh coarse, int[] node, int[] middle) {
        int[] cells = new int[PARTS * coarse.cellNodes().length];
        int at = 0;
        for (int first = 0; first < coarse.cellNodes().length; first += PlaneMesh.CORNERS) {
            int a = node[coarse.cellNodes()[first]];
            int b = node[coarse.cellNodes()[first + 1]];
            int c = node[coarse.cellNodes()[first + 2]];
            int ab = middle[coarse.cellEdges()[first]];
            int bc = middle[coarse.cellEdges()[first + 1]];
            int ca = middle[coarse.cellEdges()[first + 2]];
            for (int corner : new int[]{a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca}) {
                cells[at++] = corner;
            }
        }
        return cells;
    }
}
