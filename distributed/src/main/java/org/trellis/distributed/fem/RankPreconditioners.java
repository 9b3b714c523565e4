package org.trellis.distributed.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.distributed.multigrid.RankMultigrid;
import org.trellis.distributed.multigrid.RankMultigridOptions;
import org.trellis.distributed.multigrid.RankSpace;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.distributed.solve.RankDiagonal;
import org.trellis.fem.FormPreconditioners;
import org.trellis.memory.HostVector;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.ElementKernels;

/**
 * The preconditioners of a system over ranks: those that do not depend on the number of ranks but for rounding. So
 * sweeps that go through rows in an order, such as SSOR, and factors are not among them.
 */
final class RankPreconditioners {
    private static final List<String> NAMES = List.of("none", "jacobi", "block-jacobi", "chebyshev", "amg");

    private final RankSystem system;
    private final RankBackend backend;

    RankPreconditioners(RankSystem system, RankBackend backend) {
        this.system = system;
        this.backend = backend;
    }

    /** Makes the preconditioner of a name. */
    @SuppressWarnings("MustBeClosed") // the caller closes it
    Optional<Preconditioner> of(String name) {
        return switch (name) {
            case "none" -> Optional.empty();
            case "jacobi" -> Optional.of(new RankDiagonal(system.others(),
                    backend.kernels(ElementKernels.class),
                    FormPreconditioners.jacobi(system.operator(), backend.own())));
            case "block-jacobi" -> Optional.of(blocks());
            case "chebyshev" -> Optional.of(chebyshev(Map.of()));
            case "amg" -> Optional.of(multigrid());
            default -> throw new IllegalArgumentException("preconditioner " + name
                    + " of finite elements over ranks, expected one of " + String.join(", ", NAMES)
                    + ", which are the same on any number of ranks");
        };
    }

    /** A polynomial whose bound is one rank's, to rounding: all ranks do Lanczos' steps with the whole vector. */
    Smoother chebyshev(Map<String, String> options) {
        HostVector diagonal = system.operator().diagonal().orElseThrow();
        int[] numbers = system.numbers();
        double[] roots = new double[numbers.length];
        Arrays.setAll(roots, k -> 1 / Math.sqrt(diagonal.get(k)));
        HostVector in = HostVector.zeros(diagonal.precision(), numbers.length);
        HostVector out = HostVector.zeros(diagonal.precision(), numbers.length);
        double largest = FormPreconditioners.largestEigenvalue(x -> {
            for (int k = 0; k < numbers.length; k++) {
                in.set(k, roots[k] * x[numbers[k]]);
            }
            system.operator().apply(in, out);
            for (int k = 0; k < numbers.length; k++) {
                out.set(k, roots[k] * out.get(k));
            }
            return system.all(out);
        }, system.unknowns());
        Map<String, String> all = new HashMap<>(options);
        all.put("lambda-max", Double.toString(largest));
        return FormPreconditioners.chebyshev(system.operator(), all, backend.own());
    }

    private PartitionedMatrix matrix(String name) {
        return system.matrix().orElseThrow(() -> new IllegalArgumentException("preconditioner " + name
                + " of a form without a matrix over ranks, expected storage csr or csr-search, or none, jacobi or "
                + "chebyshev"));
    }

    /** Inverts the blocks of nodes, each of which one rank has. */
    private Preconditioner blocks() {
        return FormPreconditioners.blockJacobi(system.diagonalBlocks(), system.blockSizes(), null, Map.of(),
                backend.own());
    }

    @MustBeClosed
    RankMultigrid multigrid() {
        PartitionedMatrix matrix = matrix("amg");
        Optional<NearNullSpace> whole = system.nearNullSpace();
        int[] numbers = system.numbers();
        RankSpace space = whole.map(all -> {
            double[][] vectors = new double[all.count()][numbers.length];
            for (int v = 0; v < vectors.length; v++) {
                int vector = v;
                Arrays.setAll(vectors[v], k -> rounded(all.get(vector, numbers[k]), matrix.precision()));
            }
            return RankSpace.given(matrix, all.blockSize(), vectors);
        }).orElse(null);
        return RankMultigrid.of(matrix, space, RankMultigridOptions.parse(Map.of(), RingChoice.of(1)), backend.own());
    }

    private static double rounded(double value, Precision precision) {
        return precision == Precision.F64 ? value : (float) value;
    }
}
