package org.trellis.tuner.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file may ask of a reader of profiles. */
class ProfileBoundsTest {
    private static final int MEGABYTE = 1 << 20;

    @TempDir
    private Path folder;

    private static byte[] gzip(byte[] piece, int times) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes, MEGABYTE)) {
            for (int i = 0; i < times; i++) {
                gzip.write(piece);
            }
        }
        return bytes.toByteArray();
    }

    private ProfileException refused(String name, byte[] contents) throws IOException {
        Path file = Files.write(folder.resolve(name), contents);
        ProfileException failure = assertThrows(ProfileException.class, () -> Profile.read(file));
        assertTrue(failure.getMessage().startsWith(file.toString()), failure.getMessage());
        return failure;
    }

    @Test
    void aCompressedProfileMayNotExpandWithoutEnd() throws IOException {
        byte[] blanks = new byte[MEGABYTE];
        Arrays.fill(blanks, (byte) ' ');
        byte[] bomb = gzip(blanks, 64);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        ProfileException failure = refused("bomb.json.gz", bomb);
        long used = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(failure.getMessage().contains("expands to more than " + Profile.MOST_BYTES), failure.getMessage());
        assertTrue(used < 8 * Profile.MOST_BYTES, used + " bytes");
    }

    @Test
    void aTreeOfNothingIsRefusedBeforeItIsBuilt() throws IOException {
        byte[] empty = "{},".repeat(1000).getBytes(StandardCharsets.UTF_8);
        byte[] list = gzip(empty, 5000);
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.write(gzip("{\"results\": [".getBytes(StandardCharsets.UTF_8), 1));
        both.write(list);
        assertTrue(refused("tree.json.gz", both.toByteArray()).getMessage().contains("proportion"));
        refused("deep.json", "[".repeat(100_000).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void garbageBehindTheCompressedTextAndWrongChecksumsAreRefused() throws IOException {
        byte[] text = Profile.empty().toText().getBytes(StandardCharsets.UTF_8);
        byte[] sound = gzip(text, 1);
        assertEquals(Profile.empty().toText(),
                Profile.read(Files.write(folder.resolve("sound.json.gz"), sound)).toText());
        byte[] longer = Arrays.copyOf(sound, sound.length + 3);
        assertTrue(refused("longer.json.gz", longer).getMessage().contains("damaged"));
        for (int bit = 0; bit < 64; bit++) {
            byte[] flipped = sound.clone();
            flipped[sound.length - 1 - bit / 8] ^= (byte) (1 << bit % 8);
            refused("flipped.json.gz", flipped);
        }
    }

    @Test
    void foldersAreNamedAsSuch() {
        IOException failure = assertThrows(IOException.class, () -> Profile.read(folder));
        assertTrue(failure.getMessage().contains("this is a folder; expected a tuning profile"), failure.getMessage());
    }

    @Test
    void messagesAreFitForTerminals() throws IOException {
        String escape = "{\"schema_version\": \"\u009b31m" + "x".repeat(5000) + "\", \"\u202e\": [\u001b]}";
        String message = refused("escape.json", escape.getBytes(StandardCharsets.UTF_8)).getMessage();
        assertTrue(message.length() <= 800 && message.chars().noneMatch(Character::isISOControl), message);
    }
}
