package org.trellis.matrices.mesh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * One binary array of a VTU file: a header with sizes, then bytes; either as they are or as base64, either compressed
 * in
 * blocks or not. The problem is the message of an {@link IllegalArgumentException}.
 */
final class VtuBlock {
    /** zlib makes at most about a thousand bytes of one. */
    private static final long MOST_EXPANSION = 1100;

    private final byte[] source;
    private final int end;
    private final boolean base64;
    private final boolean compressed;
    private final int headerBytes;
    private final ByteOrder order;

    /**
     * Describes where blocks are.
     *
     * @param source      the bytes, or base64 text without blanks
     * @param end         where they end
     * @param base64      which of the two
     * @param compressed  whether arrays are compressed
     * @param headerBytes bytes of a size, 4 or 8
     * @param order       their order
     */
    VtuBlock(byte[] source, int end, boolean base64, boolean compressed, int headerBytes, ByteOrder order) {
        this.source = source;
        this.end = end;
        this.base64 = base64;
        this.compressed = compressed;
        this.headerBytes = headerBytes;
        this.order = order;
    }

    /** Returns the bytes of the array that starts at a position. */
    byte[] at(long position) {
        if (position < 0 || position > end) {
            throw new IllegalArgumentException("starts at " + position + ", behind the end of the data");
        }
        int start = (int) position;
        return compressed ? inflated(start) : plain(start);
    }

    private byte[] plain(int start) {
        long size = sizes(start, 1)[0];
        if (!base64) {
            return bytes(start + headerBytes, size);
        }
        int headerText = 4 * Math.ceilDiv(headerBytes, 3);
        if (source[start + headerText - 1] == '=') {
            // Header and data were encoded apart.
            return bytes(start + headerText, size);
        }
        byte[] both = bytes(start, headerBytes + size);
        return Arrays.copyOfRange(both, headerBytes, both.length);
    }

    private byte[] inflated(int start) {
        long blocks = sizes(start, 1)[0];
        if (blocks == 0) {
            return new byte[0];
        }
        if (blocks < 0 || blocks > end / headerBytes) {
            throw new IllegalArgumentException("has " + blocks + " compressed blocks, more than the data can hold");
        }
        long[] header = sizes(start, (int) blocks + 3);
        long size = (blocks - 1) * header[1] + (header[2] == 0 ? header[1] : header[2]);
        long packed = 0;
        for (int i = 3; i < header.length; i++) {
            packed += header[i];
            if (header[i] < 0 || packed > end) {
                throw new IllegalArgumentException("has compressed blocks that are larger than the data");
            }
        }
        if (header[1] < 0 || header[2] < 0 || size < 0 || size > MOST_EXPANSION * (packed + 64)) {
            throw new IllegalArgumentException("claims " + size + " bytes in " + packed + " compressed bytes");
        }
        int headerSize = header.length * headerBytes;
        byte[] data = bytes(start + (base64 ? 4 * Math.ceilDiv(headerSize, 3) : headerSize), packed);
        return inflate(data, header, (int) size);
    }

    private static byte[] inflate(byte[] data, long[] header, int size) {
        byte[] result = new byte[size];
        int from = 0;
        int to = 0;
        for (int i = 3; i < header.length; i++) {
            boolean last = i == header.length - 1;
            int wanted = (int) (last && header[2] != 0 ? header[2] : header[1]);
            Inflater inflater = new Inflater();
            try {
                inflater.setInput(data, from, (int) header[i]);
                int count = 0;
                while (count < wanted) {
                    int more = inflater.inflate(result, to + count, wanted - count);
                    if (more == 0) {
                        throw new IllegalArgumentException("has a compressed block of " + count + " bytes, expected "
                                + wanted);
                    }
                    count += more;
                }
            } catch (DataFormatException e) {
                throw new IllegalArgumentException("has a damaged compressed block: " + e.getMessage(), e);
            } finally {
                inflater.end();
            }
            from += (int) header[i];
            to += wanted;
        }
        return result;
    }

    private long[] sizes(int start, int count) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes(start, (long) count * headerBytes)).order(order);
        long[] sizes = new long[count];
        for (int i = 0; i < count; i++) {
            sizes[i] = headerBytes == Long.BYTES ? buffer.getLong() : Integer.toUnsignedLong(buffer.getInt());
        }
        return sizes;
    }

    private byte[] bytes(int start, long count) {
        long length = base64 ? 4 * Math.ceilDiv(count, 3L) : count;
        if (count < 0 || length < 0 || length > end - (long) start) {
            throw new IllegalArgumentException("needs " + count + " bytes where the data end earlier");
        }
        byte[] taken = Arrays.copyOfRange(source, start, start + (int) length);
        byte[] decoded = base64 ? Base64.getDecoder().decode(taken) : taken;
        if (decoded.length < count) {
            throw new IllegalArgumentException("needs " + count + " bytes where the data end earlier");
        }
        return decoded.length == count ? decoded : Arrays.copyOf(decoded, (int) count);
    }
}
