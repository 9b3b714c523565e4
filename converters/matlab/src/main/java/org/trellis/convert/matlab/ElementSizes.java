package org.trellis.convert.matlab;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.trellis.common.MatrixFormatException;

/**
 * Checks that each element of a MAT-file lies within the file, or within the element that holds it, before a library
 * that trusts these sizes reserves memory for them. What is compressed is not looked into.
 *
 * <p>Source: MathWorks, MAT-File Format, level 5, section "Data Element Format".
 */
final class ElementSizes {
    private static final int HEADER_BYTES = 128;
    private static final short BIG_ENDIAN_MARK = 'M' << Byte.SIZE | 'I';
    private static final short LITTLE_ENDIAN_MARK = 'I' << Byte.SIZE | 'M';
    private static final int TAG_BYTES = 8;
    private static final int MATRIX = 14;
    private static final int COMPRESSED = 15;

    private final String name;
    private final FileChannel file;
    private final ByteBuffer tag = ByteBuffer.allocate(TAG_BYTES);

    private ElementSizes(String name, FileChannel file) {
        this.name = name;
        this.file = file;
    }

    /**
     * Checks a file.
     *
     * @param path the file
     * @throws MatrixFormatException if an element does not end where it must; names the byte at which it begins
     * @throws IOException           if the file cannot be read
     */
    static void check(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            new ElementSizes(path.toString(), file).check();
        }
    }

    private void check() throws IOException {
        if (file.size() < HEADER_BYTES) {
            return; // the library says what is wrong with such a file
        }
        readTag(HEADER_BYTES - TAG_BYTES);
        short mark = tag.order(ByteOrder.BIG_ENDIAN).getShort(TAG_BYTES - Short.BYTES);
        if (mark == BIG_ENDIAN_MARK || mark == LITTLE_ENDIAN_MARK) {
            tag.order(mark == BIG_ENDIAN_MARK ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            elements(HEADER_BYTES, file.size());
        }
    }

    private void elements(long from, long to) throws IOException {
        for (long at = from; at < to;) {
            if (to - at < TAG_BYTES) {
                throw failure(at, to - at, "a tag of " + TAG_BYTES + " bytes");
            }
            readTag(at);
            int type = tag.getInt(0);
            long bytes = Integer.toUnsignedLong(tag.getInt(Integer.BYTES));
            boolean small = type >>> Short.SIZE != 0;
            if (!small && bytes > to - at - TAG_BYTES) {
                throw failure(at, bytes, "at most " + (to - at - TAG_BYTES) + " bytes");
            }
            if (!small && type == MATRIX) {
                elements(at + TAG_BYTES, at + TAG_BYTES + bytes);
            }
            at += TAG_BYTES + (small ? 0 : type == COMPRESSED ? bytes : padded(bytes));
        }
    }

    private static long padded(long bytes) {
        return (bytes + TAG_BYTES - 1) / TAG_BYTES * TAG_BYTES;
    }

    private void readTag(long at) throws IOException {
        tag.clear();
        while (tag.hasRemaining()) {
            if (file.read(tag, at + tag.position()) < 0) {
                throw new EOFException(name + " became shorter while it was read");
            }
        }
    }

    private MatrixFormatException failure(long at, long bytes, String expected) {
        return new MatrixFormatException(name, 0, 0,
                "the file is damaged: the element at byte " + at + " has " + bytes + " bytes", expected);
    }
}
