package org.trellis.bench.console;

/** What the commands return to the shell. */
public final class ExitCode {
    /** Everything went well. */
    public static final int OK = 0;
    /** Something failed: a matrix could not be read, a result was wrong, a file could not be written. */
    public static final int FAILED = 1;
    /** The command line is wrong; nothing was done. */
    public static final int USAGE = 2;
    /**
     * A solution did not converge, in whatever way: the residual recomputed from it does not meet the criterion. Its
     * report and result were written all the same.
     */
    public static final int NOT_CONVERGED = 3;

    /** The reader of the results has gone; the rest was not done. What shells say of programs that SIGPIPE ended. */
    public static final int CLOSED_PIPE = 141;

    private ExitCode() {}
}
