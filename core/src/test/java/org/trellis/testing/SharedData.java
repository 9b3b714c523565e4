package org.trellis.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Real matrices and the corpus of odd files, which are not part of the repository. */
public final class SharedData {
    /** The property that names the folder which holds {@code data/}. */
    public static final String PROPERTY = "trellis.test.shared";

    private SharedData() {}

    /**
     * Finds a folder of the data; the test is skipped, with a reason, if it is not there.
     *
     * @param name the folder
     * @return its path
     */
    public static Path folder(String name) {
        String shared = System.getProperty(PROPERTY, "");
        Path folder = Path.of(shared).resolve("data").resolve(name);
        assumeTrue(!shared.isBlank() && Files.isDirectory(folder),
                "no test data: the system property " + PROPERTY + " is '" + shared + "' and has no data/" + name);
        return folder;
    }

    /**
     * Reads the rows of a manifest, without its head; cells may be quoted.
     *
     * @param file the manifest
     * @return the cells of each row
     * @throws IOException if it cannot be read
     */
    public static List<List<String>> manifest(Path file) throws IOException {
        return Files.readAllLines(file).stream().skip(1).map(SharedData::cells).toList();
    }

    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int at = 0; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
