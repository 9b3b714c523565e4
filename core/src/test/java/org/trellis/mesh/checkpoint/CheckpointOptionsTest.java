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

    /** Chains that find out by trials how they run keep what they found in the checkpoint; loops that do, do not. */
    @Test
    void trialsOfLoopsAreRefused() {
        MeshOptions options = PLAIN.withCheckpoints(Checkpoints.to(Path.of("state")));
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> options.withTuner((loop, proposed) -> null));
        assertTrue(e.getMessage().contains("other bits"), e.getMessage());
        assertTrue(options.lazy().fusion(Fusion.TUNED).checkpoints().isPresent());
        assertTrue(options.withChains(ChainOptions.EAGER.withTiling(Tiling.SPARSE, 0)).checkpoints().isPresent());
    }

    @Test
    void checkpointsMayBeLeftOutAgain() {
        MeshOptions options = PLAIN.withCheckpoints(Checkpoints.to(Path.of("state"))).withoutCheckpoints();
        assertEquals(Optional.empty(), options.checkpoints());
        assertTrue(options.lazy().chains().lazy());
    }
}
