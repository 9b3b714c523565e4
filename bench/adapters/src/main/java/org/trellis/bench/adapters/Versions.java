package org.trellis.bench.adapters;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The versions of the libraries, as the build knew them. */
public final class Versions {
    private static final String RESOURCE = "versions.properties";

    private Versions() {}

    /**
     * Returns the version of a library.
     *
     * @param library its name in the resource
     * @return the version
     * @throws UncheckedIOException if the resource cannot be read
     */
    public static String of(String library) {
        Properties properties = new Properties();
        try (InputStream input = Versions.class.getResourceAsStream(RESOURCE)) {
            properties.load(input);
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE, e);
        }
        return properties.getProperty(library, "unknown");
    }
}
