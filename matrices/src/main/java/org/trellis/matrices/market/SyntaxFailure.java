package org.trellis.matrices.market;

/**
 * A place in a block of text where something else was expected. It carries no stack trace: it never leaves this
 * package, where it is turned into a {@link org.trellis.common.MatrixFormatException} with the line of the whole file.
 */
final class SyntaxFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int position;
    private final String expected;

    SyntaxFailure(int position, String expected) {
        super(expected, null, false, false);
        this.position = position;
        this.expected = expected;
    }

    /** The index, in the text that was scanned, of the first byte that does not fit. */
    int position() {
        return position;
    }

    /** What a legal file would have there. */
    String expected() {
        return expected;
    }
}
