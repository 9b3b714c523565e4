package org.trellis.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The types that programs name, as the page about the public API lists them. */
final class ApiTypes {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(org\\.trellis[\\w.]+)` \\| (?:stable|experimental) \\|([^|]*)\\|[^|]*\\|$");
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");
    private static final Path LIST = Path.of("docs/reference/api.md");

    private final List<Entry> entries;
    private final Map<String, Path> pages = new HashMap<>();

    /**
     * One type.
     *
     * @param packageName its package
     * @param name its simple name
     */
    record Entry(String packageName, String name) {
        Path page() {
            return Path.of("api").resolve(packageName.replace('.', '/')).resolve(name + ".html");
        }
    }

    private ApiTypes(List<Entry> entries) {
        this.entries = entries;
        for (Entry entry : entries) {
            // A name of two types leads to neither.
            pages.merge(entry.name(), entry.page(), (one, other) -> Path.of(""));
        }
        pages.values().removeIf(Path.of("")::equals);
    }

    static ApiTypes of(Path root) throws IOException {
        List<Entry> entries = new ArrayList<>();
        Matcher row = ROW.matcher(Files.readString(root.resolve(LIST)));
        while (row.find()) {
            String packageName = row.group(1);
            NAME.matcher(row.group(2)).results()
                    .forEach(name -> entries.add(new Entry(packageName, name.group(1))));
        }
        if (entries.isEmpty()) {
            throw new IllegalStateException(LIST + " lists no types");
        }
        return new ApiTypes(entries);
    }

    List<Entry> entries() {
        return entries;
    }

    /** The API page of a type by its simple name, if there is one such type. */
    Optional<Path> page(String name) {
        return Optional.ofNullable(pages.get(name));
    }
}
