package org.trellis.matrices.generate;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Names near one that does not exist. */
public final class Suggestions {
    private static final int MAX_SUGGESTIONS = 5;

    private Suggestions() {}

    /**
     * Finds the names that were probably meant: those that contain the text, or are contained in it, and those at most
     * a third of whose letters must change (F. Damerau, 1964), letter case aside.
     *
     * @param text  what was written
     * @param names what there is
     * @return at most five names, the nearest first
     */
    public static List<String> near(String text, Collection<String> names) {
        String wanted = text.toLowerCase(Locale.ROOT);
        return names.stream()
                .distinct()
                .filter(name -> isNear(wanted, name.toLowerCase(Locale.ROOT)))
                .sorted(Comparator.<String>comparingInt(name -> distance(wanted, name.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(MAX_SUGGESTIONS)
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

    /** Letters to replace, insert, delete or swap with their neighbour. */
    private static int distance(String a, String b) {
        int[][] distance = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                distance[i][j] = i == 0 || j == 0 ? i + j : step(distance, a, b, i, j);
            }
        }
        return distance[a.length()][b.length()];
    }

    private static int step(int[][] distance, String a, String b, int i, int j) {
        int replace = distance[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replace, 1 + Math.min(distance[i - 1][j], distance[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, distance[i - 2][j - 2] + 1) : least;
    }
}
