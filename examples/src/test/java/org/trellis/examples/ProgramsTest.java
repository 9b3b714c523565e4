package org.trellis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles and runs the programs of {@code examples/programs} and counts their lines: all lines of the file that are
 * not blank, with imports and braces.
 */
final class ProgramsTest {
    private static final Path PROGRAMS = Path.of("programs");
    private static final Path PROCESSOR = Path.of("..", "processor", "target", "classes");
    /** The most lines of each. */
    private static final Map<String, Integer> MOST = Map.ofEntries(Map.entry("OneLineSolve", 5),
            Map.entry("MultigridSolve", 7), Map.entry("OwnKernel", 20), Map.entry("PoissonQ2", 16),
            Map.entry("PoissonOnFile", 10), Map.entry("TwoRanks", 12), Map.entry("TuneAndKeep", 12),
            Map.entry("PageRank", 27), Map.entry("SpectralPartition", 17), Map.entry("HeatEquation", 25),
            Map.entry("NonlinearPoisson", 33), Map.entry("ElasticLoads", 27));
    private static final int LONGEST_LINE = 120;
    private static final String TWO_BY_TWO = """
            %%MatrixMarket matrix coordinate real general
            2 2 4
            1 1 4
            1 2 1
            2 1 1
            2 2 3
            """;

    @TempDir
    private Path folder;

    @Test
    void programsHaveFewLines() throws IOException {
        Map<String, Integer> lines = new TreeMap<>();
        try (Stream<Path> files = Files.list(PROGRAMS)) {
            for (Path file : files.toList()) {
                List<String> all = Files.readAllLines(file);
                String name = file.getFileName().toString().replace(".java", "");
                lines.put(name, (int) all.stream().filter(line -> !line.isBlank()).count());
                assertTrue(all.stream().allMatch(line -> line.length() <= LONGEST_LINE), name + " has a long line");
                assertTrue(all.stream().noneMatch(line -> line.strip().matches(".*;\\s*\\S+.*;")),
                        name + " has two statements in a line");
            }
        }
        assertEquals(MOST.keySet(), lines.keySet());
        lines.forEach((name, count) -> assertTrue(count <= MOST.get(name), name + " has " + count + " lines"));
    }

    @Test
    void systemsAreSolved() throws Exception {
        String matrix = Files.writeString(folder.resolve("a.mtx"), TWO_BY_TWO).toString();
        assertEquals(List.of("[1.0, 2.0]"), numbers(run("OneLineSolve", matrix)));
        assertTrue(run("MultigridSolve", matrix).getFirst().startsWith("CONVERGED after "));
        List<String> ranks = run("TwoRanks", matrix);
        assertEquals(2, ranks.size(), ranks::toString);
        assertTrue(ranks.stream().allMatch(line -> line.startsWith("CONVERGED after ")), ranks::toString);
    }

    /** The voter with most votes of the real graph that comes with the library, and halves of a power grid. */
    @Test
    void graphsAreRankedAndDivided() throws Exception {
        List<String> ranks = run("PageRank", "wiki-Vote");
        assertEquals(5, ranks.size(), ranks::toString);
        assertTrue(ranks.getFirst().startsWith("vertex 4036 0.0043477"), ranks::toString);
        assertTrue(ranks.getLast().startsWith("vertex 2397 0.002461"), ranks::toString);
        String cut = run("SpectralPartition", "1138_bus").getFirst();
        assertEquals("29 of 1458 edges are cut", cut);
    }

    /** Rounds what is printed of a solution. */
    private static List<String> numbers(List<String> lines) {
        return lines.stream().map(line -> Arrays.toString(Stream.of(line.replaceAll("[\\[\\]]", "").split(", "))
                .mapToDouble(text -> Math.round(1e9 * Double.parseDouble(text)) * 1e-9).toArray())).toList();
    }

    @Test
    void poissonsEquationIsSolved() throws Exception {
        double error = Double.parseDouble(run("PoissonQ2").getFirst());
        assertTrue(error > 1e-7 && error < 1e-4, () -> "error " + error);
    }

    /** Two triangles of which all corners are on the boundary: the nodes of degree 2 leave one unknown. */
    @Test
    void poissonsEquationIsSolvedOnAFile() throws Exception {
        String mesh = Files.writeString(folder.resolve("square.vtk"), """
                # vtk DataFile Version 3.0
                a square
                ASCII
                DATASET UNSTRUCTURED_GRID
                POINTS 4 double
                0 0 0 1 0 0 1 1 0 0 1 0
                CELLS 2 8
                3 0 1 2
                3 0 2 3
                CELL_TYPES 2
                5 5
                """).toString();
        assertTrue(run("PoissonOnFile", mesh).getFirst().startsWith("CONVERGED after "));
    }

    @Test
    void kernelsRun() throws Exception {
        assumeTrue(Files.isDirectory(PROCESSOR), PROCESSOR + " is not there: mvn verify makes it");
        assertEquals(List.of("11.0"), run("OwnKernel"));
    }

    @Test
    void productsAreTuned() throws Exception {
        String matrix = Files.writeString(folder.resolve("a.mtx"), TWO_BY_TWO).toString();
        Path profile = folder.resolve("profile.json");
        assertEquals(1, run("TuneAndKeep", matrix, profile.toString()).size());
        assertTrue(Files.readString(profile).contains("my matrices"));
    }

    /** Whatever is tried on the way, the results are those of a factorisation of each matrix. */
    @Test
    void solversTuneThemselves() throws Exception {
        for (String name : List.of("HeatEquation", "NonlinearPoisson", "ElasticLoads")) {
            String size = name.equals("ElasticLoads") ? "3" : "12";
            List<String> tuned = run(name, size);
            List<String> factorised = run(name, size, "direct");
            assertTrue(tuned.getFirst().startsWith("solved: true, "), () -> name + ": " + tuned);
            assertEquals(result(factorised), result(tuned), 1e-5 * Math.abs(result(factorised)), name);
        }
    }

    private static double result(List<String> lines) {
        return Double.parseDouble(lines.getFirst().replaceAll(".* ", ""));
    }

    /** The launcher of a clone prints version and help at once. */
    @Test
    void versionAndHelpNeedNoBuild() throws Exception {
        Path launcher = Path.of("..", "trellis");
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")) && Files.exists(launcher), "no shell or no launcher");
        List<String> version = launch(launcher, "--version");
        assertTrue(version.getFirst().matches("Trellis \\d+\\.\\d+.*"), version::toString);
        assertTrue(version.getLast().matches("Java \\d+"), version::toString);
        List<String> help = launch(launcher, "--help");
        assertEquals("Usage: trellis [-hV] COMMAND", help.getFirst());
        assertTrue(help.stream().anyMatch(line -> line.startsWith("  completion ")), help::toString);
    }

    private List<String> launch(Path launcher, String option) throws Exception {
        Path out = folder.resolve("out" + option);
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", launcher.toString(), option).redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().put("TRELLIS_JAVA", Path.of(System.getProperty("java.home"), "bin", "java").toString());
        assertEquals(0, builder.start().waitFor(), () -> "exit code of trellis " + option);
        return Files.readAllLines(out);
    }

    /** Runs a program; returns what it prints. */
    private List<String> run(String name, String... arguments) throws Exception {
        Path classes = compile(name);
        PrintStream before = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        try (URLClassLoader loader = new URLClassLoader(new URL[]{classes.toUri().toURL()},
                ProgramsTest.class.getClassLoader());
                PrintStream out = new PrintStream(captured, true, StandardCharsets.UTF_8)) {
            Class<?> program = loader.loadClass(name);
            Constructor<?> constructor = program.getDeclaredConstructor();
            constructor.setAccessible(true);
            boolean withArguments = arguments.length > 0;
            Method main = withArguments
                    ? program.getDeclaredMethod("main", String[].class)
                    : program.getDeclaredMethod("main");
            main.setAccessible(true);
            System.setOut(out);
            main.invoke(constructor.newInstance(), withArguments ? new Object[]{arguments} : new Object[0]);
        } finally {
            System.setOut(before);
        }
        return captured.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private Path compile(String name) throws IOException {
        Path classes = Files.createDirectories(folder.resolve(name));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean compiled = compiler.getTask(messages, files, null, List.of("-d", classes.toString(), "-cp",
                    System.getProperty("java.class.path"), "-processorpath", PROCESSOR.toString()), null,
                    files.getJavaFileObjects(PROGRAMS.resolve(name + ".java"))).call();
            assertTrue(compiled, messages::toString);
        }
        return classes;
    }
}
