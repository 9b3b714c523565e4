package org.trellis.mesh.plan;

import java.util.Arrays;

/**
 * The indirect data of each block by themselves: a list of the distinct targets that its elements touch, and each
 * element's targets as places in that list (Giles 2012, section 3.2). With it a block stages what it needs, in rising
 * order, and then works on its own copy. Blocks of up to 65,536 targets have places of 16 bits.
 */
public final class LocalNumbering {
    private static final int SHORT_RANGE = 1 << Short.SIZE;

    private final int[] targetOffsets;
    private final int[] targets;
    private final short[][] shortPlaces;
    private final int[][] intPlaces;
    private final int largest;

    private LocalNumbering(int[] targetOffsets, int[] targets, int[][] places, int largest) {
        this.targetOffsets = targetOffsets;
        this.targets = targets;
        this.largest = largest;
        if (largest <= SHORT_RANGE) {
            shortPlaces = new short[places.length][];
            for (int c = 0; c < places.length; c++) {
                shortPlaces[c] = new short[places[c].length];
                for (int i = 0; i < places[c].length; i++) {
                    shortPlaces[c][i] = (short) places[c][i];
                }
            }
            intPlaces = null;
        } else {
            shortPlaces = null;
            intPlaces = places;
        }
    }

    /**
     * Numbers the targets of each block. Costs two visits of every entry and sorting of each block's targets.
     *
     * @param targetCount  the number of elements of the target set
     * @param blockOffsets where each block starts in the execution list, and the length of the list
     * @param order        the execution list, or null if elements run in their order
     * @param columns      the targets of each element, one array for each entry
     * @return the numbering
     */
    public static LocalNumbering of(int targetCount, int[] blockOffsets, int[] order, int[]... columns) {
        int blocks = blockOffsets.length - 1;
        int length = blockOffsets[blocks];
        int[] seenIn = new int[targetCount];
        Arrays.fill(seenIn, -1);
        int[] placeOf = new int[targetCount];
        int[] offsets = new int[blocks + 1];
        int[] targets = new int[Math.max(16, Math.min(targetCount, length) + length / 4)];
        int[][] places = new int[columns.length][length];
        int largest = 0;
        int end = 0;
        for (int block = 0; block < blocks; block++) {
            int start = end;
            for (int[] column : columns) {
                for (int i = blockOffsets[block]; i < blockOffsets[block + 1]; i++) {
                    int target = column[order == null ? i : order[i]];
                    if (seenIn[target] != block) {
                        seenIn[target] = block;
                        if (end == targets.length) {
                            targets = Arrays.copyOf(targets, end + (end >> 1));
                        }
                        targets[end++] = target;
                    }
                }
            }
            Arrays.sort(targets, start, end);
            for (int t = start; t < end; t++) {
                placeOf[targets[t]] = t - start;
            }
            for (int c = 0; c < columns.length; c++) {
                for (int i = blockOffsets[block]; i < blockOffsets[block + 1]; i++) {
                    places[c][i] = placeOf[columns[c][order == null ? i : order[i]]];
                }
            }
            largest = Math.max(largest, end - start);
            offsets[block + 1] = end;
        }
        return new LocalNumbering(offsets, Arrays.copyOf(targets, end), places, largest);
    }

    /**
     * Returns where the targets of each block start in {@link #targets}.
     *
     * @return one more than there are blocks; the array itself
     */
    public int[] targetOffsets() {
        return targetOffsets;
    }

    /**
     * Returns the distinct targets of the blocks, one after the other, rising within a block.
     *
     * @return the array itself
     */
    public int[] targets() {
        return targets;
    }

    /**
     * Says whether places have 16 bits.
     *
     * @return true if {@link #shortPlaces} has them, false if {@link #intPlaces} has
     */
    public boolean isShort() {
        return shortPlaces != null;
    }

    /**
     * Returns places of 16 bits, to be read without sign.
     *
     * @param column which column
     * @return for each position of the execution list the target's place in the list of its block; the array itself
     */
    public short[] shortPlaces(int column) {
        return shortPlaces[column];
    }

    /**
     * Returns places of 32 bits.
     *
     * @param column which column
     * @return for each position of the execution list the target's place in the list of its block; the array itself
     */
    public int[] intPlaces(int column) {
        return intPlaces[column];
    }

    /**
     * Returns a place.
     *
     * @param column   which column
     * @param position the position in the execution list
     * @return the target's place in the list of its block
     */
    public int place(int column, int position) {
        return isShort() ? Short.toUnsignedInt(shortPlaces[column][position]) : intPlaces[column][position];
    }

    /**
     * Returns the number of columns.
     *
     * @return how many were numbered together
     */
    public int columns() {
        return isShort() ? shortPlaces.length : intPlaces.length;
    }

    /**
     * Returns the greatest number of targets of a block.
     *
     * @return what a block must have room for
     */
    public int largest() {
        return largest;
    }

    /**
     * Returns how often a target is used for each time that a block loads it.
     *
     * @return entries over distinct targets of blocks; 1 if there are none
     */
    public double reuse() {
        return targets.length == 0
                ? 1
                : (double) columns() * (isShort() ? shortPlaces[0].length : intPlaces[0].length) / targets.length;
    }
}
