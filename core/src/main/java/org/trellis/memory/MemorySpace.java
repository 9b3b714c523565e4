package org.trellis.memory;

import java.util.Objects;

/**
 * A place where numbers live: the Java heap, or the memory of one device. Compared by identity; every device has its
 * own.
 */
public final class MemorySpace {
    /** The Java heap. */
    public static final MemorySpace HOST = new MemorySpace("host");

    private final String name;

    /**
     * Creates a memory space. For backends, one for each device.
     *
     * @param name a readable name, for example {@code "cuda:0"}
     */
    public MemorySpace(String name) {
        this.name = Objects.requireNonNull(name);
    }

    /**
     * Returns the name used in messages.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }
}
