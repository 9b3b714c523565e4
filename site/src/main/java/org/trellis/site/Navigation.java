package org.trellis.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The list of documents beside each page: the links of the page that lists them by kind. */
final class Navigation {
    private static final Path API = Path.of("api/index.html");

    private final List<Group> groups;

    /** Documents of one kind. */
    private record Group(String heading, List<Entry> entries) {}

    private record Entry(String text, Path target) {}

    private Navigation(List<Group> groups) {
        this.groups = groups;
    }

    /** Takes the documents from their list. */
    static Navigation of(Document list) {
        Path folder = list.file().getParent();
        List<Group> groups = new ArrayList<>();
        for (Document.Section section : list.sections()) {
            List<Entry> entries = new ArrayList<>();
            for (Document.Link link : section.links()) {
                String target = link.target().replaceFirst("#.*", "");
                if (target.endsWith(".html")) {
                    entries.add(new Entry(link.text(), folder.resolve(target).normalize()));
                }
            }
            if (section.level() == 2) {
                groups.add(new Group(section.heading(), entries));
            }
        }
        groups.stream().filter(group -> group.heading().equals("Reference")).findFirst()
                .ifPresent(group -> group.entries().add(new Entry("API pages", API)));
        return new Navigation(groups);
    }

    /** As HTML for a page, whose own entry is marked. */
    String html(Path page) {
        StringBuilder html = new StringBuilder();
        for (Group group : groups) {
            html.append("<h2>").append(Html.escaped(group.heading())).append("</h2>\n<ul>\n");
            for (Entry entry : group.entries()) {
                html.append("<li><a href=\"").append(Html.escaped(Documents.relative(page, entry.target())))
                        .append('"').append(entry.target().equals(page) ? " aria-current=\"page\"" : "").append('>')
                        .append(Html.escaped(capitalised(entry.text()))).append("</a></li>\n");
            }
            html.append("</ul>\n");
        }
        return html.toString();
    }

    private static String capitalised(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
