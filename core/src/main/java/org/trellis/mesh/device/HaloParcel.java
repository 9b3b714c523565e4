package org.trellis.mesh.device;

import java.util.List;

/**
 * A message to or from one neighbour, as its parts lie in it.
 *
 * @param bytes the size of the message, at least 1
 * @param parts what is in it; none overlaps another
 */
public record HaloParcel(int bytes, List<HaloPart> parts) {
    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if a part does not fit into the message
     */
    public HaloParcel {
        parts = List.copyOf(parts);
        for (HaloPart part : parts) {
            if (part.bytes() > bytes - part.offset()) {
                throw new IllegalArgumentException(part + " from byte " + part.offset() + " of a message of " + bytes
                        + " bytes, expected it to fit");
            }
        }
    }
}
