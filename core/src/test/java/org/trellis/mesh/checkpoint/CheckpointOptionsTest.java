package org.trellis.mesh.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.trellis.common.Configuration;
import org.trellis.mesh.MeshOptions;

/** What does not go together with checkpoints is refused when the options are made, not when a value is lost. */
class CheckpointOptionsTest {
    private static final MeshOptions PLAIN = MeshOptions.of(Configuration.load());

    @Test
    void lazyLoopsAreRefused() {
        Checkpoints checkpoints = Checkpoints.to(Path.of("state"));
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> PLAIN.lazy().withCheckpoints(checkpoints));
        assertTrue(e.getMessage().contains("lazy loops, tiles or fusion and checkpoints, expected one of the two"),
                e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> PLAIN.withCheckpoints(checkpoints).lazy());
    }

    @Test
    void checkpointsMayBeLeftOutAgain() {
        MeshOptions options = PLAIN.withCheckpoints(Checkpoints.to(Path.of("state"))).withoutCheckpoints();
        assertEquals(Optional.empty(), options.checkpoints());
        assertTrue(options.lazy().chains().lazy());
    }
}
