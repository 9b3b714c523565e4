package org.trellis.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;

/** Whose files are whose. */
final class FileOwner {
    private static final Path PROCESS = Path.of("/proc/self");

    private static UserPrincipal current;

    private FileOwner() {}

    /** Returns whether a file, or a link itself, belongs to the user of this process. */
    static boolean isCurrent(Path file) throws IOException {
        return Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(current());
    }

    /** The user as the file system knows it, which need not be a user that has a name. */
    private static synchronized UserPrincipal current() throws IOException {
        if (current == null) {
            if (Files.isDirectory(PROCESS)) {
                current = Files.getOwner(PROCESS);
            } else {
                Path own = Files.createTempFile("trellis", null);
                try {
                    current = Files.getOwner(own);
                } finally {
                    Files.delete(own);
                }
            }
        }
        return current;
    }
}
