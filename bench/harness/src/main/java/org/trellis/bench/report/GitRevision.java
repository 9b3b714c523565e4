package org.trellis.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the revision of the clone that a program was built in, without running git. */
final class GitRevision {
    private static final String REFERENCE = "ref: ";
    private static final String LINK = "gitdir: ";
    private static final String LAUNCHER = "trellis";

    private GitRevision() {}

    /** Looks in the folders above a place for a clone of Trellis; empty if there is none. */
    static String above(Path place) {
        for (Path folder = place; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve(".git")) && Files.exists(folder.resolve(LAUNCHER))) {
                return revision(folder.resolve(".git"));
            }
        }
        return "";
    }

    private static String revision(Path git) {
        Path own = git;
        if (Files.isRegularFile(git)) {
            own = git.resolveSibling(text(git).substring(LINK.length()));
        }
        String head = text(own.resolve("HEAD"));
        if (!head.startsWith(REFERENCE)) {
            return head;
        }
        Path common = Files.exists(own.resolve("commondir"))
                ? own.resolve(text(own.resolve("commondir"))).normalize()
                : own;
        String name = head.substring(REFERENCE.length());
        return Files.exists(common.resolve(name)) ? text(common.resolve(name)) : packed(common, name).orElse("");
    }

    private static Optional<String> packed(Path common, String name) {
        Path file = common.resolve("packed-refs");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return text(file).lines().filter(line -> line.endsWith(" " + name))
                .map(line -> line.substring(0, line.indexOf(' '))).findFirst();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
