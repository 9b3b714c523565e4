package org.trellis.cuda.mesh;

/**
 * Elements of a set in parts that a launch runs.
 *
 * @param from  the first element
 * @param to    the element after the last
 * @param owned the first element of another rank, which is not reduced
 */
record LoopRange(int from, int to, int owned) {
    int count() {
        return to - from;
    }

    /** Says whether elements are run that are not reduced. */
    boolean hasOthers() {
        return to > owned;
    }
}
