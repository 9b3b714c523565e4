package org.trellis.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AtomicFileTest {
    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    private Path folder;

    /** Writes half of a file and a temporary folder, reports it, and waits to be ended. */
    static final class Interrupted {
        private Interrupted() {}

        /** Takes the file and the folder for the temporary one. */
        @SuppressWarnings("MustBeClosed") // closed by the test
        public static void main(String[] arguments) throws IOException {
            TemporaryFolder made = TemporaryFolder.in(Path.of(arguments[1]));
            Files.writeString(made.path().resolve("kernel.c"), "int main");
            AtomicFile.write(Path.of(arguments[0]), output -> {
                output.write("half".getBytes(StandardCharsets.UTF_8));
                System.out.println("ready");
                System.out.flush();
                try {
                    TimeUnit.MINUTES.sleep(5);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    private List<String> names(Path of) throws IOException {
        try (Stream<Path> entries = Files.list(of)) {
            return entries.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private Path file(String name, String permissions) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "old");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void aFailureLeavesTheOldContentsAndNothingElse() throws IOException {
        Path file = Files.writeString(folder.resolve("a.json"), "old");
        IOException thrown = assertThrows(IOException.class, () -> AtomicFile.write(file, output -> {
            output.write(new byte[100_000]);
            assertEquals("old", Files.readString(file));
            throw new IOException("no more");
        }));
        assertEquals("no more", thrown.getMessage());
        assertEquals("old", Files.readString(file));
        assertEquals(List.of("a.json"), names(folder));
        AtomicFile.writeText(file, "new");
        assertEquals("new", Files.readString(file));
        assertEquals(List.of("a.json"), names(folder));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "rw-rw-rw-", "rwxr-x---", "r--r--r--"})
    void theNewFileHasThePermissionsOfTheOld(String permissions) throws IOException {
        Path file = file("a.json", permissions);
        assumeTrue(Files.isWritable(file), "may not write it");
        AtomicFile.write(file, output -> {
            Path temporary = folder.resolve(names(folder).getFirst());
            assertEquals(permissions, permissions(temporary), "while it is written");
            output.write('x');
        });
        assertEquals(permissions, permissions(file));
        assertEquals("x", Files.readString(file));
    }

    @Test
    void newFilesHaveThePermissionsThatOthersGet() throws IOException {
        Path plain = Files.writeString(folder.resolve("plain"), "");
        Path file = folder.resolve("made");
        AtomicFile.writeText(file, "x");
        assertEquals(permissions(plain), permissions(file));
    }

    @Test
    void linksStayAndLeadToTheNewContents() throws IOException {
        Path target = file("target", "rw-------");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("target"));
        Path second = Files.createSymbolicLink(folder.resolve("second"), link);
        AtomicFile.writeText(second, "new");
        assertTrue(Files.isSymbolicLink(link) && Files.isSymbolicLink(second));
        assertEquals("new", Files.readString(target));
        assertEquals("rw-------", permissions(target));
        Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), Path.of("absent"));
        AtomicFile.writeText(dangling, "made");
        assertTrue(Files.isSymbolicLink(dangling));
        assertEquals("made", Files.readString(folder.resolve("absent")));
    }

    @Test
    void allNamesOfAFileHaveOneTarget() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        Path linked = Files.createSymbolicLink(folder.resolve("linked"), inner);
        Path expected = inner.toRealPath().resolve("a");
        assertEquals(expected, AtomicFile.target(linked.resolve("a")));
        assertEquals(expected, AtomicFile.target(linked.resolve("../inner/a")));
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("linked/a"));
        assertEquals(expected, AtomicFile.target(link));
        Files.writeString(expected, "");
        assertEquals(expected, AtomicFile.target(link));
        Path circle = Files.createSymbolicLink(folder.resolve("circle"), Path.of("circle"));
        assertThrows(FileSystemException.class, () -> AtomicFile.target(circle));
    }

    @Test
    void messagesNameTheFile() throws IOException {
        Path absent = folder.resolve("absent/a.json");
        FileSystemException missing =
                assertThrows(FileSystemException.class, () -> AtomicFile.writeText(absent, ""));
        assertEquals(absent.toString(), missing.getFile());
        assertTrue(missing.getReason().contains("there is no folder"), missing.getReason());
        FileSystemException occupied =
                assertThrows(FileSystemException.class, () -> AtomicFile.writeText(folder, ""));
        assertEquals(folder.toString(), occupied.getFile());
        assumeTrue(Files.exists(FULL), "there is no " + FULL);
        FileSystemException full = assertThrows(FileSystemException.class, () -> AtomicFile.writeText(FULL, "x"));
        assertEquals(FULL.toString(), full.getFile());
        assertTrue(full.getReason().startsWith("writing failed: "), full.getReason());
        assertFalse(Files.isRegularFile(FULL));
    }

    /** Starts a process that waits in the middle of writing. */
    private Process interrupted(Path file, Path temporary) throws IOException {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Interrupted.class.getName(), file.toString(),
                temporary.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        assertEquals("ready", process.inputReader(StandardCharsets.UTF_8).readLine());
        return process;
    }

    @Test
    void aSignalLeavesNothingBehind() throws IOException, InterruptedException {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Path file = Files.writeString(folder.resolve("a.json"), "old");
        Process process = interrupted(file, temporary);
        assertEquals(3, names(folder).size(), "the temporary file is there");
        assertEquals(1, names(temporary).size());
        process.destroy();
        assertTrue(process.waitFor(1, TimeUnit.MINUTES), "the process hangs");
        assertEquals(List.of("a.json", "tmp"), names(folder));
        assertEquals(List.of(), names(temporary));
        assertEquals("old", Files.readString(file));
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void theNextProcessRemovesWhatAKilledOneLeft() throws IOException, InterruptedException {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Path other = Files.writeString(folder.resolve(".trellis-notes.tmp"), "other");
        Path file = folder.resolve("a.json");
        Process process = interrupted(file, temporary);
        AtomicFile.writeText(folder.resolve("b.json"), "x");
        TemporaryFolder.in(temporary).close();
        assertEquals(4, names(folder).size(), "that of a live process stays");
        assertEquals(1, names(temporary).size());
        process.destroyForcibly();
        assertTrue(process.waitFor(1, TimeUnit.MINUTES), "the process hangs");
        assertEquals(4, names(folder).size(), "what cannot be cleaned up");

        // A process looks into a folder once, so it takes another one.
        Process next = interrupted(folder.resolve("c.json"), temporary);
        assertEquals(1, names(temporary).size(), "its own");
        next.destroy();
        assertTrue(next.waitFor(1, TimeUnit.MINUTES), "the process hangs");
        assertEquals(List.of(".trellis-notes.tmp", "b.json", "tmp"), names(folder));
        assertEquals(List.of(), names(temporary));
        assertTrue(Files.exists(other));
    }

    @Test
    void temporaryFoldersArePrivateAndGo() throws IOException {
        Path path;
        try (TemporaryFolder made = TemporaryFolder.in(folder)) {
            path = made.path();
            assertEquals("rwx------", permissions(path));
            Files.createDirectories(path.resolve("a/b"));
            Files.writeString(path.resolve("a/b/c"), "x");
        }
        assertFalse(Files.exists(path));
    }
}
