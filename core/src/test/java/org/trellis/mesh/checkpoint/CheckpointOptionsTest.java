package org.trellis.mesh.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.trellis.common.Configuration;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Tiling;

/** What does not go together with checkpoints is refused when the options are made, not when a value is lost. */
class CheckpointOptionsTest {
    private static final MeshOptions PLAIN = MeshOptions.of(Configuration.load());

    @Test
    void trialsAreRefused() {
        Checkpoints checkpoints = Checkpoints.to(Path.of("state"));
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> PLAIN.withChains(ChainOptions.EAGER.withTiling(Tiling.SPARSE, 0)).withCheckpoints(checkpoints));
        assertTrue(e.getMessage().contains("expected a size of tiles"), e.getMessage());
        assertThrows(IllegalArgumentException.class,
                () -> PLAIN.withCheckpoints(checkpoints).lazy().fusion(Fusion.TUNED));
        assertTrue(PLAIN.withCheckpoints(checkpoints).lazy().fusion(Fusion.ON).checkpoints().isPresent());
    }

    @Test
    void checkpointsMayBeLeftOutAgain() {
        MeshOptions options = PLAIN.withCheckpoints(Checkpoints.to(Path.of("state"))).withoutCheckpoints();
        assertEquals(Optional.empty(), options.checkpoints());
        assertTrue(options.lazy().chains().lazy());
    }
}
