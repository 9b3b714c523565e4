package org.trellis.distributed.communicate;

import org.trellis.common.TrellisException;

/** A method of an {@code mpi} package that threw. Ends the job, as whatever a rank throws. */
final class MpiJavaException extends TrellisException {
    private static final long serialVersionUID = 1L;

    MpiJavaException(String message, Throwable cause) {
        super(message, cause);
    }
}
