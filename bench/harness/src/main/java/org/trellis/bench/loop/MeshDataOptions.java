package org.trellis.bench.loop;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Objects;
import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.bench.option.BackendOptions;
import org.trellis.bench.option.PrecisionConverter;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.loop.Layout;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * The options that say where and on what data the loops of an application run: backend, threads, numbering, layout and
 * precision. One group for all applications; they differ in what holds where the user says nothing.
 */
public class MeshDataOptions {
    private final int usualBlockSize;

    @Mixin
    private BackendOptions backend;

    @Option(names = "--order", paramLabel = "O", defaultValue = "file",
            description = "How sets are numbered: ${COMPLETION-CANDIDATES}. Default: file.")
    private SetOrder order;

    @Option(names = "--shuffle", paramLabel = "SEED",
            description = "Shuffle every set of the mesh first, as a careless generator might.")
    private Long shuffle;

    @Option(names = "--layout", paramLabel = "aos|soa", description = "Default: the setting trellis.mesh.layout.")
    private String layout;

    @Option(names = "--precision", paramLabel = "f64|f32", converter = PrecisionConverter.class,
            description = "Default: the application's.")
    private Precision precision;

    /**
     * Creates options as if the command line had none of them.
     *
     * @param usualPrecision the precision of data unless the user says otherwise
     * @param usualBlockSize edges of a block of a partition unless the user says otherwise
     * @throws IllegalArgumentException if the size is below 1
     */
    public MeshDataOptions(Precision usualPrecision, int usualBlockSize) {
        this.precision = Objects.requireNonNull(usualPrecision);
        this.usualBlockSize = Checks.positive("usual block size", usualBlockSize);
    }

    /**
     * Opens the backend.
     *
     * @param spec the command, for complaints
     * @return the backend; the caller closes it
     * @throws picocli.CommandLine.ParameterException if it cannot be used here; says why
     */
    @MustBeClosed
    public Backend open(CommandSpec spec) {
        return backend.open(spec);
    }

    /**
     * Opens the backend of one of several ranks, which computes on its own thread unless set otherwise.
     *
     * @return the backend; the caller closes it
     * @throws org.trellis.common.BackendUnavailableException if it cannot be used here; says why
     */
    @MustBeClosed
    public Backend openForRank() {
        return backend.openForRank();
    }

    /**
     * Returns the threads that the user wants.
     *
     * @return their number, or null if only the settings say it
     */
    public Integer threads() {
        return backend.threads();
    }

    /**
     * Returns the options of the mesh: those of the settings, and over them those of the command line.
     *
     * @return the options, without a tuner
     * @throws IllegalArgumentException if a word is unknown or a number out of range
     */
    public MeshOptions meshOptions() {
        MeshOptions options = MeshOptions.of(backend.configuration());
        return layout == null ? options : options.withLayout(Layout.of(layout));
    }

    /**
     * Returns the size of the blocks of a partition.
     *
     * @return edges of a block
     */
    protected int partitionBlock() {
        return usualBlockSize;
    }

    /**
     * Numbers the sets of a mesh.
     *
     * @param mesh      the mesh
     * @param edgeCells the map through which loops over edges add to cells
     * @return the seconds that it took, without shuffling first
     */
    public double number(Mesh mesh, MeshMap edgeCells) {
        if (shuffle != null) {
            MeshOrder.shuffle(mesh, new SplittableRandom(shuffle));
        }
        return order.apply(edgeCells, partitionBlock());
    }

    /**
     * Returns how the sets are numbered.
     *
     * @return the order
     */
    public SetOrder order() {
        return order;
    }

    /**
     * Returns the precision of the data.
     *
     * @return the user's or the usual one
     */
    public Precision precision() {
        return precision;
    }
}
