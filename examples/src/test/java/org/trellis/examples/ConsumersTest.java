package org.trellis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds and runs the projects {@code examples/consumer-maven} and {@code consumer-gradle} with what this build would
 * install, in a local repository of their own. Plugins come out of the repository that this build uses, which is only
 * read; nothing is fetched. Skipped where the jars have not been made, as with {@code mvn test}, and where there is no
 * Maven or no Gradle.
 */
final class ConsumersTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> MODULES = List.of("processor", "core", "matrices");
    private static final int LIMIT_SECONDS = 240;
    private static final Pattern RELEASE_OF_GRADLE = Pattern.compile("(?m)^Gradle (\\d+)\\.");

    private static final String LADDER = """
            %%MatrixMarket matrix coordinate real symmetric
            3 3 5
            1 1 2
            2 2 2
            3 3 2
            2 1 -1
            3 2 -1
            """;
    private static final String FIRST_STEPS = "product 1.000, solution 1.000\nchange [1.0, 2.0, 2.0, -5.0]\n";

    @TempDir
    private Path folder;

    private String version;

    @BeforeEach
    void findJars() throws IOException {
        version = Files.readString(ROOT.resolve("bom/pom.xml")).replaceAll("(?s).*?<version>(.*?)</version>.*", "$1");
        for (String module : MODULES) {
            Path jar = jar(module);
            assumeTrue(Files.exists(jar), () -> ROOT.relativize(jar) + " is not there: mvn verify makes it");
            FileTime made = Files.getLastModifiedTime(jar);
            Optional<FileTime> changed = newest(ROOT.resolve(module + "/target/classes"));
            assumeFalse(changed.isPresent() && changed.get().compareTo(made) > 0,
                    () -> ROOT.relativize(jar) + " is older than its classes: mvn verify makes it anew");
        }
    }

    @Test
    void entriesOfJarsHaveTheTimeOfTheBuildFile() throws IOException {
        LocalDateTime expected = LocalDateTime.of(2026, 1, 1, 0, 0);
        for (String module : MODULES) {
            try (JarFile jar = new JarFile(jar(module).toFile())) {
                List<JarEntry> entries = jar.stream().toList();
                assertTrue(entries.size() > 10, () -> module + " has " + entries.size() + " entries");
                for (JarEntry entry : entries) {
                    assertEquals(expected, entry.getTimeLocal(), () -> module + ": " + entry);
                }
            }
        }
    }

    @Test
    @Tag("nightly")
    void consumersAreBuiltAndRunFromWhatIsInstalled() throws IOException, InterruptedException {
        Optional<Path> maven = program("mvn");
        assumeTrue(maven.isPresent(), "there is no mvn on the PATH");
        Path plugins = localRepository();
        assumeTrue(Files.isDirectory(plugins),
                () -> "there is no local repository " + plugins + " to take plugins from");
        install();
        Path settings = Files.writeString(folder.resolve("settings.xml"), String.format(Locale.ROOT, """
                <settings>
                  <localRepository>%s</localRepository>
                  <mirrors>
                    <mirror><id>built-with</id><mirrorOf>*</mirrorOf><url>%s</url></mirror>
                  </mirrors>
                </settings>
                """, folder.resolve("repository"), plugins.toUri()));
        Path project = copy(ROOT.resolve("examples/consumer-maven"), folder.resolve("project"));

        run(project, maven.get().toString(), "-B", "-ntp", "-s", settings.toString(), "-gs", settings.toString(),
                "package");

        Path matrix = Files.writeString(folder.resolve("ladder.mtx"), LADDER);
        assertEquals(FIRST_STEPS,
                run(project.resolve("on-class-path"), java(), "-cp", classPath(), "com.example.FirstSteps",
                        matrix.toString()));
        for (String backend : List.of("reference", "threads", "simd")) {
            assertEquals("1.000000 1.000000\n", run(project.resolve("on-module-path"), java(), "--add-modules",
                    "jdk.incubator.vector", "-p", classPath().replace("/*", ""), "-m",
                    "com.example.modular/com.example.modular.Diffusion", backend));
        }
        run(project.resolve("on-module-path"), java(), "-p", classPath().replace("/*", ""), "-m",
                "com.example.modular/com.example.modular.Diffusion");
    }

    /** With Gradle 4.4 to 6, whose build file is the one of old Gradle; newer ones read the other. */
    @Test
    void consumerIsBuiltAndRunByGradle() throws IOException, InterruptedException {
        Optional<Path> gradle = program("gradle");
        assumeTrue(gradle.isPresent(), "there is no gradle on the PATH");
        Matcher release = RELEASE_OF_GRADLE.matcher(version(gradle.get()));
        assumeTrue(release.find(), "gradle does not run on the default JDK");
        int major = Integer.parseInt(release.group(1));
        assumeTrue(major >= 4 && major <= 6, () -> "build file is for Gradle 4.4 to 6, not " + major);
        install();
        Path project = copy(ROOT.resolve("examples/consumer-gradle"), folder.resolve("project"));
        Path matrix = Files.writeString(folder.resolve("ladder.mtx"), LADDER);

        String printed = run(project.resolve("with-gradle-4"), gradle.get().toString(), "--offline", "--no-daemon",
                "-q", "-g", folder.resolve("gradle").toString(), "-Pfolders=" + folder.resolve("repository").toUri()
                        + "," + localRepository().toUri(),
                "-Pjdk=" + System.getProperty("java.home"), "-Pmatrix=" + matrix, "run");

        assertTrue(printed.endsWith(FIRST_STEPS), printed);
    }

    /** What a program says of its release; nothing if it fails. */
    private String version(Path program) throws IOException, InterruptedException {
        Path said = Files.createTempFile(folder, "version", ".out");
        ProcessBuilder builder = new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().remove("JAVA_HOME");
        Process process = builder.start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        return process.exitValue() == 0 ? Files.readString(said, StandardCharsets.UTF_8) : "";
    }

    private static Path localRepository() {
        return Path.of(System.getProperty("localRepository", System.getProperty("user.home") + "/.m2/repository"));
    }

    private static String classPath() {
        return "target/classes" + File.pathSeparator + "target/lib/*";
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private Path jar(String module) {
        return ROOT.resolve(module + "/target/trellis-" + module + "-" + version + ".jar");
    }

    private static Optional<FileTime> newest(Path classes) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            Optional<FileTime> newest = Optional.empty();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                FileTime time = Files.getLastModifiedTime(file);
                newest = newest.filter(other -> other.compareTo(time) > 0).or(() -> Optional.of(time));
            }
            return newest;
        }
    }

    /** What {@code mvn install} does: POMs and jars go to their places. */
    private void install() throws IOException {
        put("parent", ROOT.resolve("pom.xml"), "pom");
        put("bom", ROOT.resolve("bom/pom.xml"), "pom");
        for (String module : MODULES) {
            put(module, ROOT.resolve(module + "/pom.xml"), "pom");
            put(module, jar(module), "jar");
        }
    }

    private void put(String module, Path file, String type) throws IOException {
        String artifact = "trellis-" + module;
        Path place = Files.createDirectories(folder.resolve("repository/org/trellis/" + artifact + "/" + version));
        Files.copy(file, place.resolve(artifact + "-" + version + "." + type));
    }

    private static Optional<Path> program(String name) {
        String path = System.getenv("PATH");
        return path == null
                ? Optional.empty()
                : Arrays.stream(path.split(File.pathSeparator)).map(entry -> Path.of(entry, name))
                        .filter(Files::isExecutable).findFirst();
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path relative = from.relativize(file);
                if (!relative.toString().contains("target")) {
                    Path copied = to.resolve(relative);
                    Files.createDirectories(copied.getParent());
                    Files.copy(file, copied);
                }
            }
        }
        return to;
    }

    /** Runs a program in a folder and returns its standard output; with its complaints if it fails. */
    private String run(Path where, String... command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "run", ".out");
        Path err = Files.createTempFile(folder, "run", ".err");
        ProcessBuilder builder = new ProcessBuilder(command).directory(where.toFile()).redirectOutput(out.toFile())
                .redirectError(err.toFile());
        Map<String, String> environment = builder.environment();
        if (command[0].endsWith("gradle")) { // an old one runs on an old JDK
            environment.remove("JAVA_HOME");
        } else {
            environment.put("JAVA_HOME", System.getProperty("java.home"));
        }
        environment.keySet().removeAll(List.of("MAVEN_OPTS", "MAVEN_ARGS", "MAVEN_CONFIG", "JAVA_TOOL_OPTIONS"));
        Process process = builder.start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        String printed = Files.readString(out, StandardCharsets.UTF_8);
        String said = printed + Files.readString(err, StandardCharsets.UTF_8);
        assertTrue(ended, () -> String.join(" ", command) + " did not end within " + LIMIT_SECONDS + " s:\n" + said);
        assertEquals(0, process.exitValue(), () -> String.join(" ", command) + ":\n" + said);
        return printed;
    }
}
