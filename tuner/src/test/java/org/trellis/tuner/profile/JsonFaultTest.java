package org.trellis.tuner.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.testing.TestSeed;

/** Where texts stop being JSON, and what is said of it. */
class JsonFaultTest {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
    private static final String SOUND = """
            {"a": [1, -2.5e-3, 0, true, false, null, "x\\n\\u00e4é"], "b": {}, "c": [],
             "d": {"e": [[{"f": ""}]], "g": 1E+9}}
            """;
    private static final String ALPHABET = "{}[]:,\"\\ \n0123456789.eE+-truefalsnx/\u0001";

    private static JsonFault fault(String text) {
        JsonProcessingException refusal =
                assertThrows(JsonProcessingException.class, () -> MAPPER.readTree(text), text);
        return JsonFault.of(text, refusal);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{                | 1 |  2 | the end of the file | a name in quotation marks or '}'",
        "{\"a\" 1}        | 1 |  6 | '1'    | ':'",
        "{\"a\": nul}     | 1 |  7 | 'nul'  | a value",
        "{\"a\": 1 \"b\"} | 1 |  9 | '\"'   | ',' or '}'",
        "{\"a\": 1,}      | 1 |  9 | '}'    | a name in quotation marks",
        "[1 2]            | 1 |  4 | '2'    | ',' or ']'",
        "[1,]             | 1 |  4 | ']'    | a value",
        "[-]              | 1 |  3 | ']'    | a digit",
        "[1.]             | 1 |  4 | ']'    | a digit",
        "[01]             | 1 |  3 | '1'    | ',' or ']'",
        "[1] x            | 1 |  5 | 'x'    | the end of the file",
        "[\"ab            | 1 |  5 | the end of the file | '\"' at the end of a text",
        "[\"\\q\"]        | 1 |  4 | 'q'    | one of \", \\, /, b, f, n, r, t and u behind a backslash",
        "[\"\\u12\"]      | 1 |  7 | '\"'   | four hexadecimal digits behind \\u"})
    void namesThePlaceAndWhatIsMissing(String text, int line, int column, String found, String expected) {
        assertEquals(new JsonFault(line, column, found, expected), fault(text));
    }

    @Test
    void countsLinesAndColumns() {
        assertEquals("line 3, column 3", fault("{\n\"a\": 1,\n  b: 2}").place());
        assertEquals("found the character \\u001b, expected a value or ']'", fault("[\u001b]").problem());
        assertEquals("line 1, column 3", fault("[\"\n\"]").place());
    }

    @Test
    void knowsTheLimitsOfTheParser() {
        assertTrue(fault("[".repeat(5000) + "]".repeat(5000)).problem().contains("at most 1000 lists"));
        assertTrue(fault("[" + "9".repeat(5000) + "]").problem().contains("numbers of at most 1000 digits"));
    }

    /** Wherever a sound text is damaged, this and the parser agree on whether it still is JSON. */
    @Test
    void agreesWithTheParser() {
        SplittableRandom random = TestSeed.random("broken JSON");
        for (int run = 0; run < 20_000; run++) {
            StringBuilder text = new StringBuilder(SOUND);
            for (int damage = random.nextInt(3); damage >= 0; damage--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.insert(at, ALPHABET.charAt(random.nextInt(ALPHABET.length())));
                    default -> text.setCharAt(at, ALPHABET.charAt(random.nextInt(ALPHABET.length())));
                }
            }
            boolean sound = true;
            try {
                MAPPER.readTree(text.toString());
            } catch (JsonProcessingException e) {
                sound = false;
            }
            assertEquals(sound, new JsonScanner(text.toString()).scan().isEmpty(),
                    () -> text + ", seed " + TestSeed.value());
        }
    }
}
