package org.trellis.distributed.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.powers.RingSmoother;
import org.trellis.memory.DenseVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.multigrid.SmootherSpec;
import org.trellis.solve.smooth.LanczosRadius;
import org.trellis.solve.smooth.SmootherOptions;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/**
 * A polynomial in D⁻¹A as a preconditioner on the owned elements of a rank: {@code chebyshev} with its options, which
 * are those of one rank. An application makes {@code degree − 1} products, and exchanges once if there are as many
 * rings. On the host or on a device, where it is queued.
 */
public final class RankPolynomial extends CheckedOperator implements Preconditioner, TunedRings {
    private static final int ROUNDINGS = 16;

    private final RankDevices place;
    private final HaloPlan plan;
    private final RankSmoother smoother;
    private final VisitTuner tuner;
    private final VectorSpace space;
    private final boolean symmetric;

    @SuppressWarnings("MustBeClosed") // closed with this
    private RankPolynomial(PartitionedMatrix matrix, int products, boolean symmetric,
            Function<HaloPlan, RankSmoother> making, RingChoice rings, RankDevices place) {
        this.place = place;
        this.symmetric = symmetric;
        this.space = place.space(matrix.precision(), matrix.ownedRows());
        this.plan = HaloPlan.of(matrix, rings.most(0, products), place.backend());
        try {
            this.smoother = making.apply(plan);
            this.tuner = new VisitTuner(plan, rings.contest(0, plan, products));
        } catch (RuntimeException | Error e) {
            plan.close();
            throw e;
        }
    }

    /**
     * Prepares a polynomial. Collective.
     *
     * @param matrix  a symmetric matrix with a positive diagonal
     * @param options of {@code chebyshev}: {@code kind}, {@code degree}, {@code ratio}, {@code lambda-max},
     *                {@code lambda-min}
     * @param rings   how many rings an application exchanges
     * @param backend this rank's, on the host or on a device; not closed with this. Ranks may differ
     * @return the preconditioner, which the caller closes
     * @throws IllegalArgumentException   if an option is unknown, the matrix is not symmetric, or a diagonal element is
     *                                    not positive; names the row
     * @throws UnsupportedKernelException if the backend is a device without messages between ranks
     */
    @MustBeClosed
    public static RankPolynomial chebyshev(PartitionedMatrix matrix, Map<String, String> options, RingChoice rings,
            Backend backend) {
        RankDevices place = RankDevices.of("polynomials over ranks as preconditioners", backend, matrix.communicator());
        SmootherSpec spec = new SmootherSpec("chebyshev", complete(matrix, options));
        return new RankPolynomial(matrix, Math.max(1, RankSmoother.degree(spec) - 1), true,
                plan -> RankSmoother.of(spec, plan), rings, place);
    }

    /**
     * Prepares {@code polynomial}, the truncated Neumann series of ωD⁻¹A. Collective.
     *
     * @param matrix  a matrix without zeros on its diagonal
     * @param options {@code degree} (2) and {@code omega} (1)
     * @param rings   how many rings an application exchanges
     * @param backend this rank's, on the host or on a device; not closed with this. Ranks may differ
     * @return the preconditioner, which the caller closes
     * @throws IllegalArgumentException   if an option is unknown or out of range, or a diagonal element has no inverse;
     *                                    names the row
     * @throws UnsupportedKernelException if the backend is a device without messages between ranks
     */
    @MustBeClosed
    public static RankPolynomial neumann(PartitionedMatrix matrix, Map<String, String> options, RingChoice rings,
            Backend backend) {
        int degree = neumannDegree(options);
        double omega = neumannOptions(options).omega(1);
        RankDevices place = RankDevices.of("polynomials over ranks as preconditioners", backend, matrix.communicator());
        return new RankPolynomial(matrix, Math.max(1, degree), isSymmetric(matrix),
                plan -> new RankSmoother(RingSmoother.jacobi(plan, omega), degree + 1,
                        "polynomial, degree=" + degree + ", omega=" + omega),
                rings, place);
    }

    /**
     * Reads the degree of {@code polynomial}, and refuses what it has not over ranks.
     *
     * @param options names and values
     * @return the degree
     * @throws IllegalArgumentException if an option is unknown or out of range
     */
    public static int neumannDegree(Map<String, String> options) {
        SmootherOptions read = neumannOptions(options);
        read.omega(1);
        return read.neumannDegree();
    }

    private static SmootherOptions neumannOptions(Map<String, String> options) {
        return new SmootherOptions("polynomial", options, List.of("degree", "omega"));
    }

    /** Checks the matrix and estimates what is missing. Collective. */
    static Map<String, String> complete(PartitionedMatrix matrix, Map<String, String> options) {
        RankSmoother.refuse(new SmootherSpec("chebyshev", options));
        requireSymmetric(matrix);
        double certain = certainBound(matrix);
        if (options.containsKey("lambda-max")) {
            return options;
        }
        Map<String, String> complete = new HashMap<>(options);
        complete.put("lambda-max", Double.toString(Math.min(certain, LanczosRadius.MARGIN * radius(matrix))));
        return complete;
    }

    private static boolean isSymmetric(PartitionedMatrix matrix) {
        RowBlock rows = matrix.rows();
        RowBlock transposed = Rows.transpose(matrix.communicator(), rows, matrix.directory(), rows.indices());
        double tolerance = ROUNDINGS * matrix.precision().unitRoundoff();
        return matrix.communicator().sum(Rows.equal(rows, transposed, tolerance) ? 0 : 1) == 0;
    }

    private static void requireSymmetric(PartitionedMatrix matrix) {
        if (!isSymmetric(matrix)) {
            throw new IllegalArgumentException("preconditioner chebyshev of " + matrix
                    + ", entries of which differ from their mirror images, expected a symmetric matrix");
        }
    }

    /** Returns the largest sum of absolute values of a row over its diagonal element. */
    private static double certainBound(PartitionedMatrix matrix) {
        RowBlock rows = matrix.rows();
        double[] largest = {0};
        for (int row = 0; row < rows.rows(); row++) {
            double diagonal = 0;
            double sum = 0;
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                double value = rows.values().get(k);
                sum += Math.abs(value);
                diagonal = rows.columns()[k] == rows.indices()[row] ? value : diagonal;
            }
            if (!(diagonal > 0)) {
                throw new IllegalArgumentException("preconditioner chebyshev: diagonal element of row "
                        + rows.indices()[row] + " is " + diagonal + ", expected a positive diagonal");
            }
            largest[0] = Math.max(largest[0], sum / diagonal);
        }
        matrix.communicator().allReduce(Reduction.MAX, largest);
        return largest[0];
    }

    private static double radius(PartitionedMatrix matrix) {
        Communicator parent = matrix.communicator();
        try (Communicator communicator = parent.split(0, parent.rank())) {
            LocalMatrix local = LocalMatrix.of(matrix, communicator, 0);
            return RankRadius.of(local, communicator, matrix.globalRows(), RankCoarsening.inverseDiagonal(local),
                    true);
        }
    }

    /**
     * Counts the exchanges so far.
     *
     * @return at least 0
     */
    public long exchanges() {
        return plan.exchanges();
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        RingVector b = smoother.smoother().rightHandSide();
        elements().update(1, null, x, 0, b.within(0));
        b.changed();
        long began = tuner.now();
        smoother.smoother().smoothFromZero(smoother.degree());
        tuner.spent(began);
        tuner.endVisit(true);
        elements().update(alpha, null, smoother.smoother().solution().within(0), beta, y);
    }

    @Override
    public List<LevelRings> settleRings() {
        return List.of(tuner.settle(0));
    }

    @Override
    public VectorSpace domain() {
        return space;
    }

    @Override
    public VectorSpace range() {
        return space;
    }

    @Override
    protected ElementKernels elements() {
        return place.elements();
    }

    /** Returns whether the matrix is symmetric, as for {@code chebyshev} it has to be. */
    @Override
    public boolean symmetric() {
        return symmetric;
    }

    @Override
    protected void release() {
        plan.close();
    }

    @Override
    public String toString() {
        return smoother.description() + ", " + plan.activeRings() + " rings, of " + plan.matrix().globalRows()
                + " rows over " + plan.communicator().size() + " ranks";
    }
}
