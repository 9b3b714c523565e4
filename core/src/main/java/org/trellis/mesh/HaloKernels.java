package org.trellis.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.PreparedHalo;

/**
 * Messages between ranks whose values are in the memory of devices: packed and unpacked there, and carried from device
 * to device where the two can reach each other. Implemented by backends whose memory is not the host's; ranks on the
 * host pack for themselves, with the same layout, so that both can talk to each other.
 */
public interface HaloKernels {
    /** The most dats or vectors in one exchange. */
    int MOST_OPERANDS = 64;

    /**
     * Prepares a rank's side of an exchange. No message has a way from device to device until it is
     * {@link PreparedHalo#connect connected}.
     *
     * @param sends    the messages that this rank sends, one for each neighbour
     * @param receives the messages that it receives
     * @param operands how many dats or vectors the parts of messages are of, at most {@link #MOST_OPERANDS}
     * @return the exchange, which the caller closes
     * @throws IllegalArgumentException if there are more operands
     */
    @MustBeClosed
    PreparedHalo prepare(List<HaloParcel> sends, List<HaloParcel> receives, int operands);

    /**
     * Prepares the combination of some numbers of all ranks, on devices that can reach each other.
     *
     * @param rank  this rank
     * @param ranks how many there are
     * @param most  the most numbers that are combined at a time
     * @return the combination, which the caller closes
     */
    @MustBeClosed
    PreparedReduction reduction(int rank, int ranks, int most);
}
