package org.trellis.mesh.checkpoint;

/**
 * How often checkpoints are due. An iteration is a period of the steps of the program; as long as
 * they have none, it goes from a run of the loop that ran first to the next.
 *
 * @param seconds    seconds between the begins of two; infinite if time does not count
 * @param iterations iterations between them; 0 if they do not count
 */
public record CheckpointInterval(double seconds, long iterations) {
    private static final String ITERATIONS = "iterations";

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the seconds are not above 0 or the iterations are negative
     */
    public CheckpointInterval {
        if (!(seconds > 0) || iterations < 0) {
            throw new IllegalArgumentException("checkpoints every " + seconds + " s and " + iterations
                    + " iterations, expected more than 0 s and at least 1 iteration");
        }
    }

    /**
     * A checkpoint every so many seconds.
     *
     * @param seconds more than 0
     * @return the interval
     * @throws IllegalArgumentException if the number is not above 0
     */
    public static CheckpointInterval seconds(double seconds) {
        return new CheckpointInterval(seconds, 0);
    }

    /**
     * A checkpoint every so many iterations: the same moments in every run.
     *
     * @param iterations at least 1
     * @return the interval
     * @throws IllegalArgumentException if the number is less than 1
     */
    public static CheckpointInterval iterations(long iterations) {
        return new CheckpointInterval(Double.POSITIVE_INFINITY, iterations == 0 ? -1 : iterations);
    }

    /**
     * No checkpoint but those that are requested.
     *
     * @return the interval
     */
    public static CheckpointInterval onRequest() {
        return new CheckpointInterval(Double.POSITIVE_INFINITY, 0);
    }

    /**
     * Reads an interval as a command line has it.
     *
     * @param text a number of seconds above 0, or {@code 100iterations} with a number from 1
     * @return the interval
     * @throws IllegalArgumentException if it is neither
     */
    public static CheckpointInterval of(String text) {
        try {
            return text.endsWith(ITERATIONS)
                    ? iterations(Long.parseLong(text.substring(0, text.length() - ITERATIONS.length()).strip()))
                    : seconds(Double.parseDouble(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("checkpoints every '" + text + "', expected a number of seconds above 0 "
                    + "or, for example, 100iterations", e);
        }
    }

    @Override
    public String toString() {
        return iterations > 0
                ? iterations + ITERATIONS
                : Double.isInfinite(seconds) ? "on request" : seconds + " s";
    }
}
