package org.trellis.bench.source;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.cache.MatrixCache;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.sparse.CsrMatrix;

/**
 * A matrix in a file.
 *
 * @param file    the file
 * @param options how to read it
 * @param cache   where parsed matrices are kept
 */
record FileSource(Path file, ReadOptions options, MatrixCache cache) implements MatrixSource {
    private static final String EXTENSIONS = "(?i)\\.(mtx|mm|mmx|rb|hb|[rcip][suhzr][ae])?(\\.gz)?$";

    FileSource {
        Objects.requireNonNull(file);
    }

    @Override
    public String name() {
        String name = String.valueOf(file.getFileName());
        String shorter = name.replaceFirst(EXTENSIONS, "");
        return shorter.isEmpty() ? name : shorter;
    }

    @Override
    public String origin() {
        return file.toString();
    }

    @Override
    public boolean isRealForm() throws IOException {
        return options.complexPolicy() == ComplexPolicy.REAL_FORM && MatrixFiles.isComplex(file);
    }

    @Override
    public CsrMatrix load(ProgressListener progress) throws IOException {
        ProgressListener named = (stage, done, total) -> progress.progress(stage + ' ' + name(), done, total);
        return MatrixFiles.read(file, options.withProgress(named), cache);
    }
}
