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
 * Messages from device to device, packed and usable: straight where devices reach each other, or through page-locked
 * memory and the ranks' channels.
 */
public final class DeviceWay implements MessageWay {
    /** The name of the way straight from device to device. */
    public static final String DIRECT = "direct";
    /** The name of the way through the host. */
    public static final String STAGED = "staged";

    private final Backend backend;
    private final boolean direct;

    /**
     * Makes the way.
     *
     * @param backend of this rank, with {@link HaloKernels}
     * @param direct  whether messages go straight where they can
     */
    public DeviceWay(Backend backend, boolean direct) {
        this.backend = backend;
        this.direct = direct;
    }

    @Override
    public String name() {
        return direct ? DIRECT : STAGED;
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the messages
    public Trip open(Communicator communicator, int tag, int bytes) {
        int values = bytes / Double.BYTES;
        int[] own = new int[values];
        int[] halo = new int[values];
        Arrays.setAll(own, i -> i);
        Arrays.setAll(halo, i -> values + i);
        int size = communicator.size();
        DeviceExchange exchange = new DeviceExchange(communicator, tag, backend.kernels(HaloKernels.class),
                List.of(new DeviceExchange.Neighbour((communicator.rank() + 1) % size, parcel(own))),
                List.of(new DeviceExchange.Neighbour((communicator.rank() + size - 1) % size, parcel(halo))), 1,
                any -> direct);
        DenseVector vector = backend.vector(Precision.F64, 2 * values);
        exchange.bind(0, backend.kernels(LoopKernels.class).wrap(vector), 1, 1);
        return new Exchanges(exchange, vector, backend.kernels(DeviceTiming.class));
    }

    private static HaloParcel parcel(int... places) {
        return new HaloParcel(places.length * Double.BYTES, List.of(new HaloPart(0, places, 1, ScalarType.F64, 0)));
    }

    /** Exchanges of values that nobody looks at. */
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
