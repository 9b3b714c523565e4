package org.trellis.solve;

import java.util.List;
import java.util.Objects;

/**
 * With what a system was solved, and what that cost beside the iterations.
 *
 * @param method            the method and its parameters, such as {@code gmres(30)}
 * @param preconditioner    the preconditioner, {@code none} if there is none
 * @param setupSeconds      wall-clock time that it took to prepare the solver and, where that is known, the
 *                          preconditioner
 * @param firstTouchSeconds wall-clock time of the solver's first iteration, in which plans and code of loops are made,
 *                          part of the solution's time; 0 for later solutions with the same solver
 * @param memoryBytes       memory of the work vectors
 * @param notes             sentences on what was chosen and why, what fell back on what
 * @param error             how far the solution may be from the exact one
 */
public record SolveFacts(String method, String preconditioner, double setupSeconds, double firstTouchSeconds,
        long memoryBytes, List<String> notes, ErrorEstimate error) {
    /** Nothing is known. */
    static final SolveFacts UNKNOWN = new SolveFacts("", "", 0, 0, 0, List.of());

    /** Copies the notes. */
    public SolveFacts {
        Objects.requireNonNull(method);
        Objects.requireNonNull(preconditioner);
        Objects.requireNonNull(error);
        notes = List.copyOf(notes);
    }

    /**
     * Creates facts of a method that does not estimate its errors.
     *
     * @param method            the method and its parameters
     * @param preconditioner    the preconditioner
     * @param setupSeconds      wall-clock time of the preparation
     * @param firstTouchSeconds wall-clock time of the first iteration
     * @param memoryBytes       memory of the work vectors
     * @param notes             sentences on what was chosen and why
     */
    public SolveFacts(String method, String preconditioner, double setupSeconds, double firstTouchSeconds,
            long memoryBytes, List<String> notes) {
        this(method, preconditioner, setupSeconds, firstTouchSeconds, memoryBytes, notes, ErrorEstimate.UNKNOWN);
    }
}
