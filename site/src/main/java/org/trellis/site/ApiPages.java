package org.trellis.site;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** The API pages of the types that programs name, by the Javadoc tool. */
final class ApiPages {
    /** Where sources of a module lie, written and generated. */
    private static final List<String> SOURCES = List.of("src/main/java", "target/generated-sources/twins");

    private final List<Path> sources;
    private final List<String> files = new ArrayList<>();

    private ApiPages(List<Path> sources) {
        this.sources = sources;
    }

    /** Writes them into the folder {@code api} of the site; all other types are taken from the class path. */
    static void write(Path root, Path out, ApiTypes types) throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(root)) {
            modules.sorted().forEach(module -> SOURCES.stream().map(module::resolve).filter(Files::isDirectory)
                    .forEach(sources::add));
        }
        ApiPages pages = new ApiPages(sources);
        TreeSet<String> packages = new TreeSet<>();
        for (ApiTypes.Entry type : types.entries()) {
            pages.add(type.packageName(), type.name());
            packages.add(type.packageName());
        }
        for (String name : packages) {
            pages.add(name, "package-info");
        }
        pages.run(out);
    }

    private void add(String packageName, String name) {
        String path = packageName.replace('.', '/') + '/' + name + ".java";
        files.add(sources.stream().map(folder -> folder.resolve(path)).filter(Files::exists).findFirst()
                .orElseThrow(() -> new IllegalStateException("no source " + path + " in " + sources)).toString());
    }

    private void run(Path out) throws IOException {
        Path empty = Files.createTempDirectory("no-sources");
        List<String> arguments = new ArrayList<>(List.of("-quiet", "-notimestamp", "-Xdoclint:none",
                "-XD-Xlint:-incubating", "--add-modules", "jdk.incubator.vector", "--source-path", empty.toString(),
                "--class-path", System.getProperty("java.class.path"), "--add-stylesheet",
                out.resolve("api.css").toString(), "-windowtitle", "Trellis API", "-doctitle",
                "Types that programs name", "-bottom", "<a href=\"{@docRoot}/../index.html\">Trellis</a>", "-d",
                out.resolve("api").toString()));
        arguments.addAll(files);
        StringWriter messages = new StringWriter();
        ToolProvider javadoc = ToolProvider.findFirst("javadoc")
                .orElseThrow(() -> new IllegalStateException("this Java has no Javadoc tool; a JDK has one"));
        try {
            int code = javadoc.run(new PrintWriter(messages), new PrintWriter(messages),
                    arguments.toArray(String[]::new));
            if (code != 0) {
                throw new IllegalStateException("javadoc ended with " + code + ": " + messages);
            }
        } finally {
            Files.delete(empty);
        }
    }
}
