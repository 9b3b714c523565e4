package org.trellis.mesh.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {
    @TempDir
    private Path folder;

    /** The list of files of all ranks used to force the log while the thread that writes it opened its files. */
    @Test
    void secondThreadIsRefused() throws Exception {
        Path file = folder.resolve("state.1.log");
        try (ExecutorService other = Executors.newSingleThreadExecutor(task -> new Thread(task, "second"));
                LogFile log = new LogFile(file, 0, true)) {
            log.append(new byte[0]);
            log.force();
            ExecutionException refused = assertThrows(ExecutionException.class, () -> other.submit(() -> {
                log.force();
                return null;
            }).get());
            assertInstanceOf(IllegalStateException.class, refused.getCause());
            assertTrue(refused.getCause().getMessage().contains("by thread second, expected "
                    + Thread.currentThread().getName() + " alone"), refused::getMessage);
            assertEquals(0, log.length());
        }
    }
}
