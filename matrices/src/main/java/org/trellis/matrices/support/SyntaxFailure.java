package org.trellis.matrices.support;

/**
 * A place in a block of text where something else was expected. It carries no stack trace: it never leaves the
 * reader, where it is turned into a {@link org.trellis.common.MatrixFormatException} with the line of the whole file.
 */
public final class SyntaxFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int position;
    private final String expected;

    /**
     * Creates a failure.
     *
     * @param position the index, in the text that was scanned, of the first byte that does not fit
     * @param expected what a legal file would have there
     */
    public SyntaxFailure(int position, String expected) {
        super(expected, null, false, false);
        this.position = position;
        this.expected = expected;
    }

    /**
     * Returns the place.
     *
     * @return the index, in the text that was scanned, of the first byte that does not fit
     */
    public int position() {
        return position;
    }

    /**
     * Returns what is missing.
     *
     * @return what a legal file would have there
     */
    public String expected() {
        return expected;
    }
}
