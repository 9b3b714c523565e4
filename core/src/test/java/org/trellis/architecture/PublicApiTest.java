package org.trellis.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each public type of an exported package is in docs/reference/api.md, with a promise or as one for modules. */
class PublicApiTest {
    private static final Path ROOT = Path.of("..");
    private static final int MAX_FOR_PROGRAMS = 250;
    private static final Pattern EXPORT = Pattern.compile("(?m)^\\s*exports ([\\w.]+)(\\s+to [^;]+)?;");
    private static final Pattern PUBLIC = Pattern.compile("(?m)^public (?:(?:final|abstract|sealed|non-sealed) )*"
            + "(?:class|interface|enum|record|@interface) (\\w+)");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(org\\.trellis[\\w.]+)` \\| (stable|experimental|spi) \\|([^|]*)\\|([^|]*)\\|$");
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");

    private record Listed(String promise, List<String> forPrograms, List<String> forModules) {}

    private static Map<String, Listed> listed() throws IOException {
        Map<String, Listed> found = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/reference/api.md")));
        while (row.find()) {
            Listed old = found.put(row.group(1), new Listed(row.group(2), names(row.group(3)), names(row.group(4))));
            assertEquals(null, old, row.group(1) + " has one row");
        }
        return found;
    }

    private static List<String> names(String cell) {
        return NAME.matcher(cell).results().map(result -> result.group(1)).toList();
    }

    /** The public top-level types of packages that are exported to all, by package. */
    private static Map<String, Set<String>> exported() throws IOException {
        Map<String, Set<String>> types = new TreeMap<>();
        try (Stream<Path> folders = Files.list(ROOT)) {
            for (Path module : folders.map(folder -> folder.resolve("src/main/java")).toList()) {
                Path descriptor = module.resolve("module-info.java");
                if (Files.exists(descriptor)) {
                    Matcher export = EXPORT.matcher(Files.readString(descriptor));
                    while (export.find()) {
                        if (export.group(2) == null) {
                            types.put(export.group(1), publicTypes(module.resolve(export.group(1).replace('.', '/'))));
                        }
                    }
                }
            }
        }
        return types;
    }

    private static Set<String> publicTypes(Path folder) throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Matcher type = PUBLIC.matcher(Files.readString(file));
                if (type.find()) {
                    names.add(type.group(1));
                }
            }
        }
        return names;
    }

    @Test
    void exportedPackagesAndTheirTypesAreListed() throws IOException {
        Map<String, Set<String>> exported = exported();
        assertTrue(exported.containsKey("org.trellis.sparse"), exported.keySet()::toString);
        Map<String, Listed> listed = listed();
        assertEquals(exported.keySet(), listed.keySet(), "docs/reference/api.md lists what descriptors export");
        List<String> problems = new ArrayList<>();
        exported.forEach((name, types) -> {
            List<String> rows = new ArrayList<>(listed.get(name).forPrograms());
            rows.addAll(listed.get(name).forModules());
            Set<String> once = new TreeSet<>(rows);
            if (once.size() < rows.size()) {
                problems.add(name + " lists a type twice: " + rows);
            }
            Set<String> missing = new TreeSet<>(types);
            missing.removeAll(once);
            once.removeAll(types);
            missing.forEach(type -> problems.add(name + '.' + type + " is public and in neither column"));
            once.forEach(type -> problems.add(name + '.' + type + " is listed and not public, or not there"));
        });
        assertEquals(List.of(), problems);
    }

    @Test
    void programsNeedFewTypes() throws IOException {
        Map<String, Listed> listed = listed();
        int count = listed.values().stream().mapToInt(row -> row.forPrograms().size()).sum();
        assertTrue(count <= MAX_FOR_PROGRAMS, () -> "programs may name " + count + " types, expected at most "
                + MAX_FOR_PROGRAMS);
        listed.forEach((name, row) -> assertEquals(row.forPrograms().isEmpty(), row.promise().equals("spi"),
                () -> name + " is " + row.promise()));
    }

    @Test
    void insidesOfBackendsAreNotExported() throws IOException {
        for (String name : exported().keySet()) {
            assertFalse(name.contains(".internal") || name.matches("org\\.trellis\\.cuda\\.(mesh|solve|smooth|fem)"),
                    name);
        }
    }
}
