package org.trellis.matrices.cache;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.file.PrivateFolder;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.sparse.CsrMatrix;

/**
 * A folder of parsed matrices. An entry belongs to one file, as path, size, modification time and identity describe
 * it, and to the options that influence the matrix. It carries checksums; one that is damaged, stale or of another
 * version is ignored and written anew, so the cache never is a reason for an error or for wrong data.
 *
 * <p>The folder is private to this user, an entry has at most the permissions of the file, and what is no regular file
 * of this user is no entry. Entries appear complete or not at all, so any number of processes may share a folder. A
 * file that was modified less than two seconds before it was read is not cached, because a further change might leave
 * its time stamp as it is. Nothing is ever removed but what a newer version of the same file replaces; the folder may
 * be deleted at any time.
 *
 * <p>Immutable and thread-safe.
 */
public final class MatrixCache {
    /** A cache that keeps nothing. */
    public static final MatrixCache OFF = new MatrixCache(null, 0);

    private static final Logger LOGGER = System.getLogger(MatrixCache.class.getName());
    private static final Duration SETTLED = Duration.ofSeconds(2);
    private static final String FOLDER = "matrices";

    private final PrivateFolder folder;
    private final long minimumBytes;

    private MatrixCache(PrivateFolder folder, long minimumBytes) {
        this.folder = folder;
        this.minimumBytes = minimumBytes;
    }

    /** Reads a file the slow way. */
    @FunctionalInterface
    public interface Parser {
        /**
         * Parses the file.
         *
         * @return the matrix
         * @throws IOException if the file cannot be read
         */
        CsrMatrix parse() throws IOException;
    }

    /**
     * Returns the cache of a folder.
     *
     * @param folder       where entries are kept; made when the first is written, and closed to other users
     * @param minimumBytes size of the smallest file that is cached, at least 0
     * @return the cache
     * @throws IllegalArgumentException if the size is negative
     */
    public static MatrixCache in(Path folder, long minimumBytes) {
        if (minimumBytes < 0) {
            throw new IllegalArgumentException("minimumBytes is " + minimumBytes + ", expected at least 0");
        }
        return new MatrixCache(new PrivateFolder(Objects.requireNonNull(folder, "folder")), minimumBytes);
    }

    /**
     * Returns the cache that a configuration describes: the folder {@code matrices} in
     * {@link ConfigurationKeys#CACHE_DIRECTORY}, from {@link ConfigurationKeys#CACHE_MINIMUM_BYTES} on.
     *
     * @param configuration the settings
     * @return the cache, {@link #OFF} if it is switched off
     */
    public static MatrixCache of(Configuration configuration) {
        long minimum = configuration.get(ConfigurationKeys.CACHE_MINIMUM_BYTES);
        return minimum < 0 ? OFF : in(configuration.get(ConfigurationKeys.CACHE_DIRECTORY).resolve(FOLDER), minimum);
    }

    /**
     * Takes a matrix from the cache, or parses the file and keeps the result.
     *
     * @param file    the file
     * @param options how it is read
     * @param parser  reads it if it is not in the cache
     * @return the matrix, the same bits either way
     * @throws org.trellis.common.MatrixFormatException if the file has to be parsed and its contents are wrong
     * @throws IOException if the file cannot be read; never because of the cache
     */
    public CsrMatrix read(Path file, ReadOptions options, Parser parser) throws IOException {
        if (folder == null || !Files.isRegularFile(file) || Files.size(file) < minimumBytes) {
            return parser.parse();
        }
        CacheKey key = CacheKey.of(file, options);
        Optional<CsrMatrix> kept = find(key);
        if (kept.isPresent()) {
            options.progress().progress("cache", key.size(), key.size());
            return kept.get();
        }
        Instant before = Instant.now();
        CsrMatrix matrix = parser.parse();
        if (key.modified().isBefore(before.minus(SETTLED)) && key.equals(CacheKey.of(file, options))) {
            keep(key, matrix);
        }
        return matrix;
    }

    private Optional<CsrMatrix> find(CacheKey key) {
        try {
            Optional<Path> entry = folder.find(key.entryName());
            return entry.isPresent() ? EntryReader.read(entry.get(), key) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "cannot read the cached matrix " + key.entryName() + " in " + folder.path()
                    + ": " + e);
            return Optional.empty();
        }
    }

    private void keep(CacheKey key, CsrMatrix matrix) {
        if (matrix.segments().size() != 1) {
            return;
        }
        try {
            folder.write(key.entryName(), Path.of(key.path()), output -> EntryWriter.write(output, key, matrix));
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "cannot keep the matrix in the cache as " + key.entryName() + " in "
                    + folder.path() + ": " + e);
        }
    }
}
