package org.trellis.mesh.order;

import java.util.Arrays;

/**
 * The second part of the Gibbs-Poole-Stockmeyer algorithm: levels made of two searches from opposite ends. Where both
 * agree, the level is theirs. What is left falls apart into pieces; the larger ones first, each piece as a whole takes
 * the levels of that search which widens the levels less.
 */
final class NarrowLevels {
    private static final int OPEN = -1;

    private final int[] offsets;
    private final int[] neighbours;
    private final int[] pieceMembers;
    private int[] pieceStarts = new int[16];
    private int pieces;

    NarrowLevels(Graph graph) {
        offsets = graph.offsets();
        neighbours = graph.neighbours();
        pieceMembers = new int[graph.vertices()];
    }

    /**
     * Gives every member a level.
     *
     * @param members     the vertices of one component, at the front
     * @param size        how many they are
     * @param depth       the last level of both searches
     * @param fromFirst   levels of the search from the first end
     * @param fromSecond  levels of the search from the other end
     * @param preferFirst which search decides when both widen equally
     * @param level       receives the levels
     */
    void assign(int[] members, int size, int depth, int[] fromFirst, int[] fromSecond, boolean preferFirst,
            int[] level) {
        int[] width = new int[depth + 1];
        for (int i = 0; i < size; i++) {
            int vertex = members[i];
            boolean agreed = fromFirst[vertex] == depth - fromSecond[vertex];
            level[vertex] = agreed ? fromFirst[vertex] : OPEN;
            if (agreed) {
                width[fromFirst[vertex]]++;
            }
        }
        findPieces(members, size, level);
        int[] moreByFirst = new int[depth + 1];
        int[] moreBySecond = new int[depth + 1];
        for (long key : largestFirst()) {
            int piece = (int) key;
            for (int i = pieceStarts[piece]; i < pieceStarts[piece + 1]; i++) {
                moreByFirst[fromFirst[pieceMembers[i]]]++;
                moreBySecond[depth - fromSecond[pieceMembers[i]]]++;
            }
            int widestByFirst = 0;
            int widestBySecond = 0;
            for (int i = pieceStarts[piece]; i < pieceStarts[piece + 1]; i++) {
                int one = fromFirst[pieceMembers[i]];
                int other = depth - fromSecond[pieceMembers[i]];
                widestByFirst = Math.max(widestByFirst, width[one] + moreByFirst[one]);
                widestBySecond = Math.max(widestBySecond, width[other] + moreBySecond[other]);
            }
            boolean byFirst = widestByFirst < widestBySecond || (widestByFirst == widestBySecond && preferFirst);
            for (int i = pieceStarts[piece]; i < pieceStarts[piece + 1]; i++) {
                int vertex = pieceMembers[i];
                moreByFirst[fromFirst[vertex]] = 0;
                moreBySecond[depth - fromSecond[vertex]] = 0;
                level[vertex] = byFirst ? fromFirst[vertex] : depth - fromSecond[vertex];
                width[level[vertex]]++;
            }
        }
    }

    /** Finds the connected pieces of the vertices without a level; leaves a mark below {@link #OPEN} on them. */
    private void findPieces(int[] members, int size, int[] level) {
        pieces = 0;
        int count = 0;
        for (int m = 0; m < size; m++) {
            if (level[members[m]] != OPEN) {
                continue;
            }
            startPiece(count);
            int from = count;
            pieceMembers[count++] = members[m];
            level[members[m]] = OPEN - 1;
            for (; from < count; from++) {
                int vertex = pieceMembers[from];
                for (int i = offsets[vertex]; i < offsets[vertex + 1]; i++) {
                    int other = neighbours[i];
                    if (level[other] == OPEN) {
                        level[other] = OPEN - 1;
                        pieceMembers[count++] = other;
                    }
                }
            }
        }
        startPiece(count);
        pieces--;
    }

    private void startPiece(int from) {
        if (pieces == pieceStarts.length) {
            pieceStarts = Arrays.copyOf(pieceStarts, 2 * pieces);
        }
        pieceStarts[pieces++] = from;
    }

    /** Returns keys in the order of decreasing size whose lower half is the number of a piece. */
    private long[] largestFirst() {
        long[] keys = new long[pieces];
        for (int piece = 0; piece < pieces; piece++) {
            long size = (long) pieceStarts[piece + 1] - pieceStarts[piece];
            keys[piece] = (Integer.MAX_VALUE - size) << 32 | piece;
        }
        Arrays.sort(keys);
        return keys;
    }
}
