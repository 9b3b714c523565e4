package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.trellis.distributed.device.DeviceTransports;

/**
 * What results of several ranks say beyond those of one.
 *
 * @param ranks     number of ranks
 * @param transport how messages travelled
 * @param rings     rings that an exchange brought up to date
 * @param transports      which transports messages between devices have, and take; null if that was not found out
 */
public record JobFacts(int ranks, String transport, int rings, DeviceTransports transports) {
    /**
     * Adds them to a document.
     *
     * @param node the document
     */
    public void put(ObjectNode node) {
        node.put("ranks", ranks).put("transport", transport).put("rings", rings);
        if (transports != null) {
            TransportJson.put(node, transports);
        }
    }

    /** Returns them in words. */
    @Override
    public String toString() {
        return ranks + " ranks over " + transport + ", " + rings + (rings == 1 ? " ring" : " rings");
    }
}
