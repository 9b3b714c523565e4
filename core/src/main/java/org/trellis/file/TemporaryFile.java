package org.trellis.file;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** A file that is being written and shall take the place of another. Code that writes it holds its lock. */
final class TemporaryFile implements Closeable {
    private static final int TRIES = 10;

    private final Path path;
    private final FileChannel channel;

    private TemporaryFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Something failed that is the business of the temporary file, whose name says nothing to a user. */
    static final class FailedException extends IOException {
        private static final long serialVersionUID = 1;

        FailedException(IOException cause) {
            super(cause);
        }

        /** The same for the file that the user knows. */
        FileSystemException of(Path file, Path folder) {
            String why = switch (getCause()) {
                case NoSuchFileException e when !Files.isDirectory(folder) -> "there is no folder " + folder;
                case AccessDeniedException e -> "access to its folder " + folder + " is denied";
                case FileSystemException e when e.getReason() != null -> e.getReason();
                case Throwable e -> e.toString();
            };
            FileSystemException told = new FileSystemException(file.toString(), null, why);
            told.initCause(getCause());
            return told;
        }
    }

    /** Creates one in the folder of a file. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // what the lambda makes is returned or closed
    static TemporaryFile beside(Path target, FileRights rights) throws IOException {
        try {
            for (int attempt = 1; attempt <= TRIES; attempt++) {
                Path path = target.resolveSibling(StaleFiles.newName());
                TemporaryFile made = LiveFiles.create(path, () -> create(path, rights));
                // A sweep may have taken it for one that was left behind, before it was locked.
                if (Files.exists(path)) {
                    return made;
                }
                made.close();
            }
            throw new IOException("temporary files vanish as soon as they are made");
        } catch (IOException e) {
            throw new FailedException(e);
        }
    }

    @MustBeClosed
    private static TemporaryFile create(Path path, FileRights rights) throws IOException {
        TemporaryFile made = new TemporaryFile(path, FileChannel.open(path,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), rights.attributes()));
        try {
            StaleFiles.lock(made.channel);
            rights.giveTo(path);
            return made;
        } catch (IOException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    /** The stream that fills it; closing it does not close the file. */
    OutputStream output() {
        OutputStream stream = Channels.newOutputStream(channel);
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                stream.write(value);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                stream.write(bytes, offset, length);
            }
        };
    }

    /** Lets it take the place of a file. Until then it is locked, so that no sweep thinks it was left behind. */
    void moveTo(Path target) throws IOException {
        try {
            if (Files.exists(target)) {
                // On the disk before it takes the place of something that is.
                channel.force(true);
            }
            LiveFiles.move(path, target);
        } catch (IOException e) {
            throw new FailedException(e);
        }
    }

    /** Removes it, unless it has taken its place. */
    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } catch (IOException e) {
            throw new FailedException(e);
        } finally {
            LiveFiles.delete(path);
        }
    }
}
