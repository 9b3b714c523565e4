package org.trellis.matrices.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.MatrixStatistics;

class CatalogueTest {
    @TempDir
    private Path folder;

    private static Catalogue open(Path... folders) throws IOException {
        return Catalogue.open(Configuration.builder().set(ConfigurationKeys.MATRICES_PATH, List.of(folders))
                .set(ConfigurationKeys.CACHE_MINIMUM_BYTES, -1L).build());
    }

    private static CsrMatrix load(CatalogueEntry entry, Precision precision) throws IOException {
        return entry.load(precision, ProgressListener.NONE);
    }

    @Test
    void embeddedMatricesHaveTheirFactsAndProvenance() throws IOException {
        Catalogue catalogue = open();
        List<CatalogueEntry> embedded = catalogue.entries(EntryKind.EMBEDDED);
        assertTrue(embedded.size() >= 6);
        boolean large = false;
        for (CatalogueEntry entry : embedded) {
            CsrMatrix matrix = load(entry, Precision.F64);
            assertEquals(entry.facts().rows().getAsLong(), matrix.rows(), entry.name());
            assertEquals(entry.facts().columns().getAsLong(), matrix.columns(), entry.name());
            assertEquals(entry.facts().nonZeros().getAsLong(), matrix.nonZeros(), entry.name());
            assertTrue(entry.provenance().contains("licence of the data: CC BY 4.0"), entry.provenance());
            assertTrue(matrix.firstViolation().isEmpty());
            large |= matrix.nonZeros() > 100_000;
        }
        assertTrue(large, "at least one above 100,000 non-zeros");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1138_bus", "bcsstk10", "delaunay_n15"})
    void embeddedSymmetricMatricesAreSymmetric(String name) throws IOException {
        MatrixStatistics facts = load(open().named(name), Precision.F32).statistics();
        assertTrue(facts.symmetric());
    }

    @Test
    void embeddedExplicitZerosAreThoseOfTheTable() throws IOException {
        for (var row : CsvTable.read("embedded.csv")) {
            long zeros = load(open().named(row.get("name")), Precision.F64).statistics().explicitZeros();
            assertEquals(Long.parseLong(row.get("explicitZeros")), zeros, row.get("name"));
        }
    }

    @Test
    void everyResourceHasItsRow() throws IOException {
        for (var row : CsvTable.read("embedded.csv")) {
            assertFalse(row.containsValue(""), row.toString());
            assertTrue(CatalogueTest.class.getResource(row.get("name") + ".mtx.gz") != null);
        }
    }

    @Test
    void filesOfConfiguredFoldersAreFoundByName() throws IOException {
        Files.writeString(folder.resolve("tiny.mtx"), "%%MatrixMarket matrix coordinate real general\n2 3 1\n2 3 7\n");
        Files.writeString(folder.resolve("memplus.mtx"),
                "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 7\n");
        Files.writeString(folder.resolve("notes.txt"), "nothing");
        Files.createDirectory(folder.resolve("inner.mtx"));
        Catalogue catalogue = open(folder);
        assertEquals(2, catalogue.entries(EntryKind.FILE).size());
        CatalogueEntry tiny = catalogue.named("tiny");
        assertEquals(EntryKind.FILE, tiny.kind());
        assertEquals(folder.resolve("tiny.mtx").toString(), tiny.provenance());
        assertTrue(tiny.facts().rows().isEmpty());
        assertEquals(7, load(tiny, Precision.F32).get(1, 2));
        assertEquals(EntryKind.FILE, catalogue.named("memplus").kind(), "a file hides an embedded matrix");
        assertEquals(2, catalogue.entries().stream().filter(e -> e.name().equals("memplus")).count());
        assertTrue(message(catalogue, "memplas").endsWith("near matches: memplus"), "named once");
    }

    @Test
    void foldersThatDoNotExistAreErrors() {
        String message = assertThrows(IllegalArgumentException.class, () -> open(folder.resolve("none"))).getMessage();
        assertTrue(message.contains("trellis.matrices.path (code)") && message.contains("none' is no folder"), message);
    }

    @Test
    void presetsAreMade() throws IOException {
        for (CatalogueEntry entry : open().entries(EntryKind.GENERATED)) {
            CsrMatrix matrix = load(entry, Precision.F32);
            assertEquals(entry.facts().rows().getAsLong(), matrix.rows(), entry.name());
            assertTrue(matrix.nonZeros() >= 500_000 && matrix.nonZeros() <= 5_500_000,
                    entry.name() + " has " + matrix.nonZeros());
        }
    }

    @Test
    void surrogatesAreListedAsSuch() throws IOException {
        Catalogue catalogue = open();
        assertEquals(44, catalogue.entries(EntryKind.SURROGATE).size());
        for (CatalogueEntry entry : catalogue.entries(EntryKind.SURROGATE)) {
            assertTrue(entry.name().startsWith("surrogate:"));
            assertTrue(entry.description().startsWith("surrogate, not the original"));
            assertTrue(entry.provenance().matches("generated; .*deviation (published|derived|assumed): .+"));
        }
        assertEquals(327_680, load(catalogue.named("surrogate:shallow_water1"), Precision.F64).nonZeros());
    }

    @Test
    void namesAreDistinct() throws IOException {
        Set<String> names = new HashSet<>();
        for (CatalogueEntry entry : open().entries()) {
            assertTrue(names.add(entry.name()), entry.name());
        }
    }

    @Test
    void unknownNamesListNearOnes() throws IOException {
        Catalogue catalogue = open();
        assertTrue(message(catalogue, "memplas").endsWith("near matches: memplus"), message(catalogue, "memplas"));
        assertTrue(message(catalogue, "F1").contains("surrogate:F1 is generated to stand in for it"));
        assertTrue(message(catalogue, "Wiki-vote").contains("near matches: wiki-Vote"));
        assertEquals("no matrix of the catalogue is named 'zzzzzzzz'", message(catalogue, "zzzzzzzz"));
    }

    private static String message(Catalogue catalogue, String name) {
        return assertThrows(IllegalArgumentException.class, () -> catalogue.named(name)).getMessage();
    }

    @Test
    void tablesUnderstandQuotes() {
        assertEquals(List.of("a", "b, c", "", "d"), CsvTable.fields("a,\"b, c\",,d"));
    }
}
