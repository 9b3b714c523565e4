package org.trellis.bench.ranks;

import org.trellis.bench.console.Console;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.distributed.device.TransportTimes;

/** The transports of messages between ranks in lines. */
public final class TransportText {
    private TransportText() {}

    /**
     * Prints what was found out at start.
     *
     * @param console where to
     * @param transports    the transports; null prints nothing
     */
    public static void print(Console console, DeviceTransports transports) {
        if (transports != null) {
            print(console, transports.toString());
        }
    }

    /**
     * Prints the times of all transports.
     *
     * @param console    where to
     * @param transports the times; null prints nothing
     */
    public static void print(Console console, TransportTimes transports) {
        if (transports != null) {
            print(console, transports.toString());
        }
    }

    private static void print(Console console, String text) {
        String title = "transports";
        for (String line : text.lines().toList()) {
            console.print("  %-17s %s", title, line);
            title = "";
        }
    }
}
