package org.trellis.backend;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.trellis.memory.MemorySpace;

/**
 * What a backend runs on.
 *
 * @param name       a readable name, for example the processor's or the graphics card's
 * @param space      where its vectors live
 * @param properties further facts for reports, in a stable order, for example {@code threads → 2}
 */
public record Device(String name, MemorySpace space, Map<String, String> properties) {
    /** Copies the map. */
    public Device {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }
}
