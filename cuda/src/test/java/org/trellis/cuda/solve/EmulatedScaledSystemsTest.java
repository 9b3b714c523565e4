package org.trellis.cuda.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;

/** Scaled systems in emulation. */
class EmulatedScaledSystemsTest extends ScaledSystemsContract {
    /** One for all tests, so that they share what was compiled. */
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    protected Backend open() {
        return EmulatedGpu.in(folder).open();
    }

    @Test
    void iteratesAlike() {
        requireAlike("cg", "jacobi");
    }

    /** Longer ones, of the same kernels. */
    @ParameterizedTest
    @Tag("nightly")
    @CsvSource({"gmres,none", "bicgstab,jacobi"})
    void otherMethodsIterateAlike(String method, String preconditioner) {
        requireAlike(method, preconditioner);
    }
}
