package org.trellis.bench.adapters;

import org.trellis.backend.Availability;

/** Finds out whether the library of an adapter is there. The adapter itself comes without. */
public final class Libraries {
    private Libraries() {}

    /**
     * Looks for a library.
     *
     * @param label   its name and version, for reports
     * @param classes the classes of it that the adapter cannot do without
     * @return available if all of them are on the class path, or else which is missing
     */
    public static Availability probe(String label, String... classes) {
        for (String name : classes) {
            try {
                Class.forName(name, false, Libraries.class.getClassLoader());
            } catch (ClassNotFoundException | LinkageError e) {
                return Availability.no("the library is not on the class path as a whole: " + label
                        + " without " + name);
            }
        }
        return Availability.yes(label);
    }
}
