package org.trellis.cuda.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sizes of kernels in a file made by hand. */
class CodeSizesTest {
    private static final byte[] NAMES = "\0.text.loop\0.text.gather\0.shstrtab\0".getBytes(StandardCharsets.US_ASCII);
    private static final int TABLE = 128;

    private static void section(ByteBuffer bytes, int number, int name, long offset, long size) {
        int at = TABLE + 64 * number;
        bytes.putInt(at, name);
        bytes.putLong(at + 0x18, offset);
        bytes.putLong(at + 0x20, size);
    }

    /** Kernels "loop" of 9,728 bytes and "gather" of 512. */
    static byte[] image() {
        ByteBuffer bytes = ByteBuffer.allocate(TABLE + 4 * 64).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(0, new byte[]{0x7f, 'E', 'L', 'F', 2, 1});
        bytes.putLong(0x28, TABLE);
        bytes.putShort(0x3c, (short) 4);
        bytes.putShort(0x3e, (short) 3);
        bytes.put(64, NAMES);
        section(bytes, 1, 1, 4096, 9728);
        section(bytes, 2, 12, 20480, 512);
        section(bytes, 3, 25, 64, NAMES.length);
        return bytes.array();
    }

    @Test
    void readsSectionsOfCode() {
        assertEquals(Map.of("loop", 9728, "gather", 512), CodeSizes.of(image()));
    }

    @Test
    void knowsNothingOfOtherImages() {
        assertEquals(Map.of(), CodeSizes.of("a path".getBytes(StandardCharsets.US_ASCII)));
        byte[] cut = image();
        ByteBuffer.wrap(cut).order(ByteOrder.LITTLE_ENDIAN).putLong(0x28, cut.length);
        assertEquals(Map.of(), CodeSizes.of(cut));
    }
}
