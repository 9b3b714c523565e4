package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaEvent;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.StructLaunch;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Global;
import org.trellis.mesh.PreparedReduction;

/**
 * Numbers of all ranks, combined on CUDA devices of one process that kernels can write to. There are two sets of slots
 * that are used in turns: who sends for the second time after this has combined in between, so that it has had
 * the numbers of all in that round, and they sent them after they had taken the round before.
 */
final class CudaReduction implements PreparedReduction {
    /** The most ranks. */
    static final int MOST_RANKS = 64;

    static final int THREADS = 64;
    private static final int TURNS = 2;
    static final long VALUES = 0;
    static final long RESULT = 8;
    static final long SLOTS = 16;
    static final long COUNT = 24;
    static final long RANKS = 28;
    static final long MAX_OFFSET = 32;
    static final long OPERATION = 36;
    private static final long RANK = 40;
    private static final long TURN = 44;
    private static final long ROUND = 48;
    static final long TARGETS = 56;
    static final long GIVEN = TARGETS + (long) MOST_RANKS * Long.BYTES;
    private static final int MOST_GIVEN = 8;
    private static final long RAISED = GIVEN + (long) MOST_GIVEN * Double.BYTES;
    private static final long AWAITED = RAISED + (long) MOST_RANKS * Long.BYTES;
    static final long BYTES = AWAITED + (long) MOST_RANKS * Long.BYTES;
    /** Room for the flags of one rank, in each of two turns. */
    private static final long FLAG_BYTES = 256;

    private final CudaContext context;
    private final CudaGlobals globals;
    private final int rank;
    private final int ranks;
    private final int most;
    private final CudaInbox inbox;
    private final CudaInbox[] peers;
    private final CudaEvent[] sent = new CudaEvent[TURNS];
    private final CudaReduction[] others;
    /** Which ranks are on other devices, whose kernels raise flags here. */
    private final boolean[] byFlag;
    private boolean byEvent;
    private final StructLaunch sending;
    private final StructLaunch combining;
    private final LaunchShape shape = LaunchShape.of(1, THREADS);
    private long rounds;
    private boolean closed;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    CudaReduction(CudaContext context, CudaGlobals globals, int rank, int ranks, int most) {
        this.globals = globals;
        if (ranks > MOST_RANKS) {
            throw new IllegalArgumentException("numbers of " + ranks + " ranks combined on devices, expected at most "
                    + MOST_RANKS);
        }
        this.context = context;
        this.rank = rank;
        this.ranks = ranks;
        this.most = requireMost(most);
        for (int turn = 0; turn < TURNS; turn++) {
            sent[turn] = context.newOrderEvent();
        }
        this.inbox = new CudaInbox(context, ranks * (FLAG_BYTES + (long) TURNS * most * Double.BYTES), sent[0]);
        this.peers = new CudaInbox[ranks];
        this.others = new CudaReduction[ranks];
        this.byFlag = new boolean[ranks];
        peers[rank] = inbox;
        inbox.reduction(this);
        KernelSource source = source();
        this.sending = context.kernel(source, "trellisSend").structLaunch(BYTES);
        this.combining = context.kernel(source, "trellisCombine").structLaunch(BYTES);
        for (StructLaunch launch : new StructLaunch[]{sending, combining}) {
            launch.block().set(ValueLayout.JAVA_INT, RANKS, ranks);
            launch.block().set(ValueLayout.JAVA_INT, MAX_OFFSET, most);
            launch.block().set(ValueLayout.JAVA_INT, RANK, rank);
        }
    }

    /** Returns how many numbers may be combined at a time. */
    static int requireMost(int most) {
        if (most > MOST_GIVEN) {
            throw new IllegalArgumentException("up to " + most + " numbers combined on devices, expected at most "
                    + MOST_GIVEN);
        }
        return most;
    }

    static KernelSource source() {
        return KernelSource.resource(CudaReduction.class, "combine.cu", "arrive.cuh").define("THREADS", THREADS);
    }

    @Override
    public byte[] invitation() {
        return inbox.invitation();
    }

    @Override
    public boolean connect(int peer, byte[] invitation) {
        CudaInbox found = CudaInbox.find(invitation);
        if (found == null || !context.reach(found.context())) {
            return false;
        }
        peers[peer] = found;
        others[peer] = found.reduction();
        byFlag[peer] = found.context().device().number() != context.device().number();
        byEvent |= !byFlag[peer];
        if (byFlag[peer]) {
            sending.block().set(ValueLayout.JAVA_LONG, RAISED + (long) peer * Long.BYTES, flags(found, rank));
            combining.block().set(ValueLayout.JAVA_LONG, AWAITED + (long) peer * Long.BYTES, flags(inbox, peer));
        }
        return true;
    }

    private static long flags(CudaInbox box, int sender) {
        return box.messages() + sender * FLAG_BYTES;
    }

    private void begin(StructLaunch launch, int turn) {
        launch.block().set(ValueLayout.JAVA_INT, TURN, turn);
        launch.block().set(ValueLayout.JAVA_INT, ROUND, (int) (rounds + 1));
    }

    private long slots(CudaInbox box, int turn) {
        return box.messages() + ranks * FLAG_BYTES + (long) turn * ranks * most * Double.BYTES;
    }

    @Override
    public void send(DenseVector values, int first, int count) {
        send(address(values, first, count), count);
    }

    @Override
    public void send(Global global) {
        requireFew(global.components());
        CudaGlobal own = globals.retain(global);
        boolean there = own.onDevice();
        for (int c = 0; c < global.components() && !there; c++) {
            sending.block().set(ValueLayout.JAVA_DOUBLE, GIVEN + (long) c * Double.BYTES, global.get(c));
        }
        send(there ? own.valueAddress() : 0, global.components());
        globals.giveBack(own);
    }

    private void send(long address, int count) {
        int turn = (int) (rounds % TURNS);
        MemorySegment block = sending.block();
        block.set(ValueLayout.JAVA_LONG, VALUES, address);
        block.set(ValueLayout.JAVA_INT, COUNT, count);
        for (int peer = 0; peer < ranks; peer++) {
            block.set(ValueLayout.JAVA_LONG, TARGETS + (long) peer * Long.BYTES,
                    slots(peers[peer], turn) + (long) rank * most * Double.BYTES);
        }
        begin(sending, turn);
        sending.run(shape);
        if (byEvent) {
            sent[turn].record();
        }
    }

    @Override
    public void submit() {
        context.submit();
    }

    @Override
    public boolean isSelfOrdered() {
        return !byEvent;
    }

    /** The number that the kernel knows an operation by. */
    static int number(Operation operation) {
        return switch (operation) {
            case SUM -> 0;
            case MIN -> 1;
            case MAX -> 2;
        };
    }

    private int requireFew(int count) {
        if (count > most) {
            throw new IllegalArgumentException(count + " numbers to combine, expected at most " + most);
        }
        return count;
    }

    private long address(DenseVector values, int first, int count) {
        requireFew(count);
        return ((CudaVector) values).address() + (long) first * Double.BYTES;
    }

    @Override
    public void combine(Operation operation, DenseVector values, int first, int count) {
        combine(operation, address(values, first, count), 0, count);
    }

    @Override
    public void combine(Operation operation, Global global) {
        CudaGlobal own = globals.retain(global);
        combine(operation, own.valueAddress(), own.resultAddress(), global.components());
        own.produced();
        globals.giveBack(own);
    }

    private void combine(Operation operation, long values, long result, int count) {
        int turn = (int) (rounds % TURNS);
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != rank && !byFlag[peer]) {
                context.stream().await(others[peer].sent[turn]);
            }
        }
        MemorySegment block = combining.block();
        block.set(ValueLayout.JAVA_LONG, VALUES, values);
        block.set(ValueLayout.JAVA_LONG, RESULT, result);
        block.set(ValueLayout.JAVA_LONG, SLOTS, slots(inbox, turn));
        block.set(ValueLayout.JAVA_INT, COUNT, count);
        block.set(ValueLayout.JAVA_INT, OPERATION, number(operation));
        begin(combining, turn);
        combining.run(shape);
        rounds++;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (context.isOpen()) {
            context.synchronize();
        }
        inbox.close();
        sending.close();
        combining.close();
        for (CudaEvent event : sent) {
            event.close();
        }
    }
}
