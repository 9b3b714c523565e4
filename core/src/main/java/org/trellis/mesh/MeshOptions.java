package org.trellis.mesh;

import java.util.Objects;
import java.util.Optional;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopScheme;

/**
 * What a mesh does unless a dat or a loop says otherwise.
 *
 * @param layout      the layout of new dats
 * @param scheme      the scheme of loops that add through maps; empty for what the backend's rule proposes
 * @param blockSize   the block size of loops; empty for what the backend's rule proposes
 * @param fission     whether loops whose kernels allow it are split
 * @param checkPlans  whether each new plan is checked, which costs about as much as making it
 * @param tuner       what tunes loops within their runs; asked only where {@code scheme}, {@code blockSize} and
 *                    {@code fission} leave the choice to the backend's rule
 * @param chains      whether loops are noted and run when a value is needed, and in which tiles chains of them run
 * @param checkpoints what saves the state of the mesh and brings it back
 */
public record MeshOptions(Layout layout, Optional<LoopScheme> scheme, Optional<Integer> blockSize, boolean fission,
        boolean checkPlans, Optional<LoopTuner> tuner, ChainOptions chains, Optional<MeshCheckpoints> checkpoints) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the block size is negative, or there are checkpoints and a tuner
     */
    public MeshOptions {
        Objects.requireNonNull(layout);
        Objects.requireNonNull(scheme);
        Objects.requireNonNull(tuner);
        Objects.requireNonNull(chains);
        Objects.requireNonNull(checkpoints);
        if (tuner.isPresent() && checkpoints.isPresent()) {
            throw new IllegalArgumentException("a mesh was given a tuner of loops and checkpoints, expected one of the "
                    + "two: a run that is tuned again gives other bits");
        }
        blockSize.ifPresent(size -> Checks.notNegative("blockSize", size));
    }

    /**
     * Creates options without a tuner and checkpoints, whose loops run at once.
     *
     * @param layout     the layout of new dats
     * @param scheme     the scheme of loops that add through maps; empty for what the backend's rule proposes
     * @param blockSize  the block size of loops; empty for what the backend's rule proposes
     * @param fission    whether loops whose kernels allow it are split
     * @param checkPlans whether each new plan is checked
     */
    public MeshOptions(Layout layout, Optional<LoopScheme> scheme, Optional<Integer> blockSize, boolean fission,
            boolean checkPlans) {
        this(layout, scheme, blockSize, fission, checkPlans, Optional.empty(), ChainOptions.EAGER, Optional.empty());
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
        return new MeshOptions(value, scheme, blockSize, fission, checkPlans, tuner, chains, checkpoints);
    }

    /**
     * Returns these options with another {@link #scheme}.
     *
     * @param value the new value
     * @return new options
     */
    public MeshOptions withScheme(LoopScheme value) {
        return new MeshOptions(layout, Optional.of(value), blockSize, fission, checkPlans, tuner, chains, checkpoints);
    }

    /**
     * Returns these options with another {@link #blockSize}.
     *
     * @param value the new value; 0 for the blocks of {@link MeshSet#blocks}, where the set has some when a loop is
     *              declared
     * @return new options
     */
    public MeshOptions withBlockSize(int value) {
        return new MeshOptions(layout, scheme, Optional.of(value), fission, checkPlans, tuner, chains, checkpoints);
    }

    /**
     * Returns these options with or without {@link #fission}.
     *
     * @param value the new value
     * @return new options
     */
    public MeshOptions withFission(boolean value) {
        return new MeshOptions(layout, scheme, blockSize, value, checkPlans, tuner, chains, checkpoints);
    }

    /**
     * Returns these options with or without {@link #checkPlans}.
     *
     * @param value the new value
     * @return new options
     */
    public MeshOptions withCheckPlans(boolean value) {
        return new MeshOptions(layout, scheme, blockSize, fission, value, tuner, chains, checkpoints);
    }

    /**
     * Returns these options with something that tunes loops.
     *
     * @param value the new {@link #tuner}
     * @return new options
     */
    public MeshOptions withTuner(LoopTuner value) {
        return new MeshOptions(layout, scheme, blockSize, fission, checkPlans, Optional.of(value), chains, checkpoints);
    }

    /**
     * Returns these options with other {@link #chains}.
     *
     * @param value the new value
     * @return new options
     */
    public MeshOptions withChains(ChainOptions value) {
        return new MeshOptions(layout, scheme, blockSize, fission, checkPlans, tuner, value, checkpoints);
    }

    /**
     * Returns these options with loops that are noted when they are asked for, and run when the program needs a value
     * of what they touch, or when many have been noted.
     *
     * @return new options
     */
    public MeshOptions lazy() {
        return withChains(chains.withLazy(true));
    }

    /**
     * Returns these options with loops that follow each other, noted or declared as a sequence, running as one where
     * they can.
     *
     * @param value whether they do
     * @return new options
     */
    public MeshOptions fusion(Fusion value) {
        return withChains(chains.withFusion(value));
    }

    /**
     * Returns these options with something that saves the state of the mesh.
     *
     * @param value the new {@link #checkpoints}
     * @return new options
     */
    public MeshOptions withCheckpoints(MeshCheckpoints value) {
        return new MeshOptions(layout, scheme, blockSize, fission, checkPlans, tuner, chains, Optional.of(value));
    }

    /**
     * Returns these options without {@link #checkpoints}, as for a mesh that is a part of another.
     *
     * @return new options
     */
    public MeshOptions withoutCheckpoints() {
        return new MeshOptions(layout, scheme, blockSize, fission, checkPlans, tuner, chains, Optional.empty());
    }

    /** Returns the tuner unless the options say themselves how loops are run. */
    Optional<LoopTuner> tunerOfLoops() {
        return scheme.isEmpty() && blockSize.isEmpty() && !fission ? tuner : Optional.empty();
    }
}
