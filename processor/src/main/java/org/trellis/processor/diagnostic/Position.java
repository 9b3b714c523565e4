package org.trellis.processor.diagnostic;

/**
 * A place in a source file, as the front end numbered it.
 *
 * @param number the number
 */
public record Position(int number) {
    /** No place in particular. */
    public static final Position NONE = new Position(-1);
}
