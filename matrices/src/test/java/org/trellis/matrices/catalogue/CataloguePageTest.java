package org.trellis.matrices.catalogue;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.matrices.GeneratedSection;

/**
 * Keeps the tables of docs/reference/catalogue.md equal to the resources; {@code -Dtrellis.test.update=true} rewrites
 * them.
 */
class CataloguePageTest {
    @Test
    void pageListsEmbeddedMatrices() throws IOException {
        StringBuilder text =
                new StringBuilder("\n| name | rows | columns | entries | explicit zeros | what | properties "
                        + "| author | source | licence there | licence of the data |\n"
                        + "| --- | ---: | ---: | ---: | ---: | --- | --- | --- | --- | --- | --- |\n");
        for (Map<String, String> row : CsvTable.read("embedded.csv")) {
            text.append("| ").append(row.get("name"));
            for (String column : new String[]{"rows", "columns", "entries", "explicitZeros", "kind", "properties",
                "author", "source", "sourceLicence", "licence"}) {
                text.append(" | ").append(row.get(column));
            }
            text.append(" |\n");
        }
        GeneratedSection.check("catalogue.md", "embedded", text.append('\n').toString());
    }

    @Test
    void pageListsPresets() throws IOException {
        StringBuilder text = new StringBuilder("\n| name | rows | made by |\n| --- | ---: | --- |\n");
        for (CatalogueEntry entry : Presets.entries()) {
            text.append("| ").append(entry.name()).append(" | ").append(entry.facts().rows().getAsLong()).append(" | `")
                    .append(entry.provenance().replace("generator ", "")).append("` |\n");
        }
        GeneratedSection.check("catalogue.md", "presets", text.append('\n').toString());
    }

    @Test
    void pageListsSurrogates() throws IOException {
        StringBuilder text = new StringBuilder("\n| surrogate of | group | rows | columns | non-zeros ");
        text.append("| explicit zeros of the original | type | mean | deviation | origin | source or assumption ")
                .append("| structure | unknowns |\n")
                .append("| --- | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | --- | --- | --- | ---: |\n");
        for (ThesisMatrix m : ThesisMatrix.all()) {
            String name = m.name().equals(m.collectionName()) ? m.name() : m.name() + " (" + m.collectionName() + ")";
            text.append(String.format(Locale.ROOT,
                    "| %s | %s | %d | %d | %d | %d | %s | %.2f | %s | %s | %s | %s | %d |\n", name, m.group(), m.rows(),
                    m.columns(), m.nonZeros(), m.explicitZeros(), m.type(), m.mean(), m.deviation(),
                    m.deviationOrigin().label(), m.deviationNote(), m.recipe().structure().name().toLowerCase(
                            Locale.ROOT),
                    m.recipe().unknowns()));
        }
        GeneratedSection.check("catalogue.md", "surrogates", text.append('\n').toString());
    }
}
