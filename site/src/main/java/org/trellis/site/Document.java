package org.trellis.site;

import java.nio.file.Path;
import java.util.List;

/**
 * A document as HTML.
 *
 * @param file where it lies in the repository, relative
 * @param title its first heading
 * @param html the content of the page
 * @param sections what is between headings, in order
 */
record Document(Path file, String title, String html, List<Section> sections) {
    /**
     * What belongs to one heading.
     *
     * @param level 1 to 6
     * @param id the anchor of the heading
     * @param heading its text
     * @param text the text below it, without markup
     * @param links what is linked there: text and target, as in the page
     */
    record Section(int level, String id, String heading, String text, List<Link> links) {}

    /**
     * A link.
     *
     * @param text what is shown
     * @param target where it leads, relative to the page
     */
    record Link(String text, String target) {}
}
