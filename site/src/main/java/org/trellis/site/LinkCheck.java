package org.trellis.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Follows the links of a site, but for those to other hosts and those within the API pages. */
final class LinkCheck {
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");

    private final Path out;
    private final Map<Path, Set<String>> anchors = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    private LinkCheck(Path out) {
        this.out = out;
    }

    /** The links that lead nowhere, each with the page that has it. */
    static List<String> problems(Path out) throws IOException {
        LinkCheck check = new LinkCheck(out);
        try (Stream<Path> files = Files.walk(out)) {
            for (Path page : files.filter(file -> file.toString().endsWith(".html")).sorted().toList()) {
                if (!page.startsWith(out.resolve("api"))) {
                    check.page(page);
                }
            }
        }
        return check.problems;
    }

    private void page(Path page) throws IOException {
        Matcher link = LINK.matcher(Files.readString(page));
        while (link.find()) {
            String target = Html.unescaped(link.group(1));
            if (!target.matches("[a-z]+:.*")) {
                follow(page, target);
            }
        }
    }

    private void follow(Path page, String target) throws IOException {
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
        if (!Files.isRegularFile(file)) {
            problems.add(out.relativize(page) + ": " + target);
        } else if (hash >= 0 && file.toString().endsWith(".html")
                && !anchors(file).contains(target.substring(hash + 1))) {
            problems.add(out.relativize(page) + ": no anchor " + target);
        }
    }

    private Set<String> anchors(Path file) throws IOException {
        Set<String> known = anchors.get(file);
        if (known == null) {
            Set<String> found = new HashSet<>();
            ID.matcher(Files.readString(file)).results().forEach(id -> found.add(Html.unescaped(id.group(1))));
            anchors.put(file, found);
            known = found;
        }
        return known;
    }
}
