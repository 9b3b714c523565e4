package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceBatch;
import org.trellis.backend.DeviceBatches;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;
import org.trellis.mesh.CallStep;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.WorkStep;

/**
 * Gives a rank's device the kernels of sequences together. At first kernels between exchanges are queued as graphs;
 * hosts go on telling each other of every message. The {@value #REHEARSAL}th run is a rehearsal: if nothing but kernels
 * was asked of the device in it, and devices order all messages and reductions by flags, on all ranks, the sequence is
 * queued as a whole from then on, exchanges included.
 *
 * <p>A device may wait only for what is going to be queued whatever it does. So before a sequence is queued as a whole
 * hosts wait for each other: each has prepared all that it needs but for queueing; and afterwards, until each has
 * queued it, before anything else is asked of a device. If something else interrupts the sequence on a rank after all,
 * that rank meets the others then, and queues its kernels in parts.
 */
final class RankBatches implements AutoCloseable {
    private static final int REHEARSAL = 4;
    private static final int NOTICE_BYTES = 8;

    private final Communicator communicator;
    private final boolean anyDevices;
    private final DeviceBatches kernels;
    private final boolean allowsWhole;
    private final Map<LoopSequence, Kept> sequences = new HashMap<>();
    private final Runnable meeting = this::meet;
    private SendChannel[] sends;
    private ReceiveChannel[] receives;
    private boolean running;
    private boolean whole;
    private boolean rehearsal;
    private boolean ordered;

    /** What is known of a sequence. */
    private static final class Kept {
        private final DeviceBatch between;
        private DeviceBatch whole;
        private long runs;
        private boolean fits;

        Kept(DeviceBatch between) {
            this.between = between;
        }
    }

    /**
     * Finds out whether the rank's device takes kernels together.
     *
     * @param communicator the ranks
     * @param backend      of this rank
     * @param anyDevices   whether a rank has a device; the same on all
     */
    RankBatches(Communicator communicator, Backend backend, boolean anyDevices) {
        this(communicator, backend, anyDevices, Configuration.load().get(ConfigurationKeys.DISTRIBUTED_GRAPHS));
    }

    private RankBatches(Communicator communicator, Backend backend, boolean anyDevices, String graphs) {
        this.communicator = communicator;
        this.anyDevices = anyDevices;
        this.kernels = graphs.equals("none") ? null : backend.optionalKernels(DeviceBatches.class).orElse(null);
        this.allowsWhole = graphs.equals("auto") && kernels != null;
    }

    /** Says whether exchanges and reductions are part of what is queued as a whole, without a word between hosts. */
    boolean isWhole() {
        return whole;
    }

    /** Says whether the run shows if the sequence can be queued as a whole: second queues are not used in it. */
    boolean isRehearsal() {
        return rehearsal;
    }

    /** Notes an exchange or a reduction of the run. */
    void note(boolean selfOrdered) {
        ordered &= selfOrdered;
    }

    /** Runs the steps of a sequence. Says whether the device was given several kernels at once. */
    boolean run(LoopSequence sequence, Runnable steps) {
        if (!anyDevices || running) {
            steps.run();
            return false;
        }
        Kept kept = sequences.get(sequence);
        if (kept == null) {
            kept = make();
            sequences.put(sequence, kept);
        }
        kept.runs++;
        if (kept.runs == REHEARSAL + 1) {
            decide(kept);
        }
        running = true;
        try {
            return kept.whole != null ? runWhole(kept.whole, steps) : runBetween(sequence, kept, steps);
        } finally {
            running = false;
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private Kept make() {
        return new Kept(kernels == null ? null : kernels.batch());
    }

    /** Agrees with all ranks. */
    @SuppressWarnings("MustBeClosed") // closed with this
    private void decide(Kept kept) {
        if (communicator.greatest(kept.fits ? 0 : 1) == 0) {
            openChannels();
            kept.whole = kernels.batch();
        }
    }

    private void openChannels() {
        if (sends != null) {
            return;
        }
        List<SendChannel> outgoing = new ArrayList<>();
        List<ReceiveChannel> incoming = new ArrayList<>();
        for (int peer = 0; peer < communicator.size(); peer++) {
            if (peer != communicator.rank()) {
                outgoing.add(communicator.sendTo(peer, HaloMessages.TAG_OF_BATCHES, NOTICE_BYTES));
                incoming.add(communicator.receiveFrom(peer, HaloMessages.TAG_OF_BATCHES, NOTICE_BYTES));
            }
        }
        sends = outgoing.toArray(SendChannel[]::new);
        receives = incoming.toArray(ReceiveChannel[]::new);
    }

    private boolean runBetween(LoopSequence sequence, Kept kept, Runnable steps) {
        rehearsal = kept.runs == REHEARSAL;
        ordered = true;
        try {
            if (kept.between == null) {
                steps.run();
                return false;
            }
            run(kept.between, null, steps);
        } finally {
            rehearsal = false;
        }
        kept.fits = allowsWhole && ordered && kept.between.interruptions() == 0
                && sequence.steps().stream()
                        .noneMatch(step -> step instanceof CallStep || step instanceof WorkStep);
        return kept.between.isJoined();
    }

    private static void run(DeviceBatch batch, Runnable gate, Runnable steps) {
        boolean done = false;
        batch.begin(gate);
        try {
            steps.run();
            batch.end();
            done = true;
        } finally {
            if (!done) {
                batch.abandon();
            }
        }
    }

    private boolean runWhole(DeviceBatch batch, Runnable steps) {
        whole = true;
        try {
            run(batch, meeting, steps);
        } finally {
            whole = false;
        }
        meet();
        return batch.isJoined();
    }

    /** Waits until all ranks are here. */
    private void meet() {
        for (int i = 0; i < receives.length; i++) {
            receives[i].start();
        }
        for (int i = 0; i < sends.length; i++) {
            sends[i].await();
            sends[i].start();
        }
        for (int i = 0; i < receives.length; i++) {
            receives[i].await();
            receives[i].release();
        }
    }

    @Override
    public void close() {
        for (Kept kept : sequences.values()) {
            if (kept.between != null) {
                kept.between.close();
            }
            if (kept.whole != null) {
                kept.whole.close();
            }
        }
        sequences.clear();
    }
}
