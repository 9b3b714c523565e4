package org.trellis.mesh.loop;

import java.util.Arrays;
import java.util.Locale;

/** Whether loops that follow each other over one set run as one. */
public enum Fusion {
    /** Each loop runs by itself. */
    OFF,
    /** Loops that can run as one do. */
    ON,
    /** The first runs show whether it is faster. On a device and on several ranks, where they cannot: {@link #ON}. */
    TUNED;

    /**
     * Returns the name used on the command line and in files.
     *
     * @return a lower-case word
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the value of a given name.
     *
     * @param label for example {@code on}
     * @return the value
     * @throws IllegalArgumentException if there is none; lists those that there are
     */
    public static Fusion of(String label) {
        for (Fusion fusion : values()) {
            if (fusion.label().equals(label)) {
                return fusion;
            }
        }
        throw new IllegalArgumentException("fusion is '" + label + "', expected one of "
                + Arrays.stream(values()).map(Fusion::label).toList());
    }
}
