package org.trellis.fem;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;

/** Numbers of FEniCSx; tests that need them are skipped where they are not. */
final class ReferenceData {
    private ReferenceData() {}

    /** Reads a table; the first row has the names. */
    static List<Map<String, String>> rows(String file) throws IOException {
        Path path = Path.of(System.getProperty("trellis.test.shared", "../../shared"), "reference", "fe", file);
        Assumptions.assumeTrue(Files.isReadable(path), () -> path + " is not there");
        List<Map<String, String>> rows = new ArrayList<>();
        try (InputStream in = Files.newInputStream(path);
                BufferedReader reader = new BufferedReader(new InputStreamReader(
                        file.endsWith(".gz") ? new GZIPInputStream(in) : in, StandardCharsets.UTF_8))) {
            String[] names = reader.readLine().replace("\"", "").split(",", -1);
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String[] fields = line.split(",", -1);
                Map<String, String> row = new HashMap<>();
                // the name of the column of vertices has a comma, its values have none
                int shift = names.length - fields.length;
                for (int k = 0; k < fields.length; k++) {
                    row.put(k < 2 ? names[k] : names[k + shift], fields[k]);
                }
                rows.add(row);
            }
        }
        return rows;
    }
}
