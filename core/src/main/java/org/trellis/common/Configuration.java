package org.trellis.common;

import java.io.File;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The settings of a program, read once and immutable. A value comes from the first of: the builder, a system property,
 * an environment variable, the default. An unknown {@code trellis.*} property or {@code TRELLIS_*} variable is an
 * error, so that a misspelt setting is noticed; names under {@code trellis.test.} belong to the tests and are ignored.
 */
public final class Configuration {
    private static final String PREFIX = "trellis.";
    private static final String TEST_PREFIX = "trellis.test.";
    private static final String ENVIRONMENT_PREFIX = "TRELLIS_";
    private static final String HOME = "user.home";
    /** Variables of the launcher, which are no settings. */
    private static final Set<String> LAUNCHER_VARIABLES =
            Set.of("TRELLIS_JAVA", "TRELLIS_OPTS", "TRELLIS_STANDARD_ERROR_READER");

    /** What was read last, which most often still holds. */
    private static volatile Loaded last;

    private final Map<ConfigurationKey<?>, Object> values;
    private final Map<ConfigurationKey<?>, String> origins;

    /** A configuration with all that may change in a process of what it was read from. */
    private record Loaded(Map<String, String> properties, int processors, Configuration configuration) {}

    private Configuration(Map<ConfigurationKey<?>, Object> values, Map<ConfigurationKey<?>, String> origins) {
        this.values = values;
        this.origins = origins;
    }

    /**
     * Reads the settings of this process.
     *
     * @return the configuration from system properties, environment and defaults
     * @throws IllegalArgumentException if a key is unknown or a value unusable; names key, value and where it came from
     */
    public static Configuration load() {
        Properties properties = System.getProperties();
        Map<String, String> read = new HashMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX) || name.equals(HOME)) {
                read.put(name, properties.getProperty(name));
            }
        }
        int processors = Runtime.getRuntime().availableProcessors();
        Loaded known = last;
        if (known == null || known.processors != processors || !known.properties.equals(read)) {
            known = new Loaded(read, processors, builder().build());
            last = known;
        }
        return known.configuration;
    }

    /**
     * Starts a configuration that sets some values in code.
     *
     * @return a builder that reads system properties and environment for what it is not given
     */
    public static Builder builder() {
        return new Builder(System.getProperties(), System.getenv());
    }

    static Builder builder(Properties properties, Map<String, String> environment) {
        return new Builder(properties, environment);
    }

    /**
     * Returns the value of a key.
     *
     * @param <T> the type of its value
     * @param key the key
     * @return its value, never null
     */
    @SuppressWarnings("unchecked")
    public <T> T get(ConfigurationKey<T> key) {
        return (T) values.get(key);
    }

    /**
     * Returns where the value of a key came from.
     *
     * @param key the key
     * @return for example {@code "system property trellis.threads"}, {@code "default"}
     */
    public String origin(ConfigurationKey<?> key) {
        return origins.get(key);
    }

    @Override
    public String toString() {
        Map<String, Object> sorted = new TreeMap<>();
        values.forEach((key, value) -> sorted.put(key.name(), value));
        return sorted.toString();
    }

    /** Collects settings made in code. */
    public static final class Builder {
        private final Properties properties;
        private final Map<String, String> environment;
        private final Map<ConfigurationKey<?>, String> given = new HashMap<>();

        private Builder(Properties properties, Map<String, String> environment) {
            this.properties = properties;
            this.environment = environment;
        }

        /**
         * Sets a key.
         *
         * @param <T>   the type of its value
         * @param key   the key
         * @param value its value; its text form must be one that the key accepts
         * @return this builder
         */
        public <T> Builder set(ConfigurationKey<T> key, T value) {
            given.put(key, text(value));
            return this;
        }

        private static String text(Object value) {
            if (value instanceof List<?> list) {
                return list.stream().map(Object::toString).collect(Collectors.joining(File.pathSeparator));
            }
            return value.toString();
        }

        /**
         * Builds the configuration.
         *
         * @return the immutable result
         * @throws IllegalArgumentException if a key is unknown or a value unusable
         */
        public Configuration build() {
            rejectUnknown();
            Map<ConfigurationKey<?>, Object> values = new HashMap<>();
            Map<ConfigurationKey<?>, String> origins = new HashMap<>();
            for (ConfigurationKey<?> key : ConfigurationKeys.all()) {
                String origin = originOf(key);
                values.put(key, key.parse(textOf(key), origin));
                origins.put(key, origin);
            }
            return new Configuration(values, origins);
        }

        private String originOf(ConfigurationKey<?> key) {
            if (given.containsKey(key)) {
                return "code";
            }
            if (properties.getProperty(key.name()) != null) {
                return "system property " + key.name();
            }
            return environment.containsKey(key.environmentName())
                    ? "environment variable " + key.environmentName()
                    : "default";
        }

        private String textOf(ConfigurationKey<?> key) {
            String text = given.get(key);
            if (text == null) {
                text = properties.getProperty(key.name());
            }
            if (text == null) {
                text = environment.get(key.environmentName());
            }
            return text == null ? key.defaultText() : text;
        }

        private void rejectUnknown() {
            for (String name : properties.stringPropertyNames()) {
                if (name.startsWith(PREFIX) && !name.startsWith(TEST_PREFIX)
                        && ConfigurationKeys.all().stream().noneMatch(key -> key.name().equals(name))) {
                    throw unknown("system property " + name);
                }
            }
            for (String name : environment.keySet()) {
                if (name.startsWith(ENVIRONMENT_PREFIX) && !LAUNCHER_VARIABLES.contains(name)
                        && ConfigurationKeys.all().stream().noneMatch(key -> key.environmentName().equals(name))) {
                    throw unknown("environment variable " + name);
                }
            }
        }

        private static IllegalArgumentException unknown(String what) {
            return new IllegalArgumentException(what + " is not a setting of Trellis; there are "
                    + ConfigurationKeys.all().stream().map(ConfigurationKey::name).toList());
        }
    }
}
