package org.trellis.mesh.loop;

import java.util.Collections;
import java.util.Map;

/**
 * How often and how fast a sequence of loops ran.
 *
 * @param name    the sequence
 * @param loops   loops that a run runs
 * @param runs    how often
 * @param joined  how many of these runs the device was given as a whole
 * @param seconds time of all runs: on the device's clock if it was given any as a whole, or else wall time
 * @param device  figures of what the device is given; empty if nothing is given as a whole
 */
public record SequenceReport(String name, int loops, long runs, long joined, double seconds,
        Map<String, String> device) {
    /** Keeps an unmodifiable view of the figures. */
    public SequenceReport {
        device = Collections.unmodifiableMap(device);
    }
}
