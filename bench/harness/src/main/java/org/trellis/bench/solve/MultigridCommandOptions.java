package org.trellis.bench.solve;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.market.DenseArray;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.solve.multigrid.NearNullSpace;
import picocli.CommandLine.Option;

/** What the command line says about multigrid. */
public final class MultigridCommandOptions {
    private static final String CONSTANTS = "constants";
    private static final String RIGID_BODY = "rigid-body";

    @Option(names = "--coarsening", paramLabel = "C",
            description = "Multigrid: how levels are made, smoothed-aggregation, aggregation, classical, or air "
                    + "(reduction, for convection). Default: smoothed-aggregation.")
    private String coarsening;

    @Option(names = "--smoother", paramLabel = "P",
            description = "Multigrid: the smoother, a preconditioner with options after commas. Default: "
                    + "chebyshev,kind=4,degree=2; fc-jacobi for air.")
    private String smoother;

    @Option(names = "--cycle", paramLabel = "v|w|f|k",
            description = "Multigrid: the cycle. Default: v, but w from the third level on for large systems of which "
                    + "all couplings count; k for aggregation.")
    private String cycle;

    @Option(names = "--near-null-space", paramLabel = "N", description = {
        "Multigrid: what coarse levels represent exactly: constants, rigid-body (with --coordinates), or a file with a "
                + "vector in each column, as a Matrix Market array. Default: constants."})
    private String nearNullSpace;

    @Option(names = "--coordinates", paramLabel = "FILE",
            description = "The nodes' x and y, or x, y and z, in columns, as a Matrix Market array.")
    private Path coordinates;

    /** Creates options as if the command line had none of them. */
    public MultigridCommandOptions() {}

    /** Returns the options that are the preconditioner's, by the names that it has for them. */
    Map<String, String> named() {
        Map<String, String> given = new LinkedHashMap<>();
        put(given, "coarsening", coarsening);
        put(given, "smoother", smoother);
        put(given, "cycle", cycle);
        return given;
    }

    private static void put(Map<String, String> given, String name, String value) {
        if (value != null) {
            given.put(name, value);
        }
    }

    /** Returns the first option that was given, or null. */
    String first() {
        return named().keySet().stream().findFirst().or(() -> Optional.ofNullable(nearNullSpace)
                .map(any -> "near-null-space")).map(name -> "--" + name).orElse(null);
    }

    /** Returns the first option that only a stack with this preconditioner could take, or null. */
    String firstOfPreconditioner() {
        return named().keySet().stream().findFirst().map(name -> "--" + name).orElse(null);
    }

    /**
     * Checks what does not go together.
     *
     * @throws IllegalArgumentException if coordinates and rigid body modes are not given together
     */
    void check() {
        boolean rigid = RIGID_BODY.equals(nearNullSpace);
        if (rigid && coordinates == null) {
            throw new IllegalArgumentException("--near-null-space rigid-body without --coordinates, expected the file "
                    + "of the nodes' coordinates that rotations are made of");
        }
        if (coordinates != null && !rigid) {
            throw new IllegalArgumentException("--coordinates " + (nearNullSpace == null
                    ? "without --near-null-space"
                    : "with --near-null-space " + nearNullSpace) + ", expected --near-null-space rigid-body, which is "
                    + "made of them");
        }
    }

    /**
     * Reads the near null space.
     *
     * @param rows      of the matrix
     * @param blockSize unknowns of a node, if that is said
     * @return the near null space; empty for constants
     * @throws IOException              if a file cannot be read
     * @throws IllegalArgumentException if a file has another size; names it
     */
    Optional<NearNullSpace> read(int rows, Optional<String> blockSize) throws IOException {
        if (nearNullSpace == null || nearNullSpace.equals(CONSTANTS)) {
            return Optional.empty();
        }
        if (nearNullSpace.equals(RIGID_BODY)) {
            return Optional.of(rigidBody(rows));
        }
        Path file = Path.of(nearNullSpace);
        DenseArray array = MatrixMarket.readDense(file, ReadOptions.DEFAULT);
        if (array.rows() != rows) {
            throw new IllegalArgumentException(file + ": near null space of " + array.rows() + " rows and "
                    + array.columns() + " columns, expected as many rows as the matrix, " + rows);
        }
        double[][] vectors = new double[array.columns()][];
        for (int v = 0; v < vectors.length; v++) {
            vectors[v] = array.column(v);
        }
        return Optional.of(NearNullSpace.given(blockSize.map(MultigridCommandOptions::whole).orElse(1), vectors));
    }

    private static int whole(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("multigrid: block-size is '" + text + "', expected a whole number", e);
        }
    }

    private NearNullSpace rigidBody(int rows) throws IOException {
        DenseArray array = MatrixMarket.readDense(coordinates, ReadOptions.DEFAULT);
        int dimensions = array.columns();
        if (dimensions != 2 && dimensions != 3) {
            throw new IllegalArgumentException(coordinates + ": " + array.rows() + " rows and " + dimensions
                    + " columns, expected 2 columns (x, y) or 3 (x, y, z)");
        }
        if ((long) array.rows() * dimensions != rows) {
            throw new IllegalArgumentException(coordinates + ": coordinates of " + array.rows() + " nodes in "
                    + dimensions + " dimensions for a matrix of " + rows + " rows, expected " + dimensions
                    + " unknowns a node, one after the other"
                    + (rows % dimensions == 0 ? ", so " + rows / dimensions + " nodes" : ""));
        }
        double[] interleaved = new double[rows];
        for (int i = 0; i < rows; i++) {
            interleaved[i] = array.get(i / dimensions, i % dimensions);
        }
        return NearNullSpace.rigidBody(interleaved, dimensions);
    }

    /**
     * Adds the options to those of a preconditioner.
     *
     * @param preconditioner the preconditioner
     * @param options        its options, which get more
     * @throws IllegalArgumentException if one is given in both forms
     */
    void addTo(String preconditioner, Map<String, String> options) {
        if (!preconditioner.equals(NamedPreconditioners.AMG)) {
            return;
        }
        named().forEach(options::put);
    }

    /**
     * Checks that options are not given in both forms.
     *
     * @param options what --preconditioner-option says
     * @throws IllegalArgumentException if one is given twice; names it
     */
    void checkTwice(Map<String, String> options) {
        named().forEach((name, value) -> {
            if (options.containsKey(name)) {
                throw new IllegalArgumentException("--" + name + " " + value + " with --preconditioner-option " + name
                        + "=" + options.get(name) + ", expected one of them");
            }
        });
    }
}
