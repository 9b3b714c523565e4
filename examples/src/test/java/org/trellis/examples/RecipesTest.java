package org.trellis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.backend.Backends;

/**
 * Every recipe of docs/how-to/recipes does what its page says. A page has a program, the first block of code in Java,
 * Kotlin, jshell or sh, and a block of text with what it prints. All programs in Java are compiled in one go; their
 * classes have the names of the pages. A mark beside the language says what a program needs: {@code gpu}, {@code mpi}.
 */
final class RecipesTest {
    private static final Path PAGES = Path.of("..", "docs", "how-to", "recipes");
    private static final Path PROCESSOR = Path.of("..", "processor", "target", "classes");
    private static final Pattern BLOCK = Pattern.compile("^```(\\w+) ?(\\w*)\n(.*?)^```$",
            Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(?:\\.(\\d+))?");
    private static final Pattern IMPORT_OF_SHELL =
            Pattern.compile("for name in ((?:[^;]|\\\\\n)*); do\n +echo \"import");
    private static final int LEAST_RECIPES = 25;

    @TempDir
    private static Path folder;

    private static URLClassLoader classes;
    private static Locale before;

    /** A page: its first block that is a program, and the text that follows. */
    record Recipe(String page, String language, String mark, String program, Optional<String> output) {
        static Recipe of(Path file) {
            try {
                List<String[]> blocks = new ArrayList<>();
                Matcher block = BLOCK.matcher(Files.readString(file));
                while (block.find()) {
                    blocks.add(new String[]{block.group(1), block.group(2), block.group(3)});
                }
                String page = file.getFileName().toString();
                String[] program = blocks.stream().filter(b -> b[0].matches("java|kotlin|jshell|sh")).findFirst()
                        .orElseThrow(() -> new AssertionError(page + " has no program"));
                Optional<String> output =
                        blocks.stream().filter(b -> b[0].equals("text")).findFirst().map(b -> b[2]);
                return new Recipe(page, program[0], program[1], program[2], output);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /** several-right-hand-sides.md is SeveralRightHandSides. */
        String className() {
            return Arrays.stream(page.replace(".md", "").split("-"))
                    .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                    .collect(Collectors.joining());
        }

        @Override
        public String toString() {
            return page;
        }
    }

    static List<Recipe> recipes() throws IOException {
        try (Stream<Path> files = Files.list(PAGES)) {
            return files.filter(file -> file.toString().endsWith(".md") && !file.endsWith("README.md")).sorted()
                    .map(Recipe::of).toList();
        }
    }

    static List<Recipe> javaRecipes() throws IOException {
        return recipes().stream().filter(recipe -> recipe.language().equals("java")).toList();
    }

    @BeforeAll
    static void compile() throws IOException {
        before = Locale.getDefault();
        Locale.setDefault(Locale.ROOT);
        assumeTrue(Files.isDirectory(PROCESSOR), PROCESSOR + " is not there: mvn verify makes it");
        List<JavaFileObject> sources = new ArrayList<>();
        for (Recipe recipe : javaRecipes()) {
            sources.add(new SimpleJavaFileObject(URI.create("memory:///" + recipe.className() + ".java"),
                    JavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                    return recipe.program();
                }
            });
        }
        Path target = Files.createDirectories(folder.resolve("classes"));
        StringWriter messages = new StringWriter();
        boolean compiled = ToolProvider.getSystemJavaCompiler().getTask(messages, null, null,
                List.of("-d", target.toString(), "-cp", System.getProperty("java.class.path"), "-processorpath",
                        PROCESSOR.toString()),
                null, sources).call();
        assertTrue(compiled, messages::toString);
        classes = new URLClassLoader(new URL[]{target.toUri().toURL()}, RecipesTest.class.getClassLoader());
    }

    @AfterAll
    static void close() throws IOException {
        Locale.setDefault(before);
        if (classes != null) {
            classes.close();
        }
    }

    /** Pages of another form would be skipped. */
    @Test
    void areManyAndListed() throws IOException {
        List<Recipe> recipes = recipes();
        assertTrue(recipes.size() >= LEAST_RECIPES, () -> recipes.size() + " recipes");
        String list = Files.readString(PAGES.resolve("README.md"));
        assertEquals(List.of(),
                recipes.stream().map(Recipe::page).filter(page -> !list.contains("](" + page + ")")).toList(),
                "recipes that README.md does not list");
    }

    @ParameterizedTest
    @MethodSource("javaRecipes")
    void javaRuns(Recipe recipe) throws Exception {
        switch (recipe.mark()) {
            case "" -> check(recipe, run(recipe.className()));
            case "gpu" -> {
                assumeTrue(Backends.providers().stream()
                        .anyMatch(cuda -> cuda.name().equals("cuda") && cuda.probe().available()), "there is no GPU");
                check(recipe, run(recipe.className()));
            }
            case "mpi" -> checkUnderMpi(recipe);
            default -> fail(recipe.page() + " is marked " + recipe.mark() + ", expected gpu or mpi");
        }
    }

    private static List<String> run(String name) throws Exception {
        Class<?> program = classes.loadClass(name);
        Method main = Stream.of(program.getDeclaredMethods()).filter(method -> method.getName().equals("main"))
                .findFirst().orElseThrow();
        main.setAccessible(true);
        Constructor<?> constructor = program.getDeclaredConstructor();
        constructor.setAccessible(true);
        String place = Files.createDirectories(folder.resolve(name)).toString();
        Object[] arguments = main.getParameterCount() == 0 ? new Object[0] : new Object[]{new String[]{place}};
        return printed(() -> main.invoke(constructor.newInstance(), arguments));
    }

    private interface Program {
        void run() throws ReflectiveOperationException;
    }

    private static List<String> printed(Program program) throws Exception {
        PrintStream standard = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(captured, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            program.run();
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        } finally {
            System.setOut(standard);
        }
        return captured.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static void checkUnderMpi(Recipe recipe) throws Exception {
        assumeTrue(OpenMpi.isInstalled(), "there is no Open MPI");
        Path printed = folder.resolve(recipe.className() + ".txt");
        String classPath = folder.resolve("classes") + File.pathSeparator + System.getProperty("java.class.path");
        OpenMpi.await(OpenMpi.start(2, printed.toFile(), classPath, recipe.className()), printed);
        check(recipe, Files.readAllLines(printed).stream().sorted().toList());
    }

    @Test
    void jshellRuns() throws Exception {
        for (Recipe recipe : recipes()) {
            if (recipe.language().equals("jshell")) {
                check(recipe, printed(() -> evaluate(recipe)));
            }
        }
    }

    private static void evaluate(Recipe recipe) {
        try (JShell shell = JShell.builder().executionEngine("local").build()) {
            Stream.of(System.getProperty("java.class.path").split(File.pathSeparator)).forEach(shell::addToClasspath);
            String rest = "import java.util.stream.*;\n" + importsOfShell() + recipe.program();
            while (!rest.isBlank()) {
                CompletionInfo next = shell.sourceCodeAnalysis().analyzeCompletion(rest);
                for (SnippetEvent event : shell.eval(next.source())) {
                    assertTrue(event.status() == Snippet.Status.VALID && event.exception() == null,
                            () -> recipe + ": " + event + shell.diagnostics(event.snippet()).toList());
                }
                rest = next.remaining();
            }
        }
    }

    /** What {@code ./trellis shell} imports. */
    private static String importsOfShell() {
        try {
            Matcher imports = IMPORT_OF_SHELL.matcher(Files.readString(Path.of("..", "trellis")));
            assertTrue(imports.find(), "the launcher lists no imports");
            return Stream.of(imports.group(1).replace("\\\n", " ").trim().split("\\s+"))
                    .map(name -> "import org.trellis." + name + ";\n").collect(Collectors.joining());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shellScriptsAreWellFormed() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no bash");
        int scripts = 0;
        for (Recipe recipe : recipes()) {
            if (recipe.language().equals("sh")) {
                Path script = Files.writeString(folder.resolve(recipe.className() + ".sh"), recipe.program());
                Path said = folder.resolve(recipe.className() + ".err");
                Process bash = new ProcessBuilder("/bin/bash", "-n", script.toString()).redirectErrorStream(true)
                        .redirectOutput(said.toFile()).start();
                assertEquals(0, bash.waitFor(), () -> recipe + ": " + read(said));
                scripts++;
            }
        }
        assertTrue(scripts > 0, "no recipe is a script");
    }

    @Test
    void kotlinRuns() throws Exception {
        Optional<Path> compiler = Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(":", -1))
                .map(place -> Path.of(place, "kotlinc")).filter(Files::isExecutable).findFirst();
        assumeTrue(compiler.isPresent(), "there is no kotlinc");
        for (Recipe recipe : recipes()) {
            if (recipe.language().equals("kotlin")) {
                Path source = Files.writeString(folder.resolve(recipe.className() + ".kt"), recipe.program());
                Path jar = folder.resolve(recipe.className() + ".jar");
                Path said = folder.resolve(recipe.className() + ".txt");
                assertEquals(0,
                        start(said, compiler.get().toString(), source.toString(), "-include-runtime", "-d",
                                jar.toString(), "-cp", System.getProperty("java.class.path")).waitFor(),
                        () -> read(said));
                start(said, Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                        jar + File.pathSeparator + System.getProperty("java.class.path"),
                        recipe.className() + "Kt").waitFor();
                check(recipe, Files.readAllLines(said));
            }
        }
    }

    private static Process start(Path said, String... command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void check(Recipe recipe, List<String> printed) {
        List<String> expected =
                recipe.output().orElseThrow(() -> new AssertionError(recipe + " does not say what is printed")).lines()
                        .toList();
        assertTrue(alike(expected, printed),
                () -> recipe + " prints\n" + String.join("\n", printed) + "\nand its page says\n"
                        + String.join("\n", expected));
    }

    /** Numbers may differ by one in their last digit, since backends round differently. */
    private static boolean alike(List<String> expected, List<String> printed) {
        if (expected.size() != printed.size()) {
            return false;
        }
        for (int i = 0; i < expected.size(); i++) {
            if (!NUMBER.matcher(expected.get(i)).replaceAll("#")
                    .equals(NUMBER.matcher(printed.get(i)).replaceAll("#"))) {
                return false;
            }
            List<String> numbers = NUMBER.matcher(expected.get(i)).results().map(n -> n.group()).toList();
            List<String> others = NUMBER.matcher(printed.get(i)).results().map(n -> n.group()).toList();
            for (int k = 0; k < numbers.size(); k++) {
                int digits =
                        numbers.get(k).contains(".") ? numbers.get(k).length() - numbers.get(k).indexOf('.') - 1 : 0;
                double difference = Math.abs(Double.parseDouble(numbers.get(k)) - Double.parseDouble(others.get(k)));
                if (!(difference <= 1.01 * Math.pow(10, -digits))) {
                    return false;
                }
            }
        }
        return true;
    }

    @Test
    void numbersMayDifferInTheLastDigitOnly() {
        assertTrue(alike(List.of("after 14 steps: 1.500"), List.of("after 15 steps: 1.501")));
        assertTrue(!alike(List.of("after 14 steps"), List.of("after 16 steps")));
        assertTrue(!alike(List.of("1.500"), List.of("1.502")));
        assertTrue(!alike(List.of("true"), List.of("false")));
        assertTrue(!alike(List.of("1"), List.of("1", "2")));
    }
}
