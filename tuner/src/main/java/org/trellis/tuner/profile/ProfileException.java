package org.trellis.tuner.profile;

import org.trellis.common.PrintableText;
import org.trellis.common.TrellisException;

/**
 * A profile cannot be used. The message names the file, the place in it, what is there and what was expected; whatever
 * the file contains, it is one line of moderate length that a terminal can show.
 */
public final class ProfileException extends TrellisException {
    private static final long serialVersionUID = 1;
    private static final int LONGEST_MESSAGE = 800;

    /**
     * Creates an exception.
     *
     * @param message the file, the place, what is there and what was expected
     */
    public ProfileException(String message) {
        super(PrintableText.cut(message, LONGEST_MESSAGE));
    }

    /**
     * Creates an exception.
     *
     * @param message the file, the place, what is there and what was expected
     * @param cause   what the reader said
     */
    public ProfileException(String message, Throwable cause) {
        super(PrintableText.cut(message, LONGEST_MESSAGE), cause);
    }
}
