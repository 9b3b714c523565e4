package org.trellis.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the search looks through: an entry for each section of a document and for each public type. It is a script
 * rather than JSON, since browsers do not let pages of the file system read files.
 */
final class SearchIndex {
    private final List<String> entries = new ArrayList<>();

    /** Adds the sections of a document. */
    void document(Path target, Document document) {
        for (Document.Section section : document.sections()) {
            String anchor = section.level() == 1 ? "" : '#' + section.id();
            entry(target.toString().replace('\\', '/') + anchor, document.title(),
                    section.level() == 1 ? "" : section.heading(), section.text());
        }
    }

    /** Adds a type. */
    void type(ApiTypes.Entry type) {
        entry(type.page().toString().replace('\\', '/'), type.name(), "API", type.packageName());
    }

    private void entry(String address, String title, String heading, String text) {
        entries.add('[' + quoted(address) + ',' + quoted(title) + ',' + quoted(heading) + ',' + quoted(text) + ']');
    }

    /** A call of the function that the pages' script offers. */
    String script() {
        return "trellisIndex([\n" + String.join(",\n", entries) + "\n]);\n";
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == '"' || character == '\\') {
                quoted.append('\\').append(character);
            } else if (character < ' ' || character == '<') {
                quoted.append(String.format("\\u%04x", (int) character));
            } else {
                quoted.append(character);
            }
        }
        return quoted.append('"').toString();
    }
}
