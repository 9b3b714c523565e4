package org.trellis.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Availability;
import org.trellis.backend.Backends;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.DeviceException;
import org.trellis.cuda.driver.CudaDriver;
import org.trellis.cuda.driver.LibraryFinder;
import org.trellis.cuda.runtime.FakeDriver;

/** What the provider says about machines of all kinds. */
class CudaBackendProviderTest {
    @TempDir
    private Path root;

    private Availability probe(CudaDriver driver) {
        return new CudaBackendProvider(new LibraryFinder(root, Map.of()), finder -> driver).probe();
    }

    private void file(String path) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
    }

    private void unavailable(String reason, Availability availability) {
        assertFalse(availability.available());
        assertEquals(reason, availability.reason());
    }

    @Test
    void saysWhatIsMissing() throws IOException {
        unavailable("no NVIDIA driver: libcuda.so.1 is not installed", probe(new FakeDriver()));
        file("usr/lib64/libcuda.so.1");
        unavailable("the NVIDIA driver sees no device", probe(new FakeDriver().withDevices(0)));
        unavailable("the NVIDIA driver supports CUDA 10.2, and Trellis needs 11.0 or later",
                probe(new FakeDriver().withVersion(10_020)));
        unavailable("kernels cannot be compiled: there is neither NVRTC (libnvrtc.so of the CUDA toolkit; name it with "
                + "trellis.cuda.nvrtc) nor nvcc", probe(new FakeDriver()));
        file("usr/local/cuda/lib64/libnvrtc.so.13");
        Availability found = probe(new FakeDriver());
        assertTrue(found.available());
        assertTrue(found.reason().startsWith("Fake 0, Fake 1, CUDA 13.0, kernels compiled by "), found.reason());
    }

    @Test
    void aDriverThatFailsIsAReason() throws IOException {
        file("usr/lib64/libcuda.so.1");
        LibraryFinder finder = new LibraryFinder(root, Map.of());
        unavailable("broken", new CudaBackendProvider(finder, f -> {
            throw new BackendUnavailableException("broken");
        }).probe());
        unavailable("cuInit failed with code 100: no device", new CudaBackendProvider(finder, f -> {
            throw new DeviceException("cuInit", 100, "no device");
        }).probe());
    }

    @Test
    void openingWithoutADriverFailsWithTheReason() {
        CudaBackendProvider provider = new CudaBackendProvider(new LibraryFinder(root, Map.of()), finder -> {
            throw new DeviceException("cuInit", 100, "no device");
        });
        BackendUnavailableException e = assertThrows(BackendUnavailableException.class,
                () -> provider.open(Configuration.builder().build()));
        assertEquals("the cuda backend cannot be opened: cuInit failed with code 100: no device", e.getMessage());
    }

    @Test
    void probingPrintsNothing() {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream capture = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(capture);
            System.setErr(capture);
            assertFalse(new CudaBackendProvider().probe().reason().isEmpty());
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        assertEquals("", printed.toString(StandardCharsets.UTF_8));
    }

    @Test
    void theDependencyIsEnough() {
        assertEquals("cuda", Backends.providers().getFirst().name());
        Availability availability = Backends.providers().getFirst().probe();
        if (!availability.available()) {
            BackendUnavailableException e = assertThrows(BackendUnavailableException.class,
                    () -> Backends.open("cuda", Configuration.builder().build()));
            assertTrue(e.getMessage().contains("cuda: not available (" + availability.reason()), e.getMessage());
        }
    }
}
