package org.trellis.bench.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;

/** Writes elements that are well-formed both as HTML and as XML; text and attributes are escaped. */
public final class Markup {
    private static final Pattern BREAKS = Pattern.compile("(?<=[:,=/])(?=.)|(?<=\\p{Ll})(?=\\p{Lu})");
    private final StringBuilder text = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();
    private int charts;

    /** Starts a document without text. */
    public Markup() {
        // Nothing to do.
    }

    /**
     * Returns the number of the next chart, so that what is named in it is named once in the document.
     *
     * @return 1, 2, 3 and so on
     */
    public int nextChart() {
        return ++charts;
    }

    /**
     * Opens an element.
     *
     * @param tag        its tag
     * @param attributes names and values in turn
     * @return this
     */
    public Markup open(String tag, String... attributes) {
        start(tag, attributes);
        text.append('>');
        open.push(tag);
        return this;
    }

    /**
     * Closes the element opened last.
     *
     * @param tag its tag
     * @return this
     * @throws IllegalStateException if another is open
     */
    public Markup close(String tag) {
        if (!tag.equals(open.peek())) {
            throw new IllegalStateException("closing " + tag + ", expected " + open.peek());
        }
        open.pop();
        text.append("</").append(tag).append('>');
        return this;
    }

    /**
     * Adds an element that has only text.
     *
     * @param tag        its tag
     * @param content    its text
     * @param attributes names and values in turn
     * @return this
     */
    public Markup element(String tag, String content, String... attributes) {
        return open(tag, attributes).text(content).close(tag);
    }

    /**
     * Adds an element that is empty.
     *
     * @param tag        its tag
     * @param attributes names and values in turn
     * @return this
     */
    public Markup empty(String tag, String... attributes) {
        start(tag, attributes);
        text.append("/>");
        return this;
    }

    /**
     * Adds text, escaped.
     *
     * @param content the text
     * @return this
     */
    public Markup text(String content) {
        text.append(escape(content));
        return this;
    }

    /**
     * Adds text that may be broken after signs within words, such as those between options, and before capitals.
     *
     * @param content the text
     * @return this
     */
    public Markup breakable(String content) {
        String[] parts = BREAKS.split(content, -1);
        for (int i = 0; i < parts.length; i++) {
            text(parts[i]);
            if (i < parts.length - 1) {
                empty("wbr");
            }
        }
        return this;
    }

    /**
     * Adds text that must not be escaped: style and script, which HTML reads as they are.
     *
     * @param content the text
     * @return this
     */
    public Markup raw(String content) {
        text.append(content);
        return this;
    }

    /**
     * Ends a line of the document.
     *
     * @return this
     */
    public Markup line() {
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
