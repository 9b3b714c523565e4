package org.trellis.matrices.support;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongUnaryOperator;
import org.trellis.common.BoundedInput;
import org.trellis.common.MatrixFormatException;

/** Opens the files of this module: every reader starts here, so the same bounds and checks hold for all of them. */
public final class Inputs {
    private Inputs() {}

    /**
     * Opens a file, plain or compressed.
     *
     * @param file  the file
     * @param what  what it should be, for messages
     * @param limit the most bytes that a compressed file may expand to, as a function of its size
     * @return its contents; damage and expansion beyond the limit are a {@link MatrixFormatException}
     * @throws IOException if it does not exist, is no regular file, or cannot be read
     */
    public static BoundedInput open(Path file, String what, LongUnaryOperator limit) throws IOException {
        return BoundedInput.open(file, what, limit, problem(file.toString()));
    }

    /**
     * Makes the exceptions of a file as a whole.
     *
     * @param name the file as the caller named it
     * @return makes exceptions without a line
     */
    public static BoundedInput.Problem problem(String name) {
        return (found, expected) -> new MatrixFormatException(name, 0, 0, found, expected);
    }
}
