package org.trellis.tuner.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where texts stop being JSON, and what is reported of it. */
class JsonFaultTest {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static JsonFault fault(String text) {
        return JsonFault.of(assertThrows(JsonProcessingException.class, () -> MAPPER.readTree(text), text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{                | 1 |  2 | expected close marker for Object (from line 1, column 1)",
        "{\"a\" 1}        | 1 |  6 | '1' (code 49)): was expecting a colon",
        "{\"a\": nul}     | 1 |  7 | token 'nul': was expecting (JSON String, Number, Array, Object",
        "{\"a\": 1 \"b\"} | 1 |  9 | was expecting comma to separate Object entries",
        "{\"a\": 1,}      | 1 |  9 | was expecting double-quote to start field name",
        "[1 2]            | 1 |  4 | was expecting comma to separate Array entries",
        "[1,]             | 1 |  4 | expected a valid value",
        "[-]              | 1 |  3 | expected digit (0-9) to follow minus sign",
        "[01]             | 1 |  3 | Leading zeroes not allowed",
        "[1] x            | 1 |  5 | Unrecognized token 'x'",
        "[\"ab            | 1 |  5 | was expecting closing quote for a string value",
        "{\"a\":1,\"a\":2} | 1 | 11 | Duplicate field 'a'"})
    void namesThePlaceAndWhatIsExpected(String text, int line, int column, String problem) {
        JsonFault fault = fault(text);
        assertEquals("line " + line + ", column " + column, fault.place());
        assertTrue(fault.problem().contains(problem), fault::problem);
    }

    @Test
    void countsLines() {
        assertEquals("line 3, column 3", fault("{\n\"a\": 1,\n  b: 2}").place());
        assertTrue(fault("{\n\"a\": [1,\n 2").problem().contains("(from line 2, column 6)"));
    }

    /** The parser's options and classes are nothing to a reader of the message. */
    @Test
    void saysNothingOfTheParser() {
        assertEquals(new JsonFault(1, 4, "Trailing token (of type START_OBJECT) found after value"), fault("{} {}"));
        for (String text : new String[]{"[".repeat(5000), "[" + "9".repeat(5000) + "]", "{", "{} {}"}) {
            String problem = fault(text).problem();
            assertFalse(problem.contains("Source") || problem.contains("Stream") || problem.contains("Feature"),
                    problem);
        }
        assertTrue(fault("[".repeat(5000)).problem().contains("(1001) exceeds the maximum allowed (1000"));
    }
}
