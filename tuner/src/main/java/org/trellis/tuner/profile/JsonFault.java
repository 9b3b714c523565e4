package org.trellis.tuner.profile;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;

/**
 * The first place where a text is no JSON.
 *
 * @param line     one-based line
 * @param column   one-based column, in characters
 * @param found    what is there, for example {@code 'x'} or {@code the end of the file}
 * @param expected what the format asks for there, for example {@code ',' or '}'}
 */
public record JsonFault(int line, int column, String found, String expected) {
    /**
     * Finds out what is wrong with a text that a parser refused.
     *
     * @param text    the text
     * @param refusal what the parser said, which counts only where the text follows the grammar
     * @return the fault
     */
    public static JsonFault of(String text, IOException refusal) {
        return new JsonScanner(text).scan().orElseGet(() -> beyondGrammar(refusal));
    }

    /** What a parser refuses besides: more than it has room for, and objects that say a thing twice. */
    private static JsonFault beyondGrammar(IOException refusal) {
        JsonLocation place = refusal instanceof JsonProcessingException known ? known.getLocation() : null;
        int line = place == null ? 1 : Math.max(1, place.getLineNr());
        int column = place == null ? 1 : Math.max(1, place.getColumnNr());
        return refusal instanceof StreamConstraintsException
                ? new JsonFault(line, column, "more than can be read",
                        "at most 1000 lists and objects in one another, numbers of at most 1000 digits and texts of at "
                                + "most 20 million characters")
                : new JsonFault(line, column, "a name for the second time", "each name once in an object");
    }

    /**
     * Says where it is.
     *
     * @return for example {@code line 3, column 5}
     */
    public String place() {
        return "line " + line + ", column " + column;
    }

    /**
     * Says what it is.
     *
     * @return for example {@code found 'x', expected ',' or '}'}
     */
    public String problem() {
        return "found " + found + ", expected " + expected;
    }
}
