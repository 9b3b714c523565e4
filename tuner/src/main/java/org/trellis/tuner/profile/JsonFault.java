package org.trellis.tuner.profile;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.regex.Pattern;

/**
 * The first place where a text is no JSON, as the parser reports it.
 *
 * @param line    one-based line
 * @param column  one-based column, in characters
 * @param problem what is there and what the format expects, for example {@code Unexpected character ('1' (code 49)):
 *                was expecting a colon to separate field name and value}
 */
public record JsonFault(int line, int column, String problem) {
    /** Where lists and objects that are still open begin. */
    private static final Pattern START =
            Pattern.compile("\\(start marker at \\[Source: .*?line: (\\d+), column: (\\d+)\\]\\)");
    /** What names the options and classes of the parser instead of the text. */
    private static final Pattern INSIDE = Pattern.compile(
            " \\(bound as [^)]*\\): not allowed as per .*|, from `StreamReadConstraints[^`]*`");

    /**
     * Finds out what is wrong with a text that a parser refused.
     *
     * @param refusal what the parser reports
     * @return the fault
     */
    public static JsonFault of(JsonProcessingException refusal) {
        JsonLocation place = refusal.getLocation();
        String problem = START.matcher(refusal.getOriginalMessage()).replaceAll("(from line $1, column $2)");
        return new JsonFault(place == null ? 1 : Math.max(1, place.getLineNr()),
                place == null ? 1 : Math.max(1, place.getColumnNr()), INSIDE.matcher(problem).replaceAll(""));
    }

    /**
     * Says where it is.
     *
     * @return for example {@code line 3, column 5}
     */
    public String place() {
        return "line " + line + ", column " + column;
    }
}
