package org.trellis.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes the web site: each document as a page, the files that documents link to, the API pages of the types that
 * programs name, and an index for searching. All links are relative, so that it works from a folder as from a server.
 *
 * <p>Run as {@code Site REPOSITORY FOLDER VERSION [--versions=V,W]}; the versions are those whose sites lie beside this
 * one.
 */
final class Site {
    private static final List<String> ASSETS = List.of("site.css", "site.js", "api.css");
    private static final String VERSIONS = "--versions=";

    private final Path root;
    private final Path out;
    private final Template template;
    private final Documents documents;
    private final SearchIndex index = new SearchIndex();

    private Site(Path root, Path out, String version, List<String> versions) throws IOException {
        this.root = root;
        this.out = out;
        documents = Documents.of(root);
        template = new Template(Navigation.of(documents.read(Path.of("docs/README.md"))), version, versions);
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 3 || arguments.length > 4
                || (arguments.length == 4 && !arguments[3].startsWith(VERSIONS))) {
            throw new IllegalArgumentException(
                    "expected the repository, the folder of the site, its version and perhaps "
                            + VERSIONS + "V,W, and got " + List.of(arguments));
        }
        List<String> versions = arguments.length < 4
                ? List.of()
                : Stream.of(arguments[3].substring(VERSIONS.length()).split(",")).map(String::strip)
                        .filter(version -> !version.isEmpty()).toList();
        Path root = Path.of(arguments[0]).toAbsolutePath().normalize();
        Path out = Path.of(arguments[1]).toAbsolutePath().normalize();
        new Site(root, out, arguments[2], versions).write();
        List<String> broken = LinkCheck.problems(out);
        if (!broken.isEmpty()) {
            throw new IllegalStateException(broken.size() + " links lead nowhere: " + broken);
        }
    }

    private void write() throws IOException {
        removeOld();
        for (Path file : documents.files()) {
            page(documents.read(file));
        }
        // Listings of folders name further files.
        for (Path file = documents.nextLinked(); file != null; file = documents.nextLinked()) {
            linked(file);
        }
        for (String asset : ASSETS) {
            try (InputStream content = Site.class.getResourceAsStream(asset)) {
                Files.copy(content, out.resolve(asset));
            }
        }
        documents.types().entries().forEach(index::type);
        ApiPages.write(root, out, documents.types());
        Files.writeString(out.resolve("search-index.js"), index.script());
    }

    private void removeOld() throws IOException {
        if (Files.exists(out)) {
            try (Stream<Path> files = Files.walk(out)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(out);
    }

    private void page(Document document) throws IOException {
        Path target = documents.target(document.file());
        write(target, template.page(target, document));
        if (documents.isSearched(document.file())) {
            index.document(target, document);
        }
    }

    /** Source files become pages, folders lists, and all else is copied. */
    private void linked(Path file) throws IOException {
        Path target = documents.target(file);
        Path source = root.resolve(file);
        if (Files.isDirectory(source)) {
            write(target, template.page(target, folder(file, target)));
        } else if (target.equals(file)) {
            Files.createDirectories(out.resolve(target).getParent());
            Files.copy(source, out.resolve(target));
        } else {
            String text = "<h1>" + Html.escaped(String.valueOf(file.getFileName())) + "</h1>\n<pre><code>"
                    + Html.escaped(Files.readString(source)) + "</code></pre>\n";
            write(target, template.page(target, new Document(file, file.toString(), text, List.of())));
        }
    }

    private Document folder(Path folder, Path target) throws IOException {
        StringBuilder text = new StringBuilder("<h1>" + Html.escaped(folder.toString()) + "</h1>\n<ul>\n");
        List<Path> files = new ArrayList<>();
        try (Stream<Path> list = Files.list(root.resolve(folder))) {
            list.filter(Files::isRegularFile).map(root::relativize).sorted().forEach(files::add);
        }
        for (Path file : files) {
            text.append("<li><a href=\"").append(Html.escaped(documents.link(target, file))).append("\">")
                    .append(Html.escaped(String.valueOf(file.getFileName()))).append("</a></li>\n");
        }
        return new Document(folder, folder.toString(), text + "</ul>\n", List.of());
    }

    private void write(Path target, String html) throws IOException {
        Path file = out.resolve(target);
        Files.createDirectories(file.getParent());
        Files.writeString(file, html);
    }
}
