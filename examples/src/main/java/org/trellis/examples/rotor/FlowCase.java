package org.trellis.examples.rotor;

import java.util.Locale;

/** What is computed. */
enum FlowCase {
    /** A free stream, which has to stay as it is. */
    FREE_STREAM("box:n=8,mix=mixed,distort=0.3", 0.5),
    /** Flow without friction over a bump in a channel. */
    BUMP("channel", 0.5),
    /** A flat plate, laminar or turbulent. */
    PLATE("plate", 0.2),
    /** Flow about a circular cylinder. */
    CYLINDER("cylinder", 0.2),
    /** A row of twisted blades that turns. */
    BLADE("blade", 0.4),
    /** A made-up flow, solved on each level for the order of convergence. */
    MANUFACTURED("box:n=16", 0.5);

    private final String mesh;
    private final double mach;

    FlowCase(String mesh, double mach) {
        this.mesh = mesh;
        this.mach = mach;
    }

    static FlowCase named(String name) {
        for (FlowCase one : values()) {
            if (one.label().equals(name)) {
                return one;
            }
        }
        throw new IllegalArgumentException(
                "--case is '" + name + "', expected free-stream, bump, plate, cylinder, blade or manufactured");
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The mesh where the user names none. */
    String mesh() {
        return mesh;
    }

    /** The Mach number where the user names none. */
    double mach() {
        return mach;
    }
}
