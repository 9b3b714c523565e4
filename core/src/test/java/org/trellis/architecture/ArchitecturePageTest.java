package org.trellis.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page on the architecture names every package, by its name or the end of it behind a dot. */
class ArchitecturePageTest {
    private static final Pattern NAME = Pattern.compile("`(\\.?[a-z][a-z0-9.]*)`");

    private static boolean hasSources(Path folder) {
        String[] names =
                folder.toFile().list((in, name) -> name.endsWith(".java") && !name.equals("package-info.java"));
        return names != null && names.length > 0;
    }

    private static boolean isNamed(String name, Set<String> named) {
        return named.contains(name)
                || (name.contains(".") && (named.contains(name.substring(name.indexOf('.')))
                        || named.contains(name.substring(name.lastIndexOf('.')))));
    }

    @Test
    void namesEveryPackage() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "explanation", "architecture.md"));
        Set<String> named = NAME.matcher(page).results().map(found -> found.group(1)).collect(Collectors.toSet());
        List<String> missing = new ArrayList<>();
        for (String module : List.of("processor", "core", "fem", "adapt", "matrices", "cuda", "distributed", "tuner",
                "bench/harness")) {
            Path sources = Path.of("..").resolve(module).resolve(Path.of("src", "main", "java", "org", "trellis"));
            try (Stream<Path> folders = Files.walk(sources)) {
                folders.filter(ArchitecturePageTest::hasSources)
                        .map(folder -> sources.relativize(folder).toString().replace(File.separatorChar, '.'))
                        .filter(name -> !name.isEmpty() && !isNamed(name, named))
                        .forEach(name -> missing.add(module + ": " + name));
            }
        }
        assertEquals(List.of(), missing);
    }
}
