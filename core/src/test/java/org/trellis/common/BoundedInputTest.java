package org.trellis.common;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.testing.TestSeed;

final class BoundedInputTest {
    private static final byte[] TEXT = "0123456789 some text, some more of it\n".repeat(40)
            .getBytes(StandardCharsets.ISO_8859_1);

    @TempDir
    private Path folder;

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(bytes);
        }
        return compressed.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] read(byte[] bytes, long limit) throws IOException {
        try (BoundedInput input = BoundedInput.of(new ByteArrayInputStream(bytes), limit,
                (found, expected) -> new IllegalStateException(found + "; expected " + expected))) {
            return input.readAllBytes();
        }
    }

    private static String refused(byte[] bytes, long limit) {
        return assertThrows(IllegalStateException.class, () -> read(bytes, limit)).getMessage();
    }

    @Test
    void plainAndCompressedContentsAreTheSame() throws IOException {
        assertArrayEquals(TEXT, read(TEXT, 0));
        assertArrayEquals(TEXT, read(gzip(TEXT), TEXT.length));
        assertArrayEquals(joined(TEXT, TEXT), read(joined(gzip(TEXT), gzip(new byte[0]), gzip(TEXT)), 1 << 20));
        assertArrayEquals(new byte[0], read(new byte[0], 10));
        assertArrayEquals(new byte[]{0x1F}, read(new byte[]{0x1F}, 10));
        assertArrayEquals(new byte[]{0x1F, 0x41}, read(new byte[]{0x1F, 0x41}, 10));
    }

    @Test
    void bytesOneByOneAndInPieces() throws IOException {
        Path file = Files.write(folder.resolve("t.gz"), joined(gzip(TEXT), gzip(TEXT)));
        try (BoundedInput input = BoundedInput.open(file, "a text", size -> 100 * size,
                (found, expected) -> new IllegalStateException(found))) {
            assertTrue(input.compressed());
            for (int i = 0; i < TEXT.length + 5; i++) {
                assertEquals(TEXT[i % TEXT.length], input.read());
            }
            byte[] rest = new byte[TEXT.length];
            assertEquals(TEXT.length - 5, input.readNBytes(rest, 0, rest.length));
            assertArrayEquals(Arrays.copyOfRange(TEXT, 5, TEXT.length), Arrays.copyOf(rest, TEXT.length - 5));
            assertEquals(-1, input.read());
            assertEquals(Files.size(file), input.takenBytes());
        }
    }

    @Test
    void optionalPartsOfTheHeaderAreSkippedAndChecked() throws IOException {
        byte[] plain = gzip(TEXT);
        byte[] head = {0x1F, (byte) 0x8B, 8, 2 + 4 + 8 + 16, 1, 2, 3, 4, 0, 3, 2, 0, 'e', 'x', 'n', 0, 'c', 0};
        CRC32 sum = new CRC32();
        sum.update(head);
        byte[] check = {(byte) sum.getValue(), (byte) (sum.getValue() >>> 8)};
        byte[] body = Arrays.copyOfRange(plain, 10, plain.length);
        assertArrayEquals(TEXT, read(joined(head, check, body), 1 << 20));
        check[0] ^= 1;
        assertTrue(refused(joined(head, check, body), 1 << 20).contains("checksum of the header"));
    }

    @Test
    void everyTruncationIsRefused() throws IOException {
        byte[] whole = gzip(TEXT);
        for (int length = 2; length < whole.length; length++) {
            assertTrue(refused(Arrays.copyOf(whole, length), 1 << 20).contains("damaged"));
        }
    }

    @Test
    void everyFlippedBitIsRefusedOrMakesNoDifference() throws IOException {
        byte[] whole = gzip(TEXT);
        int accepted = 0;
        for (int bit = 0; bit < 8 * whole.length; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                byte[] contents = read(flipped, 1 << 20);
                boolean magic = bit < 16;
                assertArrayEquals(magic ? flipped : TEXT, contents, "bit " + bit);
                accepted += magic ? 0 : 1;
            } catch (IllegalStateException e) {
                assertTrue(e.getMessage().contains("damaged"), e.getMessage());
            }
        }
        // Time, extra flags and system of the header, the flag for text, and what fills the last byte up mean nothing.
        assertTrue(accepted <= 8 * 6 + 1 + 7, accepted + " accepted");
    }

    @Test
    void garbageBehindTheEndIsRefused() throws IOException {
        SplittableRandom random = TestSeed.random("BoundedInputTest");
        for (int round = 0; round < 50; round++) {
            byte[] garbage = new byte[1 + random.nextInt(40)];
            random.nextBytes(garbage);
            garbage[0] = garbage[0] == 0x1F ? 0 : garbage[0];
            String message = refused(joined(gzip(TEXT), garbage), 1 << 20);
            assertTrue(message.contains("no gzip follows") && message.contains("nothing behind it"), message);
        }
        refused(joined(gzip(TEXT), new byte[1]), 1 << 20);
    }

    @Test
    void theLimitHoldsForAllMembersTogether() throws IOException {
        byte[] twice = joined(gzip(TEXT), gzip(TEXT));
        assertEquals(2 * TEXT.length, read(twice, 2L * TEXT.length).length);
        assertTrue(refused(twice, 2L * TEXT.length - 1).contains("expands to more than"));
    }

    @Test
    void drainingChecksWhatWasNotRead() throws IOException {
        byte[] wrong = gzip(TEXT);
        wrong[wrong.length - 6] ^= 1;
        try (BoundedInput input = BoundedInput.of(new ByteArrayInputStream(wrong), 1 << 20,
                (found, expected) -> new IllegalStateException(found))) {
            assertEquals('0', input.read());
            assertThrows(IllegalStateException.class, input::drain);
        }
    }

    @Test
    void onlyRegularFilesAreOpened() throws IOException {
        BoundedInput.Problem problem = (found, expected) -> new IllegalStateException(found);
        IOException failure = assertThrows(IOException.class,
                () -> BoundedInput.open(folder, "a text", size -> size, problem).close());
        assertEquals(folder + ": this is a folder; expected a text", failure.getMessage());
        assertThrows(NoSuchFileException.class,
                () -> BoundedInput.open(folder.resolve("none"), "a text", size -> size, problem).close());
        Path plain = Files.write(folder.resolve("plain"), TEXT);
        try (BoundedInput input = BoundedInput.open(plain, "a text", size -> size, problem)) {
            assertFalse(input.compressed());
        }
    }
}
