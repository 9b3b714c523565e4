package org.trellis.cuda.compile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.trellis.file.PrivateFolder;

/**
 * Compiled kernels on disk. An entry's name is a {@linkplain Fingerprint fingerprint} of everything that decides what
 * the code is: source, headers, options, architecture, compiler and its version.
 *
 * <p>An entry appears complete or not at all, so several processes may share the folder: the last one wins, and
 * all write the same. The folder is private to this user, and what another one put there is no entry. Its layout is:
 * the magic number, the length of the code (8 bytes, big endian), the code, and checksums of key and code (16 bytes).
 * An entry that does not check is rebuilt. A folder that cannot be written costs time, not correctness, and is logged
 * once.
 */
public final class KernelCache {
    private static final System.Logger LOGGER = System.getLogger(KernelCache.class.getName());
    private static final byte[] MAGIC = "TRELLIS-CUBIN-2\n".getBytes(StandardCharsets.US_ASCII);
    private static final String SUFFIX = ".cubin";
    private static final int DIGEST_BYTES = 16;

    private final PrivateFolder folder;
    private boolean unwritable;

    /**
     * Uses a folder.
     *
     * @param folder the folder; made when the first entry is written
     */
    public KernelCache(Path folder) {
        this.folder = new PrivateFolder(folder);
    }

    /**
     * Returns the machine code of a source, from the cache if it is there.
     *
     * @param source       the source
     * @param architecture the device's architecture
     * @param compiler     compiles what is not there
     * @return the machine code
     * @throws org.trellis.common.KernelCompilationException if it has to be compiled and does not compile
     */
    public byte[] get(KernelSource source, String architecture, KernelCompiler compiler) {
        String key = key(source, architecture, compiler.version());
        Optional<byte[]> cached = read(key);
        if (cached.isPresent()) {
            return cached.get();
        }
        byte[] code = compiler.compile(source, architecture);
        write(key, code);
        return code;
    }

    /**
     * Returns whether there is an entry, without reading it.
     *
     * @param source       the source
     * @param architecture the device's architecture
     * @param compiler     the compiler
     * @return true if there is one, damaged or not
     */
    boolean contains(KernelSource source, String architecture, KernelCompiler compiler) {
        try {
            return folder.find(key(source, architecture, compiler.version()) + SUFFIX).isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns the name of an entry.
     *
     * @param source       the source
     * @param architecture the device's architecture
     * @param compiler     the compiler's name and version
     * @return 32 hexadecimal digits
     */
    static String key(KernelSource source, String architecture, String compiler) {
        StringBuilder all = new StringBuilder();
        add(all, source.fingerprint());
        add(all, source.name());
        source.headers().forEach((name, text) -> {
            add(all, "header");
            add(all, name);
            add(all, KernelSource.fingerprint(text));
        });
        for (String option : source.options()) {
            add(all, "option");
            add(all, option);
        }
        add(all, architecture);
        add(all, compiler);
        return Fingerprint.of(all.toString());
    }

    /** The length before the text keeps apart what would read the same when strung together. */
    private static void add(StringBuilder all, String text) {
        all.append(text.length()).append(':').append(text);
    }

    private Optional<byte[]> read(String key) {
        try {
            Optional<Path> file = folder.find(key + SUFFIX);
            if (file.isEmpty()) {
                return Optional.empty();
            }
            Optional<byte[]> code = decode(Files.readAllBytes(file.get()), key);
            if (code.isEmpty()) {
                LOGGER.log(System.Logger.Level.WARNING, "cached kernel {0} is damaged and is compiled again",
                        file.get());
            }
            return code;
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "cached kernel " + key + " in " + folder.path()
                    + " cannot be read", e);
            return Optional.empty();
        }
    }

    private static Optional<byte[]> decode(byte[] entry, String key) {
        int start = MAGIC.length + Long.BYTES;
        if (entry.length < start + DIGEST_BYTES || !Arrays.equals(MAGIC, Arrays.copyOf(entry, MAGIC.length))) {
            return Optional.empty();
        }
        long length = ByteBuffer.wrap(entry).getLong(MAGIC.length);
        if (length != entry.length - start - DIGEST_BYTES) {
            return Optional.empty();
        }
        byte[] code = Arrays.copyOfRange(entry, start, start + (int) length);
        byte[] digest = Arrays.copyOfRange(entry, start + (int) length, entry.length);
        return Arrays.equals(digest, checksum(key, code)) ? Optional.of(code) : Optional.empty();
    }

    private void write(String key, byte[] code) {
        byte[] entry = ByteBuffer.allocate(MAGIC.length + Long.BYTES + code.length + DIGEST_BYTES)
                .put(MAGIC).putLong(code.length).put(code).put(checksum(key, code)).array();
        try {
            folder.write(key + SUFFIX, output -> output.write(entry));
        } catch (IOException e) {
            reportUnwritable(e);
        }
    }

    private synchronized void reportUnwritable(IOException e) {
        if (!unwritable) {
            unwritable = true;
            LOGGER.log(System.Logger.Level.WARNING,
                    "compiled kernels cannot be kept in " + folder.path() + " and will be compiled again next time", e);
        }
    }

    private static byte[] checksum(String key, byte[] code) {
        return ByteBuffer.allocate(DIGEST_BYTES).putLong(Fingerprint.bits(key.getBytes(StandardCharsets.US_ASCII)))
                .putLong(Fingerprint.bits(code)).array();
    }

    @Override
    public String toString() {
        return "kernel cache in " + folder.path();
    }
}
