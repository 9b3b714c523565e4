package org.trellis.bench.measurement;

import java.util.List;

/** Measurements that another module brings. Found by {@link java.util.ServiceLoader} on the class path. */
public interface MeasurementSet {
    /**
     * Returns the measurements.
     *
     * @return measurements whose names no others have
     */
    List<Measurement> measurements();
}
