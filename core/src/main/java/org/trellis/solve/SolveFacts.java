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
 */
public record SolveFacts(String method, String preconditioner, double setupSeconds, double firstTouchSeconds,
        long memoryBytes, List<String> notes) {
    /** Nothing is known. */
    static final SolveFacts UNKNOWN = new SolveFacts("", "", 0, 0, 0, List.of());

    /** Copies the notes. */
    public SolveFacts {
        Objects.requireNonNull(method);
        Objects.requireNonNull(preconditioner);
        notes = List.copyOf(notes);
    }
}
