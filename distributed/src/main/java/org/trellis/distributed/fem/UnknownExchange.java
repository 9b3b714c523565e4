package org.trellis.distributed.fem;

import java.util.ArrayList;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;
import org.trellis.memory.HostVector;

/** Brings the unknowns of other ranks that a rank's cells have, one message from each neighbour. */
final class UnknownExchange {
    private static final int TAG = 0;

    private final Precision precision;
    private final List<Outgoing> sends = new ArrayList<>();
    private final List<Incoming> receives = new ArrayList<>();

    private record Outgoing(SendChannel channel, int[] places) {}

    private record Incoming(ReceiveChannel channel, int[] places) {}

    /**
     * Opens channels.
     *
     * @param communicator of this exchange alone
     * @param outgoing     for each rank places whose values go to it
     * @param incoming     for each rank places whose values come from it, in the same order there
     */
    UnknownExchange(Communicator communicator, Precision precision, int[][] outgoing, int[][] incoming) {
        this.precision = precision;
        for (int rank = 0; rank < communicator.size(); rank++) {
            if (incoming[rank].length > 0) {
                receives.add(new Incoming(
                        communicator.receiveFrom(rank, TAG, incoming[rank].length * precision.bytes()),
                        incoming[rank]));
            }
            if (outgoing[rank].length > 0) {
                sends.add(new Outgoing(communicator.sendTo(rank, TAG, outgoing[rank].length * precision.bytes()),
                        outgoing[rank]));
            }
        }
    }

    void run(HostVector values) {
        receives.forEach(receive -> receive.channel().start());
        for (Outgoing send : sends) {
            send.channel().await();
            for (int k = 0; k < send.places().length; k++) {
                double value = values.get(send.places()[k]);
                if (precision == Precision.F64) {
                    send.channel().buffer().putDouble(k * Double.BYTES, value);
                } else {
                    send.channel().buffer().putFloat(k * Float.BYTES, (float) value);
                }
            }
            send.channel().start();
        }
        for (Incoming receive : receives) {
            receive.channel().await();
            for (int k = 0; k < receive.places().length; k++) {
                values.set(receive.places()[k], precision == Precision.F64
                        ? receive.channel().buffer().getDouble(k * Double.BYTES)
                        : receive.channel().buffer().getFloat(k * Float.BYTES));
            }
            receive.channel().release();
        }
    }

    int neighbours() {
        return receives.size();
    }
}
