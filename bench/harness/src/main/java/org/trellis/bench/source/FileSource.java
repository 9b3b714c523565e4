package org.trellis.bench.source;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.sparse.CsrMatrix;

/**
 * A matrix in a file.
 *
 * @param file the file
 */
record FileSource(Path file) implements MatrixSource {
    private static final List<String> SUFFIXES = List.of(".mtx", ".mtx.gz");

    FileSource {
        Objects.requireNonNull(file);
    }

    /** Tells whether a file has a name that matrices have. */
    static boolean looksLikeMatrix(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        return SUFFIXES.stream().anyMatch(name::endsWith);
    }

    @Override
    public String name() {
        String name = file.getFileName().toString();
        for (String suffix : SUFFIXES) {
            if (name.toLowerCase(Locale.ROOT).endsWith(suffix) && name.length() > suffix.length()) {
                return name.substring(0, name.length() - suffix.length());
            }
        }
        return name;
    }

    @Override
    public String origin() {
        return file.toString();
    }

    @Override
    public CsrMatrix load(ProgressListener progress) throws IOException {
        progress.progress("read " + name(), 0, 1);
        return MatrixMarket.read(file);
    }
}
