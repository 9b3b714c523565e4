package org.trellis.bench.option;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Names of the pictures of a run. Two matrices may have one name, since it lacks the folder, or names that differ only
 * in signs that are not taken into names of files; the later one then gets a number.
 */
public final class PictureNames {
    private final Set<String> taken = new HashSet<>();
    private final Map<String, String> firstOrigins = new HashMap<>();

    /** Starts with no name taken. */
    public PictureNames() {
        // Nothing is taken yet.
    }

    /**
     * The stem of a matrix's pictures.
     *
     * @param stem a name that no other matrix of this run has
     * @param note why it is not the matrix's own, or empty
     */
    public record Name(String stem, String note) {}

    /**
     * Gives a matrix its name.
     *
     * @param matrix what it is called
     * @param origin where it comes from, for the note of a later one of that name
     * @return the stem that only this matrix has
     */
    public Name of(String matrix, String origin) {
        String wanted = safe(matrix);
        String stem = wanted;
        for (int number = 2; !taken.add(key(stem)); number++) {
            stem = wanted + "-" + number;
        }
        firstOrigins.putIfAbsent(key(stem), origin);
        return new Name(stem, stem.equals(wanted)
                ? ""
                : "named " + stem + ", as " + wanted + " is taken by " + firstOrigins.get(key(wanted)));
    }

    /** Some file systems do not distinguish capital letters from small ones. */
    private static String key(String stem) {
        return stem.toLowerCase(Locale.ROOT);
    }

    /** Names of generated matrices have signs that some systems do not take in names of files. */
    private static String safe(String name) {
        return name.replaceAll("[^\\w.=+-]", "_");
    }
}
