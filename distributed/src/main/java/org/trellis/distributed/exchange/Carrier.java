package org.trellis.distributed.exchange;

import org.trellis.backend.Backend;
import org.trellis.distributed.device.DeviceTransport;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.mesh.HaloKernels;

/** Where a rank has the values that it exchanges, and whether other ranks have theirs on devices. */
public final class Carrier {
    private static final Carrier HOSTS = new Carrier(null, null, false);
    private static final Carrier BESIDE = new Carrier(null, null, true);

    /** Of the rank if its values are on a device, else null. */
    private final Backend backend;
    private final DeviceTransports ways;
    private final boolean anyDevices;

    private Carrier(Backend backend, DeviceTransports ways, boolean anyDevices) {
        this.backend = backend;
        this.ways = ways;
        this.anyDevices = anyDevices;
    }

    /**
     * Has values on the host.
     *
     * @param anyDevices whether some rank has its values on a device; the same on all ranks
     * @return the carrier of a rank on the host
     */
    public static Carrier host(boolean anyDevices) {
        return anyDevices ? BESIDE : HOSTS;
    }

    /**
     * Has values on a device; messages take the ways that were left with the backend ({@link DeviceTransports#start}), or go
     * straight wherever they can.
     *
     * @param backend with {@link HaloKernels}
     * @return the carrier of a rank on a device
     */
    public static Carrier device(Backend backend) {
        return device(backend, DeviceTransports.of(backend.kernels(HaloKernels.class))
                .orElseGet(() -> DeviceTransports.only(DeviceTransport.DIRECT, null)));
    }

    /**
     * Has values on a device.
     *
     * @param backend with {@link HaloKernels}
     * @param ways    which way a message takes; the same on all ranks
     * @return the carrier of a rank on a device
     */
    public static Carrier device(Backend backend, DeviceTransports ways) {
        return new Carrier(backend, ways, true);
    }

    /**
     * Says where this rank's values are.
     *
     * @return false if they are on the host
     */
    public boolean onDevice() {
        return backend != null;
    }

    /**
     * Says whether ranks have to agree on how messages travel.
     *
     * @return whether some rank has its values on a device
     */
    public boolean anyDevices() {
        return anyDevices;
    }

    Backend backend() {
        return backend;
    }

    DeviceTransports ways() {
        return ways;
    }
}
