package org.trellis.matrices;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.market.Mutator;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.SharedData;
import org.trellis.testing.TestSeed;

/** The shared files that others wrote, cut anywhere and damaged: refused, or something sound. */
class CorpusFuzzTest {
    private static final int ROUNDS = 600;
    /** Files beyond this take too long to be cut often. */
    private static final int LARGEST_TEXT = 1 << 16;
    /** Row offsets for as many rows as any file may claim, and blocks of text. */
    private static final long FREE_BYTES = 300 << 20;
    private static final long BYTES_PER_BYTE = 500;
    private static final ReadOptions OPTIONS =
            ReadOptions.DEFAULT.withThreads(1).withComplexPolicy(ComplexPolicy.REAL_PART);

    @TempDir
    private Path folder;

    private final SplittableRandom random = TestSeed.random("CorpusFuzzTest");
    private final Mutator mutator = new Mutator(random);

    /** A file of another program. */
    private record Sample(String name, byte[] text) {
        boolean mesh() {
            return MeshFiles.hasMeshName(Path.of(name));
        }
    }

    private static List<Sample> samples() throws IOException {
        List<Sample> samples = new ArrayList<>();
        for (String name : List.of("mm-corpus", "matrices", "meshes")) {
            try (Stream<Path> files = Files.walk(SharedData.folder(name))) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    boolean wanted = name.equals("meshes")
                            ? MeshFiles.hasMeshName(file)
                            : MatrixFiles.hasMatrixName(file);
                    byte[] text = wanted ? text(file) : new byte[0];
                    if (text.length > 1 && text.length <= LARGEST_TEXT) {
                        samples.add(new Sample(file.getFileName().toString().replace(".gz", ""), text));
                    }
                }
            }
        }
        assertFalse(samples.isEmpty(), "there are files");
        return samples;
    }

    /** The first bytes of the uncompressed contents: more than are asked for, if there are more. */
    private static byte[] text(Path file) throws IOException {
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file))) {
            InputStream input = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
            return input.readNBytes(LARGEST_TEXT + 1);
        }
    }

    private FuzzRun.Outcome check(Sample sample, byte[] bytes, String end, long textBytes) {
        Path file = folder.resolve(sample.name + end);
        return FuzzRun.check(bytes, FREE_BYTES + BYTES_PER_BYTE * textBytes, () -> {
            Files.write(file, bytes);
            if (sample.mesh()) {
                return MeshFiles.read(file);
            }
            CsrMatrix matrix = MatrixFiles.read(file, OPTIONS);
            assertTrue(matrix.firstViolation().isEmpty(), () -> FuzzRun.describe(bytes));
            return matrix;
        });
    }

    private static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    @Test
    void filesThatAreCutOrDamagedAreRefusedOrSound() throws IOException {
        List<Sample> samples = samples();
        FuzzRun.repeat(ROUNDS, () -> {
            Sample sample = samples.get(random.nextInt(samples.size()));
            byte[] text = sample.text;
            switch (random.nextInt(4)) {
                case 0 -> check(sample, Arrays.copyOf(text, random.nextInt(text.length)), "", text.length);
                case 1 -> {
                    byte[] other = samples.get(random.nextInt(samples.size())).text;
                    byte[] damaged = mutator.mutate(text, other);
                    check(sample, damaged, "", damaged.length);
                }
                case 2 -> {
                    byte[] whole = gzip(text);
                    byte[] cut = Arrays.copyOf(whole, 2 + random.nextInt(whole.length - 2));
                    assertNotNull(check(sample, cut, ".gz", 10L * text.length).failure(),
                            () -> FuzzRun.describe(cut));
                }
                default -> {
                    byte[] flipped = gzip(text);
                    int bit = 16 + random.nextInt(8 * flipped.length - 16);
                    flipped[bit / 8] ^= (byte) (1 << bit % 8);
                    check(sample, flipped, ".gz", 10L * text.length);
                }
            }
        });
    }

    @Test
    void smallFilesCutAtEveryByte() throws IOException {
        List<Sample> samples = samples().stream().filter(sample -> sample.text.length <= 4096).toList();
        FuzzRun.repeat(1, () -> {
            Sample sample = samples.get(random.nextInt(samples.size()));
            for (int length = 0; length < sample.text.length; length++) {
                check(sample, Arrays.copyOf(sample.text, length), "", sample.text.length);
            }
        });
    }
}
