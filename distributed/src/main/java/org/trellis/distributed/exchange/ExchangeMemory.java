package org.trellis.distributed.exchange;

import org.trellis.backend.Backend;
import org.trellis.distributed.device.DeviceTransport;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.mesh.HaloKernels;

/** Where a rank has the values that it exchanges, and whether other ranks have theirs on devices. */
public final class ExchangeMemory {
    private static final ExchangeMemory HOSTS = new ExchangeMemory(null, null, false);
    private static final ExchangeMemory BESIDE = new ExchangeMemory(null, null, true);

    /** Of the rank if its values are on a device, else null. */
    private final Backend backend;
    private final DeviceTransports transports;
    private final boolean anyDevices;

    private ExchangeMemory(Backend backend, DeviceTransports transports, boolean anyDevices) {
        this.backend = backend;
        this.transports = transports;
        this.anyDevices = anyDevices;
    }

    /**
     * Has values on the host.
     *
     * @param anyDevices whether some rank has its values on a device; the same on all ranks
     * @return the carrier of a rank on the host
     */
    public static ExchangeMemory host(boolean anyDevices) {
        return anyDevices ? BESIDE : HOSTS;
    }

    /**
     * Has values on a device; messages take the transports that were left with the backend
     * ({@link DeviceTransports#start}), or go straight wherever they can.
     *
     * @param backend with {@link HaloKernels}
     * @return the carrier of a rank on a device
     */
    public static ExchangeMemory device(Backend backend) {
        return device(backend, DeviceTransports.of(backend.kernels(HaloKernels.class))
                .orElseGet(() -> DeviceTransports.only(DeviceTransport.DIRECT, null)));
    }

    /**
     * Has values on a device.
     *
     * @param backend with {@link HaloKernels}
     * @param transports    which transport a message takes; the same on all ranks
     * @return the carrier of a rank on a device
     */
    public static ExchangeMemory device(Backend backend, DeviceTransports transports) {
        return new ExchangeMemory(backend, transports, true);
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

    DeviceTransports transports() {
        return transports;
    }
}
