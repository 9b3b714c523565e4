package org.trellis.mesh.loop;

import java.util.Locale;

/** How the components of a dat lie in memory. */
public enum Layout {
    /** Array of structures: the components of an element side by side. */
    AOS,
    /** Structure of arrays: each component of all elements side by side. */
    SOA;

    /**
     * Returns the name used on the command line and in settings.
     *
     * @return {@code aos} or {@code soa}
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the layout of a given name.
     *
     * @param label {@code aos} or {@code soa}
     * @return the layout
     * @throws IllegalArgumentException if there is none
     */
    public static Layout of(String label) {
        for (Layout layout : values()) {
            if (layout.label().equals(label)) {
                return layout;
            }
        }
        throw new IllegalArgumentException("layout is '" + label + "', expected aos or soa");
    }
}
