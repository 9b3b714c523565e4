package org.trellis.tuner.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;

/** Several threads and processes with one file. */
class ProfileFileTest {
    private static final int UPDATES = 8;

    @TempDir
    private Path folder;

    /** Adds results of its own, one at a time; run by the test in other processes too. */
    static final class Writer {
        private Writer() {}

        /** Takes the file and a number that makes the results its own. */
        public static void main(String[] arguments) throws IOException {
            ProfileFile file = new ProfileFile(Path.of(arguments[0]));
            int own = Integer.parseInt(arguments[1]);
            CsrMatrix matrix = AwkwardMatrices.all(Precision.F64, new SplittableRandom(1)).get("dense");
            for (int i = 0; i < UPDATES; i++) {
                SpmvParameters parameters = SpmvParameters.of(SpmvFamily.CSR).withBlockSize(32 * (own * UPDATES + i));
                TuningResult result = new TuningResult(Fingerprint.of(matrix), Precision.F64, parameters,
                        new double[]{1e-6}, 0, Invalidity.CORRECT, Instant.EPOCH);
                file.update(profile -> profile.with(ProfileTest.DEVICE, "dense", MatrixFeatures.of(matrix),
                        List.of(result)));
                file.load();
            }
        }
    }

    @Test
    void processesAndThreadsShareAFile() throws IOException, InterruptedException {
        Path file = folder.resolve("shared.json");
        share(file, file);
    }

    @Test
    void linksToAFileShareItsLock() throws IOException, InterruptedException {
        Path links = Files.createDirectory(folder.resolve("links"));
        Path inner = Files.createSymbolicLink(links.resolve("folder"), Path.of(".."));
        share(folder.resolve("shared.json"),
                Files.createSymbolicLink(links.resolve("link.json"), inner.resolve("shared.json")));
        assertTrue(Files.isSymbolicLink(links.resolve("link.json")));
        try (Stream<Path> left = Files.list(links)) {
            assertEquals(2, left.count(), "no lock beside the link");
        }
    }

    /** Lets processes and threads write, half of them by another name. */
    private void share(Path file, Path other) throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        for (int own = 0; own < 2; own++) {
            processes.add(new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                    System.getProperty("java.class.path"), Writer.class.getName(),
                    (own % 2 == 0 ? file : other).toString(), Integer.toString(own)).redirectErrorStream(true).start());
        }
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int own = 2; own < 4; own++) {
            String[] arguments = {(own % 2 == 0 ? file : other).toString(), Integer.toString(own)};
            threads.add(Thread.ofPlatform().uncaughtExceptionHandler((thread, e) -> failures.add(e)).start(() -> {
                try {
                    Writer.main(arguments);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (Process process : processes) {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(1, TimeUnit.MINUTES), "a process hangs");
            assertEquals(0, process.exitValue(), output);
        }
        assertEquals(List.of(), failures);
        assertEquals(4 * UPDATES, new ProfileFile(file).load().results(ProfileTest.DEVICE).size());
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of("shared.json", "shared.json.lock"),
                    left.filter(Files::isRegularFile).map(path -> path.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void aMissingFileIsAnEmptyProfile() throws IOException {
        ProfileFile file = new ProfileFile(folder.resolve("none.json"));
        assertTrue(file.load().devices().isEmpty());
        assertFalse(Files.exists(file.path()));
    }

    @Test
    void aLinkKeepsItsTarget() throws IOException {
        Path target = folder.resolve("target.json");
        Files.writeString(target, Profile.empty().toText());
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), target);
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-------"));
        new ProfileFile(link).update(profile -> profile);
        assertTrue(Files.isSymbolicLink(link));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(target)));
    }
}
