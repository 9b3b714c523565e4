package org.trellis.common;

import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/**
 * A named, typed setting. The keys that exist are listed in {@link ConfigurationKeys}; no other code makes any.
 *
 * @param <T> the type of its value
 */
public final class ConfigurationKey<T> {
    private final String name;
    private final String environmentName;
    private final String defaultText;
    private final String description;
    private final Function<String, T> parser;

    ConfigurationKey(String name, String defaultText, String description, Function<String, T> parser) {
        this.name = Objects.requireNonNull(name);
        this.environmentName = name.toUpperCase(Locale.ROOT).replace('.', '_');
        this.defaultText = Objects.requireNonNull(defaultText);
        this.description = Objects.requireNonNull(description);
        this.parser = Objects.requireNonNull(parser);
    }

    /**
     * Returns the name, which is that of the system property too.
     *
     * @return for example {@code trellis.threads}
     */
    public String name() {
        return name;
    }

    /**
     * Returns the name of the environment variable that sets this key.
     *
     * @return the name in capitals with dots replaced by underscores, for example {@code TRELLIS_THREADS}
     */
    public String environmentName() {
        return environmentName;
    }

    /**
     * Returns the default as text.
     *
     * @return what holds when nothing is set; empty if the default depends on the machine, as the description says
     */
    public String defaultText() {
        return defaultText;
    }

    /**
     * Returns what the setting means.
     *
     * @return one or two sentences
     */
    public String description() {
        return description;
    }

    T parse(String text, String origin) {
        try {
            return parser.apply(text.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    name + " is '" + text + "' (from " + origin + "): " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
