package org.trellis.distributed.device;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.HaloPart;
import org.trellis.mesh.device.ScalarType;

/**
 * Messages from device to device, packed and usable: written by kernels or copied where devices reach each other, by
 * NCCL, by an MPI library that takes the memory of devices, or through page-locked memory and the ranks' channels.
 */
public final class DeviceTransport implements MessageTransport {
    /** The name of the transport straight from device to device, written by the packing kernel where it can. */
    public static final String DIRECT = "direct";
    /** The name of the transport by copies from device to device. */
    public static final String COPIED = "copied";
    /** The name of the transport through the host. */
    public static final String STAGED = "staged";
    /** The name of the transport by NCCL. */
    public static final String NCCL = "nccl";
    /** The name of the transport by an MPI library that takes the memory of devices. */
    public static final String MPI = "mpi";
    /** All names. */
    public static final List<String> NAMES = List.of(DIRECT, COPIED, STAGED, NCCL, MPI);

    private final Backend backend;
    private final DeviceTransports transports;

    /**
     * Makes the transport.
     *
     * @param backend of this rank, with {@link HaloKernels}
     * @param direct  whether messages go straight where they can
     */
    public DeviceTransport(Backend backend, boolean direct) {
        this(backend, DeviceTransports.only(direct ? DIRECT : STAGED, null));
    }

    /**
     * Makes a way of any name.
     *
     * @param backend of this rank, with {@link HaloKernels}
     * @param transports    which one, for all sizes ({@link DeviceTransports#only})
     */
    public DeviceTransport(Backend backend, DeviceTransports transports) {
        this.backend = backend;
        this.transports = transports;
    }

    @Override
    public String name() {
        return transports.transport(Double.BYTES);
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the messages
    public Trip open(Communicator communicator, int tag, int bytes) {
        int values = bytes / Double.BYTES;
        DeviceExchange exchange = exchange(communicator, tag, values);
        DenseVector vector = backend.vector(Precision.F64, 2 * values);
        exchange.bind(0, backend.kernels(LoopKernels.class).wrap(vector), 1, 1);
        return new Exchanges(exchange, vector, backend.kernels(DeviceTiming.class));
    }

    @MustBeClosed
    private DeviceExchange exchange(Communicator communicator, int tag, int values) {
        int[] own = new int[values];
        int[] halo = new int[values];
        Arrays.setAll(own, i -> i);
        Arrays.setAll(halo, i -> values + i);
        int size = communicator.size();
        return new DeviceExchange(communicator, tag, backend.kernels(HaloKernels.class),
                List.of(new DeviceExchange.Neighbour((communicator.rank() + 1) % size, parcel(own))),
                List.of(new DeviceExchange.Neighbour((communicator.rank() + size - 1) % size, parcel(halo))), 1,
                transports);
    }

    private static HaloParcel parcel(int... places) {
        return new HaloParcel(places.length * Double.BYTES, List.of(new HaloPart(0, places, 1, ScalarType.F64, 0)));
    }

    /** Says whether this rank's message to the next one takes the transport, and does not go through the host. */
    boolean reaches(Communicator communicator, int tag) {
        try (DeviceExchange exchange = exchange(communicator, tag, 1)) {
            return exchange.isDirect();
        }
    }

    /** Exchanges of values that are not read. */
    private record Exchanges(DeviceExchange exchange, DenseVector vector, DeviceTiming timing) implements Trip {
        @Override
        public void run() {
            exchange.start();
            exchange.finish();
        }

        @Override
        public void finish() {
            timing.synchronize();
        }

        @Override
        public void close() {
            exchange.close();
            vector.close();
        }
    }
}
