package org.trellis.matrices.mesh;

import java.nio.ByteOrder;
import java.util.Objects;

/**
 * How a mesh file is written. Immutable; start from {@link #DEFAULT} or {@link #TEXT}.
 *
 * @param encoding    how numbers stand in it
 * @param compressed  in VTU files, whether arrays are compressed with zlib; of no effect for text
 * @param byteOrder   the order of bytes in VTU and Gmsh files; legacy VTK files are big-endian
 * @param wideHeaders in VTU files, whether sizes have 64 bits instead of 32
 */
public record MeshWriteOptions(MeshEncoding encoding, boolean compressed, ByteOrder byteOrder, boolean wideHeaders) {
    /** Binary data, in VTU files compressed and behind the XML part; little-endian. */
    public static final MeshWriteOptions DEFAULT =
            new MeshWriteOptions(MeshEncoding.APPENDED_RAW, true, ByteOrder.LITTLE_ENDIAN, true);

    /** Text that people can read. */
    public static final MeshWriteOptions TEXT =
            new MeshWriteOptions(MeshEncoding.ASCII, false, ByteOrder.LITTLE_ENDIAN, true);

    /** Checks that nothing is null. */
    public MeshWriteOptions {
        Objects.requireNonNull(encoding, "encoding");
        Objects.requireNonNull(byteOrder, "byteOrder");
    }

    /**
     * Changes the encoding.
     *
     * @param other the new value
     * @return a copy of these options
     */
    public MeshWriteOptions withEncoding(MeshEncoding other) {
        return new MeshWriteOptions(other, compressed, byteOrder, wideHeaders);
    }
}
