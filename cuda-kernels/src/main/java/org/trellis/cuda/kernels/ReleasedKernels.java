package org.trellis.cuda.kernels;

import java.io.InputStream;
import org.trellis.cuda.compile.KernelArchive;

/** The resources beside this class, which {@link ArchiveBuilder} made. */
public final class ReleasedKernels implements KernelArchive {
    /** Creates the archive; for the service loader. */
    public ReleasedKernels() {}

    @Override
    public InputStream open(String name) {
        return ReleasedKernels.class.getResourceAsStream(name);
    }

    @Override
    public String toString() {
        return "trellis-cuda-kernels";
    }
}
