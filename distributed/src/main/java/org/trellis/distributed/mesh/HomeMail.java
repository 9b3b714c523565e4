package org.trellis.distributed.mesh;

import java.util.Arrays;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;

/** Numbers on their way from each rank to each. */
final class HomeMail {
    private final Communicator communicator;
    private final Packet[] packets;

    HomeMail(Communicator communicator) {
        this.communicator = communicator;
        this.packets = new Packet[communicator.size()];
        Arrays.setAll(packets, rank -> new Packet());
    }

    /** Returns what goes to a rank, to be written. */
    Packet to(int rank) {
        return packets[rank];
    }

    /** Sends everything; returns what came from each rank, to be read. Called by all ranks. */
    Packet[] send() {
        return Arrays.stream(sendBytes()).map(Packet::of).toArray(Packet[]::new);
    }

    /** Sends everything; returns what came from each rank, to be read more than once. Called by all ranks. */
    byte[][] sendBytes() {
        byte[][] messages = new byte[packets.length][];
        for (int rank = 0; rank < messages.length; rank++) {
            messages[rank] = packets[rank].toBytes();
            packets[rank] = null;
        }
        return communicator.exchange(messages);
    }
}
