package org.trellis.cuda.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.cuda.compile.CodeSizes;
import org.trellis.cuda.compile.KernelArchives;
import org.trellis.cuda.compile.KernelSource;

/** The archive as the build has just made it. */
class ReleasedKernelsTest {
    @Test
    void everyKernelOfTheListsIsFound() throws IOException {
        KernelArchives installed = KernelArchives.installed();
        for (KernelSource source : ArchiveBuilder.sources(Path.of("src", "main", "kernels"))) {
            byte[] code = installed.find(source, "sm_90").orElseThrow(() -> new AssertionError(source + " is missing"));
            assertTrue(!CodeSizes.of(code).isEmpty(), source + " has no kernel");
        }
        assertTrue(installed.serves("sm_86"));
        assertTrue(installed.serves("sm_130"), "by the driver's translation");
    }

    @Test
    void refusesWhatItCannotBuild(@TempDir Path folder) {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> ArchiveBuilder.main(new String[]{"one"}))
                .getMessage().contains("1 arguments"));
        assertEquals("the folder " + folder + " has no list of kernels, expected files *.kernels",
                assertThrows(IllegalArgumentException.class, () -> ArchiveBuilder.sources(folder)).getMessage());
    }
}
