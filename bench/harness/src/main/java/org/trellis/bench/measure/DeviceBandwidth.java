package org.trellis.bench.measure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;

/**
 * What the memory of a device with a clock of its own gave in this run.
 *
 * @param backend    name of the backend
 * @param device     name of the device
 * @param properties what the backend says of the device
 * @param copyGBs    rate of a copy within its memory, in 10⁹ bytes a second, read and written bytes both counted
 */
public record DeviceBandwidth(String backend, String device, Map<String, String> properties, double copyGBs) {
    /** Copies the properties, in their order. */
    public DeviceBandwidth {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    /**
     * Measures the device of a backend.
     *
     * @param backend an open backend
     * @return its bandwidth, or empty if its kernels run in this process
     */
    public static Optional<DeviceBandwidth> of(Backend backend) {
        return backend.optionalKernels(DeviceTiming.class).map(timing -> new DeviceBandwidth(backend.name(),
                backend.device().name(), backend.device().properties(), timing.copyBandwidth() * 1e-9));
    }
}
