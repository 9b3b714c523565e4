package org.trellis.bench.ranks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.trellis.bench.console.Console;

class LauncherErrorsTest {
    private final StringWriter err = new StringWriter();

    private LauncherErrors read(String said) throws InterruptedException {
        Console console = new Console(new PrintWriter(new StringWriter()), new PrintWriter(err, true), false);
        LauncherErrors errors =
                new LauncherErrors(new ByteArrayInputStream(said.getBytes(StandardCharsets.UTF_8)), console);
        errors.start();
        errors.join();
        return errors;
    }

    /** Open MPI 4 takes a dozen lines for it. */
    @Test
    void rootIsToldTheTwoVariables() throws InterruptedException {
        String rule = "-".repeat(74);
        LauncherErrors errors = read(rule + "\nmpirun has detected an attempt to run as root.\n\n"
                + "You can override this protection by adding the --allow-run-as-root option\n" + rule + "\n");
        assertTrue(errors.launcherSays().contains("OMPI_ALLOW_RUN_AS_ROOT and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"),
                errors.launcherSays());
        assertFalse(errors.haveComplained());
        assertEquals("", err.toString());
    }

    @Test
    void ranksAsThreadsAreLimited() {
        assertEquals(1024, RankJob.checkThreads(1024));
        for (int ranks : new int[]{0, -1, 1025, 100_000}) {
            assertEquals("number of ranks is " + ranks + ", expected 1 to 1024",
                    assertThrows(IllegalArgumentException.class, () -> RankJob.checkThreads(ranks)).getMessage());
        }
    }
}
