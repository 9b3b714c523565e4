package org.trellis.bench.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Sentences about what went wrong. The JDK's own messages often are a bare path. */
public final class ErrorMessages {
    private ErrorMessages() {}

    /**
     * Says in a sentence what went wrong.
     *
     * @param problem what was thrown
     * @return with the file that it is about, where there is one
     */
    public static String describe(Exception problem) {
        return switch (problem) {
            case NoSuchFileException e -> e.getFile() + ": there is no such file or folder";
            case AccessDeniedException e -> e.getFile() + ": access is denied";
            case FileSystemException e -> e.getFile() + ": "
                    + (e.getReason() == null ? e.getClass().getSimpleName() : e.getReason());
            case UncheckedIOException e -> describe(e.getCause());
            case IOException e -> e.getMessage() == null ? e.toString() : e.getMessage();
            default -> problem.getMessage() == null ? problem.toString() : problem.getMessage();
        };
    }
}
