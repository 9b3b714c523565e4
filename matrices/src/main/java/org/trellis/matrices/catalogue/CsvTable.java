package org.trellis.matrices.catalogue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A table of the library's own resources: comma-separated, a head line, fields in double quotes where they need them.
 */
final class CsvTable {
    private CsvTable() {}

    /** Reads a resource that stands beside this class. */
    static List<Map<String, String>> read(String resource) {
        try (InputStream stream = CsvTable.class.getResourceAsStream(resource);
                BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            List<String> head = fields(reader.readLine());
            List<Map<String, String>> rows = new ArrayList<>();
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                List<String> fields = fields(line);
                if (fields.size() != head.size()) {
                    throw new IllegalStateException(resource + ": '" + line + "' has " + fields.size()
                            + " fields, expected " + head.size());
                }
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 0; i < fields.size(); i++) {
                    row.put(head.get(i), fields.get(i));
                }
                rows.add(row);
            }
            return List.copyOf(rows);
        } catch (IOException e) {
            throw new UncheckedIOException("resource " + resource, e);
        }
    }

    static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}
