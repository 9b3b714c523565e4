package org.trellis.cuda.compile;

import java.io.IOException;
import java.io.InputStream;

/**
 * Machine code of kernels that was compiled when a release was made, so that the first run on a machine does not wait
 * for a compiler. Found as a service: the artifact {@code trellis-cuda-kernels} has one. An archive has the file
 * {@value #INDEX} with a line for each architecture, for example {@code sm_90} or, for code of the virtual machine that
 * the driver translates, {@code compute_80}; and a file for each kernel that {@link KernelArchives#entry} names.
 */
public interface KernelArchive {
    /** The file that names the architectures. */
    String INDEX = "architectures.txt";

    /**
     * Opens a file of the archive.
     *
     * @param name its name within the archive
     * @return its content, compressed by {@link java.util.zip.Deflater} but for the index; null if there is none
     * @throws IOException if it cannot be read
     */
    InputStream open(String name) throws IOException;
}
