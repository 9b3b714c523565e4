package org.trellis.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher, in the folders of a distribution, with a script in place of java. */
class LauncherTest {
    private static final Path CLONE = Path.of("../..");

    /** Waits as the program does, since a process that has ended takes with it what a reader has not passed on. */
    private static final String WAITING = """
            exec 2>&-
            reader=$TRELLIS_STANDARD_ERROR_READER turns=0
            while [ $turns -lt 500 ] && kill -0 $reader 2>/dev/null \\
                    && ! grep -q '^State:.*Z' /proc/$reader/status 2>/dev/null; do
                sleep 0.01
                turns=$((turns + 1))
            done
            """;

    private String options = "";

    @TempDir
    private Path folder;

    /** What a process has left. */
    private record Ended(int code, String out, String err) {}

    @BeforeEach
    void needsAShell() {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "there is no /bin/sh to read the launcher");
    }

    /** Makes a distribution whose java is a script. */
    private Path launcher(String java) throws IOException {
        Files.createDirectories(folder.resolve("lib"));
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path jdk = Files.createDirectories(folder.resolve("jdk/bin"));
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
        executable(jdk.resolve("java"), "#!/bin/sh\n" + java);
        return executable(bin.resolve("trellis"), Files.readString(CLONE.resolve("trellis")));
    }

    private static Path executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertTrue(file.toFile().setExecutable(true));
        return file;
    }

    @Test
    void optionsMayNameAnotherCollector() throws IOException, InterruptedException {
        Path launcher = launcher("echo \"$@\"\n");
        assertTrue(run(launcher, "solve", "x").out().contains("-XX:+UseParallelGC"));
        options = "-Xmx1g -XX:+UseSerialGC";
        String serial = run(launcher, "solve", "x").out();
        assertTrue(serial.contains(options), serial);
        assertFalse(serial.contains("-XX:+UseParallelGC"), serial);
    }

    @Test
    void opensAShellInAFolderWithABlank() throws IOException, InterruptedException {
        folder = Files.createDirectory(folder.resolve("with a blank"));
        Path launcher = launcher("");
        executable(folder.resolve("jdk/bin/jshell"), """
                #!/bin/sh
                while [ $# -gt 0 ]; do
                    [ "$1" != --class-path ] || echo "$2"
                    shift
                done
                """);
        Files.writeString(folder.resolve("lib/one.jar"), "");
        Files.writeString(folder.resolve("lib/two.jar"), "");
        Files.writeString(folder.resolve("lib/readme.txt"), "");
        Path lib = folder.toRealPath().resolve("lib");
        assertEquals(lib.resolve("one.jar") + ":" + lib.resolve("two.jar"), run(launcher, "shell").out().strip());
    }

    private Ended run(Path launcher, String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("/bin/sh", launcher.toString()));
        line.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(line).redirectOutput(out.toFile());
        builder.environment().put("TRELLIS_OPTS", options);
        builder.environment().put("TRELLIS_JAVA", folder.resolve("jdk/bin/java").toString());
        Process process = builder.start();
        String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        Files.writeString(err, said);
        return new Ended(process.waitFor(), Files.readString(out), said);
    }

    @ParameterizedTest
    @CsvSource({"'W\\nfirst\\nno end', 'first\nno end'", "'W\\n', ''", "'Error\\nW\\n', 'Error\nW\n'", "'  x', '  x'",
        "'', ''", "'W', ''", "'\\nW\\n', '\nW\n'"})
    void onlyTheWarningIsLeftOut(String printed, String seen) throws IOException, InterruptedException {
        String warning = "WARNING: Using incubator modules: jdk.incubator.vector";
        Path launcher =
                launcher("printf '" + printed.replace("W", warning) + "' >&2\n" + WAITING + "echo result\nexit 3\n");
        Ended ended = run(launcher, "list");
        assertEquals(new Ended(3, "result\n", seen.replace("W", warning)), ended);
    }

    @Test
    void helpNeedsNoVectors() throws IOException, InterruptedException {
        Path launcher = launcher("echo \"$@\"\n");
        String help = run(launcher, "solve", "x", "--help").out();
        assertFalse(help.contains("jdk.incubator.vector"), help);
        assertTrue(help.endsWith("org.trellis.bench.Main solve x --help\n"), help);
        String solve = run(launcher, "solve", "x").out();
        assertTrue(solve.contains("--add-modules jdk.incubator.vector"), solve);
    }

    /** In a clone neither the version nor the help of a command needs a build, or more than a look for Java. */
    @Test
    void clonesAnswerWithoutABuild() throws IOException, InterruptedException {
        launcher("echo started\nexit 1\n");
        Path clone = CLONE.resolve("trellis");
        String page = Files.readString(CLONE.resolve("docs/reference/command-line.md"));
        for (String name : List.of("solve", "warm-up", "profile show", "generate poisson3d")) {
            Ended ended = run(clone, (name + " --help").split(" "));
            assertEquals(0, ended.code(), name + ": " + ended);
            assertTrue(ended.out().startsWith("Usage: trellis " + name + " ["), ended.out());
            assertTrue(page.contains(ended.out()), name + ": " + ended);
        }
        assertTrue(run(clone, "-h").out().startsWith("Usage: trellis ["));
        assertTrue(run(clone, "--version").out().startsWith("Trellis 0."));
    }
}
