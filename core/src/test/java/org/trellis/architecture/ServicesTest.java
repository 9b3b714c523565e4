package org.trellis.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;

/** On the class path only META-INF/services counts, on the module path only the descriptor: both must say the same. */
class ServicesTest {
    @Test
    void descriptorAndServiceFilesAgree() throws IOException, URISyntaxException {
        Path classes = Path.of(Precision.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        assertTrue(Files.isDirectory(classes), () -> "expected the folder of core's classes, found " + classes);
        Map<String, Set<String>> provided = fromDescriptor(classes.resolve("module-info.class"));
        assertFalse(provided.isEmpty(), "core provides its backends");
        assertEquals(provided, fromServiceFiles(classes.resolve("META-INF/services")));
    }

    private static Map<String, Set<String>> fromDescriptor(Path file) throws IOException {
        Map<String, Set<String>> services = new HashMap<>();
        try (InputStream in = Files.newInputStream(file)) {
            for (ModuleDescriptor.Provides provides : ModuleDescriptor.read(in).provides()) {
                services.put(provides.service(), new HashSet<>(provides.providers()));
            }
        }
        return services;
    }

    private static Map<String, Set<String>> fromServiceFiles(Path folder) throws IOException {
        Map<String, Set<String>> services = new HashMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                services.put(file.getFileName().toString(), providersIn(file));
            }
        }
        return services;
    }

    private static Set<String> providersIn(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(Predicate.not(String::isEmpty))
                    .collect(Collectors.toSet());
        }
    }
}
