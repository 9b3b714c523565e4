package org.trellis.matrices.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

class MatrixCacheTest {
    private static final Instant LONG_AGO = Instant.parse("2020-01-01T12:00:00Z");

    @TempDir
    private Path folder;

    private Path kept;
    private MatrixCache cache;
    private Path file;
    private CsrMatrix matrix;
    private int parses;

    @BeforeEach
    void prepare() throws IOException {
        kept = folder.resolve("cache/matrices");
        cache = MatrixCache.in(kept, 0);
        matrix = AwkwardMatrices.stencil(20, 30, Precision.F64, TestSeed.random("cache"));
        file = folder.resolve("m.mtx");
        write(matrix, LONG_AGO);
    }

    private void write(CsrMatrix contents, Instant modified) throws IOException {
        MatrixMarket.write(file, contents, WriteOptions.DEFAULT);
        Files.setLastModifiedTime(file, FileTime.from(modified));
    }

    private CsrMatrix read(ReadOptions options) throws IOException {
        return cache.read(file, options, () -> {
            parses++;
            return MatrixMarket.read(file, options);
        });
    }

    private void check(int expectedParses) throws IOException {
        assertTrue(matrix.sameAs(read(ReadOptions.DEFAULT)));
        assertEquals(expectedParses, parses);
    }

    private Path entry() throws IOException {
        try (Stream<Path> entries = Files.list(kept)) {
            List<Path> all = entries.toList();
            assertEquals(1, all.size());
            return all.get(0);
        }
    }

    @Test
    void theSecondReadDoesNotParse() throws IOException {
        check(1);
        check(1);
        List<String> stages = new ArrayList<>();
        read(ReadOptions.DEFAULT.withProgress((stage, done, total) -> stages.add(stage)));
        assertEquals(List.of("cache"), stages);
    }

    @Test
    void everyAwkwardMatrixComesBack() throws IOException {
        for (Precision precision : Precision.values()) {
            ReadOptions options = ReadOptions.DEFAULT.withPrecision(precision);
            for (CsrMatrix each : AwkwardMatrices.all(precision, TestSeed.random("kept")).values()) {
                write(each, LONG_AGO);
                Files.deleteIfExists(kept.resolve(CacheKey.of(file, options).entryName()));
                parses = 0;
                assertTrue(each.sameAs(read(options)));
                assertTrue(each.sameAs(read(options)));
                assertEquals(1, parses, each.toString());
            }
        }
    }

    @Test
    void aChangedFileIsParsedAgain() throws IOException {
        check(1);
        write(matrix, LONG_AGO.plusNanos(1_000_000));
        check(2);
        check(2);
        matrix = matrix.mapValues((i, j, a) -> a + 1);
        write(matrix, LONG_AGO);
        check(3);
        Path other = Files.copy(file, folder.resolve("other"));
        Files.setLastModifiedTime(other, FileTime.from(LONG_AGO));
        Files.move(other, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        check(4);
        assertTrue(Files.exists(entry()));
    }

    @Test
    void optionsHaveEntriesOfTheirOwn() throws IOException {
        check(1);
        CsrMatrix single = read(ReadOptions.DEFAULT.withPrecision(Precision.F32));
        assertTrue(single.sameAs(matrix.toPrecision(Precision.F32)));
        read(ReadOptions.DEFAULT.withComplexPolicy(ComplexPolicy.REAL_PART));
        assertEquals(3, parses);
        read(ReadOptions.DEFAULT.withThreads(1));
        assertEquals(3, parses);
    }

    @Test
    void damageAnywhereMeansParsing() throws IOException {
        check(1);
        byte[] sound = Files.readAllBytes(entry());
        SplittableRandom random = TestSeed.random("damage");
        for (int round = 0; round < TestLength.cases(160, 300); round++) {
            byte[] damaged = sound.clone();
            int place = round < 120 ? round : random.nextInt(damaged.length);
            damaged[place] ^= (byte) (1 << random.nextInt(8));
            Files.write(entry(), damaged);
            check(round + 2);
            assertEquals(-1, Arrays.mismatch(sound, Files.readAllBytes(entry())), "mended, byte " + place);
        }
    }

    @Test
    void entriesOfAnyOtherLengthMeanParsing() throws IOException {
        check(1);
        byte[] sound = Files.readAllBytes(entry());
        int expected = 1;
        for (int length : new int[]{0, 1, 8, 11, 12, 60, sound.length / 2, sound.length - 1, sound.length + 1}) {
            Files.write(entry(), Arrays.copyOf(sound, length));
            expected++;
            check(expected);
        }
    }

    @Test
    void recentlyModifiedFilesAreNotKept() throws IOException {
        write(matrix, Instant.now());
        check(1);
        check(2);
        write(matrix, Instant.now().plusSeconds(3600));
        check(3);
        check(4);
    }

    @Test
    void smallFilesAreNotKept() throws IOException {
        cache = MatrixCache.in(kept, Files.size(file) + 1);
        check(1);
        check(2);
        assertFalse(Files.exists(kept));
        cache = MatrixCache.OFF;
        check(3);
        assertThrows(IllegalArgumentException.class, () -> MatrixCache.in(kept, -1));
    }

    @Test
    void aFolderThatCannotBeUsedIsNoError() throws IOException {
        Path occupied = Files.writeString(folder.resolve("occupied"), "a file");
        cache = MatrixCache.in(occupied.resolve("below"), 0);
        check(1);
        check(2);
        Files.createDirectories(kept.resolve(CacheKey.of(file, ReadOptions.DEFAULT).entryName()));
        cache = MatrixCache.in(kept, 0);
        check(3);
        check(4);
    }

    @Test
    void wrongFilesAreErrorsAndNotKept() throws IOException {
        Files.writeString(file, "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 x\n");
        Files.setLastModifiedTime(file, FileTime.from(LONG_AGO));
        assertThrows(MatrixFormatException.class, () -> read(ReadOptions.DEFAULT));
        assertFalse(Files.exists(kept));
        Files.delete(file);
        assertThrows(IOException.class, () -> read(ReadOptions.DEFAULT));
    }

    @Test
    void theCopyOfAPrivateFileIsPrivate() throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        check(1);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(entry())));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)));
    }

    @Test
    void linksAreNoEntries() throws IOException {
        check(1);
        Path moved = Files.move(entry(), folder.resolve("moved"));
        Files.createSymbolicLink(kept.resolve(CacheKey.of(file, ReadOptions.DEFAULT).entryName()), moved);
        check(2);
        assertTrue(Files.isRegularFile(entry(), LinkOption.NOFOLLOW_LINKS), "an entry in the place of the link");
        check(2);
    }

    @Test
    @Timeout(60)
    void pipesAreNeitherReadNorWritten() throws IOException, InterruptedException {
        check(1);
        Path entry = entry();
        Files.delete(entry);
        Process made;
        try {
            made = new ProcessBuilder("mkfifo", entry.toString()).start();
        } catch (IOException e) {
            assumeTrue(false, "there is no mkfifo");
            return;
        }
        assertTrue(made.waitFor(1, TimeUnit.MINUTES) && made.exitValue() == 0);
        check(2);
        assertTrue(Files.isRegularFile(entry), "an entry in the place of the pipe");
        check(2);
    }

    @Test
    void manyReadersAndWritersAtOnce() throws Exception {
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int k = 0; k < 64; k++) {
            boolean spoil = k % 5 == 4;
            tasks.add(() -> {
                if (spoil) {
                    Files.deleteIfExists(kept.resolve(CacheKey.of(file, ReadOptions.DEFAULT).entryName()));
                }
                return matrix.sameAs(MatrixFiles.read(file, ReadOptions.DEFAULT, cache));
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<Boolean> result : threads.invokeAll(tasks)) {
                assertTrue(result.get());
            }
        }
        assertTrue(Files.size(entry()) > 0);
    }

    @Test
    void configuration() {
        Configuration on = Configuration.builder().set(ConfigurationKeys.CACHE_DIRECTORY, folder)
                .set(ConfigurationKeys.CACHE_MINIMUM_BYTES, 5L).build();
        assertFalse(MatrixCache.of(on) == MatrixCache.OFF);
        Configuration off = Configuration.builder().set(ConfigurationKeys.CACHE_MINIMUM_BYTES, -1L).build();
        assertSame(MatrixCache.OFF, MatrixCache.of(off));
    }
}
