package org.trellis.tuner.solver;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.solve.krylov.MatrixProperties;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.tuner.solver.SolverChoice.Renewal;

/**
 * The choices that suit a system: method by preconditioner by the parameters of both, as far as the matrix allows. At
 * most {@value #MOST}, in an order that begins with one of each family, so that the first few are different ones.
 */
public final class SolverSpace {
    /** The most choices of a system. */
    public static final int MOST = 200;

    private static final List<String> POINT_SMOOTHERS =
            List.of("chebyshev,kind=4,degree=2", "chebyshev,kind=4,degree=4",
                    "gauss-seidel,direction=symmetric", "l1-jacobi");
    /** Stands for multigrid whose text depends on the unknowns of a node. */
    private static final String MULTIGRID = "multigrid";
    private static final String CLASSICAL = "coarsening=classical, smoother=l1-jacobi";
    private static final Set<Promise> OF_DEVICES = EnumSet.range(Promise.DEVICE_FEW, Promise.DEVICE_PLANE);
    private static final String BY_ROWS = ", order=reverse-cuthill-mckee";

    /** Reading the texts of a space takes longer than solving a small system, and there are few kinds. */
    private static final Map<Traits, List<SolverChoice>> KNOWN = new ConcurrentHashMap<>();

    /** But for the unknowns of a node. */
    private final Traits traits;
    private final IntSupplier nodes;
    private int blockSize;

    /**
     * What the space depends on.
     *
     * @param rows             the number of rows
     * @param symmetric        whether the matrix is its own transpose but for rounding
     * @param positiveDiagonal whether every element of the diagonal is positive
     * @param blockSize        unknowns of a node, 1 where none are seen
     * @param whole            whether the whole matrix is on this rank
     * @param single           whether values are in single precision
     */
    public record Traits(long rows, boolean symmetric, boolean positiveDiagonal, int blockSize, boolean whole,
            boolean single) {
        /**
         * Takes what solvers know of a matrix.
         *
         * @param found  its properties
         * @param whole  whether the whole matrix is on this rank
         * @param single whether values are in single precision
         * @return the traits
         * @throws IllegalArgumentException if the matrix is not square
         */
        public static Traits of(MatrixProperties found, boolean whole, boolean single) {
            if (found.rows() != found.columns()) {
                throw new IllegalArgumentException("solvers for a matrix of " + found.rows() + " rows and "
                        + found.columns() + " columns, expected a square matrix; method lsqr takes any shape");
            }
            return new Traits(found.rows(), found.symmetric(), found.positiveDiagonal(), found.blockSize(), whole,
                    single);
        }
    }

    private SolverSpace(Traits traits, IntSupplier nodes) {
        this.traits = Objects.requireNonNull(traits);
        this.nodes = nodes;
    }

    /**
     * Enumerates the choices for a system.
     *
     * @param traits what the matrix is
     * @return the space
     */
    public static SolverSpace of(Traits traits) {
        return new SolverSpace(traits, traits::blockSize);
    }

    /**
     * Enumerates the choices for a system whose nodes are looked for when a choice needs them.
     *
     * @param traits what else the matrix is
     * @param nodes  finds the unknowns of a node
     */
    static SolverSpace of(Traits traits, IntSupplier nodes) {
        return new SolverSpace(traits, nodes);
    }

    private int blockSize() {
        if (blockSize == 0) {
            blockSize = nodes.getAsInt();
        }
        return blockSize;
    }

    /**
     * Returns the choices.
     *
     * @return all of them, different ones first
     */
    public List<SolverChoice> all() {
        Traits kind = new Traits(0, traits.symmetric(), traits.positiveDiagonal(), blockSize(), traits.whole(),
                traits.single());
        return KNOWN.computeIfAbsent(kind, key -> enumerate());
    }

    private List<SolverChoice> enumerate() {
        Set<SolverChoice> found = new LinkedHashSet<>();
        add(found, starters());
        add(found, isDefinite() ? definite() : general());
        return found.stream().limit(MOST).toList();
    }

    /** Says whether the matrix is symmetric with a positive diagonal, as definite ones are. */
    boolean isDefinite() {
        return traits.symmetric() && traits.positiveDiagonal();
    }

    /** What is thought of a system before anything was tried. */
    enum Promise {
        /** Nothing: the choice by rules goes first. */
        UNKNOWN,
        /** Factors stay sparse. */
        SPARSE,
        /** Methods take many iterations. */
        MANY,
        /** Methods take many iterations, which grow with the size but for multigrid. */
        LARGE,
        /** Any method takes few iterations. */
        FEW,
        /** Any method takes an iteration or two. */
        ALMOST_DIAGONAL,
        /** The same, and scaling by the diagonal changes nothing. */
        ALMOST_IDENTITY,
        /** A device iterates, and iterations are few or cheaper than levels. */
        DEVICE_FEW,
        /** The same, and scaling by the diagonal changes nothing. */
        DEVICE_EVEN,
        /** A device iterates, and iterations are many. */
        DEVICE_MANY,
        /** The same, since small eigenvalues are as many as on a plane. */
        DEVICE_PLANE
    }

    /**
     * Returns the choices that were most often fast, in the order in which they are tried where nothing else is known.
     *
     * @param thought what is thought of the system
     * @return few choices of different families, the choice by rules among them, each read when it is first asked for
     */
    List<SolverChoice> promising(Promise thought) {
        if (OF_DEVICES.contains(thought)) {
            return promisingOnDevice(thought);
        }
        Set<String> texts = new LinkedHashSet<>();
        if (thought == Promise.UNKNOWN) {
            texts.add(SolverConfig.AUTO);
        }
        boolean sparse = thought == Promise.SPARSE || thought == Promise.UNKNOWN;
        List<String> direct = List.of("direct", (isDefinite() ? "cg" : "gmres") + " with direct, kept");
        if (sparse && traits.whole()) {
            texts.addAll(direct);
        }
        boolean almostDiagonal = thought == Promise.ALMOST_DIAGONAL || thought == Promise.ALMOST_IDENTITY;
        if (thought == Promise.ALMOST_IDENTITY) {
            texts.add(isDefinite() ? "cg with none" : "gmres(restart=30) with none");
        }
        if (almostDiagonal && !isDefinite()) {
            texts.add("gmres(restart=30) with jacobi");
            texts.add("gmres(restart=30) with none");
        }
        if (thought == Promise.FEW || almostDiagonal) {
            texts.add(isDefinite() ? "cg with jacobi" : "bicgstab with jacobi");
        }
        if (thought == Promise.LARGE && isDefinite()) {
            texts.add(MULTIGRID);
        }
        if (isDefinite()) {
            texts.addAll(List.of("cg with ssor(omega=1.4, order=natural)", "cg with jacobi",
                    "cg with ict(drop=0.1, fill=10, order=natural)", MULTIGRID));
        } else if (traits.symmetric()) {
            texts.addAll(List.of("idr with iluk(level=1, order=natural)", "minres with none",
                    "gmres(restart=30) with ilut(drop=0.01, fill=10, order=reverse-cuthill-mckee)"));
        } else {
            if (thought == Promise.LARGE) {
                texts.add("bicgstab with iluk(level=1, order=natural)");
                texts.add("gmres(restart=50) with ilut(drop=0.001, fill=10, order=reverse-cuthill-mckee)");
            }
            texts.addAll(List.of("idr with iluk(level=1, order=natural)",
                    "idr with ilut(drop=0.01, fill=10, order=reverse-cuthill-mckee)", "bicgstab with jacobi",
                    "gmres(restart=50) with ilu0"));
            if (traits.positiveDiagonal()) {
                texts.add(MULTIGRID);
            }
        }
        if (!sparse && traits.whole()) {
            texts.addAll(direct);
        }
        texts.add(SolverConfig.AUTO);
        return named(texts);
    }

    private NamedChoices named(Set<String> texts) {
        return new NamedChoices(texts.stream().map(text -> text.equals(MULTIGRID)
                ? new NamedChoices.Named(Optional.of(NamedPreconditioners.AMG), this::multigrid)
                : NamedChoices.Named.of(text)).toList());
    }

    private List<SolverChoice> promisingOnDevice(Promise thought) {
        List<NamedChoices.Named> levels = levelsOnDevice(thought == Promise.DEVICE_PLANE);
        NamedChoices.Named diagonal = NamedChoices.Named.of(isDefinite()
                ? "cg with jacobi"
                : traits.symmetric() ? "minres with none" : "bicgstab with jacobi");
        List<NamedChoices.Named> names = new ArrayList<>();
        boolean few = thought == Promise.DEVICE_FEW || thought == Promise.DEVICE_EVEN;
        if (thought == Promise.DEVICE_EVEN) {
            names.add(NamedChoices.Named.of("cg with none"));
        } else if (few) {
            names.add(diagonal);
        } else if (levels.isEmpty()) {
            names.add(NamedChoices.Named.of(SolverConfig.AUTO));
        }
        names.addAll(levels);
        if (thought != Promise.DEVICE_FEW) {
            names.add(diagonal);
        }
        if (traits.whole()) {
            names.add(NamedChoices.Named.of("direct"));
        }
        if (few || !levels.isEmpty()) {
            names.add(NamedChoices.Named.of(SolverConfig.AUTO));
        }
        return new NamedChoices(names);
    }

    /**
     * Multigrid that smooths by the diagonal where the matrix is not symmetric: sweeps by colours take launches. On a
     * plane interpolation from chosen points takes the fewest iterations, but for unknowns of a node. Nodes are looked
     * for when the text is needed.
     */
    private List<NamedChoices.Named> levelsOnDevice(boolean plane) {
        if (isDefinite()) {
            return List.of(levels(() -> plane && blockSize() == 1 ? amg("cg", CLASSICAL) : amg("cg", "")),
                    levels(() -> plane && blockSize() == 1 ? amg("cg", "") : amg("cg", CLASSICAL)));
        }
        return traits.positiveDiagonal() && !traits.symmetric()
                ? List.of(levels(() -> amg("bicgstab", "smoother=l1-jacobi")),
                        levels(() -> amg("bicgstab", CLASSICAL)))
                : List.of();
    }

    private static NamedChoices.Named levels(Supplier<String> text) {
        return new NamedChoices.Named(Optional.of(NamedPreconditioners.AMG), text);
    }

    private String multigrid() {
        String levels = traits.single() ? "" : "levels=f32";
        return isDefinite()
                ? amg("cg", levels)
                : amg("bicgstab", levels + (levels.isEmpty() ? "" : ", ") + "smoother=gauss-seidel");
    }

    /**
     * Says whether a choice of another system may be one of this system's.
     *
     * @param choice any choice
     * @return false where it needs another kind of matrix, other nodes, precision or ranks
     */
    boolean allows(SolverChoice choice) {
        if (choice.isDirect() || choice.isAutomatic()) {
            return suits(choice);
        }
        SolverConfig stack = choice.stack().orElseThrow();
        String size = stack.preconditionerOptions().get(NamedPreconditioners.BLOCK_SIZE);
        boolean nodes = size == null || size.equals(Integer.toString(blockSize()));
        boolean forSymmetric = stack.krylovMethod().needsSymmetric();
        boolean minimal = traits.symmetric() && stack.krylovMethod() == KrylovMethod.MINRES;
        boolean kind = isDefinite() ? forSymmetric : (!forSymmetric || minimal);
        boolean diagonal = traits.positiveDiagonal() || !choice.family().equals(NamedPreconditioners.AMG);
        return kind && nodes && diagonal && suits(choice);
    }

    /**
     * Returns the choices that differ in few parameters.
     *
     * @param choice one of them
     * @param most   the most parameters in which they differ
     * @return in the order of the space, without the choice itself
     */
    public List<SolverChoice> neighbours(SolverChoice choice, int most) {
        List<SolverChoice> found = new ArrayList<>();
        for (SolverChoice other : all()) {
            if (other.isNear(choice, most) && !other.equals(choice) && other.distance(choice) <= most) {
                found.add(other);
            }
        }
        return found;
    }

    private void add(Set<SolverChoice> found, List<String> texts) {
        for (String text : texts) {
            SolverChoice choice = SolverChoice.parse(text);
            if (suits(choice)) {
                found.add(choice);
                if (isExpensive(choice) && choice.renewal() == Renewal.ALWAYS) {
                    found.add(choice.with(Renewal.GROWN));
                }
            }
        }
    }

    /** Preconditioners whose set-up may be worth keeping for other values, in few variants: the space is limited. */
    private static boolean isExpensive(SolverChoice choice) {
        return !choice.isDirect() && switch (choice.family()) {
            case "direct" -> true;
            case "amg" -> choice.stack().orElseThrow().preconditionerOptions().keySet().stream()
                    .noneMatch(Set.of("theta", "cycle", "levels", "before", "strength")::contains);
            case "ict", "ilut", "fsai" -> choice.stack().orElseThrow().methodOptions().isEmpty();
            default -> false;
        };
    }

    private boolean suits(SolverChoice choice) {
        boolean mixed = choice.stack().map(stack -> stack.mixedPrecision()
                || stack.preconditionerOptions().containsKey("levels")).orElse(false);
        boolean direct = choice.family().equals("direct");
        return !(mixed && traits.single()) && !(direct && !traits.whole());
    }

    private String block() {
        return blockSize() > 1 ? "block-size=" + blockSize() : "";
    }

    private String amg(String method, String options) {
        String separator = options.isEmpty() || block().isEmpty() ? "" : ", ";
        String inside = block() + separator + options;
        return method + " with amg" + (inside.isEmpty() ? "" : '(' + inside + ')');
    }

    /** One of each family. */
    private List<String> starters() {
        List<String> texts = new ArrayList<>();
        if (isDefinite()) {
            texts.addAll(List.of("direct", amg("cg", ""), "cg with ic0", "cg with ssor", "cg with jacobi",
                    "cg with direct", amg("cg", "coarsening=classical"),
                    "cg with ict(drop=0.01, fill=10" + BY_ROWS + ')', "cg with chebyshev", "cg with fsai"));
        } else if (traits.symmetric()) {
            texts.addAll(List.of("direct", "minres with none", "gmres(restart=50) with ilu0", "minres with l1-jacobi",
                    "bicgstab with ilut(drop=0.01, fill=10)", "gmres with direct"));
        } else {
            texts.addAll(List.of("direct", "gmres(restart=50) with ilu0", "bicgstab with ilu0", "idr with ilu0",
                    amg("bicgstab", "smoother=l1-jacobi"), "bicgstab with ilut(drop=0.01, fill=10)",
                    "gmres with direct", "bicgstab with jacobi", "bicgstab with gauss-seidel", "idr with jacobi"));
        }
        texts.add("auto");
        return texts;
    }

    private List<String> definite() {
        List<String> texts = new ArrayList<>();
        for (String smoother : POINT_SMOOTHERS) {
            for (String cycle : List.of("", "cycle=w, ")) {
                for (String theta : List.of("", ", theta=0.02", ", theta=0.08")) {
                    for (String levels : List.of("", "levels=f32, ")) {
                        texts.add(amg("cg", cycle + levels + "smoother=" + smoother + theta));
                    }
                }
            }
        }
        for (String smoother : POINT_SMOOTHERS) {
            for (String theta : List.of("", ", theta=0.5")) {
                for (String levels : List.of("", "levels=f32, ")) {
                    texts.add(amg("cg", "coarsening=classical, " + levels + "smoother=" + smoother + theta));
                }
            }
            texts.add(amg("fcg", "coarsening=aggregation, smoother=" + smoother));
            texts.add(amg("fcg", "coarsening=aggregation, levels=f32, smoother=" + smoother));
            texts.add(amg("cg", "after=2, before=2, smoother=" + smoother));
        }
        for (String order : List.of("natural", "reverse-cuthill-mckee", "minimum-degree")) {
            texts.add("cg with ick(level=1, order=" + order + ')');
            texts.add("cg with ick(level=2, order=" + order + ')');
            for (String drop : List.of("0.1", "0.01", "0.001")) {
                texts.add("cg with ict(drop=" + drop + ", fill=10, order=" + order + ')');
                texts.add("cg with ict(drop=" + drop + ", fill=30, order=" + order + ')');
            }
        }
        for (String order : List.of("coloured", "natural")) {
            for (String omega : List.of("1", "1.2", "1.4", "1.6")) {
                texts.add("cg with ssor(omega=" + omega + ", order=" + order + ')');
            }
        }
        texts.addAll(List.of("cg with none", "cg with l1-jacobi", "cg with spai0", "pipelined-cg with jacobi",
                "cg with chebyshev(degree=2)", "cg with chebyshev(degree=5)", "cg with chebyshev(degree=8)",
                "cg with chebyshev(degree=4, kind=4)", "cg with polynomial", "refined cg with ic0",
                "refined cg with jacobi", "refined " + amg("cg", ""), "refined cg with ssor", "minres with none"));
        if (blockSize() > 1) {
            texts.add("cg with block-jacobi(block-size=" + blockSize() + ')');
        }
        return texts;
    }

    private List<String> general() {
        List<String> methods = List.of("gmres(restart=30)", "gmres(restart=50)", "gmres(restart=100)", "bicgstab",
                "idr", "idr(s=8)");
        List<String> preconditioners = new ArrayList<>(List.of("ilu0", "none", "jacobi", "spai0", "gauss-seidel"));
        for (String order : List.of("natural", "reverse-cuthill-mckee")) {
            preconditioners.add("iluk(level=1, order=" + order + ')');
            for (String drop : List.of("0.1", "0.01", "0.001")) {
                preconditioners.add("ilut(drop=" + drop + ", fill=10, order=" + order + ')');
            }
        }
        preconditioners.add("ilut(drop=0.001, fill=20, matching=product, order=minimum-degree)");
        preconditioners.add("ilut(drop=0.01, fill=10, matching=product, order=reverse-cuthill-mckee)");
        if (blockSize() > 1) {
            preconditioners.add("block-jacobi(block-size=" + blockSize() + ')');
        }
        List<String> texts = new ArrayList<>();
        preconditioners.forEach(one -> methods.forEach(method -> texts.add(method + " with " + one)));
        if (traits.positiveDiagonal()) {
            for (String method : List.of("gmres(restart=30)", "bicgstab")) {
                for (String smoother : List.of("l1-jacobi", "gauss-seidel", "ilu0")) {
                    texts.add(amg(method, "smoother=" + smoother));
                    texts.add(amg(method, "coarsening=classical, smoother=" + smoother));
                    texts.add(amg(method, "levels=f32, smoother=" + smoother));
                }
            }
        }
        texts.addAll(List.of("refined bicgstab with ilu0", "refined gmres(restart=50) with ilu0"));
        return texts;
    }

    @Override
    public String toString() {
        return "solvers for " + traits;
    }
}
