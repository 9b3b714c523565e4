package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.algebra.MatrixNorms;
import org.trellis.sparse.algebra.MatrixProduct;

/**
 * The matrices of a multigrid method: those of the levels, finest first, and the transfers between them. Set up from a
 * matrix alone ({@link #of}), from given prolongations ({@link #galerkin}), or given as a whole ({@link #given}), as
 * for a hierarchy of meshes. Immutable, and the same bits on any number of threads. On the host, but for those that a
 * backend sets up ({@link #onBackend}), or {@link Multigrid} has it set up: these live as long as that method does.
 */
public final class Hierarchy {
    /** What is said where {@link #isSpoilt}. */
    static final String SPOILT = "thinned out by its truncation, the coarsest level is not positive definite: all "
            + "entries of coarse matrices are kept instead";

    private final List<HierarchyLevel> levels;
    private final List<LevelSetup> setups;
    /** What set this up in the memory of a backend, or null. */
    private final DeviceSetup device;
    /** The matrix that it was set up from, which is not closed with the others. */
    private final SparseMatrix given;
    private final Map<SetupPhase, Double> seconds;
    private final List<String> remarks;
    private final Found found;
    private final boolean symmetricTransfers;

    Hierarchy(List<HierarchyLevel> levels, List<LevelSetup> setups, SetupTimes times, List<String> remarks,
            Found found) {
        this.found = found;
        this.levels = List.copyOf(levels);
        this.setups = List.copyOf(setups);
        this.seconds = Map.copyOf(times.seconds());
        this.remarks = List.copyOf(remarks);
        this.symmetricTransfers = setups.size() == levels.size() - 1
                ? setups.stream().allMatch(LevelSetup::transposed)
                : levels.stream().allMatch(Hierarchy::symmetric);
        this.device = null;
        this.given = null;
    }

    /** Takes what a backend has set up. */
    Hierarchy(List<HierarchyLevel> levels, DeviceSetup device, SparseMatrix given, SetupTimes times,
            List<String> remarks, Found found) {
        this.found = found;
        this.levels = List.copyOf(levels);
        this.setups = List.of();
        this.seconds = Map.copyOf(times.seconds());
        this.remarks = List.copyOf(remarks);
        this.symmetricTransfers = true;
        this.device = device;
        this.given = given;
    }

    /** Takes all of another one, but for the remarks. */
    private Hierarchy(Hierarchy other, List<String> remarks) {
        this.found = other.found;
        this.levels = other.levels;
        this.setups = other.setups;
        this.seconds = other.seconds;
        this.remarks = List.copyOf(remarks);
        this.symmetricTransfers = other.symmetricTransfers;
        this.device = other.device;
        this.given = other.given;
    }

    /** Takes the last levels of another hierarchy, whose matrices stay that one's. */
    private Hierarchy(Hierarchy whole, int first) {
        this.levels = whole.levels.subList(first, whole.levels.size());
        this.setups = List.of();
        this.seconds = Map.of();
        this.remarks = List.of();
        this.found = new Found(whole.found.strength(), from(first, whole.found.radii()), whole.found.symmetric(),
                from(first, whole.found.splittings()));
        this.symmetricTransfers = whole.symmetricTransfers;
        this.device = null;
        this.given = null;
    }

    private static <T> List<T> from(int first, List<T> all) {
        return all.subList(Math.min(first, all.size()), all.size());
    }

    /**
     * Sets up a hierarchy in the memory of a backend, where its matrices stay: that of {@link #of} with
     * {@link CoarseningOptions#parallel}, the same bits.
     *
     * @param matrix  a square matrix, on the host or in that memory
     * @param space   its near null space, or null for constants
     * @param options how
     * @param backend one whose memory is a device's
     * @return the hierarchy, which the caller closes
     * @throws IllegalArgumentException   if the matrix is not square, an element is not finite, or the near null space
     *                                    has another length
     * @throws UnsupportedKernelException if the backend sets up no hierarchies of that kind
     */
    public static Hierarchy onBackend(SparseMatrix matrix, NearNullSpace space, CoarseningOptions options,
            Backend backend) {
        if (!DeviceSetup.takes(backend, options)) {
            throw new UnsupportedKernelException("the set-up of multigrid by " + options.coarsening().label(),
                    backend.name(), DeviceSetup.whyNot(options));
        }
        return onBackend(matrix, space, options, backend, matrix.precision());
    }

    /** The same with levels of another precision. */
    static Hierarchy onBackend(SparseMatrix matrix, NearNullSpace space, CoarseningOptions options, Backend backend,
            Precision precision) {
        Hierarchy made = new DeviceSetup(options, backend, precision).run(matrix, space);
        if (!made.isSpoilt(options)) {
            return made;
        }
        made.close();
        return new DeviceSetup(options.truncation(0), backend, precision).run(matrix, space).remarking(SPOILT);
    }

    /**
     * Says whether a backend sets up hierarchies in its memory.
     *
     * @param backend a backend
     * @param options how
     * @return true for GPUs
     */
    public static boolean takes(Backend backend, CoarseningOptions options) {
        return DeviceSetup.takes(backend, options);
    }

    /**
     * Returns the last levels as a hierarchy of their own, whose matrices are this one's.
     *
     * @param first the first of the levels
     * @return a hierarchy that lives as long as this one, and is not closed
     * @throws IndexOutOfBoundsException if there is no such level
     */
    public Hierarchy from(int first) {
        return new Hierarchy(this, Checks.index("level", first, levels.size()));
    }

    /**
     * Gives back what a backend holds for the matrices of the levels, but for the one that was given, and keeps what a
     * later one of other values needs ({@link #refreshed}). Nothing on the host.
     */
    public void closeLevels() {
        if (device != null) {
            DeviceSetup.closeLevels(levels, given);
        }
    }

    /** Gives back all that a backend holds for this and for those of other values. Nothing on the host. */
    public void close() {
        closeLevels();
        if (device != null) {
            device.close();
        }
    }

    /** Returns what set this up in the memory of a backend, if it was one. */
    Optional<DeviceSetup> device() {
        return Optional.ofNullable(device);
    }

    /**
     * What a set-up found out.
     *
     * @param strength   which couplings counted, or null
     * @param radii      ρ(D⁻¹A) of the first levels, not a number where it was not needed
     * @param symmetric  whether matrices of all levels were found or made symmetric; false if not checked
     * @param splittings which unknowns of the first levels stay, where some do and it is known on the host
     */
    record Found(StrengthOptions strength, List<Double> radii, boolean symmetric,
            List<Optional<Splitting>> splittings) {
        static final Found NOTHING = new Found(null, List.of(), false, List.of());
    }

    /** Returns which unknowns of a level stay on the next one, where some do and it is known on the host. */
    Optional<Splitting> splitting(int level) {
        return level < found.splittings().size() ? found.splittings().get(level) : Optional.empty();
    }

    /**
     * Says whether the set-up found or made the matrices of all levels symmetric, so that no check is needed again.
     *
     * @return false if they are not, or levels were given and not checked
     */
    public boolean knownSymmetric() {
        return found.symmetric();
    }

    /**
     * Returns the estimate of ρ(D⁻¹A) that the set-up needed.
     *
     * @param level a level
     * @return the radius; not a number if it was not requested there
     */
    public double radius(int level) {
        return level < found.radii().size() ? found.radii().get(level) : Double.NaN;
    }

    /** Says whether R is a multiple of Pᵀ. */
    private static boolean symmetric(HierarchyLevel level) {
        if (level.prolongation().isEmpty()) {
            return true;
        }
        CsrMatrix r = level.restriction().orElseThrow();
        CsrMatrix transposed = level.prolongation().orElseThrow().transpose();
        double size = MatrixNorms.max(transposed);
        double factor = size == 0 ? 1 : MatrixNorms.max(r) / size;
        return r.closeTo(transposed.scaled(factor), 16 * r.precision().unitRoundoff(), 0);
    }

    /** Says whether restrictions are multiples of transposed prolongations. */
    boolean symmetricTransfers() {
        return symmetricTransfers;
    }

    /**
     * Sets up a hierarchy from a matrix.
     *
     * @param matrix  a square matrix; symmetric, or nearly so, for what comes out to be of use, unless levels are made
     *                by reduction
     * @param space   its near null space, or null for constants
     * @param options how
     * @return the hierarchy; of one level if nothing can be coarsened
     * @throws IllegalArgumentException if the matrix is not square, an element is not finite, or the near null space
     *         has another length
     */
    public static Hierarchy of(CsrMatrix matrix, NearNullSpace space, CoarseningOptions options) {
        Hierarchy made = HierarchySetup.run(options, matrix, space);
        return made.isSpoilt(options)
                ? HierarchySetup.run(options.truncation(0), matrix, space).remarking(SPOILT)
                : made;
    }

    /**
     * Says whether thinning coarse matrices out has made them indefinite, which the coarsest shows. A multigrid method
     * would not be a preconditioner for conjugate gradients then.
     */
    boolean isSpoilt(CoarseningOptions options) {
        return options.coarsening() == Coarsening.SMOOTHED_AGGREGATION && options.truncation() > 0 && found.symmetric()
                && levels.size() > 1 && levels.getLast().stored().rows() <= CoarseSolution.LARGEST_INVERSE
                && DenseInverse.isIndefinite(levels.getLast().matrix());
    }

    /** Returns this with something more to say. */
    Hierarchy remarking(String remark) {
        List<String> all = new ArrayList<>(remarks);
        all.add(remark);
        return new Hierarchy(this, all);
    }

    /**
     * Makes a hierarchy of given prolongations, with their transposes as restrictions and Galerkin products as
     * matrices.
     *
     * @param matrix        the finest matrix
     * @param prolongations from the second level to the first, from the third to the second, and so on
     * @return the hierarchy
     * @throws IllegalArgumentException if sizes do not fit or precisions differ
     */
    public static Hierarchy galerkin(CsrMatrix matrix, List<CsrMatrix> prolongations) {
        SetupTimes times = new SetupTimes();
        List<HierarchyLevel> levels = new ArrayList<>();
        CsrMatrix a = matrix;
        for (CsrMatrix p : prolongations) {
            CsrMatrix fine = a;
            CsrMatrix r = times.time(SetupPhase.PROLONGATOR, p::transpose);
            levels.add(HierarchyLevel.of(fine, p, r));
            a = times.time(SetupPhase.GALERKIN, () -> MatrixProduct.triple(r, fine, p));
        }
        levels.add(HierarchyLevel.coarsest(a));
        return new Hierarchy(levels, List.of(), times, List.of(), Found.NOTHING);
    }

    /**
     * Makes a hierarchy of levels that are given as a whole.
     *
     * @param levels the levels, finest first; the last one without transfers
     * @return the hierarchy
     * @throws IllegalArgumentException if there is none, or sizes or precisions do not fit; names the level
     */
    public static Hierarchy given(List<HierarchyLevel> levels) {
        if (levels.isEmpty()) {
            throw new IllegalArgumentException("hierarchy of no levels, expected at least one");
        }
        for (int l = 0; l < levels.size(); l++) {
            HierarchyLevel level = levels.get(l);
            boolean last = l == levels.size() - 1;
            if (level.prolongation().isPresent() == last) {
                throw new IllegalArgumentException("level " + l + " of " + levels.size() + " is given "
                        + (last ? "transfers, expected none on the last" : "no transfers, expected some"));
            }
            if (!last && (level.prolongation().orElseThrow().columns() != levels.get(l + 1).matrix().rows()
                    || level.matrix().precision() != levels.get(l + 1).matrix().precision())) {
                throw new IllegalArgumentException("level " + l + " has prolongation "
                        + level.prolongation().orElseThrow() + " and level " + (l + 1) + " "
                        + levels.get(l + 1).matrix()
                        + ", expected sizes that fit and equal precisions");
            }
        }
        return new Hierarchy(levels, List.of(), new SetupTimes(), List.of(), Found.NOTHING);
    }

    /**
     * Sets up the same hierarchy for other values in the same structure: strength and aggregates stay, prolongators are
     * smoothed anew, and Galerkin products need neither counting nor sorting.
     *
     * @param matrix a matrix of the structure of the finest one
     * @return a new hierarchy of the same structure; one that was given with its matrices is refused
     * @throws IllegalArgumentException      if size, precision or number of entries differ
     * @throws UnsupportedOperationException if this was {@link #given}, so that coarse matrices are not known
     */
    public Hierarchy refreshed(SparseMatrix matrix) {
        SparseMatrix finest = level(0).stored();
        if (device != null && matrix.precision() != finest.precision() && matrix.rows() == finest.rows()
                && matrix.columns() == finest.columns() && matrix.nonZeros() == finest.nonZeros()) {
            return device.refreshed(this, matrix);
        }
        if (matrix.rows() != finest.rows() || matrix.columns() != finest.columns()
                || matrix.precision() != finest.precision() || matrix.nonZeros() != finest.nonZeros()) {
            throw new IllegalArgumentException("refresh of a hierarchy of " + finest + " with " + matrix
                    + ", expected a matrix of the same structure");
        }
        return device == null ? refreshedOnHost(matrix.toCsr()) : device.refreshed(this, matrix);
    }

    private Hierarchy refreshedOnHost(CsrMatrix matrix) {
        if (setups.size() < levels.size() - 1) {
            throw new UnsupportedOperationException(
                    "refresh of " + this + ": its coarse matrices were given; give all levels again");
        }
        return HierarchySetup.again(matrix, this, levels, setups, found.strength());
    }

    /**
     * Returns the number of levels.
     *
     * @return at least 1
     */
    public int size() {
        return levels.size();
    }

    /**
     * Returns a level.
     *
     * @param index 0 for the finest
     * @return the level
     * @throws IndexOutOfBoundsException if there is no such level
     */
    public HierarchyLevel level(int index) {
        return levels.get(index);
    }

    /**
     * Returns which aggregate the nodes of a level belong to.
     *
     * @param index the level
     * @return an aggregate for each node, −1 for nodes in none; empty for levels that were not aggregated
     */
    public Optional<int[]> aggregates(int index) {
        return device != null
                ? device.aggregates(index)
                : index < setups.size() ? setups.get(index).aggregates() : Optional.empty();
    }

    /**
     * Returns the rows of all levels as a multiple of those of the finest.
     *
     * @return at least 1
     */
    public double gridComplexity() {
        return complexity(levels.stream().mapToDouble(level -> level.stored().rows()).sum(), level(0).stored().rows());
    }

    /**
     * Returns the non-zeros of all levels as a multiple of those of the finest.
     *
     * @return at least 1
     */
    public double operatorComplexity() {
        return complexity(levels.stream().mapToDouble(level -> (double) level.stored().nonZeros()).sum(),
                (double) level(0).stored().nonZeros());
    }

    private static double complexity(double all, double finest) {
        return finest == 0 ? 1 : all / finest;
    }

    /**
     * Returns the time of the set-up.
     *
     * @return seconds of each phase that there was
     */
    public Map<SetupPhase, Double> setupSeconds() {
        return seconds;
    }

    /**
     * Returns which couplings counted: what was asked for, or what was found out.
     *
     * @return measure and θ; empty if levels were given
     */
    public Optional<StrengthOptions> strength() {
        return Optional.ofNullable(found.strength());
    }

    /**
     * Returns what was noticed: a level that does not shrink, a threshold that cuts rows off.
     *
     * @return sentences that say what would help
     */
    public List<String> remarks() {
        return remarks;
    }

    @Override
    public String toString() {
        return "hierarchy of " + levels.size() + " levels of " + level(0).stored();
    }
}
