package org.trellis.examples.rotor.mesh;

import java.util.stream.IntStream;

/**
 * How the nodes of a level lie in the next coarser one.
 *
 * @param parents eight nodes of the coarse level for each of the fine one; where there are fewer, the first again
 * @param weights what each parent gives in interpolation; 0 for those again
 * @param same    for each node of the coarse level the fine one at its place
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record LevelMap(int[] parents, double[] weights, int[] same) {
    /**
     * Returns the map of a refined mesh.
     *
     * @param refined what refinement gave
     * @param coarse  nodes of the coarse mesh, which are the first of the fine one
     * @return the map
     */
    static LevelMap of(Refinement.Refined refined, int coarse) {
        return new LevelMap(refined.parents(), refined.weights(), IntStream.range(0, coarse).toArray());
    }

    /**
     * Returns the map of agglomerates: each gives all of its nodes what it has.
     *
     * @param owner the agglomerate of each fine node
     * @param seeds the node that each agglomerate grew from
     * @return the map
     */
    static LevelMap of(int[] owner, int[] seeds) {
        int[] parents = new int[Refinement.PARENTS * owner.length];
        double[] weights = new double[parents.length];
        for (int i = 0; i < parents.length; i++) {
            parents[i] = owner[i / Refinement.PARENTS];
            weights[i] = i % Refinement.PARENTS == 0 ? 1 : 0;
        }
        return new LevelMap(parents, weights, seeds);
    }

    /**
     * Returns the map of the same nodes with other numbers.
     *
     * @param fine   the new number of each fine node
     * @param coarse of each coarse node
     * @return the map
     */
    LevelMap numbered(int[] fine, int[] coarse) {
        int[] theirs = new int[parents.length];
        double[] shares = new double[weights.length];
        for (int node = 0; node < fine.length; node++) {
            int to = Refinement.PARENTS * fine[node];
            for (int k = 0; k < Refinement.PARENTS; k++) {
                theirs[to + k] = coarse[parents[Refinement.PARENTS * node + k]];
                shares[to + k] = weights[Refinement.PARENTS * node + k];
            }
        }
        int[] places = new int[same.length];
        for (int node = 0; node < places.length; node++) {
            places[coarse[node]] = fine[same[node]];
        }
        return new LevelMap(theirs, shares, places);
    }
}
