package org.trellis.cuda.compile;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * How long the machine code of kernels is: the sections {@code .text.NAME} of a cubin, which is an ELF file of 64 bits.
 */
public final class CodeSizes {
    private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F', 2, 1};
    private static final String PREFIX = ".text.";
    private static final int HEADER = 64;
    private static final int SECTION = 64;

    private CodeSizes() {}

    /**
     * Reads the sizes.
     *
     * @param image what a compiler has made
     * @return bytes of the code of each kernel by its name; nothing of an image in another form
     */
    public static Map<String, Integer> of(byte[] image) {
        ByteBuffer bytes = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
        Map<String, Integer> sizes = new HashMap<>();
        if (image.length < HEADER || !bytes.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
            return sizes;
        }
        long table = bytes.getLong(0x28);
        int count = Short.toUnsignedInt(bytes.getShort(0x3c));
        int names = Short.toUnsignedInt(bytes.getShort(0x3e));
        if (table < HEADER || names >= count || table + (long) SECTION * count > image.length) {
            return sizes;
        }
        int strings = (int) table + SECTION * names;
        long start = bytes.getLong(strings + 0x18);
        for (int i = 0; i < count; i++) {
            int section = (int) table + SECTION * i;
            String name = text(image, start + Integer.toUnsignedLong(bytes.getInt(section)));
            if (name.startsWith(PREFIX)) {
                sizes.put(name.substring(PREFIX.length()), Math.toIntExact(bytes.getLong(section + 0x20)));
            }
        }
        return sizes;
    }

    private static String text(byte[] image, long from) {
        if (from < 0 || from >= image.length) {
            return "";
        }
        int to = (int) from;
        while (to < image.length && image[to] != 0) {
            to++;
        }
        return new String(image, (int) from, to - (int) from, StandardCharsets.US_ASCII);
    }
}
