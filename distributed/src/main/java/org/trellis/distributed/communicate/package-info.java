/**
 * Ranks that send messages to one another: one small contract, and the transport of threads within one process.
 *
 * <p>Whatever goes wrong on one rank ends the job on all of them with one message: see {@link JobFailedException}.
 */
package org.trellis.distributed.communicate;
