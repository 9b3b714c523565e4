package org.trellis.matrices.market;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.MatrixFormatException;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.testing.SharedData;

/** Wrong files are refused with the place and what was expected there. */
class MatrixMarketErrorTest {
    private static final String REAL = "%%MatrixMarket matrix coordinate real general\n";

    @TempDir
    private Path folder;

    private Texts texts;

    @BeforeEach
    void prepare() {
        texts = new Texts(folder);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, value = {
        "1 x 3|3|3|a column index from 1 to 5", "x 1 3|3|1|a row index from 1 to 4",
        "0 1 3|3|1|a row index from 1 to 4",
        "1 0 3|3|3|a column index from 1 to 5", "5 1 3|3|1|a row index from 1 to 4", "-1 1 3|3|1|a row index",
        "1 6 3|3|3|a column index", "1.0 1 3|3|2|a blank, then a column index", "1|3|2|a blank, then a column index",
        "1 |3|3|a column index", "1 2|3|4|a blank, then a value", "1 2 |3|5|a number", "1 2 x|3|5|a number",
        "1 2 3x|3|6|the end of the line", "1 2 3 4|3|7|the end of the line", "1 2-3|3|4|a blank, then a value",
        "1 2 3 % comment|3|7|the end of the line", "1,2,3|3|2|a blank", "99999999999 1 3|3|1|a row index",
        "1 18446744073709551617 3|3|3|a column index", "1 1 1e|3|7|the digits of an exponent", "1 1 --1|3|5|a number",
        "1 1 0x10|3|6|the end of the line", "  1 1 1e5.5|3|10|the end of the line", "\u00001 1 3|3|1|a row index"})
    void wrongEntries(String entry, long line, long column, String expected) {
        MatrixFormatException failure = texts.refuse(REAL + "4 5 1\n" + entry + "\n", line, column);
        assertTrue(failure.expected().startsWith(expected), failure.getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "''|1|1", "%|1|1", "%MatrixMarket matrix coordinate real general|1|1", "4 4 4|1|1",
        "%%MatrixMarket|1|1", "%%MatrixMarket matrix coordinate real|1|34",
        "%%MatrixMarket matrix coordinate real general extra|1|47",
        "%%MatrixMarket matrix coordinate double general|1|34",
        "%%MatrixMarket matrix sparse real general|1|23", "%%MatrixMarket graph coordinate real general|1|16",
        "%%MatrixMarket matrix coordinate real triangular|1|39", "%%MatrixMarket matrix array pattern general|1|29",
        "%%MatrixMarket matrix coordinate pattern hermitian|1|42",
        "%%MatrixMarket matrix coordinate pattern skew-symmetric|1|42",
        "%%MatrixMarket vector array real symmetric|1|34"})
    void wrongBanners(String banner, long line, long column) {
        texts.refuse(banner + "\n1 1 1\n1 1 1\n", line, column);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "3|2|2|has 1 words", "3 3|2|4|has 2 words", "3 3 0 0|2|7|has 4 words",
        "3 -3 0|2|3|'-3' is no number of columns",
        "3 3 -1|2|5|is no number of entries", "x 3 3|2|1|is no number of rows", "3.0 3 3|2|1|is no number of rows",
        "2147483648 1 0|2|1|more than Trellis can hold", "1 99999999999999999999 0|2|3|more than Trellis can hold",
        "1 1 99999999999999999999|2|5|more than Trellis can hold"})
    void wrongSizes(String sizes, long line, long column, String problem) {
        MatrixFormatException failure = texts.refuse(REAL + sizes + "\n", line, column);
        assertTrue(failure.getMessage().contains(problem), failure.getMessage());
    }

    @Test
    void symmetricMatricesAreSquare() {
        texts.refuse("%%MatrixMarket matrix coordinate real symmetric\n3 4 1\n1 1 1\n", 2, 1);
    }

    @Test
    void noSizeLine() {
        texts.refuse(REAL + "% only comments\n", 3, 1);
        texts.refuse(REAL.strip(), 1, 46);
    }

    @Test
    void tooFewEntries() {
        MatrixFormatException failure = texts.refuse(REAL + "3 3 3\n1 1 1\n\n2 2 2\n", 6, 1);
        assertTrue(failure.getMessage().contains("ends after 2 entries"), failure.getMessage());
        texts.refuse("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n%", 7, 1);
    }

    @Test
    void tooManyEntries() {
        MatrixFormatException failure = texts.refuse(REAL + "3 3 1\n1 1 1\n%\n\n  2 2 2\n3 3 3\n", 6, 3);
        assertTrue(failure.getMessage().contains("more entries than the 1 that line 2 declares"));
        texts.refuse("%%MatrixMarket matrix array real general\n1 1\n1\n2\n", 4, 1);
        texts.refuse(REAL + "3 0 0\n1 1 1\n", 3, 3);
    }

    @Test
    void theFirstErrorOfTheFileIsReported() {
        texts.refuse(REAL + "3 3 1\n1 1 1\n2 2 2\nx\n", 4, 1);
        texts.refuse(REAL + "3 3 1\n1 1 1\nx\n2 2 2\n", 4, 1);
        texts.refuse("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n1 2 1\n3 1 1\nx\n", 4, 1);
    }

    @Test
    void hugeClaimsCostNothing() {
        texts.refuse(REAL + "3 3 1000000000000\n1 1 1\n", 4, 1);
        texts.refuse(REAL + "3 3 9223372036854775807\n1 1 1\n", 4, 1);
        texts.refuse("%%MatrixMarket matrix array real general\n2147483647 2147483647\n1\n", 4, 1);
        MatrixFormatException failure = texts.refuse(REAL + "2000000000 2000000000 1\n1 1 1\n", 2, 1);
        assertTrue(failure.getMessage().contains("2000000000 rows are out of proportion"), failure.getMessage());
        texts.refuse("%%MatrixMarket matrix coordinate pattern symmetric\n2147483647 2147483647 0\n", 2, 1);
    }

    @Test
    void manyColumnsCostNothing() {
        assertEquals(Integer.MAX_VALUE, texts.read(REAL + "1 2147483647 1\n1 2147483647 1\n").columns());
        assertEquals(1 << 24, texts.read(REAL + "16777216 1 0\n").rows());
    }

    @Test
    void carriageReturnsAloneAreRefused() {
        texts.refuse("%%MatrixMarket matrix coordinate real general\r%\r1 1 1\r1 1 1\r", 1, 46);
        texts.refuse(REAL + "1 1 1\r1 1 1\r", 2, 6);
        texts.refuse(REAL + "1 1 1\n1 1 1\r2", 3, 6);
        texts.refuse(REAL + "1 1 1\n\r1 1 1\n", 3, 1);
    }

    @Test
    void overlongLines() {
        String blanks = " ".repeat(70_000);
        texts.refuse(REAL + "1 1 1\n1 1" + blanks + "1\n", 3, 1);
        texts.refuse(REAL + "1 1 1\n1 1" + " ".repeat(2_000_000) + "1\n", 3, 1);
        texts.refuse(REAL + "1 1 1" + " ".repeat(2000) + "\n1 1 1\n", 2, 1025);
        texts.refuse("%%MatrixMarket" + " ".repeat(2000) + "matrix coordinate real general\n1 1 1\n1 1 1\n", 1, 1025);
    }

    @Test
    void commentsOfAnyLength() {
        String comment = "%" + "x".repeat(3_000_000) + "\n";
        String text =
                REAL + comment + "2 1 2\n" + comment + "1 1 5\n  " + comment + "%" + "y".repeat(80_000) + "\n2 1 6\n";
        assertEquals(6, texts.read(text).get(1, 0));
        texts.refuse(text + comment + "z", 10, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 10, 20, 40, 60, 70})
    void damagedGzip(int length) {
        byte[] whole = Texts.gzip((REAL + "2 2 2\n1 1 1.23456789\n2 2 3.4567\n").getBytes(StandardCharsets.ISO_8859_1));
        Path cut = texts.file("cut.gz", Arrays.copyOf(whole, Math.min(length, whole.length - 1)));
        assertThrows(MatrixFormatException.class, () -> Texts.read(cut, ReadOptions.DEFAULT));
        byte[] flipped = whole.clone();
        flipped[Math.min(length, whole.length - 5)] ^= 0x55;
        Path wrong = texts.file("wrong.gz", flipped);
        assertThrows(MatrixFormatException.class, () -> Texts.read(wrong, ReadOptions.DEFAULT));
    }

    @Test
    void compressedFilesMayNotExpandWithoutEnd() {
        byte[] bomb =
                Texts.gzip((REAL + "1 1 4000000\n" + "1 1 1\n".repeat(4_000_000)).getBytes(StandardCharsets.US_ASCII));
        Path file = texts.file("bomb.gz", bomb);
        ReadOptions narrow = ReadOptions.DEFAULT.withMaximumTextBytes(1 << 20);
        MatrixFormatException failure =
                assertThrows(MatrixFormatException.class, () -> Texts.read(file, narrow));
        assertTrue(failure.getMessage().contains("expands to more than 1048576 bytes"), failure.getMessage());
        assertEquals(4e6, Texts.read(file, ReadOptions.DEFAULT).get(0, 0));
    }

    @Test
    void otherFormatsAreRefused() {
        Path zip = texts.file("a.zip", new byte[]{'P', 'K', 3, 4, 0, 0, 0});
        assertThrows(MatrixFormatException.class, () -> Texts.read(zip, ReadOptions.DEFAULT));
        Path empty = texts.file("empty.mtx", new byte[0]);
        assertThrows(MatrixFormatException.class, () -> Texts.read(empty, ReadOptions.DEFAULT));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theFirstOfSeveralErrorsIsReported(int threads) {
        String head = "%%MatrixMarket matrix coordinate real skew-symmetric\n6 6 3\n";
        String below = "4 1 -.125\n5 1 inf\n6 1 -.378\n";
        ReadOptions options = ReadOptions.DEFAULT.withThreads(threads);
        // One entry too many, then one of the other triangle.
        MatrixFormatException count = texts.refuse(head + below + "3 2 1\n2 5 1\n", options, 6, 1);
        assertTrue(count.getMessage().contains("more entries than the 3"), count.getMessage());
        // The other way round.
        MatrixFormatException triangle = texts.refuse(head + "4 1 1\n2 5 1\n6 1 1\n3 2 1\n", options, 4, 1);
        assertTrue(triangle.getMessage().contains("other side"), triangle.getMessage());
    }

    @Test
    void theSharedFileOfTwoErrors() {
        // Outside of what must throw: without the data this ends the test.
        Path file = SharedData.folder("found").resolve("par-1.mtx");
        MatrixFormatException failure =
                assertThrows(MatrixFormatException.class, () -> Texts.read(file, ReadOptions.DEFAULT));
        assertEquals(13, failure.line());
        assertTrue(failure.getMessage().contains("more entries than the 10"), failure.getMessage());
    }

    @Test
    void anErrorBeforeDamageIsTheOneReported() throws IOException {
        StringBuilder text = new StringBuilder(REAL + "1000000 1 1000000\n1 1 x\n");
        for (int i = 0; i < 300_000; i++) {
            text.append(i + 1).append(" 1 ").append(i * 31 % 1009).append('\n');
        }
        byte[] whole = Texts.gzip(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        Path cut = texts.file("cut.mtx.gz", Arrays.copyOf(whole, whole.length - 1000));
        for (int round = 0; round < 20; round++) {
            MatrixFormatException failure = assertThrows(MatrixFormatException.class,
                    () -> Texts.read(cut, ReadOptions.DEFAULT.withThreads(3)));
            assertEquals("3:5", failure.line() + ":" + failure.column(), failure.getMessage());
        }
    }

    @Test
    void theHeaderOfACompressedFileMayNotExpandWithoutEndEither() throws IOException {
        byte[] bomb = Texts.gzip((REAL + "\n".repeat(4_000_000)).getBytes(StandardCharsets.US_ASCII));
        Path file = texts.file("header.gz", bomb);
        ReadOptions narrow = ReadOptions.DEFAULT.withMaximumTextBytes(1 << 20);
        for (MatrixFormatException failure : List.of(
                assertThrows(MatrixFormatException.class, () -> Texts.read(file, narrow)),
                assertThrows(MatrixFormatException.class,
                        () -> MatrixMarket.read(new ByteArrayInputStream(bomb), "stream", narrow)))) {
            assertTrue(failure.getMessage().contains("expands to more than 1048576 bytes"), failure.getMessage());
        }
    }

    @Test
    void garbageBehindACompressedFileIsRefused() {
        byte[] whole = Texts.gzip((REAL + "1 1 1\n1 1 2\n").getBytes(StandardCharsets.ISO_8859_1));
        byte[] longer = Arrays.copyOf(whole, whole.length + 5);
        longer[whole.length] = 'x';
        assertThrows(MatrixFormatException.class,
                () -> Texts.read(texts.file("longer.gz", longer), ReadOptions.DEFAULT));
    }

    @Test
    void messagesEscapeAndShortenWhatTheyQuote() {
        for (String text : List.of("%%MatrixMarket matrix coord\u001B[31mRED\u001B]0;pwn\u0007 real general\n1 1 0\n",
                REAL + "1 1 " + "9".repeat(900) + "\u001B\n", REAL + "1 1 1\n1 1 \u001B[31m\n",
                REAL + "1 1 1\n1 1 \u007F\n", REAL + "1 1 1\n1 1 " + "x".repeat(60_000) + "\n")) {
            MatrixFormatException failure = assertThrows(MatrixFormatException.class, () -> texts.read(text));
            String message = failure.getMessage().substring(failure.file().length());
            assertTrue(message.length() < 400 && message.chars().noneMatch(Character::isISOControl), message);
        }
    }
}
