package org.trellis.distributed.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Map;
import java.util.stream.IntStream;
import org.trellis.backend.Backend;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.halo.HaloExchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.distributed.halo.ReverseExchange;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.VectorSpace;
import org.trellis.mesh.HaloKernels;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.krylov.LuPreconditioner;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.SchwarzOptions;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.PreparedRows;

/**
 * A Schwarz method whose subdomains are the ranks: rank i solves with {@code Aᵢ = Rᵢ A Rᵢᵀ}, where {@code Rᵢ} takes the
 * rows S₍ₖ₎ of its {@link HaloPlan}, those that it owns and k rings. The additive variant is {@code M⁻¹ = Σ Rᵢᵀ Aᵢ⁻¹
 * Rᵢ} (M. Dryja, O. Widlund, Courant Institute report 339, 1987), which is symmetric if the local solvers are; the
 * restricted one {@code Σ R̃ᵢᵀ Aᵢ⁻¹ Rᵢ}, where {@code R̃ᵢ} takes owned rows only (X.-C. Cai, M. Sarkis, SIAM J. Sci.
 * Comput. 21, 1999). Local problems are in the order of global indices.
 *
 * <p>An application exchanges k rings of the residual once; the additive variant besides brings what overlaps have back
 * to the owners, one message each. With k = 0, which is block Jacobi, no message is sent. On a device vectors, messages
 * and incomplete factors are there; a direct factorisation is the host's, to and from which vectors are copied.
 */
public final class RankSchwarz extends CheckedOperator implements Preconditioner {
    private final SchwarzOptions options;
    private final LocalSolver solver;
    private final HaloPlan plan;
    private final ElementKernels elements;
    private final VectorSpace space;
    /** The local element of each row of the local problem. */
    private final int[] order;
    private final RingVector residual;
    private final RingVector result;
    private final DenseVector ownedResult;
    private final Ordering ordering;
    private final DenseVector localResidual;
    private final DenseVector localResult;
    /** Null on a rank without rows. */
    private final Preconditioner local;
    /** Null where nothing comes back. */
    private final ReverseExchange reverse;
    private final boolean symmetric;

    /** Prepares the solver of a local problem. */
    private interface LocalSolver {
        Preconditioner prepare(CsrMatrix matrix, Backend backend);
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private RankSchwarz(HaloPlan plan, SchwarzOptions options, LocalSolver solver, RankBackend backend) {
        PartitionedMatrix matrix = plan.matrix();
        this.options = options;
        this.solver = solver;
        this.plan = plan;
        this.elements = backend.elements();
        this.space = VectorSpace.of(matrix.ownedRows(), matrix.precision(), backend.device().space());
        int rows = plan.rowsWithin(options.overlap());
        this.order = IntStream.range(0, rows).boxed()
                .sorted((a, b) -> Long.compare(plan.globalIndex(a), plan.globalIndex(b)))
                .mapToInt(Integer::intValue).toArray();
        this.residual = plan.vector();
        this.result = plan.vector();
        this.ownedResult = result.within(0);
        this.ordering = plan.isOnDevice() ? new DeviceOrder(plan, order) : new HostOrder(order);
        this.localResidual = plan.isOnDevice() ? plan.deviceVector(rows) : HostVector.zeros(matrix.precision(), rows);
        this.localResult = plan.isOnDevice() ? plan.deviceVector(rows) : HostVector.zeros(matrix.precision(), rows);
        this.local = CollectiveFailure.onAll(matrix.communicator(), () -> rows == 0 ? null : localSolver(backend),
                Preconditioner::close);
        this.reverse = options.overlap() == 0 || options.restricted()
                ? null
                : new ReverseExchange(plan, options.overlap());
        boolean broken = options.cutsSymmetry() || (local != null && !local.symmetric());
        this.symmetric = matrix.communicator().sum(broken ? 1 : 0) == 0;
        plan.useRings(Math.max(1, options.overlap()));
    }

    /**
     * Prepares the method: fetches the rows of the overlap, and factorises. Collective.
     *
     * @param matrix  the matrix
     * @param options {@code overlap}, {@code local} and {@code variant}, see {@link SchwarzOptions}
     * @param backend this rank's, on the host or on a device; not closed with this. Ranks may differ
     * @return the preconditioner, which the caller closes
     * @throws IllegalArgumentException   if an option is unknown, or local problems are not symmetric and {@code local}
     *                                    is {@code ic0}; names the rank
     * @throws FactorisationException     if a local problem has no factorisation; names rank and global row
     * @throws UnsupportedKernelException if the backend is a device without messages between ranks
     */
    @MustBeClosed
    public static RankSchwarz of(PartitionedMatrix matrix, Map<String, String> options, RankBackend backend) {
        SchwarzOptions parsed = SchwarzOptions.parse(options);
        return of(matrix, parsed, parsed::solver, backend);
    }

    /**
     * Prepares block Jacobi with ranks as blocks: each takes a preconditioner of its own rows and columns. No messages.
     * Collective.
     *
     * @param matrix  the matrix
     * @param name    a name of {@link Preconditioners}, the same on all ranks
     * @param options its options
     * @param backend this rank's; not closed with this. Ranks may differ
     * @return the preconditioner, which the caller closes
     * @throws IllegalArgumentException   if a name or option is unknown, or a rank's part is of no use for it; names
     *                                    the rank
     * @throws FactorisationException     if a rank's part has no factorisation; names rank and global row
     * @throws UnsupportedKernelException if the backend is a device without messages between ranks
     */
    @MustBeClosed
    public static RankSchwarz ofRanks(PartitionedMatrix matrix, String name, Map<String, String> options,
            RankBackend backend) {
        return of(matrix, new SchwarzOptions(0, name, true),
                (own, device) -> Preconditioners.of(name, own, device, options).orElseThrow(), backend);
    }

    /**
     * Prepares block Jacobi with ranks as blocks, each factorised within limits. Collective.
     *
     * @param matrix  the matrix
     * @param backend this rank's; not closed with this
     * @param limits  what each factorisation may take
     * @return the preconditioner, which the caller closes
     * @throws FactorisationException if a rank's part has no factorisation within the limits
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the preconditioner
    static RankSchwarz factorised(PartitionedMatrix matrix, RankBackend backend, FactorLimits limits) {
        return of(matrix, new SchwarzOptions(0, "direct", true),
                (own, device) -> new LuPreconditioner(own, device, limits), backend);
    }

    @MustBeClosed
    private static RankSchwarz of(PartitionedMatrix matrix, SchwarzOptions parsed, LocalSolver solver,
            RankBackend backend) {
        boolean onDevice = !backend.device().space().equals(MemorySpace.HOST);
        if (onDevice && backend.own().optionalKernels(HaloKernels.class).isEmpty()) {
            throw new UnsupportedKernelException("Schwarz methods over ranks", backend.name(),
                    "only ranks on the host and on devices with messages between ranks have them");
        }
        // One ring more than the overlap, since a plan has the rows of all rings but the last.
        HaloPlan plan = HaloPlan.of(matrix, parsed.overlap() + 1, backend.own());
        try {
            return new RankSchwarz(plan, parsed, solver, backend);
        } catch (RuntimeException | Error e) {
            plan.close();
            throw e;
        }
    }

    /** Brings elements into the order of the local problem, and back. */
    private interface Ordering {
        void take(RingVector from, DenseVector to);

        void put(DenseVector from, RingVector to);
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record HostOrder(int[] order) implements Ordering {
        @Override
        public void take(RingVector from, DenseVector to) {
            for (int i = 0; i < order.length; i++) {
                ((HostVector) to).set(i, from.values().get(order[i]));
            }
        }

        @Override
        public void put(DenseVector from, RingVector to) {
            for (int i = 0; i < order.length; i++) {
                to.values().set(order[i], ((HostVector) from).get(i));
            }
        }
    }

    /** Products with a permutation. */
    private static final class DeviceOrder implements Ordering {
        private final int count;
        private final PreparedRows taking;
        private final PreparedRows putting;

        DeviceOrder(HaloPlan plan, int[] order) {
            count = order.length;
            int[] back = new int[count];
            for (int i = 0; i < count; i++) {
                back[order[i]] = i;
            }
            taking = permutation(plan, order);
            putting = permutation(plan, back);
        }

        private static PreparedRows permutation(HaloPlan plan, int[] columns) {
            int[] offsets = IntStream.rangeClosed(0, columns.length).toArray();
            return plan.deviceRows(offsets, columns, HostVector.of(plan.precision(), columns.length, i -> 1), true);
        }

        @Override
        public void take(RingVector from, DenseVector to) {
            taking.combine(0, count, 1, from.elements(), 0, from.elements(), 0, to);
        }

        @Override
        public void put(DenseVector from, RingVector to) {
            putting.combine(0, count, 1, from, 0, from, 0, to.elements());
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private Preconditioner localSolver(RankBackend backend) {
        CsrMatrix matrix = localMatrix();
        String where = options + " on rank " + plan.communicator().rank() + ", whose local problem has "
                + matrix.rows() + " rows: ";
        try {
            return solver.prepare(matrix, backend.own());
        } catch (FactorisationException e) {
            FactorisationException named = new FactorisationException(where + e.getMessage() + "; row " + e.row()
                    + " of the local problem is row " + plan.globalIndex(order[e.row()]) + " of the matrix", e.row(),
                    e.pivot());
            named.initCause(e);
            throw named;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(where + e.getMessage(), e);
        }
    }

    /** Returns rows and columns of the owned rows and the overlap, by global index. */
    private CsrMatrix localMatrix() {
        int rows = order.length;
        int[] position = new int[rows];
        for (int i = 0; i < rows; i++) {
            position[order[i]] = i;
        }
        LocalRows all = plan.localRows();
        CsrBuilder builder = new CsrBuilder(rows, plan.precision(), all.offsets()[rows]);
        for (int row : order) {
            // Entries are in the order of global columns already.
            for (int k = all.offsets()[row]; k < all.offsets()[row + 1]; k++) {
                if (all.columns()[k] < rows) {
                    builder.add(position[all.columns()[k]], all.values().get(k));
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    /**
     * Counts the exchanges of residuals so far.
     *
     * @return one an application, none without overlap
     */
    public long exchanges() {
        return plan.exchanges();
    }

    /**
     * Counts how often solutions of overlaps were brought to their owners.
     *
     * @return one an application of the additive variant with overlap, else 0
     */
    public long reverseExchanges() {
        return reverse == null ? 0 : reverse.count();
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        elements.update(1, null, x, 0, residual.within(0));
        residual.changed();
        if (options.overlap() > 0) {
            HaloExchange exchange = plan.exchange(1).with(0, residual);
            exchange.start();
            exchange.finish();
        }
        if (local != null) {
            ordering.take(residual, localResidual);
            local.apply(1, localResidual, 0, localResult);
            ordering.put(localResult, result);
        }
        if (reverse != null) {
            reverse.add(result);
        }
        elements.update(alpha, null, ownedResult, beta, y);
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
        return elements;
    }

    @Override
    public boolean symmetric() {
        return symmetric;
    }

    @Override
    protected void release() {
        if (local != null) {
            local.close();
        }
        plan.close();
    }

    @Override
    public String toString() {
        return options + ", of " + plan.matrix().globalRows() + " rows over " + plan.communicator().size() + " ranks";
    }
}
