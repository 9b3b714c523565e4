package org.trellis.common;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Keeps the reference page of the settings equal to the settings. With {@code -Dtrellis.test.update=true} the page is
 * written anew instead.
 */
final class ConfigurationReferenceTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "configuration.md");

    private static String page() {
        StringBuilder text = new StringBuilder(
                """
                        # Settings

                        A setting comes from the first of: the program (`Configuration.builder()`), a system property
                        (`-Dtrellis.threads=2`), an environment variable (`TRELLIS_THREADS=2`), the default. A \
                        property or variable
                        that starts like a setting and is none is an error, so that a misspelt name is noticed.
                        `./trellis config` prints what holds and where each value comes from.

                        | property | variable | default | meaning |
                        | --- | --- | --- | --- |
                        """);
        for (ConfigurationKey<?> key : ConfigurationKeys.all()) {
            text.append("| `").append(key.name()).append("` | `").append(key.environmentName()).append("` | ")
                    .append(key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`").append(" | ")
                    .append(key.description()).append(" |\n");
        }
        return text
                .append("""

                        Two more variables belong to the launcher and are read before Java starts: `TRELLIS_JAVA` \
                        (the `java` to
                        use) and `TRELLIS_OPTS` (more JVM options).

                        This page is checked by `ConfigurationReferenceTest`; `mvn -pl core test \
                        -Dtest=ConfigurationReferenceTest
                        -Dtrellis.test.update=true` writes it anew.
                        """)
                .toString();
    }

    @Test
    void pageSaysWhatTheCodeSays() throws IOException {
        if (Boolean.getBoolean("trellis.test.update")) {
            Files.writeString(PAGE, page(), StandardCharsets.UTF_8);
        }
        assertEquals(page(), Files.readString(PAGE, StandardCharsets.UTF_8));
    }
}
