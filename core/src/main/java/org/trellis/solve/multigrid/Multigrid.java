package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.memory.VectorSpace;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;

/**
 * Multigrid: a hierarchy of ever smaller systems, on each of which a smoother takes care of the errors that the smaller
 * ones cannot represent (W. Briggs, V. E. Henson, S. McCormick, A Multigrid Tutorial, 2000). As a preconditioner it is
 * one cycle from zero; as a smoother it improves an iterate by one cycle, which repeated is the method that stands
 * alone.
 *
 * <p>A cycle is written down once, as a sequence of products, sweeps and loops on a mesh of its own, so it runs on
 * every backend, and on a GPU as one graph. It allocates nothing. The coarsest level is a product with its inverse.
 *
 * <p>V- and W-cycles with as many sweeps down as up are symmetric if matrices and smoothers are, and restrictions are
 * transposed prolongations, as they are not where levels are made by reduction. K-cycles vary with what they are
 * applied to, and want a flexible method.
 */
public final class Multigrid extends CycleOperator {
    /** Rows below which a set-up on the host takes no longer than the launches of kernels. */
    private static final int LEAST_ROWS_OF_BACKENDS = 20_000;

    private final MultigridParts parts;
    private final KnownLevels known;
    private final String description;
    private Hierarchy hierarchy;
    private SetupTimes times;
    private List<String> remarks;

    private Multigrid(Hierarchy hierarchy, CycleOptions options, MultigridParts parts, KnownLevels known,
            String description, Precision precision) {
        super(options, parts.backend(),
                VectorSpace.of(hierarchy.level(0).stored().rows(), precision, parts.backend().device().space()));
        this.hierarchy = hierarchy;
        this.parts = parts;
        this.known = known;
        this.description = description;
        prepare();
    }

    /**
     * Brings a hierarchy to a backend.
     *
     * @param hierarchy the hierarchy
     * @param options   what a cycle does
     * @param parts     makes products and smoothers
     * @return the method, which the caller closes
     * @throws IllegalArgumentException if a smoother refuses the matrix of a level
     * @throws org.trellis.solve.direct.FactorisationException if a smoother finds a diagonal element without an inverse
     */
    public static Multigrid of(Hierarchy hierarchy, CycleOptions options, MultigridParts parts) {
        return new Multigrid(hierarchy, options, parts, new KnownLevels(), "given levels",
                hierarchy.level(0).stored().precision());
    }

    /**
     * Brings a hierarchy to a backend, with products by the backend's rule, and smoothers that take what the set-up
     * found out.
     *
     * @param hierarchy the hierarchy; one with the backend stays the caller's to close, after the method
     * @param smoother  the smoother of all levels
     * @param options   what a cycle does
     * @param backend   where it runs
     * @return the method, which the caller closes
     * @throws IllegalArgumentException if a smoother refuses the matrix of a level
     * @throws org.trellis.solve.direct.FactorisationException if a smoother finds a diagonal element without an inverse
     */
    public static Multigrid of(Hierarchy hierarchy, SmootherSpec smoother, CycleOptions options, Backend backend) {
        Hierarchy lent = hierarchy.from(0);
        KnownLevels known = new KnownLevels().take(lent);
        return new Multigrid(lent, options, MultigridParts.of(backend, smoother.on(backend, known)), known,
                "given levels", lent.level(0).stored().precision());
    }

    /**
     * Sets up algebraic multigrid by options as text, see {@link MultigridOptions}.
     *
     * @param matrix  a square matrix
     * @param space   its near null space, or null for constants
     * @param options names and values; an empty map for the defaults
     * @param backend where it runs
     * @return the method, which the caller closes
     * @throws IllegalArgumentException if an option or value is unknown, the matrix is not square or an element not
     *         finite, or the near null space has another length
     * @throws org.trellis.solve.direct.FactorisationException if a smoother finds a diagonal element without an inverse
     * @throws UnsupportedKernelException if the set-up is to be the backend's, which has none of that kind
     */
    public static Multigrid of(CsrMatrix matrix, NearNullSpace space, Map<String, String> options, Backend backend) {
        return of(matrix, space, MultigridOptions.parse(options), backend);
    }

    /**
     * Sets up algebraic multigrid.
     *
     * @param matrix  a square matrix
     * @param space   its near null space, or null for constants
     * @param options coarsening, smoother and cycle
     * @param backend where it runs
     * @return the method, which the caller closes
     * @throws IllegalArgumentException if the matrix is not square, an element not finite, or the near null space has
     *         another length
     * @throws org.trellis.solve.direct.FactorisationException if a smoother finds a diagonal element without an inverse
     * @throws UnsupportedKernelException if the set-up is to be the backend's, which has none of that kind
     */
    public static Multigrid of(CsrMatrix matrix, NearNullSpace space, MultigridOptions options, Backend backend) {
        return of(matrix, space, options, backend, new BackendProducts(backend));
    }

    /**
     * Sets up algebraic multigrid whose products are prepared elsewhere.
     *
     * @param matrix   a square matrix
     * @param space    its near null space, or null for constants
     * @param options  coarsening, smoother and cycle
     * @param backend  where it runs
     * @param products prepares the products of levels and transfers, as a tuner does
     * @return the method, which the caller closes
     * @throws IllegalArgumentException if the matrix is not square, an element not finite, or the near null space has
     *         another length
     * @throws org.trellis.solve.direct.FactorisationException if a smoother finds a diagonal element without an inverse
     * @throws UnsupportedKernelException if the set-up is to be the backend's, which has none of that kind
     */
    public static Multigrid of(CsrMatrix matrix, NearNullSpace space, MultigridOptions options, Backend backend,
            Function<CsrMatrix, SpmvOperator> products) {
        return set(matrix, space, options, backend, products);
    }

    /**
     * Sets up algebraic multigrid for a matrix that is with a backend already.
     *
     * @param matrix  a square matrix in the memory of the backend, which outlives the method
     * @param space   its near null space, or null for constants
     * @param options coarsening, smoother and cycle
     * @param backend where it runs
     * @return the method, which the caller closes
     * @throws IllegalArgumentException if the matrix is not square or another backend's, an element not finite, or the
     *         near null space has another length
     * @throws org.trellis.solve.direct.FactorisationException if a smoother finds a diagonal element without an inverse
     * @throws UnsupportedKernelException if the set-up is to be the backend's, which has none of that kind
     */
    public static Multigrid of(BackendMatrix matrix, NearNullSpace space, MultigridOptions options, Backend backend) {
        return set(matrix, space, options, backend, new BackendProducts(backend));
    }

    private static Multigrid set(SparseMatrix matrix, NearNullSpace given, MultigridOptions options, Backend backend,
            Function<CsrMatrix, SpmvOperator> products) {
        NearNullSpace space = space(matrix, given, options, backend);
        Hierarchy hierarchy = hierarchy(matrix, space, options, backend);
        String strength = hierarchy.strength().map(found -> ", strength " + found).orElse("");
        boolean split = options.coarsening().coarsening().splits();
        KnownLevels known = new KnownLevels().take(hierarchy);
        if (space != null) {
            known.nodes(space.blockSize(), split ? 1 : space.count());
        }
        try {
            return new Multigrid(hierarchy, options.cycle().on(hierarchy),
                    new MultigridParts(backend, products, options.smoother().on(backend, known)), known,
                    options.coarsening().coarsening().label()
                            + (split ? "" : strength),
                    matrix.precision());
        } catch (RuntimeException | Error e) {
            hierarchy.close();
            throw e;
        }
    }

    /** Returns a near null space with the vectors that are to be found; null for constants. */
    static NearNullSpace space(SparseMatrix matrix, NearNullSpace given, MultigridOptions options, Backend backend) {
        if (options.candidates() == 0) {
            return given;
        }
        NearNullSpace known = given == null ? NearNullSpace.unknown(matrix.rows(), 1) : given;
        return known.extended(matrix.toCsr(), options.candidates(), options, backend);
    }

    /**
     * Says that the hierarchy of a matrix will be set up, so that a backend can compile what that takes while the
     * matrix is still being prepared for products. Returns at once; a set-up that was not announced takes as long
     * longer as the first compilations take.
     *
     * @param matrix  the matrix
     * @param options how
     * @param backend where cycles run
     */
    public static void announce(SparseMatrix matrix, MultigridOptions options, Backend backend) {
        if (isOnBackend(matrix, options, backend)) {
            Precision precision = options.levels().orElse(matrix.precision());
            backend.optionalKernels(AggregationKernels.class).ifPresent(kernels -> kernels.expectSetup(precision));
        }
    }

    private static boolean isOnBackend(SparseMatrix matrix, MultigridOptions options, Backend backend) {
        return DeviceSetup.takes(backend, options.coarsening())
                && (options.setup() == SetupLocation.BACKEND || (options.setup() == SetupLocation.AUTOMATIC
                        && matrix.rows() >= LEAST_ROWS_OF_BACKENDS));
    }

    /** Sets a hierarchy up where the options say. */
    static Hierarchy hierarchy(SparseMatrix matrix, NearNullSpace space, MultigridOptions options,
            Backend backend) {
        if (options.setup() == SetupLocation.BACKEND && !DeviceSetup.takes(backend, options.coarsening())) {
            throw new UnsupportedKernelException(
                    "the set-up of multigrid by " + options.coarsening().coarsening().label(),
                    backend.name(), DeviceSetup.whyNot(options.coarsening()));
        }
        Precision precision = options.levels().orElse(matrix.precision());
        return isOnBackend(matrix, options, backend)
                ? Hierarchy.onBackend(matrix, space, options.coarsening(), backend, precision)
                : Hierarchy.of(matrix.toCsr().toPrecision(precision), space, options.coarsening());
    }

    private void prepare() {
        times = new SetupTimes();
        remarks = new ArrayList<>(hierarchy.remarks());
        take(new CycleLevels(List.of(), hierarchy, parts, options(), times, remarks));
    }

    /**
     * Takes other values of the same structure: aggregates and structures of all levels stay, and bound cycles go on.
     * Products and smoothers are prepared anew.
     *
     * @param matrix a matrix of the structure of the finest one
     * @throws IllegalArgumentException      if size, precision or number of entries differ
     * @throws UnsupportedOperationException if coarse matrices were given
     * @throws IllegalStateException         if this is closed
     */
    public void refresh(SparseMatrix matrix) {
        requireOpen("refresh");
        boolean converts = hierarchy.device().isPresent() || matrix.precision() == levels().precision();
        Hierarchy next = hierarchy.refreshed(converts ? matrix : matrix.toCsr().toPrecision(levels().precision()));
        drop();
        hierarchy.closeLevels();
        hierarchy = next;
        known.take(next);
        prepare();
        bindAgain();
    }

    /**
     * Returns the hierarchy.
     *
     * @return the levels on the host
     */
    public Hierarchy hierarchy() {
        return hierarchy;
    }

    /**
     * Reports what this consists of. Runs a few cycles, step by step, to time the levels.
     *
     * @return a report
     * @throws IllegalStateException if this is closed
     */
    public MultigridReport report() {
        requireOpen("report");
        double[] seconds = secondsOfLevels();
        List<MultigridReport.Level> all = new ArrayList<>();
        for (CycleLevel level : levels().levels()) {
            boolean last = level.isCoarsest();
            all.add(new MultigridReport.Level(level.matrix().rows(), level.matrix().nonZeros(), level.smootherInWords(),
                    level.productInWords(),
                    last ? "" : CycleLevel.inWords(level.prolongation()),
                    last ? "" : CycleLevel.inWords(level.restriction()), level.bytes(), seconds[level.index()]));
        }
        Map<SetupPhase, Double> phases = new EnumMap<>(SetupPhase.class);
        phases.putAll(hierarchy.setupSeconds());
        times.seconds().forEach((phase, time) -> phases.merge(phase, time, Double::sum));
        return new MultigridReport(description, options().toString(), all, visits(), phases, remarks);
    }

    /**
     * Returns whether a cycle is symmetric: one that goes down as it comes up, with smoothers and transfers that are.
     */
    @Override
    public boolean symmetric() {
        return levels().symmetric(options()) && hierarchy.symmetricTransfers();
    }

    @Override
    public String describe() {
        return "multigrid, " + description + ", cycle=" + options() + (precision() == levels().precision()
                ? ""
                : ", in " + levels().precision().label()) + ", levels=" + hierarchy.size();
    }

    @Override
    protected void release() {
        super.release();
        hierarchy.close();
    }

    @Override
    public String toString() {
        return describe() + " of " + hierarchy.level(0).stored();
    }
}
