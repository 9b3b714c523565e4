package org.trellis.bench.adapters;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Opens text for libraries that read from a {@link Reader}. */
public final class TextFiles {
    private static final int BUFFER = 1 << 16;

    private TextFiles() {}

    /**
     * Opens a file, compressed or not.
     *
     * @param file a file; the name of a compressed one ends in {@code .gz}
     * @return its text, which the caller closes
     * @throws IOException if it cannot be read
     */
    @MustBeClosed
    public static Reader open(Path file) throws IOException {
        InputStream bytes = Files.newInputStream(file);
        try {
            InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(bytes, BUFFER) : bytes;
            return new BufferedReader(new InputStreamReader(plain, StandardCharsets.US_ASCII), BUFFER);
        } catch (IOException e) {
            bytes.close();
            throw e;
        }
    }
}
