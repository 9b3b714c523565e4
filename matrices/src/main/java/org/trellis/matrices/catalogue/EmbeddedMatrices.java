package org.trellis.matrices.catalogue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.sparse.CsrMatrix;

/** The real matrices among the library's resources; {@code embedded.csv} says where each comes from. */
final class EmbeddedMatrices {
    private EmbeddedMatrices() {}

    static List<CatalogueEntry> entries(Configuration configuration) {
        int threads = configuration.get(ConfigurationKeys.THREADS);
        return CsvTable.read("embedded.csv").stream().map(row -> entry(row, threads)).toList();
    }

    private static CatalogueEntry entry(Map<String, String> row, int threads) {
        String name = row.get("name");
        String provenance = row.get("group") + "/" + name + ", " + row.get("author") + "; " + row.get("source")
                + "; licence of the data: " + row.get("licence") + "; licence of that repository: "
                + row.get("sourceLicence");
        EntryFacts facts = EntryFacts.of(Long.parseLong(row.get("rows")), Long.parseLong(row.get("columns")),
                Long.parseLong(row.get("entries")));
        return new CatalogueEntry(name, EntryKind.EMBEDDED, row.get("kind") + "; " + row.get("properties"), provenance,
                facts, (precision, progress) -> read(name, threads, precision, progress));
    }

    private static CsrMatrix read(String name, int threads, Precision precision, ProgressListener progress)
            throws IOException {
        String resource = name + ".mtx.gz";
        try (InputStream stream = EmbeddedMatrices.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new FileNotFoundException("resource " + resource + " is missing from the library");
            }
            ReadOptions options =
                    ReadOptions.DEFAULT.withThreads(threads).withPrecision(precision).withProgress(progress);
            return MatrixMarket.read(stream, resource, options);
        }
    }
}
