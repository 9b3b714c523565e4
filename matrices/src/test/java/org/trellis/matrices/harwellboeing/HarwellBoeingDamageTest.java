package org.trellis.matrices.harwellboeing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.MatrixFormatException;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.SharedData;

/** Compressed files that are damaged, numbers without end, and text that is not meant for people. */
class HarwellBoeingDamageTest {
    private static final String HEAD = "title                                                                   key\n";
    private static final String WITH_RIGHT_HAND_SIDE = HEAD
            + "             4             1             1             1             1\n"
            + "RUA                        2             2             2             0\n"
            + "(8I3)           (8I3)           (2E10.2)            (2E10.2)\n"
            + "F                          1             0\n"
            + "  1  2  3\n  1  2\n  1.50E+00 -2.00E+00\n  7.00E+00  8.00E+00\n";

    @TempDir
    private Path folder;

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.ISO_8859_1));
        }
        return bytes.toByteArray();
    }

    private CsrMatrix read(byte[] bytes) throws IOException {
        return HarwellBoeing.read(Files.write(folder.resolve("m.rua.gz"), bytes), ReadOptions.DEFAULT);
    }

    private MatrixFormatException refused(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("m.rua"), text, StandardCharsets.ISO_8859_1);
        MatrixFormatException failure =
                assertThrows(MatrixFormatException.class, () -> HarwellBoeing.read(file, ReadOptions.DEFAULT));
        String message = failure.getMessage().substring(failure.file().length());
        assertTrue(message.length() < 400 && message.chars().noneMatch(Character::isISOControl), message);
        return failure;
    }

    @Test
    void theChecksumCountsAlsoIfARightHandSideFollows() throws IOException {
        byte[] whole = gzip(WITH_RIGHT_HAND_SIDE);
        CsrMatrix sound = read(whole);
        assertEquals(-2, sound.get(1, 1));
        int changed = 0;
        for (int bit = 16; bit < 8 * whole.length; bit += 3) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                assertTrue(sound.sameAs(read(flipped)), "bit " + bit);
                changed++;
            } catch (MatrixFormatException e) {
                assertTrue(e.getMessage().contains("expected"), e.getMessage());
            }
        }
        // Bits of the header that mean nothing, those that fill the last byte up, copies of the same text elsewhere.
        assertTrue(changed < 40, changed + " flipped bits make no difference");
        for (int length = 2; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThrows(MatrixFormatException.class, () -> read(cut), () -> cut.length + " bytes");
        }
    }

    @Test
    void theSharedDamagedFileIsRefused() {
        Path file = SharedData.folder("found").resolve("hb-crc-ignored.rua.gz");
        assertTrue(assertThrows(MatrixFormatException.class, () -> HarwellBoeing.read(file, ReadOptions.DEFAULT))
                .getMessage().contains("damaged"));
    }

    @Test
    void numbersWithoutEndCostNoTime() {
        String head = HEAD + "             3             1             1             1\n"
                + "RUA                        1             1             1             0\n"
                + "(2I10)          (1I10)          (1E9999.10)\n         1         2\n         1\n";
        for (String number : List.of("1".repeat(60_000), "1".repeat(9_999), "1".repeat(9_990) + "x",
                "1".repeat(4_000) + "x", "1." + "1".repeat(4_000) + "E", "E".repeat(9_000))) {
            assertTimeoutPreemptively(Duration.ofSeconds(5), () -> assertEquals(7, refused(head + number).line()));
        }
        Path shared = SharedData.folder("found").resolve("r2.rua");
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> assertThrows(MatrixFormatException.class,
                () -> HarwellBoeing.read(shared, ReadOptions.DEFAULT)));
    }

    @Test
    void numbersInEveryFormOfFortran() throws IOException {
        String head = HEAD + " 3 1 1 1\nRUA 1 1 1 0\n(2I10) (1I10) (1E25.2)\n         1         2\n         1\n";
        for (List<String> pair : List.of(List.of("1.5", "1.5"), List.of("-.5D2", "-50"), List.of("+5.", "5"),
                List.of("150", "1.5"), List.of("1.5+03", "1500"), List.of("1.5E 3", "1500"),
                List.of("15E0000000000001", "1.5"), List.of("0e99999999999", "0"),
                List.of("1E-99999999999999", "0"))) {
            Path file = Files.writeString(folder.resolve("m.rua"), head + " " + pair.getFirst() + "\n");
            assertEquals(Double.parseDouble(pair.getLast()), HarwellBoeing.read(file, ReadOptions.DEFAULT).get(0, 0),
                    pair.getFirst());
        }
        for (String wrong : List.of(".", "+", "E5", "1E", "1E+", "1+", "1.5.2", "1E5E5", "--1", "1E99999999999", "1 5x",
                "0x1p3", "NaN", "1f")) {
            refused(head + " " + wrong + "\n");
        }
    }

    @Test
    void messagesEscapeWhatTheyQuote() throws IOException {
        String head = HEAD + " 3 1 1 1\nRUA 1 1 1 0\n(2I10) (1I10) (1E20.10)\n         1         2\n         1\n";
        assertTrue(refused(head + "\u001B]0;pwn\u0007\u001B[31mX\n").getMessage()
                .contains("found '\\x1B]0;pwn\\x07\\x1B[31mX'"));
        refused(head + " 1.0\n\u009B31m" + "x".repeat(60_000) + "\n");
        refused(HEAD + " 3 1 1 1\nR\u001BA 1 1 1 0\n(2I10) (1I10) (1E20.10)\n");
        refused(HEAD + " 3 1 1 \u001B\nRUA 1 1 1 0\n(2I10) (1I10) (1E20.10)\n");
        refused(HEAD + " 3 1 1 1\nRUA 1 1 1 0\n(\u001B" + "9".repeat(60_000) + ") (1I10) (1E20.10)\n");
    }

    @Test
    void manyRowsCostNoMoreThanTheirOffsets() throws IOException {
        Path file =
                Files.writeString(folder.resolve("m.rua"), HEAD + " 3 1 1 1\nRUA 16777216 2 2 0\n(8I3) (8I3) (3E9.2)\n"
                        + "  1  2  3\n  2  1\n 1.50E+00 2.00E+00\n");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        CsrMatrix matrix = HarwellBoeing.read(file, ReadOptions.DEFAULT);
        long used = threads.getCurrentThreadAllocatedBytes() - before;
        assertEquals(2, matrix.get(0, 1));
        assertTrue(used < 150 << 20, used + " bytes");
    }
}
