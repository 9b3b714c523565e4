package org.trellis.mesh;

import java.util.Objects;
import java.util.Optional;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;

/**
 * What a mesh does unless a dat or a loop says otherwise.
 *
 * @param layout     the layout of new dats
 * @param scheme     the scheme of loops that add through maps; empty for what the backend's rule proposes
 * @param blockSize  the block size of loops; empty for what the backend's rule proposes
 * @param fission    whether loops whose kernels allow it are split
 * @param checkPlans whether each new plan is checked, which costs about as much as making it
 */
public record MeshOptions(Layout layout, Optional<LoopScheme> scheme, Optional<Integer> blockSize, boolean fission,
        boolean checkPlans) {
    /** Checks the values. */
    public MeshOptions {
        Objects.requireNonNull(layout);
        Objects.requireNonNull(scheme);
        blockSize.ifPresent(size -> Checks.notNegative("blockSize", size));
    }

    /**
     * Returns the options of a configuration.
     *
     * @param configuration the settings
     * @return the options that its keys {@code trellis.mesh.*} set
     */
    public static MeshOptions of(Configuration configuration) {
        return new MeshOptions(Layout.of(configuration.get(ConfigurationKeys.MESH_LAYOUT)),
                Optional.of(configuration.get(ConfigurationKeys.MESH_SCHEME)).filter(label -> !label.equals("best"))
                        .map(LoopScheme::of),
                Optional.of(configuration.get(ConfigurationKeys.MESH_BLOCK_SIZE)).filter(size -> size > 0),
                configuration.get(ConfigurationKeys.MESH_FISSION),
                configuration.get(ConfigurationKeys.MESH_CHECK_PLANS));
    }

    /**
     * Returns these options with another {@link #layout}.
     *
     * @param value the new value
     * @return new options
     */
    public MeshOptions withLayout(Layout value) {
        return new MeshOptions(value, scheme, blockSize, fission, checkPlans);
    }

    /**
     * Returns these options with another {@link #scheme}.
     *
     * @param value the new value
     * @return new options
     */
    public MeshOptions withScheme(LoopScheme value) {
        return new MeshOptions(layout, Optional.of(value), blockSize, fission, checkPlans);
    }

    /**
     * Returns these options with another {@link #blockSize}.
     *
     * @param value the new value; 0 for the blocks of {@link MeshSet#partition}, where the set has some when a loop is
     *              declared
     * @return new options
     */
    public MeshOptions withBlockSize(int value) {
        return new MeshOptions(layout, scheme, Optional.of(value), fission, checkPlans);
    }

    /**
     * Returns these options with or without {@link #fission}.
     *
     * @param value the new value
     * @return new options
     */
    public MeshOptions withFission(boolean value) {
        return new MeshOptions(layout, scheme, blockSize, value, checkPlans);
    }

    /**
     * Returns these options with or without {@link #checkPlans}.
     *
     * @param value the new value
     * @return new options
     */
    public MeshOptions withCheckPlans(boolean value) {
        return new MeshOptions(layout, scheme, blockSize, fission, value);
    }
}
