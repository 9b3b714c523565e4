package org.trellis.bench.measure;

import java.util.Map;

/**
 * A contender that could not be measured, or a matrix that could not be read.
 *
 * @param matrix     name of the matrix
 * @param backend    name of the backend or peer, empty if the matrix itself failed
 * @param parameters how it was to be run
 * @param precision  label of the precision, empty if the matrix itself failed
 * @param stage      what was being done: {@code read}, {@code prepare}, {@code check} or {@code measure}
 * @param message    what went wrong
 */
public record Failure(String matrix, String backend, Map<String, Object> parameters, String precision, String stage,
        String message) {
    /**
     * A matrix that could not be read.
     *
     * @param matrix  its name
     * @param message what went wrong
     * @return the failure
     */
    public static Failure ofMatrix(String matrix, String message) {
        return new Failure(matrix, "", Map.of(), "", "read", message);
    }

    /**
     * A contender that failed.
     *
     * @param matrix    name of the matrix
     * @param contender who failed
     * @param stage     what was being done
     * @param message   what went wrong
     * @return the failure
     */
    public static Failure of(String matrix, Contender contender, String stage, String message) {
        return new Failure(matrix, contender.name(), contender.parameters(), contender.precision().label(), stage,
                message);
    }
}
