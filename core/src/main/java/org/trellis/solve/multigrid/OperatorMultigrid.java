package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseMatrix;

/**
 * Multigrid of operators that are given, with smoothers and transfers of one's own: a hierarchy of refined meshes whose
 * operators are loops, for which only the coarsest level needs a matrix. The cycles are those of {@link Multigrid}: as
 * a preconditioner one cycle from zero, as a smoother one that improves an iterate.
 *
 * <p>On a level, a cycle costs the sweeps, a residual, a restriction and a prolongation. It allocates nothing. The
 * coarsest system is solved directly: by its inverse, by factors, or by sweeps of SSOR where neither is possible; or by
 * what is given for it.
 */
public final class OperatorMultigrid extends CycleOperator {
    private final List<OperatorLevel> given;
    /** The levels below, or null where their solution is given. */
    private final Hierarchy below;
    private final List<String> remarks = new ArrayList<>();

    private OperatorMultigrid(List<OperatorLevel> given, Hierarchy below, MultigridParts parts,
            CycleOptions options) {
        super(options, parts.backend(), spaceOf(given, below.level(0).stored().rows(),
                below.level(0).stored().precision(), parts.backend()));
        this.given = List.copyOf(given);
        this.below = below;
        take(new CycleLevels(this.given, below, parts, options, new SetupTimes(), remarks));
    }

    private OperatorMultigrid(List<OperatorLevel> given, Smoother lowest, CycleOptions options, Backend backend) {
        super(options, backend, spaceOf(given, lowest.rows(), lowest.precision(), backend));
        this.given = List.copyOf(given);
        this.below = null;
        take(new CycleLevels(this.given, lowest, backend, options));
    }

    private static VectorSpace spaceOf(List<OperatorLevel> given, int rows, Precision precision, Backend backend) {
        return VectorSpace.of(given.isEmpty() ? rows : given.getFirst().operator().rows(), precision,
                backend.device().space());
    }

    /**
     * Prepares cycles.
     *
     * @param levels   all levels but the coarsest, finest first; none of them is closed with what is returned
     * @param coarsest the matrix of the coarsest level
     * @param options  what a cycle does
     * @param backend  where all of it runs
     * @return the method, which the caller closes before the levels
     * @throws IllegalArgumentException if sizes or precisions of neighbours do not fit, or the coarsest matrix is not
     *         square; names the level
     */
    public static OperatorMultigrid of(List<OperatorLevel> levels, CsrMatrix coarsest, CycleOptions options,
            Backend backend) {
        check(levels, coarsest, coarsest.rows(), coarsest.columns(), coarsest.precision());
        MultigridParts parts = MultigridParts.of(backend,
                (level, matrix, product) -> Preconditioners.smoother("ssor", matrix, product, backend, Map.of()));
        return new OperatorMultigrid(levels, Hierarchy.given(List.of(HierarchyLevel.coarsest(coarsest))), parts,
                options);
    }

    /**
     * Prepares cycles that go on algebraically below the levels that are given. The hierarchy is set up where the
     * options say: with the backend, if it can, without the matrix going to the host.
     *
     * @param levels  levels above the matrix, finest first; none of them is closed with what is returned
     * @param lowest  the matrix from which coarsening is algebraic; one in the memory of the backend outlives the
     *                method
     * @param space   its near null space, or null for constants
     * @param options coarsening and smoother below, and the cycle of all levels
     * @param backend where all of it runs
     * @return the method, which the caller closes before the levels
     * @throws IllegalArgumentException if sizes or precisions of neighbours do not fit, the matrix is not square, an
     *         element not finite, or levels are to be of another precision; names the level
     */
    public static OperatorMultigrid of(List<OperatorLevel> levels, SparseMatrix lowest, NearNullSpace space,
            MultigridOptions options, Backend backend) {
        check(levels, lowest, lowest.rows(), lowest.columns(), lowest.precision());
        if (options.levels().isPresent() && options.levels().get() != lowest.precision()) {
            throw new IllegalArgumentException("multigrid of given operators in " + lowest.precision().label()
                    + " with levels=" + options.levels().get().label() + ", expected one precision");
        }
        Hierarchy below = Multigrid.hierarchy(lowest, Multigrid.space(lowest, space, options, backend), options,
                backend);
        try {
            KnownLevels known = new KnownLevels().take(below);
            return new OperatorMultigrid(levels, below,
                    MultigridParts.of(backend, options.smoother().on(backend, known)), options.cycle());
        } catch (RuntimeException | Error e) {
            below.close();
            throw e;
        }
    }

    /**
     * Prepares cycles whose last level is solved, or improved, by what is given: multigrid of levels of another kind,
     * for instance. W- and F-cycles visit it as they visit levels above it; to K-cycles it is a solution.
     *
     * <p>Nothing here is about ranks: with a backend whose dot products are those of all ranks, and with operators and
     * smoothers on the rows that a rank owns, of which there may be none on a level, cycles are those of all ranks.
     *
     * @param levels  all levels but the lowest, finest first; none of them is closed with what is returned
     * @param lowest  approximates solutions of the lowest level; not closed with what is returned
     * @param options what a cycle does
     * @param backend where all of it runs
     * @return the method, which the caller closes before the levels
     * @throws IllegalArgumentException if sizes or precisions of neighbours do not fit; names the level
     */
    public static OperatorMultigrid of(List<OperatorLevel> levels, Smoother lowest, CycleOptions options,
            Backend backend) {
        check(levels, lowest, lowest.rows(), lowest.columns(), lowest.precision());
        return new OperatorMultigrid(levels, lowest, options, backend);
    }

    private static void check(List<OperatorLevel> levels, Object coarsest, int rows, int columns,
            Precision precision) {
        if (rows != columns) {
            throw new IllegalArgumentException("coarsest level with " + coarsest + ", expected a square matrix");
        }
        for (int l = 0; l < levels.size(); l++) {
            boolean last = l == levels.size() - 1;
            int next = last ? rows : levels.get(l + 1).operator().rows();
            OperatorLevel level = levels.get(l);
            if (level.prolongation().columns() != next || level.operator().precision() != precision) {
                throw new IllegalArgumentException(
                        "level " + l + " of " + (levels.size() + 1) + " has a prolongation of "
                                + level.prolongation().columns() + " columns in " + level.operator().precision().label()
                                + ", expected the " + next + " rows of the next level and " + precision.label());
            }
        }
    }

    /**
     * Returns how many rows the levels have.
     *
     * @return the rows, finest first
     */
    public List<Integer> rowsOfLevels() {
        return levels().levels().stream().map(CycleLevel::size).toList();
    }

    /**
     * Returns what is done on the levels.
     *
     * @return a smoother in words for each level, finest first, and how the coarsest is solved
     */
    public List<String> smoothersOfLevels() {
        return levels().levels().stream()
                .map(CycleLevel::smootherInWords).toList();
    }

    /**
     * Returns what was noticed, such as a coarsest matrix that is singular.
     *
     * @return sentences that say what would help
     */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    /**
     * Returns whether a cycle is symmetric: one that goes down as it comes up, on levels that are.
     */
    @Override
    public boolean symmetric() {
        return levels().symmetric(options()) && given.stream().allMatch(OperatorLevel::symmetric);
    }

    @Override
    public String describe() {
        return "multigrid of given operators, cycle=" + options() + ", levels=" + levels().levels().size();
    }

    @Override
    protected void release() {
        super.release();
        if (below != null) {
            below.close();
        }
    }

    @Override
    public String toString() {
        return describe() + " of " + rows() + " rows, coarsest "
                + (below == null ? smoothersOfLevels().getLast() : levels().levels().getLast().matrix());
    }
}
