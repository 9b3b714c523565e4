package org.trellis.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The POMs of what is published, checked by the build's tool, and the tool on POMs that lack something. */
class PublishedPomsTest {
    private static final String METADATA = """
            <url>https://a.org</url>
            <licenses><license><name>L</name><url>https://l.org</url></license></licenses>
            <developers><developer><name>D</name></developer></developers>
            <scm><connection>c</connection><developerConnection>c</developerConnection><url>u</url></scm>
            """;

    @TempDir
    private static Path toolFolder;

    private static URLClassLoader toolLoader;
    private static Method tool;

    @TempDir
    private Path folder;

    @BeforeAll
    static void compileTool() throws IOException, ReflectiveOperationException {
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", toolFolder.toString(),
                "../build-tools/PublishedPoms.java");
        assertEquals(0, code);
        toolLoader = new URLClassLoader(new URL[]{toolFolder.toUri().toURL()});
        tool = toolLoader.loadClass("PublishedPoms").getDeclaredMethod("problems", Path.class, boolean.class);
        tool.setAccessible(true);
    }

    @AfterAll
    static void closeTool() throws IOException {
        toolLoader.close();
    }

    @Test
    void ourPomsSayWhatMavenCentralAsks() throws ReflectiveOperationException {
        assertEquals(List.of(), problems(Path.of(".."), false));
    }

    @Test
    void aReleaseRefusesWhatStandsInForSomethingElse() throws ReflectiveOperationException, IOException {
        parent("1-SNAPSHOT", METADATA.replace("a.org", "a.example"), "<module>bom</module>");
        bom("1-SNAPSHOT", "");
        assertEquals(List.of(), problems(folder, false));
        assertEquals(List.of("pom.xml: version 1-SNAPSHOT: a release has one without -SNAPSHOT",
                "pom.xml: <url> is https://a.example, which stands in for the real address",
                "bom/pom.xml: version 1-SNAPSHOT: a release has one without -SNAPSHOT"), problems(folder, true));
    }

    @Test
    void whatIsMissingIsNamed() throws ReflectiveOperationException, IOException {
        parent("1", METADATA.replaceAll("(?s)<scm>.*", ""),
                "<module>bom</module><module>a</module><module>b</module><module>hidden</module>");
        bom("2", managed("trellis-a") + managed("trellis-gone"));
        child("a", "<name>A</name><description>Is a.</description>" + dependency("trellis-hidden", "compile")
                + "<repositories><repository/></repositories>");
        child("b", "<name>B</name>" + dependency("trellis-hidden", "test"));
        child("hidden", "<properties><maven.deploy.skip>true</maven.deploy.skip></properties>");
        List<String> problems = problems(folder, false);
        for (String expected : List.of("pom.xml: no <scm><url>, here or in a parent",
                "a/pom.xml: no <scm><connection>, here or in a parent",
                "a/pom.xml: it depends on trellis-hidden, which is not published",
                "a/pom.xml: it names repositories, which those who depend on it would have to trust",
                "b/pom.xml: no <description>", "bom/pom.xml: it lacks trellis-b",
                "bom/pom.xml: no module publishes trellis-gone",
                "bom/pom.xml: its version is 2, that of trellis-a is 1")) {
            assertTrue(problems.contains(expected), () -> expected + " is not in " + problems);
        }
        assertTrue(problems.stream().noneMatch(problem -> problem.startsWith("hidden/")), problems::toString);
        assertTrue(problems.stream().noneMatch(problem -> problem.startsWith("b/") && problem.contains("depends")),
                problems::toString);
    }

    @SuppressWarnings("unchecked")
    private static List<String> problems(Path root, boolean release) throws ReflectiveOperationException {
        return (List<String>) tool.invoke(null, root, release);
    }

    private void parent(String version, String metadata, String modules) throws IOException {
        Files.writeString(folder.resolve("pom.xml"), "<project><artifactId>trellis-parent</artifactId><version>"
                + version + "</version><packaging>pom</packaging><name>P</name><description>Is p.</description>"
                + metadata + "<modules>" + modules + "</modules></project>");
    }

    private void bom(String version, String managed) throws IOException {
        module("bom", "<artifactId>trellis-bom</artifactId><version>" + version + "</version><packaging>pom</packaging>"
                + "<name>V</name><description>Versions.</description>" + METADATA
                + "<dependencyManagement><dependencies>" + managed + "</dependencies></dependencyManagement>");
    }

    private void child(String name, String content) throws IOException {
        module(name, "<parent><artifactId>trellis-parent</artifactId></parent><artifactId>trellis-" + name
                + "</artifactId>" + content);
    }

    private void module(String name, String content) throws IOException {
        Path pom = Files.createDirectories(folder.resolve(name)).resolve("pom.xml");
        Files.writeString(pom, "<project>" + content + "</project>");
    }

    private static String managed(String artifact) {
        return "<dependency><artifactId>" + artifact + "</artifactId></dependency>";
    }

    private static String dependency(String artifact, String scope) {
        return "<dependencies><dependency><artifactId>" + artifact + "</artifactId><scope>" + scope
                + "</scope></dependency></dependencies>";
    }
}
