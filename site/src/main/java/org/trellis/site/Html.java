package org.trellis.site;

/** Text within HTML. */
final class Html {
    private Html() {}

    /** Escapes text for an element or an attribute in double quotes. */
    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    /** The reverse of {@link #escaped}. */
    static String unescaped(String text) {
        return text.replace("&quot;", "\"").replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&");
    }
}
