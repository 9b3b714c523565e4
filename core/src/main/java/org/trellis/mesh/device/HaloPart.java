package org.trellis.mesh.device;

import org.trellis.common.Checks;

/**
 * The values of one dat, or of one vector, in a message between two ranks: the components of chosen elements, side by
 * side, element after element.
 *
 * @param operand    the number of the dat among those of the exchange
 * @param places     the elements, by their local numbers. Not to be changed
 * @param components the components of an element
 * @param type       the type of a component
 * @param offset     the first byte in the message, a multiple of the size of a component
 */
public record HaloPart(int operand, int[] places, int components, ScalarType type, int offset) {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is negative, or the offset no multiple of the size of a component
     */
    public HaloPart {
        Checks.notNegative("number of an operand", operand);
        Checks.positive("number of components", components);
        if (offset < 0 || offset % type.bytes() != 0) {
            throw new IllegalArgumentException("part of a message begins at byte " + offset
                    + ", expected a multiple of " + type.bytes());
        }
    }

    /**
     * Returns the size.
     *
     * @return bytes of the message
     */
    public int bytes() {
        return Math.multiplyExact(places.length, components * type.bytes());
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return places.length + " elements of " + components + " " + type.label() + " of operand " + operand;
    }
}
