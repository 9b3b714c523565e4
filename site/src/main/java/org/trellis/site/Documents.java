package org.trellis.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The documents of the repository, the files that they link to, and where each goes in the site. */
final class Documents {
    /** Documents outside of the folders of documents. */
    private static final List<String> TOP = List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md",
            "CODE_OF_CONDUCT.md");
    private static final List<String> FOLDERS = List.of("docs", "measurements");
    /** What a browser shows, or keeps, as it is. */
    private static final Pattern AS_IS = Pattern.compile(".*\\.(png|svg|gz|json|csv|txt)");

    private final Path root;
    private final Set<Path> files;
    private final ApiTypes types;
    private final Deque<Path> linked = new ArrayDeque<>();
    private final Set<Path> known = new HashSet<>();

    private Documents(Path root, Set<Path> files, ApiTypes types) {
        this.root = root;
        this.files = files;
        this.types = types;
    }

    static Documents of(Path root) throws IOException {
        Set<Path> files = new TreeSet<>();
        for (String name : TOP) {
            files.add(Path.of(name));
        }
        for (String folder : FOLDERS) {
            try (Stream<Path> found = Files.walk(root.resolve(folder))) {
                found.filter(file -> file.toString().endsWith(".md")).map(root::relativize).forEach(files::add);
            }
        }
        return new Documents(root, files, ApiTypes.of(root));
    }

    Set<Path> files() {
        return files;
    }

    ApiTypes types() {
        return types;
    }

    /** Whether a search finds a document: diaries of measurements stay out of the way. */
    boolean isSearched(Path file) {
        return !file.startsWith("measurements");
    }

    Document read(Path file) throws IOException {
        return new MarkdownReader(this, file).read(Files.readString(root.resolve(file)));
    }

    /** Where a file or folder of the repository goes. */
    Path target(Path file) {
        String name = String.valueOf(file.getFileName());
        if (files.contains(file)) {
            return name.equals("README.md")
                    ? file.resolveSibling("index.html")
                    : file.resolveSibling(name.substring(0, name.length() - ".md".length()) + ".html");
        }
        if (Files.isDirectory(root.resolve(file))) {
            return file.resolve("index.html");
        }
        return AS_IS.matcher(name).matches() ? file : file.resolveSibling(name + ".html");
    }

    /**
     * A link from a page to a file of the repository, which is then part of the site.
     *
     * @throws IllegalArgumentException if there is no such file in the repository
     */
    String link(Path page, Path file) {
        if (file.startsWith("..") || !Files.exists(root.resolve(file))) {
            throw new IllegalArgumentException(page + " links to " + file + ", which is not in the repository");
        }
        if (!files.contains(file) && !files.contains(file.resolve("README.md")) && known.add(file)) {
            linked.add(file);
        }
        return relative(page, target(file));
    }

    /** The next file that something links to and that is no document; null if all are done. */
    Path nextLinked() {
        return linked.poll();
    }

    /** A path in the site as a page names it. */
    static String relative(Path page, Path target) {
        Path folder = page.getParent();
        return (folder == null ? target : folder.relativize(target)).toString().replace('\\', '/');
    }
}
