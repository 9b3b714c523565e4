package org.trellis.cuda.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;

/**
 * Forms with generated code that runs on the host: two cases, or all with {@code -Dtrellis.test.emulation=all}, which
 * takes minutes.
 */
class EmulatedFormsTest extends FormsContract {
    /** One for all tests, so that they share what was compiled. */
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    protected Backend openBackend() {
        return EmulatedGpu.in(folder).open();
    }

    @Override
    protected boolean all() {
        return System.getProperty("trellis.test.emulation", "").equals("all");
    }

    @Override
    protected int multigridCells() {
        return 12;
    }
}
