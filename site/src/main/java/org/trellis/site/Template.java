package org.trellis.site;

import java.nio.file.Path;
import java.util.List;

/** What all pages have around their content. */
final class Template {
    /** Before anything is drawn, so that a dark page does not flash. */
    private static final String EARLY = "<script>try{var t=localStorage.getItem(\"trellis-theme\");"
            + "if(t){document.documentElement.dataset.theme=t}}catch(e){}</script>";

    private final Navigation navigation;
    private final String version;
    private final List<String> versions;

    Template(Navigation navigation, String version, List<String> versions) {
        this.navigation = navigation;
        this.version = version;
        this.versions = versions;
    }

    /** A whole page. */
    String page(Path target, Document document) {
        String root = "../".repeat(target.getNameCount() - 1);
        String title = document.title().equals("Trellis") ? "Trellis" : document.title() + " · Trellis";
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s</title>
                <link rel="stylesheet" href="%ssite.css">
                %s
                </head>
                <body data-root="%s">
                <a class="skip" href="#content">Skip to the content</a>
                <header>
                <a class="brand" href="%sindex.html">Trellis</a>
                %s
                <input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off">
                <button id="theme" type="button" aria-label="Light or dark">◐</button>
                <div id="results" hidden></div>
                </header>
                <div class="columns">
                <nav aria-label="Documents"><details open><summary>Documents</summary>
                %s</details></nav>
                <main id="content">
                %s</main>
                %s</div>
                <footer>Trellis %s · Apache License 2.0</footer>
                <script src="%ssite.js"></script>
                </body>
                </html>
                """
                .formatted(Html.escaped(title), root, EARLY, root, root, versionMenu(root), navigation.html(target),
                        document.html(), contents(document), Html.escaped(version), root);
    }

    private String versionMenu(String root) {
        if (versions.isEmpty()) {
            return "<span class=\"version\">" + Html.escaped(version) + "</span>";
        }
        StringBuilder menu = new StringBuilder("<select id=\"version\" aria-label=\"Version\">");
        menu.append("<option selected>").append(Html.escaped(version)).append("</option>");
        versions.stream().filter(other -> !other.equals(version)).map(Html::escaped).forEach(other -> menu
                .append("<option value=\"").append(root).append("../").append(other).append("/index.html\">")
                .append(other)
                .append("</option>"));
        return menu.append("</select>").toString();
    }

    /** The headings of a page that has more than a few. */
    private static String contents(Document document) {
        List<Document.Section> headings =
                document.sections().stream().filter(section -> section.level() == 2).toList();
        if (headings.size() < 3) {
            return "";
        }
        StringBuilder html = new StringBuilder("<aside aria-label=\"On this page\"><h2>On this page</h2>\n<ul>\n");
        for (Document.Section section : headings) {
            html.append("<li><a href=\"#").append(Html.escaped(section.id())).append("\">")
                    .append(Html.escaped(section.heading())).append("</a></li>\n");
        }
        return html.append("</ul></aside>\n").toString();
    }
}
