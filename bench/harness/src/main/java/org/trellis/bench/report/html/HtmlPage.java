package org.trellis.bench.report.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.trellis.bench.measure.Machine;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.text.Markup;

/** What the reports share: the page around them with its style and script, the cards, the list of where and how. */
final class HtmlPage {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT);

    private HtmlPage() {}

    /**
     * Writes a page.
     *
     * @param title   shown by the browser
     * @param content writes what is in the body
     * @return the document, which is well-formed XML after its first line
     */
    static String of(String title, Consumer<Markup> content) {
        Markup out = new Markup();
        out.raw("<!DOCTYPE html>\n").open("html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml").open("head");
        out.empty("meta", "charset", "utf-8");
        out.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        out.element("title", title);
        out.open("style").raw(resource("report.css")).close("style").close("head").line();
        out.open("body");
        content.accept(out);
        out.open("script").raw(resource("report.js")).close("script");
        return out.close("body").close("html").line().toString();
    }

    private static String resource(String name) {
        try (InputStream input = HtmlPage.class.getResourceAsStream(name)) {
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    /** Version and date, for the line below the headline. */
    static String origin(Provenance provenance) {
        return "Trellis " + provenance.version() + " · "
                + DATE.format(provenance.date().atOffset(ZoneOffset.UTC));
    }

    static void card(Markup out, String value, String name) {
        out.open("div", "class", "card").element("strong", value).element("span", name).close("div");
    }

    /** The field above a table that hides the rows without the words typed. */
    static void filter(Markup out, String example) {
        out.empty("input", "type", "search", "id", "filter", "placeholder", "Filter rows, for example: " + example,
                "aria-label", "Filter rows");
    }

    static void entry(Markup out, String name, String value) {
        out.element("dt", name).element("dd", value);
    }

    /** A section with what went wrong, if something did. */
    static void troubles(Markup out, List<String> troubles) {
        if (!troubles.isEmpty()) {
            out.open("section").element("h2", "What went wrong").open("ul");
            troubles.forEach(words -> out.element("li", words));
            out.close("ul").close("section").line();
        }
    }

    /** Command and version, within a list. */
    static void command(Markup out, Provenance provenance) {
        entry(out, "Command", provenance.command());
        entry(out, "Trellis", provenance.version()
                + (provenance.revision().isEmpty() ? "" : ", revision " + provenance.revision()));
    }

    /** The processor and its memory, within a list. */
    static void processor(Markup out, Machine machine) {
        entry(out, "Processor", machine.processor() + ", " + machine.processors() + " logical processors, "
                + machine.caches());
        entry(out, "Memory", Numbers.bytes(machine.memoryBytes()));
    }

    /** Operating system and JVM, within a list. */
    static void system(Markup out, Machine machine) {
        entry(out, "System", machine.system());
        entry(out, "Java", machine.javaVersion() + ", heap " + Numbers.bytes(machine.heapBytes()));
        entry(out, "Options of Java", String.join(" ", machine.javaOptions()));
    }
}
