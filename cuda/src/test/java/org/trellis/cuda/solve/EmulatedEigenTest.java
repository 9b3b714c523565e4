package org.trellis.cuda.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;

/** Eigenvalues in emulation. */
class EmulatedEigenTest extends EigenContract {
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    protected Backend open() {
        return EmulatedGpu.in(folder).open();
    }

    @Test
    @Tag("nightly")
    void lanczosFindsWhatIsKnown() {
        requireLanczos();
    }

    @Test
    @Tag("nightly")
    void everyMethodFindsWhatIsKnown() {
        requireKnown("jacobi");
    }
}
