package org.trellis.matrices.mesh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * One binary array of a VTU file: a header with sizes, then bytes; either as they are or as base64, either compressed
 * in blocks or not. The problem is the message of an {@link IllegalArgumentException}.
 */
final class VtuBlock {
    /** zlib makes at most about a thousand bytes of one. */
    private static final long MOST_EXPANSION = 1100;

    private final byte[] source;
    private final int first;
    private final int end;
    private final boolean base64;
    private final boolean compressed;
    private final int headerBytes;
    private final ByteOrder order;
    private long located;
    private int furthest;

    /**
     * Describes where blocks are.
     *
     * @param source      the bytes, or base64 text without blanks
     * @param first       where they start
     * @param end         where they end
     * @param base64      which of the two
     * @param compressed  whether arrays are compressed
     * @param headerBytes bytes of a size, 4 or 8
     * @param order       their order
     */
    VtuBlock(byte[] source, int first, int end, boolean base64, boolean compressed, int headerBytes, ByteOrder order) {
        this.source = source;
        this.first = first;
        this.end = end;
        this.base64 = base64;
        this.compressed = compressed;
        this.headerBytes = headerBytes;
        this.order = order;
    }

    /**
     * Where an array is and what its header says, before anything is set aside for it.
     *
     * @param data   where its bytes start, of a plain base64 array together with the header
     * @param end    where the next array may start
     * @param size   bytes of the array
     * @param skip   bytes of the header at {@code data}
     * @param packed sizes of its compressed blocks, behind their number and the two sizes when inflated; null if plain
     */
    record Place(int data, int end, long size, int skip, long[] packed) {}

    /** Finds the array that starts at a position; arrays may not lie over each other. */
    Place locate(long position) {
        if (position < 0 || position > end) {
            throw new IllegalArgumentException("starts at " + position + ", behind the end of the data");
        }
        int start = (int) position;
        Place place = compressed ? compressedPlace(start) : plainPlace(start);
        located += place.end - start;
        if (located > end - first) {
            throw new IllegalArgumentException("lies where another array is");
        }
        // An empty compressed array has one size or three.
        int threeSizes = base64 ? 4 * headerBytes : 3 * headerBytes;
        boolean empty = compressed && place.size == 0;
        furthest = Math.max(furthest, empty ? (int) Math.min(end, (long) start + threeSizes) : place.end);
        return place;
    }

    /** Where the array that ends last ends. */
    int furthest() {
        return furthest;
    }

    /** Returns the bytes of an array. */
    byte[] read(Place place) {
        if (place.packed == null) {
            byte[] both = bytes(place.data, place.skip + place.size);
            return place.skip == 0 ? both : Arrays.copyOfRange(both, place.skip, both.length);
        }
        return inflate(bytes(place.data, packedBytes(place.packed)), place.packed, (int) place.size);
    }

    private Place plainPlace(int start) {
        long size = sizes(start, 1)[0];
        int headerText = 4 * Math.ceilDiv(headerBytes, 3);
        // Whether header and data were encoded apart: then the header is padded as its own length asks for.
        boolean apart = base64 && source[start + headerText - (3 - headerBytes % 3)] == '=';
        int skip = base64 && !apart ? headerBytes : 0;
        int data = !base64 ? start + headerBytes : apart ? start + headerText : start;
        return new Place(data, ends(data, skip + size), size, skip, null);
    }

    private Place compressedPlace(int start) {
        long blocks = sizes(start, 1)[0];
        if (blocks == 0) {
            int header = base64 ? 4 * Math.ceilDiv(headerBytes, 3) : headerBytes;
            return new Place(start, start + header, 0, 0, new long[3]);
        }
        if (blocks < 0 || blocks > end / headerBytes) {
            throw new IllegalArgumentException("has " + blocks + " compressed blocks, more than the data can hold");
        }
        long[] header = sizes(start, (int) blocks + 3);
        long packed = packedBytes(header);
        long full = header[1];
        long last = header[2] == 0 ? full : header[2];
        // So bounded, the product does not overflow.
        boolean sound = full >= 0 && full <= Integer.MAX_VALUE && last >= 0 && last <= full;
        long size = sound ? (blocks - 1) * full + last : -1;
        if (!sound || size > MOST_EXPANSION * (packed + 64) || size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("claims blocks of " + full + " and " + last + " bytes in " + packed
                    + " compressed bytes");
        }
        int headerSize = header.length * headerBytes;
        int data = start + (base64 ? 4 * Math.ceilDiv(headerSize, 3) : headerSize);
        return new Place(data, ends(data, packed), size, 0, header);
    }

    private long packedBytes(long[] header) {
        long packed = 0;
        for (int i = 3; i < header.length; i++) {
            packed += header[i];
            if (header[i] < 0 || packed > end) {
                throw new IllegalArgumentException("has compressed blocks that are larger than the data");
            }
        }
        return packed;
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
                inflate(inflater, result, to, wanted);
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

    /** Inflates a block, which has to end where it should: only then has its checksum been compared. */
    private static void inflate(Inflater inflater, byte[] result, int to, int wanted) throws DataFormatException {
        int count = 0;
        while (count < wanted) {
            int more = inflater.inflate(result, to + count, wanted - count);
            if (more == 0) {
                throw new IllegalArgumentException("has a compressed block of " + count + " bytes, expected "
                        + wanted);
            }
            count += more;
        }
        boolean longer = !inflater.finished() && inflater.inflate(new byte[1]) > 0;
        if (longer || !inflater.finished() || inflater.getRemaining() > 0) {
            throw new IllegalArgumentException("has a compressed block that does not end behind " + wanted + " bytes");
        }
    }

    private long[] sizes(int start, int count) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes(start, (long) count * headerBytes)).order(order);
        long[] sizes = new long[count];
        for (int i = 0; i < count; i++) {
            sizes[i] = headerBytes == Long.BYTES ? buffer.getLong() : Integer.toUnsignedLong(buffer.getInt());
        }
        return sizes;
    }

    /** Where so many bytes end that start somewhere. */
    private int ends(int start, long count) {
        long length = count < 0 || count > end ? Long.MAX_VALUE : base64 ? 4 * Math.ceilDiv(count, 3L) : count;
        if (length > end - (long) start) {
            throw new IllegalArgumentException("needs " + count + " bytes where the data end earlier");
        }
        return start + (int) length;
    }

    private byte[] bytes(int start, long count) {
        byte[] taken = Arrays.copyOfRange(source, start, ends(start, count));
        byte[] decoded = base64 ? Base64.getDecoder().decode(taken) : taken;
        if (decoded.length < count) {
            throw new IllegalArgumentException("needs " + count + " bytes where the data end earlier");
        }
        return decoded.length == count ? decoded : Arrays.copyOf(decoded, (int) count);
    }
}
