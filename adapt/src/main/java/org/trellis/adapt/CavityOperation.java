package org.trellis.adapt;

/** A kind of operation on cavities. Candidates are numbers that the operation makes and understands. */
interface CavityOperation {
    /** What {@link #plan} returns for a candidate that cannot or need not be done. */
    int REFUSED = -1;

    /**
     * Lists candidates that belong to a vertex; called for all vertices.
     *
     * @param vertex     the vertex
     * @param cavity     workspace
     * @param candidates is given the candidates
     */
    void list(int vertex, Cavity cavity, LongList candidates);

    /**
     * Plans a candidate: which elements go, and, if it is to be carried out, which come. Reads no more of the mesh
     * than the
     * vertices of the cavity and what is around them, writes nothing.
     *
     * @param candidate the candidate
     * @param cavity    gets the plan
     * @param place     the number of the vertex that the operation adds, or -1 if only to see whether and how
     *                  urgently it can
     *                  be done
     * @return the urgency, from 0 to 32767, or {@link #REFUSED}
     */
    int plan(long candidate, Cavity cavity, int place);

    /**
     * Collects the elements that go, as {@link #plan} does.
     *
     * @param candidate a candidate that has been planned and accepted
     * @param cavity    gets the elements
     */
    void region(long candidate, Cavity cavity);

    /**
     * Returns how many elements more there are afterwards.
     *
     * @param removed how many go
     * @return at least 0
     */
    default int growth(int removed) {
        return 0;
    }

    /**
     * Returns how many vertices an operation adds.
     *
     * @return 0 or 1
     */
    default int newVertices() {
        return 0;
    }
}
