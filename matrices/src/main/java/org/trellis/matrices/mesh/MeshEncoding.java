package org.trellis.matrices.mesh;

/** How numbers stand in a file. */
public enum MeshEncoding {
    /** As text. */
    ASCII,
    /** As bytes; in VTU files as base64 text in their place. */
    BINARY,
    /** In VTU files as bytes behind the XML part; in others as {@link #BINARY}. */
    APPENDED_RAW,
    /** In VTU files as base64 text behind the XML part; in others as {@link #BINARY}. */
    APPENDED_BASE64
}
