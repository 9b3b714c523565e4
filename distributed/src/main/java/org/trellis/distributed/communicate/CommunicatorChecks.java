package org.trellis.distributed.communicate;

import org.trellis.common.Checks;

/** What every transport checks. */
final class CommunicatorChecks {
    /** The greatest tag that every MPI library has. */
    private static final int GREATEST_TAG = 32_767;

    private CommunicatorChecks() {}

    static void channel(Communicator communicator, int peer, int tag, int bytes) {
        Checks.positive("size of a message", bytes);
        if (peer < 0 || peer >= communicator.size() || peer == communicator.rank()) {
            throw new IllegalArgumentException("a channel of rank " + communicator.rank() + " leads to rank " + peer
                    + ", expected another one of the " + communicator.size() + " ranks");
        }
        if (tag < 0 || tag > GREATEST_TAG) {
            throw new IllegalArgumentException("tag is " + tag + ", expected 0 to " + GREATEST_TAG);
        }
    }

    static void root(Communicator communicator, int root) {
        if (root < 0 || root >= communicator.size()) {
            throw new IllegalArgumentException("root is rank " + root + ", expected 0 to " + (communicator.size() - 1));
        }
    }

    static void messages(Communicator communicator, byte[][] messages) {
        Checks.length("number of messages to exchange", messages.length, communicator.size());
    }

    static void colour(int colour) {
        Checks.notNegative("colour of a group", colour);
    }
}
