package org.trellis.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Properties;
import org.trellis.bench.measure.Machine;

/**
 * What a result comes from.
 *
 * @param version  version of the library
 * @param revision revision of the sources, empty if it is not known
 * @param date     when the run started, to the second
 * @param command  the command line
 * @param machine  the computer and the JVM
 */
public record Provenance(String version, String revision, Instant date, String command, Machine machine) {
    /**
     * Describes this process.
     *
     * @param command the command line
     * @return where results of this process come from
     * @throws IllegalStateException if it is not known where the classes lie
     * @throws UncheckedIOException  if the version of the library or the machine's description cannot be read
     */
    public static Provenance of(String command) {
        return new Provenance(libraryVersion(), GitRevision.above(location()), Instant.now()
                .truncatedTo(ChronoUnit.SECONDS), command, Machine.here());
    }

    private static String libraryVersion() {
        Properties properties = new Properties();
        try (InputStream input = Provenance.class.getResourceAsStream("version.properties")) {
            properties.load(input);
        } catch (IOException e) {
            throw new UncheckedIOException("version.properties", e);
        }
        return properties.getProperty("version");
    }

    private static Path location() {
        try {
            return Path.of(Provenance.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the place of the program is not a path", e);
        }
    }
}
