package org.trellis.processor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.processor.diagnostic.Code;

/**
 * For every code a source that keeps the rule and one that breaks it; comments in the latter name the code at the lines
 * where errors are expected.
 */
class CorpusTest {
    private static final Path CORPUS = Path.of("src/test/resources/corpus");
    private static final Pattern EXPECTED = Pattern.compile("// (TRL\\d{3})$");
    private static final Pattern FOUND = Pattern.compile("^(TRL\\d{3}): ");

    @TempDir
    private static Path folder;

    private static KernelCompilation.Result good;
    private static KernelCompilation.Result bad;

    @BeforeAll
    static void compile() throws IOException {
        KernelCompilation compilation = new KernelCompilation(folder);
        good = compilation.compile(sources("Good.java"));
        bad = compilation.compile(sources("Bad.java"));
    }

    private static List<Path> sources(String name) {
        return List.of(Code.values()).stream().map(code -> CORPUS.resolve(code.label()).resolve(name)).toList();
    }

    @Test
    void goodSourcesCompileWithoutWarnings() {
        assertEquals(List.of(), good.messages());
        for (Code code : Code.values()) {
            Path facade = folder.resolve("classes/corpus/" + code.label().toLowerCase(java.util.Locale.ROOT)
                    + "/GoodLoops.class");
            assertTrue(Files.exists(facade), facade + " was not generated");
        }
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void badSourcesFailAtTheirLines(Code code) throws IOException {
        Path source = CORPUS.resolve(code.label()).resolve("Bad.java");
        Map<Integer, Set<String>> expected = new TreeMap<>();
        List<String> lines = Files.readAllLines(source);
        for (int i = 0; i < lines.size(); i++) {
            Matcher matcher = EXPECTED.matcher(lines.get(i));
            if (matcher.find()) {
                expected.computeIfAbsent(i + 1, line -> new TreeSet<>()).add(matcher.group(1));
            }
        }
        Map<Integer, Set<String>> found = new TreeMap<>();
        for (KernelCompilation.Message message : bad.messages()) {
            if (message.file().endsWith(code.label() + "/Bad.java")) {
                Matcher matcher = FOUND.matcher(message.text());
                found.computeIfAbsent(message.line(), line -> new TreeSet<>())
                        .add(matcher.find() ? matcher.group(1) : message.text());
            }
        }
        assertTrue(expected.values().stream().anyMatch(codes -> codes.contains(code.label())),
                "no line expects " + code);
        assertEquals(expected, found, () -> bad.messages().toString());
    }

    @Test
    void thePageAboutKernelsListsEveryCode() throws IOException {
        String page = Files.readString(Path.of("../docs/reference/kernels.md"));
        for (Code code : Code.values()) {
            assertTrue(page.contains("| " + code.label() + " |"), code.label() + " is not in kernels.md");
        }
    }
}
