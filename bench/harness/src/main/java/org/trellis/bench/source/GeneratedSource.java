package org.trellis.bench.source;

import java.util.Objects;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.sparse.CsrMatrix;

/**
 * A matrix made by a generator.
 *
 * @param spec the generator and its arguments
 */
record GeneratedSource(MatrixSpec spec) implements MatrixSource {
    GeneratedSource {
        Objects.requireNonNull(spec);
    }

    @Override
    public String name() {
        return spec.toString();
    }

    @Override
    public String origin() {
        return "generator " + spec;
    }

    @Override
    public CsrMatrix load(ProgressListener progress) {
        return spec.generate(Precision.F64, (stage, done, total) -> progress.progress("generate " + spec, done, total));
    }
}
