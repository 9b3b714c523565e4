package org.trellis.matrices.market;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.trellis.common.MatrixFormatException;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.sparse.CsrMatrix;

/** Writes small texts to files and reads them in every way there is. */
final class Texts {
    private final Path folder;

    Texts(Path folder) {
        this.folder = folder;
    }

    Path file(String text) {
        return file("matrix.mtx", text.getBytes(StandardCharsets.ISO_8859_1));
    }

    Path file(String name, byte[] bytes) {
        try {
            return Files.write(folder.resolve(name), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    CsrMatrix read(String text) {
        return read(text, ReadOptions.DEFAULT);
    }

    CsrMatrix read(String text, ReadOptions options) {
        return read(file(text), options);
    }

    static CsrMatrix read(Path file, ReadOptions options) {
        try {
            return MatrixMarket.read(file, options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a text that is wrong and checks where the error is found, plain and compressed. */
    MatrixFormatException refuse(String text, ReadOptions options, long line, long column) {
        Path plain = file(text);
        MatrixFormatException failure = assertThrows(MatrixFormatException.class, () -> read(plain, options));
        assertEquals(line + ":" + column, failure.line() + ":" + failure.column(), failure.getMessage());
        assertEquals(plain.toString(), failure.file());
        Path compressed = file("matrix.mtx.gz", gzip(text.getBytes(StandardCharsets.ISO_8859_1)));
        MatrixFormatException same = assertThrows(MatrixFormatException.class, () -> read(compressed, options));
        assertEquals(failure.getMessage().replace(plain.toString(), compressed.toString()), same.getMessage());
        return failure;
    }

    MatrixFormatException refuse(String text, long line, long column) {
        return refuse(text, ReadOptions.DEFAULT, line, column);
    }

    /** The rows of a small matrix, 0 where there is no entry. */
    static double[][] dense(CsrMatrix matrix) {
        double[][] rows = new double[matrix.rows()][matrix.columns()];
        for (int i = 0; i < matrix.rows(); i++) {
            for (int j = 0; j < matrix.columns(); j++) {
                rows[i][j] = matrix.get(i, j);
            }
        }
        return rows;
    }
}
