package org.trellis.testing;

import java.util.List;
import java.util.regex.Pattern;

/** The words that docs/contributing/style.md replaces by terms of the field. */
public final class PlainWords {
    private static final int AROUND = 30;
    /** Not within names such as {@code trellis.distributed.ways}. */
    private static final Pattern UNWANTED = Pattern.compile("(?<![.\"-])\\b(ways|told|tells?|somebody|nobody|everybody"
            + "|whoever|wanted|looked at|falls? short|who does not|thousand million|(?:says?|saying) so"
            + "|(?:to|can|could|cannot|not) be had|in the end|honestly)\\b", Pattern.CASE_INSENSITIVE);

    private PlainWords() {}

    /**
     * Finds such words.
     *
     * @param place where the text is from
     * @param text  prose without code
     * @return a line for each, with the place and what is around it
     */
    public static List<String> missing(String place, String text) {
        return UNWANTED.matcher(text).results()
                .map(word -> place + ": " + text.substring(Math.max(0, word.start() - AROUND),
                        Math.min(text.length(), word.end() + AROUND)).replace('\n', ' '))
                .toList();
    }
}
