package org.trellis.solve.smooth;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.FillReduction;
import org.trellis.solve.direct.HostFactors;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.direct.Preordering;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseMatrix;

/**
 * Makes preconditioners and smoothers by name. Their options are text, as a configuration or a command line has them:
 *
 * <table>
 * <caption>names and their options, with what holds if one is not given</caption>
 * <tr><th>name</th><th>options</th></tr>
 * <tr><td>{@code none}</td><td></td></tr>
 * <tr><td>{@code jacobi}, {@code l1-jacobi}</td><td>omega=1, sweeps=1</td></tr>
 * <tr><td>{@code block-jacobi}</td><td>block-size=4 or block-sizes=3,2,…, omega=1, sweeps=1</td></tr>
 * <tr><td>{@code chebyshev}</td><td>kind=1 or 4, degree=3, ratio=30, lambda-max, lambda-min, sweeps=1</td></tr>
 * <tr><td>{@code gauss-seidel}</td><td>order=coloured or natural, direction=symmetric, sweeps=1</td></tr>
 * <tr><td>{@code block-gauss-seidel}</td><td>block-size or block-sizes as above, omega=1, order, direction=symmetric,
 * sweeps=1</td></tr>
 * <tr><td>{@code sor}</td><td>omega=1.5, order, direction=symmetric, sweeps=1</td></tr>
 * <tr><td>{@code ssor}</td><td>omega=1, order, sweeps=1</td></tr>
 * <tr><td>{@code hybrid-gauss-seidel}</td><td>blocks (as many as threads), omega=1, direction=symmetric, sweeps=1</td>
 * </tr>
 * <tr><td>{@code ic0}, {@code ilu0}</td><td>shift=0, triangular=levels or iterated, iterations=3, sweeps=1</td></tr>
 * <tr><td>{@code ick}, {@code iluk}</td><td>level=1, order, matching=none (iluk), and those of ic0</td></tr>
 * <tr><td>{@code ict}, {@code ilut}</td><td>drop=0.001, fill=10, order, matching=none (ilut), and those of ic0</td>
 * </tr>
 * <tr><td>{@code direct}</td><td>factors=automatic, triangular=host, levels or iterated, iterations=3, sweeps=1</td>
 * </tr>
 * <tr><td>{@code fsai}, {@code spai0}</td><td>sweeps=1</td></tr>
 * <tr><td>{@code polynomial}</td><td>degree=2, omega=1, sweeps=1</td></tr>
 * </table>
 *
 * <p>Eigenvalues of Chebyshev polynomials are those of {@code D⁻¹ A}: the largest is estimated unless given, the
 * smallest is the largest over the ratio. A direction other than symmetric makes a Gauss–Seidel preconditioner
 * unsymmetric. Orders of incomplete factors with fill are {@code natural}, {@code reverse-cuthill-mckee}, {@code
 * minimum-degree} and {@code nested-dissection}; a matching ({@code none}, {@code transversal}, {@code product}) brings
 * entries onto the diagonal before, the one of greatest product with scaling.
 */
public final class Preconditioners {
    /** The name of the inverse by a direct factorisation. */
    static final String DIRECT = "direct";

    private static final String OMEGA = "omega";
    private static final String SWEEPS = "sweeps";
    private static final String ORDER = "order";
    private static final String DIRECTION = "direction";
    private static final String MATCHING = "matching";
    private static final String LEVEL = "level";
    private static final String DROP = "drop";
    private static final String FILL = "fill";
    private static final String FACTORS = "factors";
    private static final String TRIANGULAR = "triangular";
    private static final String ITERATIONS = "iterations";
    private static final String LEVELS = "levels";
    private static final String ITERATED = "iterated";
    private static final double SOR = 1.5;
    private static final String HOST = "host";
    private static final double DEFAULT_DROP = 1e-3;
    private static final int DEFAULT_FILL = 10;
    private static final int MAX_COUNT = 1_000_000;
    private static final double MAX_NUMBER = 1e300;

    private static final Map<String, Maker> MAKERS = makers();

    private Preconditioners() {}

    /** A kind of smoother. */
    private record Maker(List<String> options, Making making) {}

    /** Makes a smoother of checked options. */
    @FunctionalInterface
    private interface Making {
        Smoother make(SmootherContext input, SmootherOptions options);
    }

    private static Map<String, Maker> makers() {
        Map<String, Maker> all = new LinkedHashMap<>();
        all.put("jacobi", new Maker(List.of(OMEGA, SWEEPS),
                (input, o) -> DiagonalSmoother.jacobi(input, o.omega(1), o.sweeps())));
        all.put("l1-jacobi", new Maker(List.of(OMEGA, SWEEPS),
                (input, o) -> DiagonalSmoother.l1(input, o.omega(1), o.sweeps())));
        all.put("block-jacobi", new Maker(List.of("block-size", "block-sizes", OMEGA, SWEEPS),
                Preconditioners::blockJacobi));
        all.put("chebyshev", new Maker(List.of("kind", "degree", "ratio", "lambda-max", "lambda-min", SWEEPS),
                Preconditioners::chebyshev));
        all.put("gauss-seidel", new Maker(List.of(ORDER, DIRECTION, SWEEPS),
                (input, o) -> relaxation(input, o, "gauss-seidel", 1)));
        all.put("block-gauss-seidel", new Maker(List.of("block-size", "block-sizes", OMEGA, ORDER, DIRECTION, SWEEPS),
                Preconditioners::blockRelaxation));
        all.put("sor", new Maker(List.of(OMEGA, ORDER, DIRECTION, SWEEPS),
                (input, o) -> relaxation(input, o, "sor", o.omega(usualOmega("sor")))));
        all.put("ssor", new Maker(List.of(OMEGA, ORDER, SWEEPS),
                (input, o) -> relaxation(input, o, "ssor", o.omega(1))));
        all.put("hybrid-gauss-seidel", new Maker(List.of("blocks", OMEGA, DIRECTION, SWEEPS),
                Preconditioners::hybrid));
        List<String> triangular = List.of("shift", TRIANGULAR, ITERATIONS, SWEEPS);
        all.put("ic0", new Maker(triangular, (input, o) -> incomplete(input, o, true)));
        all.put("ilu0", new Maker(triangular, (input, o) -> incomplete(input, o, false)));
        all.put("ick", new Maker(joined(List.of(LEVEL, ORDER), triangular), (input, o) -> filled(input, o, "ick")));
        all.put("iluk", new Maker(joined(List.of(LEVEL, ORDER, MATCHING), triangular),
                (input, o) -> filled(input, o, "iluk")));
        all.put("ict", new Maker(joined(List.of(DROP, FILL, ORDER), triangular),
                (input, o) -> filled(input, o, "ict")));
        all.put("ilut", new Maker(joined(List.of(DROP, FILL, ORDER, MATCHING), triangular),
                (input, o) -> filled(input, o, "ilut")));
        all.put(DIRECT, new Maker(List.of(FACTORS, TRIANGULAR, ITERATIONS, SWEEPS), Preconditioners::direct));
        all.put("fsai", new Maker(List.of(SWEEPS), (input, o) -> new FactorisedInverseSmoother(input, o.sweeps())));
        all.put("spai0", new Maker(List.of(SWEEPS), (input, o) -> DiagonalSmoother.spai0(input, o.sweeps())));
        all.put("polynomial", new Maker(List.of("degree", OMEGA, SWEEPS), Preconditioners::polynomial));
        return Collections.unmodifiableMap(all);
    }

    /**
     * Returns the names.
     *
     * @return {@code none} and those of all smoothers
     */
    public static List<String> names() {
        List<String> names = new ArrayList<>(MAKERS.keySet());
        names.addFirst("none");
        return List.copyOf(names);
    }

    /**
     * Returns the options of a preconditioner.
     *
     * @param name its name
     * @return their names, perhaps none
     * @throws IllegalArgumentException if there is no such preconditioner; says which there are
     */
    public static List<String> optionsOf(String name) {
        return name.equals("none") ? List.of() : maker(name).options();
    }

    /**
     * Returns the damping of relaxation that holds unless it is given.
     *
     * @param name the preconditioner's name
     * @return 1.5 for {@code sor}, 1 for others
     */
    public static double usualOmega(String name) {
        return name.equals("sor") ? SOR : 1;
    }

    /**
     * Makes a preconditioner.
     *
     * @param name    one of {@link #names}
     * @param matrix  a square matrix, in the numbering that vectors will have
     * @param backend where it is applied
     * @param options options and their values
     * @return a preconditioner that the caller closes; empty for {@code none}
     * @throws IllegalArgumentException if a name, option or value is unknown, the matrix is not square, or it is not
     *         symmetric and must be; says what there is or what was found
     * @throws org.trellis.solve.direct.FactorisationException if a diagonal element or pivot has no inverse; names the
     *         row
     * @throws org.trellis.common.UnsupportedKernelException if the backend lacks something
     */
    public static Optional<Preconditioner> of(String name, CsrMatrix matrix, Backend backend,
            Map<String, String> options) {
        return of(name, matrix, null, backend, options);
    }

    /**
     * Makes a preconditioner that uses a product which is there already.
     *
     * @param name    one of {@link #names}
     * @param matrix  a square matrix
     * @param product the product of the matrix on the backend; not closed with the preconditioner; null to prepare one
     *                when it is needed
     * @param backend where it is applied
     * @param options options and their values
     * @return a preconditioner that the caller closes; empty for {@code none}
     * @throws IllegalArgumentException as {@link #of(String, CsrMatrix, Backend, Map)}
     * @throws org.trellis.solve.direct.FactorisationException if a diagonal element or pivot has no inverse; names the
     *         row
     */
    public static Optional<Preconditioner> of(String name, CsrMatrix matrix, LinearOperator product, Backend backend,
            Map<String, String> options) {
        if (name.equals("none")) {
            new SmootherOptions(name, options, List.of());
            return Optional.empty();
        }
        return Optional.of(smoother(name, matrix, product, backend, options));
    }

    /**
     * Makes a smoother, for a level of multigrid.
     *
     * @param name    one of {@link #names} but {@code none}
     * @param matrix  a square matrix; one in the memory of the backend stays there for {@code jacobi}, {@code
     *                l1-jacobi} and {@code chebyshev}, and is brought to the host for others
     * @param product the product of the matrix on the backend; not closed with the smoother; null to prepare one when
     *                it is needed
     * @param backend where it runs
     * @param options options and their values
     * @return a smoother that the caller closes
     * @throws IllegalArgumentException as {@link #of(String, CsrMatrix, Backend, Map)}, and for {@code none}
     * @throws org.trellis.solve.direct.FactorisationException if a diagonal element or pivot has no inverse; names the
     *         row
     */
    public static Smoother smoother(String name, SparseMatrix matrix, LinearOperator product, Backend backend,
            Map<String, String> options) {
        return smoother(name, matrix, product, backend, options, false);
    }

    /**
     * Makes a smoother for a matrix that may be known to be symmetric, which otherwise costs a search for each entry.
     *
     * @param name      as for {@link #smoother(String, SparseMatrix, LinearOperator, Backend, Map)}
     * @param matrix    as there
     * @param product   as there
     * @param backend   as there
     * @param options   as there
     * @param symmetric whether the matrix is known to equal its transpose but for rounding; otherwise who needs to know
     *                  looks
     * @return a smoother that the caller closes
     * @throws IllegalArgumentException as there
     * @throws org.trellis.solve.direct.FactorisationException if a diagonal element or pivot has no inverse; names the
     *         row
     */
    public static Smoother smoother(String name, SparseMatrix matrix, LinearOperator product, Backend backend,
            Map<String, String> options, boolean symmetric) {
        Maker maker = maker(name);
        SmootherOptions checked = new SmootherOptions(name, options, maker.options());
        SmootherContext input = new SmootherContext(name, matrix, product, backend);
        if (symmetric) {
            input.assumeSymmetric();
        }
        input.requireFinite();
        return maker.making().make(input, checked);
    }

    private static Maker maker(String name) {
        Maker maker = MAKERS.get(name);
        if (maker == null) {
            throw new IllegalArgumentException("preconditioner '" + name + "', expected one of "
                    + (name.equals("none") ? MAKERS.keySet() : names()));
        }
        return maker;
    }

    private static Smoother blockJacobi(SmootherContext input, SmootherOptions o) {
        double omega = o.omega(1);
        return new BlockJacobiSmoother(input, blocks(input, o), omega, o.sweeps());
    }

    private static Smoother blockRelaxation(SmootherContext input, SmootherOptions o) {
        RelaxationSmoother.Settings settings =
                new RelaxationSmoother.Settings(o.omega(1), o.direction(), o.sweeps());
        boolean coloured = o.coloured();
        DiagonalBlocks blocks = blocks(input, o);
        CsrMatrix inverse = blocks.inverted(1);
        CsrMatrix between = blocks.between(inverse);
        SweepOrder sweepOrder = coloured
                ? SweepOrder.coloured(between, blocks.blockOf())
                : SweepOrder.natural(between, input.kernels());
        return new RelaxationSmoother(input, "block-gauss-seidel, " + blocks + ", order=" + (coloured
                ? "coloured, " + sweepOrder.stages() + " colours"
                : "natural"), sweepOrder, settings, inverse);
    }

    private static DiagonalBlocks blocks(SmootherContext input, SmootherOptions o) {
        if (!o.has("block-sizes")) {
            return DiagonalBlocks.ofSize(input, o.whole("block-size", 4, 1, MAX_COUNT));
        }
        int[] sizes = o.list("block-sizes");
        int[] offsets = new int[sizes.length + 1];
        for (int block = 0; block < sizes.length; block++) {
            offsets[block + 1] = Math.addExact(offsets[block], sizes[block]);
            if (sizes[block] < 1) {
                throw o.refused("block-sizes", Integer.toString(sizes[block]), "sizes of at least 1");
            }
        }
        if (offsets[sizes.length] != input.rows()) {
            throw o.refused("block-sizes", "a sum of " + offsets[sizes.length],
                    "sizes that add up to the " + input.rows() + " rows");
        }
        return DiagonalBlocks.given(input, offsets);
    }

    private static Smoother chebyshev(SmootherContext input, SmootherOptions o) {
        input.requireSymmetric();
        double largest = o.largest(() -> SpectralRadius.bound(input.name(), input.matrix()));
        return new ChebyshevSmoother(input, new ChebyshevSmoother.Polynomial(o.fourthKind(), o.chebyshevDegree()),
                new ChebyshevSmoother.Bounds(o.smallest(largest), largest), o.sweeps());
    }

    private static Smoother relaxation(SmootherContext input, SmootherOptions o, String name, double omega) {
        boolean coloured = o.coloured();
        SweepDirection direction = o.direction();
        int sweeps = o.sweeps();
        SweepOrder sweepOrder = coloured
                ? SweepOrder.coloured(input.matrix())
                : SweepOrder.natural(input.matrix(), input.kernels());
        return new RelaxationSmoother(input, name + ", order=" + (coloured
                ? "coloured, " + sweepOrder.stages() + " colours"
                : "natural"), sweepOrder, new RelaxationSmoother.Settings(omega, direction, sweeps));
    }

    private static Smoother hybrid(SmootherContext input, SmootherOptions o) {
        String threads = input.backend().device().properties().getOrDefault("threads", "1");
        int blocks = o.whole("blocks", Integer.parseInt(threads), 1, MAX_COUNT);
        int[] offsets = new int[blocks + 1];
        for (int block = 1; block <= blocks; block++) {
            offsets[block] = (int) ((long) input.rows() * block / blocks);
        }
        return new RelaxationSmoother(input, "hybrid-gauss-seidel, blocks=" + blocks,
                SweepOrder.blocks(input.matrix(), offsets),
                new RelaxationSmoother.Settings(o.omega(1), o.direction(), o.sweeps()));
    }

    private static Smoother incomplete(SmootherContext input, SmootherOptions o, boolean symmetric) {
        double shift = o.realFrom("shift", 0, 0, MAX_NUMBER);
        TriangularSmoother.Solution solution = solution(o, LEVELS);
        int sweeps = o.sweeps();
        IncompleteFactors factors = symmetric
                ? IncompleteFactors.cholesky(input, shift)
                : IncompleteFactors.lu(input, shift);
        return new TriangularSmoother(input, (symmetric ? "ic0" : "ilu0") + ", shift=" + shift, factors,
                solution, symmetric || input.symmetric(), sweeps);
    }

    private static List<String> joined(List<String> first, List<String> others) {
        List<String> all = new ArrayList<>(first);
        all.addAll(others);
        return List.copyOf(all);
    }

    private static TriangularSmoother.Solution solution(SmootherOptions o, String... others) {
        List<String> allowed = new ArrayList<>(List.of(others));
        allowed.add(ITERATED);
        boolean iterated = o.text(TRIANGULAR, others[0], allowed.toArray(String[]::new)).equals(ITERATED);
        int iterations = o.whole(ITERATIONS, 3, 1, MAX_COUNT);
        return new TriangularSmoother.Solution(iterated ? iterations : 0);
    }

    /** Incomplete factors with fill, by level or by threshold. */
    private static Smoother filled(SmootherContext input, SmootherOptions o, String name) {
        boolean symmetric = name.startsWith("ic");
        double shift = o.realFrom("shift", 0, 0, MAX_NUMBER);
        String what;
        FilledFactors.Rule rule;
        if (name.endsWith("t")) {
            double drop = o.realFrom(DROP, DEFAULT_DROP, 0, 1);
            int fill = o.whole(FILL, DEFAULT_FILL, 0, Integer.MAX_VALUE);
            rule = FilledFactors.Rule.threshold(drop, fill, shift);
            what = ", drop=" + drop + ", fill=" + fill;
        } else {
            int level = o.whole(LEVEL, 1, 0, MAX_COUNT);
            rule = FilledFactors.Rule.levels(level, shift);
            what = ", level=" + level;
        }
        FillReduction order = o.constant(ORDER, FillReduction.NATURAL);
        LuOptions.Matching matching =
                symmetric ? LuOptions.Matching.NONE : o.constant(MATCHING, LuOptions.Matching.NONE);
        TriangularSmoother.Solution solution = solution(o, LEVELS);
        int sweeps = o.sweeps();
        if (symmetric) {
            input.requireSymmetric();
        }
        // Levels treat both triangles alike; thresholds of rows do not.
        boolean both = symmetric || (rule.threshold() == 0 && rule.fill() == Integer.MAX_VALUE
                && matching == LuOptions.Matching.NONE && input.symmetric());
        Preordering ordering = Preordering.of(input.matrix(), matching, order);
        IncompleteFactors factors = symmetric
                ? FilledFactors.cholesky(input, ordering, rule)
                : FilledFactors.lu(input, ordering, rule);
        return new TriangularSmoother(input, name + what + ", order=" + SmootherOptions.word(order) + ", shift="
                + shift + ", " + factors.triangles().nonZeros() + " non-zeros off the diagonal", factors, solution,
                both, sweeps);
    }

    private static Smoother direct(SmootherContext input, SmootherOptions o) {
        HostFactors.Kind kind = o.constant(FACTORS, HostFactors.Kind.AUTOMATIC);
        boolean onHost = o.text(TRIANGULAR, HOST, HOST, LEVELS, ITERATED).equals(HOST);
        TriangularSmoother.Solution solution = solution(o, HOST, LEVELS);
        int sweeps = o.sweeps();
        if (onHost) {
            return new DirectSmoother(input,
                    HostFactors.of(input.matrix(), kind, input.symmetric(), FactorLimits.ofHeap()), sweeps);
        }
        if (kind != HostFactors.Kind.AUTOMATIC && kind != HostFactors.Kind.LU) {
            throw o.refused(FACTORS, SmootherOptions.word(kind), "automatic or lu unless triangular is " + HOST);
        }
        IncompleteFactors factors = IncompleteFactors.complete(input, FactorLimits.ofHeap());
        return new TriangularSmoother(input, DIRECT + ", LU factors of " + factors.triangles().nonZeros()
                + " non-zeros off the diagonal", factors, solution, input.symmetric(), sweeps);
    }

    private static Smoother polynomial(SmootherContext input, SmootherOptions o) {
        return new NeumannSmoother(input, o.neumannDegree(), o.omega(1), o.sweeps());
    }
}
