package org.trellis.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

final class PrintableTextTest {
    @Test
    void escapesWhatTerminalsObey() {
        assertEquals("\\x1B[31mred\\x07", PrintableText.of("\u001B[31mred\u0007"));
        assertEquals("a\\x0Ab\\x0Dc\\x09d\\x7F\\x9B", PrintableText.of("a\nb\rc\td\u007F\u009B"));
        assertEquals("\\u202Emoc\\u2028\\uD800", PrintableText.of("\u202Emoc\u2028\uD800"));
        assertEquals("grün \uD83D\uDE00 C:\\n", PrintableText.of("grün \uD83D\uDE00 C:\\n"));
        String plain = "plain text, 1.5e-3";
        assertSame(plain, PrintableText.of(plain));
    }

    @Test
    void cutsWhatIsTooLong() {
        assertEquals("abc", PrintableText.cut("abc", 3));
        assertEquals("abc...", PrintableText.cut("abcdefg", 6));
        assertEquals("'" + "x".repeat(57) + "...'", PrintableText.quote("x".repeat(61)));
        assertEquals("'" + "x".repeat(60) + "'", PrintableText.quote("x".repeat(60)));
        assertEquals(62, PrintableText.quote("\u001B".repeat(1000)).length());
        assertEquals("ab...", PrintableText.cut("ab\uD83D\uDE00cdefg", 6));
    }

    @Test
    void nothingUnprintableIsLeft() {
        SplittableRandom random = TestSeed.random("PrintableTextTest");
        for (int round = 0; round < 2000; round++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(100);
            for (int i = 0; i < length; i++) {
                text.append((char) random.nextInt(random.nextBoolean() ? 256 : 65536));
            }
            String result = PrintableText.cut(text.toString(), 60);
            assertTrue(result.length() <= 60, () -> "seed " + TestSeed.value());
            assertFalse(result.codePoints().anyMatch(c -> Character.isISOControl(c)
                    || Character.getType(c) == Character.SURROGATE || Character.getType(c) == Character.FORMAT),
                    () -> "seed " + TestSeed.value());
        }
    }
}
