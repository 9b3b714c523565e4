package org.trellis.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.distributed.device.TransportComparison;
import org.trellis.distributed.device.TransportTimes;

/** The ways of messages between ranks in documents. */
public final class WaysJson {
    private WaysJson() {}

    /**
     * Adds what was found out at start: times, and the way that is taken for each measured size.
     *
     * @param node the document
     * @param ways the ways
     */
    public static void put(ObjectNode node, DeviceTransports ways) {
        ObjectNode found = node.putObject("ways").put("secondsToFindOut", ways.seconds());
        if (!ways.note().isEmpty()) {
            found.put("withoutNccl", ways.note());
        }
        if (ways.times().isEmpty()) {
            found.put("only", ways.way(Double.BYTES));
            return;
        }
        TransportComparison times = ways.times().get();
        put(found, times);
        ArrayNode taken = found.putArray("taken");
        times.times().stream().map(TransportComparison.Time::bytes).distinct()
                .forEach(bytes -> taken.addObject().put("bytes", bytes).put("way", ways.way(bytes)));
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
        for (String way : times.times().stream().map(TransportComparison.Time::way).distinct().toList()) {
            double bandwidth = times.bandwidth(way);
            ObjectNode one = all.addObject().put("way", way).put("latencySeconds", times.latency(way));
            // JSON has no infinity: what was too short to measure is absent.
            if (Double.isFinite(bandwidth)) {
                one.put("bytesPerSecond", bandwidth);
            }
            ArrayNode sizes = one.putArray("messages");
            times.times().stream().filter(time -> time.way().equals(way))
                    .forEach(time -> sizes.addObject().put("bytes", time.bytes()).put("seconds", time.seconds()));
        }
    }
}
