package org.trellis.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where libraries and programs are looked for, in a file system of the test's own. */
class LibraryFinderTest {
    @TempDir
    private Path root;

    private Path file(String path) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "");
    }

    @Test
    void newestVersionComesFirst() throws IOException {
        Path twelve = file("usr/local/cuda-12.4/lib64/libnvrtc.so.12");
        Path thirteen = file("usr/local/cuda-13.0/lib64/libnvrtc.so.13");
        Path nine = file("usr/local/nvidia/lib64/libnvrtc.so.9.2");
        file("usr/local/cuda-13.0/lib64/libnvrtc-builtins.so.13.0");
        file("usr/local/cuda-13.0/lib64/libnvrtc.alt.so.13");
        LibraryFinder finder = new LibraryFinder(root, Map.of());
        assertEquals(List.of(thirteen, twelve, nine), finder.libraries("libnvrtc.so", List.of()));
        Path own = file("own/libnvrtc.so.11.2");
        assertEquals(List.of(own, thirteen, twelve, nine),
                finder.libraries("libnvrtc.so", List.of(root.resolve("own"))));
        assertEquals(List.of(nine, thirteen, twelve), finder.libraries("libnvrtc.so", List.of(nine)));
    }

    @Test
    void theEnvironmentIsSearched() throws IOException {
        Path path = file("ld/libcuda.so.1");
        Path home = file("home/lib64/libcuda.so.2");
        LibraryFinder finder = new LibraryFinder(root, Map.of("LD_LIBRARY_PATH",
                root.resolve("missing") + ":" + root.resolve("ld"), "CUDA_HOME", root.resolve("home").toString()));
        assertEquals(List.of(home, path), finder.libraries("libcuda.so", List.of()));
    }

    @Test
    void theLoadersCacheIsSearched() throws IOException {
        Path library = file("odd/place/libcuda.so.1");
        Files.write(file("etc/ld.so.cache"),
                "ld.so-1.7.0\0\1\2libcuda.so.1\0/odd/place/libcuda.so.1\0/gone/libcuda.so.1\0".getBytes(
                        java.nio.charset.StandardCharsets.ISO_8859_1));
        assertEquals(List.of(library), new LibraryFinder(root, Map.of()).libraries("libcuda.so", List.of()));
    }

    @Test
    void theStubOfAToolkitIsNoDriver() throws IOException {
        file("usr/lib64/libcuda.so");
        assertEquals(List.of(), NativeLibraries.driverFiles(new LibraryFinder(root, Map.of())));
    }

    @Test
    void programsAreExecutable() throws IOException {
        file("path/nvcc");
        Path nvcc = file("usr/local/cuda/bin/nvcc");
        assertEquals(true, nvcc.toFile().setExecutable(true));
        LibraryFinder finder = new LibraryFinder(root, Map.of("PATH", root.resolve("path").toString()));
        assertEquals(Optional.of(nvcc), finder.program("nvcc"));
        assertEquals(Optional.empty(), finder.program("ptxas"));
    }
}
