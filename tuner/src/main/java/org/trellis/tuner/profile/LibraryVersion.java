package org.trellis.tuner.profile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version that the build wrote beside this class. */
final class LibraryVersion {
    private static final String TEXT = load();

    private LibraryVersion() {}

    static String text() {
        return TEXT;
    }

    private static String load() {
        Properties properties = new Properties();
        try (InputStream input = LibraryVersion.class.getResourceAsStream("version.properties")) {
            properties.load(input);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }
}
