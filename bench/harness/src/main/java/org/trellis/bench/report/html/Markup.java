package org.trellis.bench.report.html;

import java.util.ArrayDeque;
import java.util.Deque;
import org.trellis.bench.text.Printable;

/** Writes elements that are well-formed both as HTML and as XML; text and attributes are escaped. */
final class Markup {
    private final StringBuilder text = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /**
     * Opens an element.
     *
     * @param attributes names and values in turn
     */
    Markup open(String tag, String... attributes) {
        start(tag, attributes);
        text.append('>');
        open.push(tag);
        return this;
    }

    Markup close(String tag) {
        if (!tag.equals(open.peek())) {
            throw new IllegalStateException("closing " + tag + ", expected " + open.peek());
        }
        open.pop();
        text.append("</").append(tag).append('>');
        return this;
    }

    /** Adds an element that has only text. */
    Markup element(String tag, String content, String... attributes) {
        return open(tag, attributes).text(content).close(tag);
    }

    /** Adds an element that is empty. */
    Markup empty(String tag, String... attributes) {
        start(tag, attributes);
        text.append("/>");
        return this;
    }

    Markup text(String content) {
        text.append(escape(content));
        return this;
    }

    /** Adds text that must not be escaped: style and script, which HTML reads as they are. */
    Markup raw(String content) {
        text.append(content);
        return this;
    }

    Markup line() {
        text.append('\n');
        return this;
    }

    private void start(String tag, String... attributes) {
        text.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            text.append(' ').append(attributes[i]).append("=\"").append(escape(attributes[i + 1])).append('"');
        }
    }

    /** Text that XML may hold, too: it has no way to write control characters. */
    static String escape(String content) {
        return Printable.text(content).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"",
                "&quot;");
    }

    @Override
    public String toString() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("elements are open: " + open);
        }
        return text.toString();
    }
}
