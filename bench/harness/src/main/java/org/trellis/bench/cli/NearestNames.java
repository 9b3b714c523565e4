package org.trellis.bench.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** What a mistyped name may have been meant to be: those that the fewest changes of single letters lead to. */
final class NearestNames {
    /** A name may differ in one letter of so many. */
    private static final int LETTERS_A_CHANGE = 3;

    private NearestNames() {}

    /**
     * Finds the names nearest to what was typed.
     *
     * @param typed what was typed
     * @param names what there is
     * @return those that differ least, in the order of the alphabet; none if all differ in more than a third of the
     *         letters
     */
    static List<String> of(String typed, Collection<String> names) {
        int least = names.stream().mapToInt(name -> distance(typed, name)).min().orElse(Integer.MAX_VALUE);
        if (least > Math.max(1, typed.length() / LETTERS_A_CHANGE)) {
            return List.of();
        }
        return names.stream().filter(name -> distance(typed, name) == least).sorted(Comparator.naturalOrder()).toList();
    }

    /**
     * Counts the letters to insert, to remove, to replace or to exchange with the next one that make one text another
     * (the distance of Damerau and Levenshtein, no part changed twice). Quadratic in the lengths.
     */
    static int distance(String a, String b) {
        int[][] changes = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    changes[i][j] = i + j;
                    continue;
                }
                int replaced = changes[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                changes[i][j] = Math.min(replaced, 1 + Math.min(changes[i - 1][j], changes[i][j - 1]));
                if (isExchange(a, i, b, j)) {
                    changes[i][j] = Math.min(changes[i][j], 1 + changes[i - 2][j - 2]);
                }
            }
        }
        return changes[a.length()][b.length()];
    }

    private static boolean isExchange(String a, int i, String b, int j) {
        return i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    }
}
