package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.distributed.device.TransportComparison;
import org.trellis.distributed.device.TransportTimes;

/** The transports of messages between ranks in documents. */
public final class TransportJson {
    private TransportJson() {}

    /**
     * Adds what was found out at start: times, and the transport that is taken for each measured size.
     *
     * @param node the document
     * @param transports the transports
     */
    public static void put(ObjectNode node, DeviceTransports transports) {
        ObjectNode found = node.putObject("transportChoice").put("secondsToFindOut", transports.seconds());
        if (!transports.note().isEmpty()) {
            found.put("withoutNccl", transports.note());
        }
        if (transports.times().isEmpty()) {
            found.put("only", transports.transport(Double.BYTES));
            return;
        }
        TransportComparison times = transports.times().get();
        put(found, times);
        ArrayNode taken = found.putArray("taken");
        times.times().stream().map(TransportComparison.Time::bytes).distinct()
                .forEach(bytes -> taken.addObject().put("bytes", bytes).put("transport", transports.transport(bytes)));
    }

    /**
     * Adds the times of all transports.
     *
     * @param node       where to
     * @param transports the times
     */
    public static void put(ObjectNode node, TransportTimes transports) {
        if (!transports.library().isEmpty()) {
            node.put("nccl", transports.library());
        }
        if (!transports.note().isEmpty()) {
            node.put("withoutNccl", transports.note());
        }
        put(node, transports.times());
    }

    private static void put(ObjectNode node, TransportComparison times) {
        ArrayNode all = node.putArray("measured");
        for (String transport : times.times().stream().map(TransportComparison.Time::transport).distinct().toList()) {
            double bandwidth = times.bandwidth(transport);
            ObjectNode one =
                    all.addObject().put("transport", transport).put("latencySeconds", times.latency(transport));
            // JSON has no infinity: what was too short to measure is absent.
            if (Double.isFinite(bandwidth)) {
                one.put("bytesPerSecond", bandwidth);
            }
            ArrayNode sizes = one.putArray("messages");
            times.times().stream().filter(time -> time.transport().equals(transport))
                    .forEach(time -> sizes.addObject().put("bytes", time.bytes()).put("seconds", time.seconds()));
        }
    }
}
