package org.trellis.cuda.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
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

    @ParameterizedTest
    @CsvSource({"cg,jacobi", "gmres,none", "bicgstab,jacobi"})
    void iteratesAlike(String method, String preconditioner) {
        requireAlike(method, preconditioner);
    }
}
