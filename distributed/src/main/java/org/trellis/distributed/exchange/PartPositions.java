package org.trellis.distributed.exchange;

/**
 * Which elements a part of a message has.
 *
 * @param elements   their places
 * @param components of each
 * @param starts     where runs of consecutive elements start, if they are long; else null
 * @param lengths    how many elements each run has, or null
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PartPositions(int[] elements, int components, int[] starts, int[] lengths) {
    /** Runs that are shorter in the mean are copied element by element. */
    private static final int LONG_RUN = 8;

    static PartPositions of(int[] elements, int components) {
        int runs = 0;
        for (int i = 0; i < elements.length; i++) {
            runs += isStart(elements, i) ? 1 : 0;
        }
        if ((long) runs * LONG_RUN > (long) elements.length * components) {
            return new PartPositions(elements, components, null, null);
        }
        int[] starts = new int[runs];
        int[] lengths = new int[runs];
        int run = -1;
        for (int i = 0; i < elements.length; i++) {
            if (isStart(elements, i)) {
                starts[++run] = elements[i];
            }
            lengths[run]++;
        }
        return new PartPositions(elements, components, starts, lengths);
    }

    private static boolean isStart(int[] elements, int i) {
        return i == 0 || elements[i] != elements[i - 1] + 1;
    }
}
