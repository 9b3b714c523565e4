package org.trellis.common;

/** A device kernel could not be compiled at run time. */
public final class KernelCompilationException extends TrellisException {
    private static final long serialVersionUID = 1L;

    private final String kernel;
    private final String log;
    private final String sourceLine;

    /**
     * Creates an exception.
     *
     * @param kernel     the name of the source
     * @param detail     the compiler, its options and what it answered
     * @param log        everything the compiler wrote; may be empty
     * @param sourceLine the text of the first offending line with its place, or empty if the log names none
     */
    public KernelCompilationException(String kernel, String detail, String log, String sourceLine) {
        super(message(kernel, detail, log, sourceLine));
        this.kernel = kernel;
        this.log = log;
        this.sourceLine = sourceLine;
    }

    private static String message(String kernel, String detail, String log, String sourceLine) {
        StringBuilder text = new StringBuilder("kernel source '").append(kernel).append("' does not compile with ")
                .append(detail);
        if (!sourceLine.isEmpty()) {
            text.append("; at ").append(sourceLine);
        }
        if (!log.isBlank()) {
            text.append('\n').append(log.strip());
        }
        return text.toString();
    }

    /**
     * Returns which source it was.
     *
     * @return the name of the source
     */
    public String kernel() {
        return kernel;
    }

    /**
     * Returns what the compiler wrote.
     *
     * @return the whole log; may be empty
     */
    public String log() {
        return log;
    }

    /**
     * Returns the first offending line.
     *
     * @return place and text of the line, or empty if the log names none
     */
    public String sourceLine() {
        return sourceLine;
    }
}
