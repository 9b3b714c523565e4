package org.trellis.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {
    @TempDir
    private Path folder;

    private Path path;
    private PrivateFolder cache;

    @BeforeEach
    void prepare() {
        path = folder.resolve("a/cache");
        cache = new PrivateFolder(path);
    }

    private void write(String name) throws IOException {
        cache.write(name, output -> output.write("x".getBytes(StandardCharsets.UTF_8)));
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void nobodyElseMayLookIntoIt() throws IOException {
        assertEquals(Optional.empty(), cache.find("entry"));
        write("entry");
        assertEquals("rwx------", permissions(path));
        assertEquals("rwx------", permissions(path.getParent()), "made on the way");
        assertEquals("rw-------", permissions(path.resolve("entry")));
        assertEquals(Optional.of(path.resolve("entry")), cache.find("entry"));
    }

    @Test
    void aFolderThatWasOpenIsMadePrivate() throws IOException {
        Files.createDirectories(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(path.resolve("entry"), "x");
        assertTrue(cache.find("entry").isPresent());
        assertEquals("rwx------", permissions(path));
    }

    @Test
    void anEntryHasNoMoreRightsThanItsSource() throws IOException {
        Path source = Files.writeString(folder.resolve("source"), "");
        for (String[] pair : new String[][]{{"rw-r--r--", "rw-------"}, {"rw-------", "rw-------"},
            {"r--r--r--", "r--------"}, {"rwxrwxrwx", "rw-------"}}) {
            Files.setPosixFilePermissions(source, PosixFilePermissions.fromString(pair[0]));
            cache.write("entry", source, output -> output.write('x'));
            assertEquals(pair[1], permissions(path.resolve("entry")), pair[0]);
        }
    }

    @Test
    @Timeout(60)
    void whatIsNoRegularFileIsNotOpened() throws IOException, InterruptedException {
        write("entry");
        Files.createSymbolicLink(path.resolve("link"), Path.of("entry"));
        assertEquals(Optional.empty(), cache.find("link"));
        Path pipe = path.resolve("pipe");
        Process made;
        try {
            made = new ProcessBuilder("mkfifo", pipe.toString()).start();
        } catch (IOException e) {
            assumeTrue(false, "there is no mkfifo");
            return;
        }
        assertTrue(made.waitFor(1, TimeUnit.MINUTES) && made.exitValue() == 0);
        assertEquals(Optional.empty(), cache.find("pipe"));
        write("pipe");
        assertTrue(Files.isRegularFile(pipe), "replaced, not opened");
        write("link");
        assertTrue(cache.find("link").isPresent());
        assertEquals("x", Files.readString(path.resolve("entry")));
    }

    @Test
    void entriesOfOthersDoNotCount() throws IOException {
        write("entry");
        Path entry = path.resolve("entry");
        try {
            Files.setAttribute(entry, "unix:uid", 12345);
        } catch (FileSystemException e) {
            assumeTrue(false, "only the superuser gives files away");
        }
        assertEquals(Optional.empty(), cache.find("entry"));
        write("entry");
        assertTrue(cache.find("entry").isPresent(), "an own one in its place");
    }
}
