package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaEvent;
import org.trellis.cuda.runtime.StructLaunch;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.DeviceGroup;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.PreparedHalo;

/**
 * A rank's side of an exchange on a CUDA device: one kernel packs all messages, another unpacks them, both on the
 * context's own stream. A message to a device that kernels can write to is packed straight into the receiver's memory,
 * one to another device of the process is copied there, both without the host. The receiver finds it by a flag that the
 * packing kernel raises in its memory, if it is on another device, so that it may wait in a kernel of its own; else its
 * stream waits for an event of the sender's. So packing comes before what runs while messages travel, and unpacking
 * after it, and no further stream is needed but for messages through the host.
 *
 * <p>Receivers have room for two messages, used in turns. Where two send to each other, a message then needs no leave:
 * who packs for the second time has had the other's message in between, which the other packed after it had taken the
 * one before. Elsewhere packing waits for an event of the receiver's.
 */
final class CudaHalo implements PreparedHalo {
    private static final int THREADS = 256;
    private static final long CHUNKS = 0;
    private static final long TURN = 8;
    private static final long ROUND = 12;
    private static final long OPERANDS = 16;
    private static final int TURNS = 2;
    private static final int ALIGNMENT = 256;
    private static final int OPERAND_BYTES = 16;
    private static final long BYTES = OPERANDS + (long) HaloKernels.MOST_OPERANDS * OPERAND_BYTES;

    private final CudaContext context;
    private final List<HaloParcel> sends;
    private final List<HaloParcel> receives;
    private final CudaEvent packed;
    private final CudaEvent unpacked;
    private final CudaOutbox[] out;
    private final PinnedStaging[] in;
    private final CudaInbox[] inboxes;
    private final boolean[] direct;
    /** What a library of the host brings to the device. */
    private final boolean[] brought;
    private final boolean[] needsLeave;
    private final StructLaunch pack;
    private final StructLaunch unpack;
    /** What carries some of the messages; null if nothing does. */
    private NcclHaloExchange carriage;
    private HaloChunks packing;
    private HaloChunks unpacking;
    private LaunchShape packShape;
    private LaunchShape unpackShape;
    private long exchanges;
    private int turn;
    private boolean givesLeave;
    private boolean closed;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    CudaHalo(CudaContext context, List<HaloParcel> sends, List<HaloParcel> receives) {
        this.context = context;
        this.sends = List.copyOf(sends);
        this.receives = List.copyOf(receives);
        this.packed = context.newOrderEvent();
        this.unpacked = context.newOrderEvent();
        KernelSource source = source();
        this.pack = context.kernel(source, "trellisPack").structLaunch(BYTES);
        this.unpack = context.kernel(source, "trellisUnpack").structLaunch(BYTES);
        this.out = new CudaOutbox[sends.size()];
        this.in = new PinnedStaging[receives.size()];
        this.inboxes = new CudaInbox[receives.size()];
        this.direct = new boolean[receives.size()];
        this.brought = new boolean[receives.size()];
        this.needsLeave = new boolean[sends.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = new CudaOutbox(context, sends.get(i).bytes());
        }
        for (int i = 0; i < inboxes.length; i++) {
            inboxes[i] = new CudaInbox(context, TURNS * turnBytes(receives.get(i).bytes()), unpacked);
        }
    }

    static KernelSource source() {
        return KernelSource.resource(CudaHalo.class, "halo.cu", "arrive.cuh").define("THREADS", THREADS);
    }

    /** Returns how far apart the messages of two turns are. */
    static long turnBytes(int bytes) {
        return Math.ceilDiv((long) bytes, ALIGNMENT) * ALIGNMENT;
    }

    @Override
    public byte[] invitation(int receive) {
        return inboxes[receive].invitation();
    }

    @Override
    public boolean connect(int send, byte[] invitation, boolean answered) {
        return connect(send, invitation, answered, false);
    }

    @Override
    public boolean connect(int send, byte[] invitation, boolean answered, boolean copied) {
        CudaInbox inbox = CudaInbox.find(invitation);
        if (inbox == null) {
            return false;
        }
        out[send].connect(inbox, copied);
        inbox.writtenBy(packed, out[send].isFlagged());
        needsLeave[send] = !answered;
        return true;
    }

    @Override
    public void connected(int receive, boolean answering) {
        direct[receive] = true;
        givesLeave |= !answering;
    }

    @Override
    public void sendBy(int send, DeviceGroup group, int to) {
        carriage(group);
        out[send].carryTo(to);
    }

    @Override
    public void receiveBy(int receive, DeviceGroup group, int from) {
        carriage(group).receive(receive, from);
        direct[receive] = true;
    }

    @Override
    public long expose(int send) {
        return out[send].expose();
    }

    @Override
    public long exposeReceived(int receive) {
        direct[receive] = true;
        brought[receive] = true;
        givesLeave = true;
        return inboxes[receive].messages();
    }

    @Override
    public void awaitPacked() {
        packed.synchronize();
    }

    @Override
    public void awaitUnpacked() {
        if (exchanges > 0) {
            unpacked.synchronize();
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private NcclHaloExchange carriage(DeviceGroup group) {
        if (carriage == null) {
            carriage = new NcclHaloExchange(context, CudaGroup.communicator(group), inboxes.length);
        }
        return carriage.require(group);
    }

    @Override
    public void bind(int operand, DatStorage storage, int elementStride, int componentStride) {
        if (!(storage instanceof CudaDatStorage own)) {
            throw new IllegalArgumentException("operand " + operand + " of an exchange is " + storage
                    + ", expected storage of the cuda backend");
        }
        bind(pack.block(), operand, own.address(), elementStride, componentStride);
        bind(unpack.block(), operand, own.address(), elementStride, componentStride);
    }

    private static void bind(MemorySegment block, int operand, long address, int elementStride, int componentStride) {
        long at = OPERANDS + (long) operand * OPERAND_BYTES;
        block.set(ValueLayout.JAVA_LONG, at, address);
        block.set(ValueLayout.JAVA_INT, at + Long.BYTES, elementStride);
        block.set(ValueLayout.JAVA_INT, at + Long.BYTES + Integer.BYTES, componentStride);
    }

    /** Makes the tables of chunks, once it is known where messages go. */
    @SuppressWarnings("MustBeClosed") // closed with this
    private void make() {
        List<HaloChunks.Place> targets = Arrays.stream(out).map(CudaOutbox::place).toList();
        List<HaloChunks.Place> sources = new ArrayList<>();
        for (int i = 0; i < inboxes.length; i++) {
            boolean flagged = direct[i] && inboxes[i].isFlagged();
            boolean carried = brought[i] || (carriage != null && carriage.receives(i));
            sources.add(new HaloChunks.Place(inboxes[i].messages(), carried ? 0 : turnBytes(receives.get(i).bytes()),
                    flagged ? inboxes[i].flag() : 0));
            in[i] = direct[i] ? null : new PinnedStaging(context, receives.get(i).bytes());
        }
        packing = new HaloChunks(context, sends, targets);
        unpacking = new HaloChunks(context, receives, sources);
        pack.block().set(ValueLayout.JAVA_LONG, CHUNKS, packing.address());
        unpack.block().set(ValueLayout.JAVA_LONG, CHUNKS, unpacking.address());
        packShape = packing.count() == 0 ? null : LaunchShape.of(packing.count(), THREADS);
        unpackShape = unpacking.count() == 0 ? null : LaunchShape.of(unpacking.count(), THREADS);
    }

    @Override
    public void pack() {
        if (packing == null) {
            make();
        }
        exchanges++;
        turn = (int) (exchanges % TURNS);
        boolean waitedFor = false;
        for (int i = 0; i < out.length; i++) {
            if (exchanges > TURNS && needsLeave[i]) {
                context.stream().await(out[i].target().taken());
            }
            waitedFor |= out[i].isExposed() || (out[i].isConnected() && !out[i].isFlagged());
        }
        if (packShape != null) {
            begin(pack);
            pack.run(packShape);
        }
        for (CudaOutbox box : out) {
            box.send(turn);
        }
        if (carriage != null) {
            carriage.start(out, inboxes, receives);
        }
        if (waitedFor) {
            packed.record();
        }
    }

    private void begin(StructLaunch launch) {
        launch.block().set(ValueLayout.JAVA_INT, TURN, turn);
        launch.block().set(ValueLayout.JAVA_INT, ROUND, (int) exchanges);
    }

    @Override
    public void copyOut(int send, ByteBuffer message) {
        out[send].copyOut(message);
    }

    @Override
    public void copyIn(int receive, ByteBuffer message) {
        long offset = inboxes[receive].messages() - inboxes[receive].memory().address()
                + turn * turnBytes(receives.get(receive).bytes());
        in[receive].copyIn(message, inboxes[receive].memory(), offset);
    }

    @Override
    public void unpack() {
        for (int i = 0; i < inboxes.length; i++) {
            if (direct[i] && !inboxes[i].isFlagged() && inboxes[i].written() != null) {
                context.stream().await(inboxes[i].written());
            }
        }
        if (carriage != null) {
            carriage.finish();
        }
        if (unpackShape != null) {
            begin(unpack);
            unpack.run(unpackShape);
        }
        if (givesLeave) {
            unpacked.record();
        }
    }

    @Override
    public void submit() {
        context.submit();
    }

    @Override
    public boolean isSelfOrdered() {
        boolean all = carriage == null && !givesLeave;
        for (int i = 0; i < out.length; i++) {
            all &= out[i].isFlagged() && !needsLeave[i];
        }
        for (int i = 0; i < inboxes.length; i++) {
            all &= direct[i] && inboxes[i].isFlagged();
        }
        return all;
    }

    @Override
    public String transport() {
        String[] transports = Arrays.stream(out).map(CudaOutbox::transport).distinct().toArray(String[]::new);
        return transports.length == 0 ? "nothing to send" : String.join(" and ", transports);
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
        for (CudaOutbox box : out) {
            box.close();
        }
        for (int i = 0; i < inboxes.length; i++) {
            inboxes[i].close();
            if (in[i] != null) {
                in[i].close();
            }
        }
        if (packing != null) {
            packing.close();
            unpacking.close();
        }
        pack.close();
        unpack.close();
        packed.close();
        unpacked.close();
        if (carriage != null) {
            carriage.close();
        }
    }
}
