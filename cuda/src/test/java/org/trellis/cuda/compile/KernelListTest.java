package org.trellis.cuda.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.cuda.sparse.CudaElementKernels;

class KernelListTest {
    @TempDir
    private Path folder;

    private static KernelSource elements() {
        return KernelSource.resource(CudaElementKernels.class, "elements.cu")
                .including(KernelSource.class, "heap.cuh").define("REAL", "double").withOption("-fmad=false");
    }

    @Test
    void linesNameTextsAndOptions() {
        String line = KernelList.line(elements()).orElseThrow();
        assertEquals("org/trellis/cuda/sparse/elements.cu\torg/trellis/cuda/compile/heap.cuh\t"
                + "-DREAL=double -fmad=false", line);
        assertEquals(elements(), KernelList.parse(line));
    }

    @Test
    void linesOfGeneratedSourcesHaveTheText() {
        KernelSource made = new KernelSource("made.cu", "text made here\nof\ttwo lines", elements().headers(),
                List.of("-DREAL=float"));
        String line = KernelList.line(made).orElseThrow();
        assertTrue(line.startsWith("made.cu\torg/trellis/cuda/compile/heap.cuh\t-DREAL=float\t"), line);
        assertEquals(made, KernelList.parse(line));
        assertEquals(Optional.empty(),
                KernelList.line(new KernelSource("made.cu", "text", Map.of("made.cuh", "header"), List.of())));
    }

    @Test
    void saysWhatIsWrongWithALine() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> KernelList.parse("a.cu")).getMessage()
                .contains("1 fields, expected 3 or 4"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> KernelList.parse("no/such.cu\t\t")).getMessage()
                .contains("no/such.cu"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> KernelList.parse("a.cu\t\t\tAAAA"))
                .getMessage().contains("not compressed"));
    }

    @Test
    void recordsEachKernelOnce() throws IOException {
        Path file = folder.resolve("list");
        KernelList.Recorder recorder = new KernelList.Recorder(file);
        recorder.add(elements());
        recorder.add(elements());
        recorder.add(elements().define("MORE", 1));
        assertEquals(List.of(elements(), elements().define("MORE", 1)),
                Files.readAllLines(file).stream().map(KernelList::parse).toList());
    }

    /** A list that names what is no longer there would be of no use without a word. */
    @Test
    void listsOfTheModuleAreReadable() {
        for (String name : KernelList.names()) {
            List<KernelSource> sources = KernelList.named(name);
            assertTrue(sources.size() > 10, name + " has " + sources.size() + " kernels");
            assertEquals(sources.size(), sources.stream().distinct().count(), name + " names a kernel twice");
        }
        assertTrue(assertThrows(IllegalArgumentException.class, () -> KernelList.named("no-such-list")).getMessage()
                .contains("there is no list of kernels 'no-such-list'"));
    }

    @Test
    void saysWhereNoListCanBeWritten() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new KernelList.Recorder(folder)).getMessage()
                .contains("is a folder, expected a file"));
        Path file = folder.resolve("missing").resolve("list");
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new KernelList.Recorder(file)).getMessage()
                .contains("is to be in " + folder.resolve("missing") + ", which is no folder"));
    }

    /** Those of the artifact with compiled kernels, which is built on few machines and has this module's as well. */
    @Test
    void listsOfTheArchiveAreReadable() throws IOException {
        Path lists = Path.of("..", "cuda-kernels", "src", "main", "kernels");
        Set<KernelSource> all = new HashSet<>();
        KernelList.names().forEach(name -> all.addAll(KernelList.named(name)));
        for (String name : List.of("meshes", "products", "solvers")) {
            for (KernelSource source : KernelList.read(lists.resolve(name + ".kernels"))) {
                assertTrue(all.add(source), source + " is in two lists");
            }
        }
    }
}
