package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What results of several ranks say beyond those of one.
 *
 * @param ranks     number of ranks
 * @param transport how messages travelled
 * @param rings     rings that an exchange brought up to date
 */
public record JobFacts(int ranks, String transport, int rings) {
    /**
     * Adds them to a document.
     *
     * @param node the document
     */
    void put(ObjectNode node) {
        node.put("ranks", ranks).put("transport", transport).put("rings", rings);
    }

    /** Returns them in words. */
    @Override
    public String toString() {
        return ranks + " ranks over " + transport + ", " + rings + (rings == 1 ? " ring" : " rings");
    }
}
