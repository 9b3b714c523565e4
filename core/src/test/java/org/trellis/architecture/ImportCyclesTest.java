package org.trellis.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The import graph of all modules' packages has no circle. Other tests look at classes; this one reads sources, so that
 * imports for links in comments count, and packages of different modules too.
 */
class ImportCyclesTest {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?(org\\.trellis[a-z0-9.]*)\\.[A-Z]");

    private final Map<String, Set<String>> graph = new TreeMap<>();

    private void read(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                String text = Files.readString(file);
                Matcher own = PACKAGE.matcher(text);
                if (own.find()) {
                    Set<String> used = graph.computeIfAbsent(own.group(1), name -> new TreeSet<>());
                    IMPORT.matcher(text).results().map(found -> found.group(1))
                            .filter(name -> !name.equals(own.group(1))).forEach(used::add);
                }
            }
        }
    }

    /** Returns the packages that a package reaches. */
    private Set<String> reach(String from) {
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(graph.getOrDefault(from, Set.of()));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (seen.add(next)) {
                open.addAll(graph.getOrDefault(next, Set.of()));
            }
        }
        return seen;
    }

    @Test
    void packagesImportEachOtherInNoCircle() throws IOException {
        for (String module : List.of("processor", "core", "fem", "adapt", "matrices", "cuda", "distributed", "tuner")) {
            Path sources = Path.of("..", module, "src", "main", "java");
            assertTrue(Files.isDirectory(sources), sources::toString);
            read(sources);
        }
        Map<String, Set<String>> reached = new HashMap<>();
        graph.keySet().forEach(name -> reached.put(name, reach(name)));
        List<String> circles = new ArrayList<>();
        reached.forEach((name, all) -> {
            if (all.contains(name)) {
                circles.add(name + " uses " + graph.get(name) + " and is reached from them");
            }
        });
        assertEquals(List.of(), circles);
    }
}
