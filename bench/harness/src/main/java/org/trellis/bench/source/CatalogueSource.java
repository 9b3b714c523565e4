package org.trellis.bench.source;

import java.io.IOException;
import java.util.Objects;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.catalogue.CatalogueEntry;
import org.trellis.sparse.CsrMatrix;

/**
 * A matrix of the catalogue.
 *
 * @param entry its entry
 */
record CatalogueSource(CatalogueEntry entry) implements MatrixSource {
    CatalogueSource {
        Objects.requireNonNull(entry);
    }

    @Override
    public String name() {
        return entry.name();
    }

    @Override
    public String origin() {
        return entry.kind().label() + ": " + entry.description() + "; " + entry.provenance();
    }

    @Override
    public CsrMatrix load(ProgressListener progress) throws IOException {
        return entry.load(Precision.F64,
                (stage, done, total) -> progress.progress(stage + ' ' + entry.name(), done, total));
    }
}
