package org.trellis.matrices.support;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.trellis.file.AtomicFile;

/** Writes text files, which are compressed if their names end in {@code .gz}. */
public final class TextOutput {
    private TextOutput() {}

    /** Writes the contents of a file. */
    @FunctionalInterface
    public interface Contents {
        /**
         * Writes them.
         *
         * @param text takes them; not to be closed
         * @throws IOException if they cannot be written
         */
        void write(Writer text) throws IOException;
    }

    /**
     * Writes a file, which takes the place of an earlier one when it is complete.
     *
     * @param file     the file
     * @param encoding of its characters
     * @param contents what is in it
     * @throws IOException if it cannot be written
     */
    public static void write(Path file, Charset encoding, Contents contents) throws IOException {
        boolean compressed = file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
        AtomicFile.write(file, output -> {
            OutputStream target = compressed ? new GZIPOutputStream(output) : output;
            Writer text = new BufferedWriter(new OutputStreamWriter(target, encoding));
            contents.write(text);
            text.flush();
            if (target instanceof GZIPOutputStream gzip) {
                gzip.finish();
            }
        });
    }
}
