package org.trellis.examples.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.console.Usage;
import org.trellis.bench.loop.CheckpointOptions;
import org.trellis.bench.option.BackendOptions;
import org.trellis.bench.option.JsonOption;
import org.trellis.bench.option.PrecisionConverter;
import org.trellis.bench.ranks.RankJob;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.DirichletMethod;
import org.trellis.fem.FormChoice;
import org.trellis.fem.FormOptions;
import org.trellis.fem.Storage;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.NodeFamily;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.MeshHierarchy;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.NamedPreconditioners;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** What both commands of finite elements share: how a system is made, stored and solved, and what is written. */
final class FemOptions {
    static final String P_MULTIGRID = "p-multigrid";
    static final String GEOMETRIC = "geometric";

    /** Those that need no rows of a matrix. */
    private static final List<String> OWN =
            List.of("none", "jacobi", "block-jacobi", "chebyshev", "ssor", P_MULTIGRID, GEOMETRIC);
    private static final int MOST_REFINED = 12;
    private static final double DOUBLE_TOLERANCE = 1e-10;
    private static final double SINGLE_TOLERANCE = 1e-5;
    /** Ten times what a product was seen to leave of quads of degree 2: 0.26 units of rounding an unknown. */
    private static final double ROUNDINGS = 2.6;

    @Option(names = "--degree", paramLabel = "P", defaultValue = "1",
            description = "Of the elements: 1 to 8 on quadrilaterals and hexahedra, 1 to 3 on others. Default: 1.")
    private int degree;

    @Option(names = "--nodes", paramLabel = "N", description = {"gll (at Gauss-Lobatto points) or equispaced.",
        "Default: gll on quadrilaterals and hexahedra, equispaced on others."})
    private String nodes;

    @Option(names = "--storage", paramLabel = "S", description = {
        "csr, csr-search, ellpack, lazy-ellpack, local-matrices, matrix-free or matrix-free-factored.",
        "Default: by a rule from degree and dimension."})
    private String storage;

    @Option(names = "--formulation", paramLabel = "F", description = {
        "global-reuse, local-storage, redundant-compute or sum-factorised. Default: by the rule."})
    private String formulation;

    @Option(names = "--dirichlet", paramLabel = "D", defaultValue = "eliminate",
            description = "Given values: eliminate (no unknowns) or rows (of a unit matrix; csr). Default: eliminate.")
    private String dirichlet;

    @Option(names = "--conflicts", paramLabel = "S", description = {
        "How elements with common unknowns are kept apart: a scheme of loops, such as two-level, block-permute,",
        "temporary (gather by rows), owner-compute. Default: the backend's rule."})
    private String conflicts;

    @Option(names = "--merge",
            description = "With lazy-ellpack: add up entries of one place after each assembly.")
    private boolean merge;

    @Option(names = "--preconditioner", paramLabel = "P", defaultValue = "jacobi", description = {
        "none, jacobi, block-jacobi (the fields of each node), chebyshev, ssor (coloured), p-multigrid, geometric",
        "(multigrid over refined meshes); with csr any that trellis solve has.",
        "Default: jacobi."})
    private String preconditioner;

    @Option(names = "--refine", paramLabel = "N", defaultValue = "0", description = {
        "Halve the cells of the mesh N times; geometric multigrid goes back. Default: 0, where geometric halves the",
        "number of cells of a mesh that is generated as often as it is even."})
    private int refine;

    @Option(names = "--tolerance", paramLabel = "T",
            description = {
                "Of the residual as a share of the right-hand side. Default: 1e-10 (a cantilever: 1e-8), 1e-5",
                "in f32; more where rounding of a product of so many unknowns leaves more."})
    private Double tolerance;

    private double usualTolerance = DOUBLE_TOLERANCE;

    @Option(names = "--max-iterations", paramLabel = "N", defaultValue = "20000",
            description = "The most. Default: 20000.")
    private int iterations;

    @Option(names = "--block-size", paramLabel = "N", defaultValue = "0",
            description = "Elements of a block in loops over elements. Default: the backend's rule.")
    private int blockSize;

    @Mixin
    private FemTuning tuning;

    @Mixin
    private BackendOptions backend;

    @Mixin
    private CheckpointOptions checkpoints;

    /** Of the mesh of the solution, with checkpoints; null if there are none. */
    private MeshOptions checkpointed;

    @Option(names = "--precision", paramLabel = "f64|f32", converter = PrecisionConverter.class,
            description = "Of values and vectors. Default: f64.")
    private Precision precision = Precision.F64;

    @Option(names = "--report", description = "Also list the loops over the mesh.")
    private boolean report;

    @Mixin
    private JsonOption json;

    @Option(names = "--vtu", paramLabel = "FILE",
            description = "Write the last solution for ParaView, with cells of its degree.")
    private Path vtu;

    @Option(names = "--picture", paramLabel = "FILE", arity = "0..1", fallbackValue = OutputFile.DEFAULT_PICTURE,
            description = "Draw the last solution, as PNG. Without FILE: " + OutputFile.DEFAULT_PICTURE + ".")
    private Path picture;

    /** Checks what can be checked before there is a mesh. */
    void check() {
        Checks.positive("--max-iterations", iterations);
        Checks.notNegative("--block-size", blockSize);
        if (refine < 0 || refine > MOST_REFINED) {
            throw new IllegalArgumentException("--refine is " + refine + ", expected 0 to " + MOST_REFINED);
        }
        tuning.check();
        if (checkpoints.isAsked() && tuning.isAsked()) {
            throw new IllegalArgumentException("--checkpoint, --restart and --dry-run with --tune or --profile, by "
                    + "which another run may choose otherwise, expected one or the other");
        }
        MeshOptions given = meshOptions();
        MeshOptions saving = checkpoints.on(given);
        checkpointed = checkpoints.isAsked() ? saving : null;
        if (tolerance != null && !(tolerance > 0 && tolerance < 1)) {
            throw new IllegalArgumentException("--tolerance is " + tolerance + ", expected a number between 0 and 1");
        }
        if (storage != null) {
            Storage.of(storage);
        }
        if (formulation != null) {
            Formulation.of(formulation);
        }
        if (conflicts != null) {
            LoopScheme.of(conflicts);
        }
        if (nodes != null) {
            NodeFamily.of(nodes);
        }
        DirichletMethod.of(dirichlet);
        if (!OWN.contains(preconditioner) && !NamedPreconditioners.names().contains(preconditioner)) {
            throw new IllegalArgumentException("--preconditioner is " + preconditioner + ", expected one of "
                    + String.join(", ", OWN) + "; with csr or csr-search also one of " + NamedPreconditioners.names()
                            .stream().filter(name -> !OWN.contains(name)).collect(Collectors.joining(", ")));
        }
        json.check();
        OutputFile.check("--vtu", vtu);
        OutputFile.checkPicture("--picture", picture);
    }

    /** Solves to a tolerance in double precision, where no other is asked for. */
    void usualTolerance(double usual) {
        usualTolerance = usual;
    }

    /** Returns the element for a shape. */
    LagrangeElement element(org.trellis.fem.element.ElementShape shape) {
        return nodes == null
                ? LagrangeElement.of(shape, degree)
                : LagrangeElement.of(shape, degree, NodeFamily.of(nodes));
    }

    /** Returns the storage and all that goes with it; where nothing is said, as the rule says. */
    FormOptions form(LagrangeElement element, int fields) {
        FormOptions rule = FormOptions.defaults(element, fields, precision);
        boolean needsRows = needsRows(element);
        if (storage == null && (needsRows || DirichletMethod.of(dirichlet) == DirichletMethod.ROWS)) {
            rule = rule.withStorage(Storage.CSR);
        }
        Storage chosen = storage == null ? rule.storage() : Storage.of(storage);
        FormOptions wanted = new FormOptions(chosen,
                formulation == null ? FormOptions.formulation(chosen, element, fields) : Formulation.of(formulation),
                precision,
                DirichletMethod.of(dirichlet), Optional.ofNullable(conflicts).map(LoopScheme::of), blockSize, merge);
        if (needsRows && !wanted.storage().hasRows()) {
            throw new IllegalArgumentException("--preconditioner is " + preconditioner + " with --storage "
                    + wanted.storage().label()
                    + ", expected csr or csr-search, or one of " + String.join(", ", OWN));
        }
        return wanted;
    }

    /** Says whether the preconditioner is made of compressed rows. */
    boolean needsRows(LagrangeElement element) {
        boolean alone = preconditioner.equals(P_MULTIGRID) && element.degree() == 1;
        return alone
                || !OWN.contains(preconditioner);
    }

    /** Says what tuning may choose: what other options leave open. */
    Predicate<FormChoice> allowed(LagrangeElement element) {
        boolean rows = needsRows(element) || DirichletMethod.of(dirichlet) == DirichletMethod.ROWS;
        return choice -> (storage == null || choice.storage() == Storage.of(storage))
                && (formulation == null || choice.formulation() == Formulation.of(formulation))
                && (conflicts == null || choice.scheme().equals(Optional.of(LoopScheme.of(conflicts))))
                && (blockSize == 0 || choice.blockSize() == blockSize)
                && (!rows || choice.storage().hasRows());
    }

    /** Says whether nothing is left to a rule. */
    boolean fixesAll() {
        return storage != null && formulation != null && conflicts != null && blockSize > 0;
    }

    /** Makes the meshes: one, or as many as were refined. */
    MeshHierarchy meshes(FemInput input, int finer, UnaryOperator<double[]> move) {
        return input.hierarchy(finer, refine, preconditioner.equals(GEOMETRIC), move);
    }

    /**
     * What is solved where.
     *
     * @param problem the problem
     * @param space   the space
     * @param meshes  the meshes whose finest is the space's
     * @param known   what is known
     */
    record Setting(DegreeMultigrid.Problem problem, FunctionSpace space, MeshHierarchy meshes,
            FemSolver.Known known) {}

    /**
     * Solves: with a backend, or on ranks, each of which has its own.
     *
     * @param spec    of the command, whose errors are about its options
     * @param setting what is solved
     * @param on      the ranks
     * @param backend where it runs, or null on ranks
     * @param console where tuning says what it has measured
     * @return what came out
     * @throws IOException if a profile cannot be read or written
     */
    FemSolver.Result solve(CommandSpec spec, Setting setting, RankJob on, Backend backend, Console console)
            throws IOException {
        Usage.check(spec, () -> form(setting.space().element(), setting.problem().form().fields()));
        FemTuning.Chosen chosen = backend == null
                ? new FemTuning.Chosen(form(setting.space().element(), setting.problem().form().fields()),
                        fixesAll() ? "options" : "rule")
                : tuning.choose(this, setting.problem(), setting.space(), backend, console);
        Function<Backend, FemSolver.Result> program = with -> {
            try (FemSolver solver = new FemSolver(this, chosen, setting.problem(), setting.space(), setting.meshes(),
                    with)) {
                return solver.solve(setting.known());
            }
        };
        return Usage.get(spec, () -> {
            try {
                return backend == null ? FemRanks.run(on, this, program) : program.apply(backend);
            } catch (UnsupportedKernelException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        });
    }

    FemTuning tuning() {
        return tuning;
    }

    /**
     * Returns when to stop. Rounding of a product leaves a residual that grows as the condition of a matrix of second
     * derivatives does, with the square of the number of unknowns on a line; the tolerance is above that where none was
     * asked for.
     *
     * @param unknowns  of the whole problem
     * @param dimension of the cells
     */
    StoppingCriteria criteria(long unknowns, int dimension) {
        double usual = precision == Precision.F64 ? usualTolerance : SINGLE_TOLERANCE;
        if (tolerance == null) {
            usual = Math.max(usual,
                    ROUNDINGS * precision.unitRoundoff() * Math.pow((double) unknowns, 2.0 / Math.max(1, dimension)));
        }
        return StoppingCriteria.relative(tolerance == null ? usual : tolerance, iterations);
    }

    @MustBeClosed
    Backend openForRank() {
        return backend.openForRank();
    }

    @MustBeClosed
    Backend open(CommandSpec spec) {
        return backend.open(spec);
    }

    MeshOptions meshOptions() {
        return MeshOptions.of(backend.configuration());
    }

    /** Returns the options of a mesh whose state is saved; empty if none is. */
    Optional<MeshOptions> checkpointed() {
        return Optional.ofNullable(checkpointed);
    }

    /** Prints what was saved, if anything was to be. */
    void printCheckpoints(Console console, String program) throws IOException {
        checkpoints.print(console, program);
    }

    Precision precision() {
        return precision;
    }

    String preconditioner() {
        return preconditioner;
    }

    boolean report() {
        return report;
    }

    JsonOption json() {
        return json;
    }

    Path vtu() {
        return vtu;
    }

    Path picture() {
        return picture;
    }
}
