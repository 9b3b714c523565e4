package org.trellis.matrices.generate;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Names near one that does not exist. */
public final class Suggestions {
    private static final int LIMIT = 5;

    private Suggestions() {}

    /**
     * Finds the names that were probably meant: those that contain the text, or are contained in it, and those at most
     * a third of whose letters must change (V. Levenshtein, 1966), letter case aside.
     *
     * @param text  what was written
     * @param names what there is
     * @return at most five names, the nearest first
     */
    public static List<String> near(String text, Collection<String> names) {
        String wanted = text.toLowerCase(Locale.ROOT);
        return names.stream()
                .filter(name -> isNear(wanted, name.toLowerCase(Locale.ROOT)))
                .sorted(Comparator.<String>comparingInt(name -> distance(wanted, name.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(LIMIT)
                .toList();
    }

    /**
     * Makes the end of an error message.
     *
     * @param text  what was written
     * @param names what there is
     * @return {@code "; near matches: a, b"} or an empty string
     */
    public static String phrase(String text, Collection<String> names) {
        List<String> near = near(text, names);
        return near.isEmpty() ? "" : "; near matches: " + String.join(", ", near);
    }

    private static boolean isNear(String wanted, String name) {
        boolean contained =
                (wanted.length() > 2 && name.contains(wanted)) || (name.length() > 2 && wanted.contains(name));
        return contained || distance(wanted, name) * 3 <= Math.max(wanted.length(), name.length());
    }

    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replace, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
