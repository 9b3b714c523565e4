package org.trellis.bench.solve;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.trellis.bench.direct.DirectSolve;
import org.trellis.bench.direct.QrSolve;
import org.trellis.common.Precision;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.NamedPreconditioners;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the command line says about how a system is solved. */
public final class StackOptions {
    /** The method of a preconditioner that is named without one. */
    private static final String DEFAULT_METHOD = "cg";
    private static final String DEFAULT_PRECONDITIONER = "jacobi";
    private static final int DEFAULT_ROUNDS = 3;

    @Option(names = "--method", paramLabel = "M",
            description = "The method: cg, fcg, pipelined-cg, minres, gmres, fgmres, lgmres, bicgstab, bicg, "
                    + "tfqmr, idr, chebyshev, richardson, lsqr, lsmr, cocg and complex-bicgstab for complex matrices, "
                    + "multigrid, which is its cycles alone, s-step, which is conjugate gradients "
                    + "over ranks with one reduction in several iterations, s-step-gmres, which is GMRES so, auto, "
                    + "which chooses by what the matrix is, tuned, which begins with what --profile knows and finds "
                    + "out within --rounds solutions what is fastest, direct, which factorises it, or qr, which "
                    + "solves least squares by Householder reflections. Default: auto; cg with --preconditioner.")
    private String method;

    @Option(names = "--preconditioner", paramLabel = "P",
            description = "The preconditioner: none, jacobi, l1-jacobi, block-jacobi, chebyshev, gauss-seidel, "
                    + "block-gauss-seidel, sor, ssor, hybrid-gauss-seidel, ic0, ilu0, ick, iluk, ict, ilut, direct, "
                    + "fsai, spai0, polynomial, amg, which is algebraic multigrid, schwarz, whose subdomains are "
                    + "ranks. Default: with --method alone jacobi; none for lsqr and lsmr, amg for multigrid.")
    private String preconditioner;

    @Option(names = "--option", paramLabel = "NAME=VALUE", arity = "1", description = {
        "An option of the method: restart (gmres, fgmres, lgmres, s-step-gmres), corrections (lgmres), "
                + "reorthogonalise (gmres, fgmres, lgmres), side (gmres), s (idr), lower, upper (chebyshev), "
                + "steps (chebyshev, s-step, s-step-gmres), damping (richardson), "
                + "basis (s-step, s-step-gmres), order, matching, blocks, kernel, pivot-tolerance, smallest-pivot, "
                + "memory (direct), order, tolerance, solution, memory (qr)."})
    private Map<String, String> methodOptions = new LinkedHashMap<>();

    @Option(names = "--preconditioner-option", paramLabel = "NAME=VALUE", arity = "1",
            description = "An option of the preconditioner.")
    private Map<String, String> preconditionerOptions = new LinkedHashMap<>();

    @Mixin
    private MultigridCommandOptions multigrid;

    @Option(names = "--compare", paramLabel = "M[+P]", split = ",",
            description = "Solve with these methods and preconditioners, in turns, instead of one.")
    private List<String> compared = new ArrayList<>();

    @Option(names = "--rounds", paramLabel = "N",
            description = "How often each solver is prepared and solves the system; the first time, cold, is "
                    + "reported apart from the median of the others. For direct and qr, of how many repetitions "
                    + "times are medians. Default: 1; 3 with --compare or --peer.")
    private Integer rounds;

    @Option(names = "--preset", paramLabel = "NAME",
            description = "A method with a preconditioner: default (which is auto), spd, elasticity, multigrid, "
                    + "unsymmetric, smallest-memory. What else is said here goes over it.")
    private String preset;

    @Option(names = "--config", paramLabel = "FILE",
            description = "Method, preconditioner, options and criteria as JSON. What else is said here goes over it.")
    private Path config;

    @Option(names = "--save-config", paramLabel = "FILE", description = "Write the same for later use.")
    private Path saved;

    @Option(names = "--mixed-precision",
            description = "Solve in single precision, within refinement in double precision.")
    private boolean mixed;

    @Option(names = "--null-space", paramLabel = "constants",
            description = "The matrix takes constants to zero, as that of a Neumann problem does.")
    private String nullSpace;

    @Option(names = "--tolerance", paramLabel = "T",
            description = "Share of the norm of b at which the norm of the residual, recomputed from x, is small "
                    + "enough. Default: 1e-8; 1e-5 with --precision f32.")
    private Double tolerance;

    @Option(names = "--max-iterations", paramLabel = "N",
            description = "Iterations allowed. Default: " + StoppingCriteria.DEFAULT_ITERATIONS + ".")
    private Integer maximumIterations;

    @Option(names = "--max-seconds", paramLabel = "S", description = "Time allowed. Default: any.")
    private Double maximumSeconds;

    /** Creates options as if the command line had none of them. */
    public StackOptions() {}

    /** Returns the file that the first stack is to be written to, or null. */
    Path saved() {
        return saved;
    }

    /** Returns how often each contender solves the system. */
    int rounds(boolean withPeers) {
        return givenRounds(compared.isEmpty() && !withPeers ? 1 : DEFAULT_ROUNDS);
    }

    private void checkRounds() {
        if (rounds != null && rounds < 1) {
            throw new IllegalArgumentException("--rounds is " + rounds + ", expected at least 1");
        }
    }

    private int givenRounds(int otherwise) {
        return rounds == null ? otherwise : rounds;
    }

    /** Says whether the solver tunes itself. */
    boolean isTuned() {
        return "tuned".equals(method);
    }

    /**
     * Returns when a solution of a solver that tunes itself ends.
     *
     * @throws IllegalArgumentException if something does not go together; says what would work
     */
    StoppingCriteria tuned(Precision precision) {
        checkRounds();
        chosenByTuning().ifPresent(option -> {
            throw new IllegalArgumentException("--method tuned with " + option + ", which it chooses, expected "
                    + "--rounds, --profile, --null-space, --tolerance, --max-iterations or --max-seconds");
        });
        if (nullSpace != null && !nullSpace.equals("constants")) {
            throw new IllegalArgumentException("--null-space is '" + nullSpace + "', expected constants");
        }
        return criteria(null, precision);
    }

    /** Returns the first option that says what a solver that tunes itself chooses; empty if none was given. */
    private Optional<String> chosenByTuning() {
        return Stream.of(named("--preconditioner", preconditioner != null), named("--option", !methodOptions.isEmpty()),
                named("--preconditioner-option", !preconditionerOptions.isEmpty()),
                Optional.ofNullable(multigrid.first()), named("--compare", !compared.isEmpty()),
                named("--preset", preset != null), named("--config", config != null),
                named("--save-config", saved != null), named("--mixed-precision", mixed)).flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> named(String option, boolean given) {
        return given ? Optional.of(option) : Optional.empty();
    }

    /** Says whether the matrix takes constants to zero. */
    boolean hasNullSpace() {
        return nullSpace != null;
    }

    /** Says whether the matrix is to be factorised. */
    boolean isDirect() {
        return "direct".equals(method) || isQr();
    }

    /** Says whether it is to be factorised for least squares. */
    boolean isQr() {
        return "qr".equals(method);
    }

    /** Returns how often each phase of a direct solution is timed. */
    int directRounds(boolean withPeers) {
        return givenRounds(withPeers ? DEFAULT_ROUNDS : 1);
    }

    /**
     * Returns how a matrix is factorised.
     *
     * @throws IllegalArgumentException if something is unknown or does not go together; says what would work
     */
    LuOptions direct() {
        return DirectSolve.options(methodOptions, directSeconds());
    }

    /**
     * Returns how least squares are solved.
     *
     * @throws IllegalArgumentException if something is unknown or does not go together; says what would work
     */
    QrSolve.Settings qr() {
        return QrSolve.settings(methodOptions, directSeconds());
    }

    /** Refuses what does not go together with a factorisation; returns the limit of time. */
    private double directSeconds() {
        checkRounds();
        if (preconditioner != null || !preconditionerOptions.isEmpty() || !compared.isEmpty() || preset != null
                || config != null || saved != null || mixed || nullSpace != null || tolerance != null
                || maximumIterations != null) {
            throw new IllegalArgumentException("--method " + method
                    + " with a preconditioner, --compare, a configuration, "
                    + "--mixed-precision, --null-space, --tolerance or --max-iterations, expected --option and "
                    + "--max-seconds alone");
        }
        return maximumSeconds == null ? Double.POSITIVE_INFINITY : maximumSeconds;
    }

    /**
     * Returns the methods.
     *
     * @param precision of the solution, on which the default tolerance depends
     * @return one, or those to compare
     * @throws IOException              if the configuration cannot be read
     * @throws IllegalArgumentException if something is unknown or does not go together; says what would work
     */
    List<SolverConfig> stacks(Precision precision) throws IOException {
        checkRounds();
        if (preset != null && config != null) {
            throw new IllegalArgumentException("--preset with --config, expected one of them; a configuration can "
                    + "name a preset itself");
        }
        if (nullSpace != null && !nullSpace.equals("constants")) {
            throw new IllegalArgumentException("--null-space is '" + nullSpace + "', expected constants");
        }
        multigrid.check();
        multigrid.checkTwice(preconditionerOptions);
        SolverConfig base = null;
        if (config != null) {
            base = StackFile.read(config);
        } else if (preset != null) {
            base = SolverConfig.preset(preset);
        }
        if (compared.isEmpty()) {
            checkMethod();
            return withMultigrid(List.of(over(base, method, preconditioner, precision)));
        }
        if (method != null || preconditioner != null || !methodOptions.isEmpty() || !preconditionerOptions.isEmpty()) {
            throw new IllegalArgumentException("--compare with --method, --preconditioner or their options, expected "
                    + "either; write --compare cg+jacobi,gmres+none");
        }
        List<SolverConfig> stacks = new ArrayList<>();
        for (String one : compared) {
            int plus = one.indexOf('+');
            stacks.add(plus < 0
                    ? over(base, one, null, precision)
                    : over(base, one.substring(0, plus), one.substring(plus + 1), precision));
        }
        return withMultigrid(stacks);
    }

    /** The library does not know those that are no iterative methods. */
    private void checkMethod() {
        if (method == null || method.equalsIgnoreCase(SolverConfig.AUTO)
                || SolverConfig.methods().contains(method.toLowerCase(Locale.ROOT))) {
            return;
        }
        throw new IllegalArgumentException("method '" + method + "', expected one of "
                + String.join(", ", SolverConfig.methods()) + ", direct, qr, tuned, or " + SolverConfig.AUTO
                + ", which chooses method and preconditioner by what the matrix is");
    }

    /** Returns what the command line says about multigrid. */
    MultigridCommandOptions multigrid() {
        return multigrid;
    }

    /** Refuses options of multigrid where there is none. */
    private List<SolverConfig> withMultigrid(List<SolverConfig> stacks) {
        boolean automatic = stacks.stream().anyMatch(SolverConfig::isAutomatic);
        String foreign = automatic ? multigrid.firstOfPreconditioner() : multigrid.first();
        if (foreign != null && stacks.stream().noneMatch(s -> s.preconditioner().equals(NamedPreconditioners.AMG))) {
            throw new IllegalArgumentException(foreign + " with preconditioner " + stacks.getFirst().preconditioner()
                    + ", expected --preconditioner amg or --method multigrid, whose option it is");
        }
        return stacks;
    }

    private SolverConfig over(SolverConfig base, String wantedMethod, String wantedPreconditioner,
            Precision precision) {
        String chosen = wantedMethod;
        if (chosen == null) {
            chosen = base == null ? methodOf(wantedPreconditioner) : base.method();
        }
        boolean same = base != null && chosen.equals(base.method());
        String with = wantedPreconditioner;
        if (with == null) {
            with = same ? base.preconditioner() : preconditionerOf(chosen);
        }
        boolean sameWith = base != null && with.equals(base.preconditioner());
        Map<String, String> options = new LinkedHashMap<>(same ? base.methodOptions() : Map.of());
        options.putAll(methodOptions);
        Map<String, String> others = new LinkedHashMap<>(sameWith ? base.preconditionerOptions() : Map.of());
        others.putAll(preconditionerOptions);
        multigrid.addTo(with, others);
        return new SolverConfig(chosen, options, with, others, criteria(base, precision),
                mixed || (base != null && base.mixedPrecision()),
                nullSpace != null || (base != null && base.nullSpaceOfConstants()));
    }

    /** Without a word about either, the choice is the library's. */
    private static String methodOf(String preconditioner) {
        return preconditioner == null ? SolverConfig.preset("default").method() : DEFAULT_METHOD;
    }

    private static String preconditionerOf(String method) {
        return switch (method) {
            case SolverConfig.AUTO -> SolverConfig.AUTO;
            case "lsqr" -> "none";
            case SolverConfig.MULTIGRID -> NamedPreconditioners.AMG;
            default -> DEFAULT_PRECONDITIONER;
        };
    }

    private StoppingCriteria criteria(SolverConfig base, Precision precision) {
        StoppingCriteria from = config == null ? StoppingCriteria.defaults(precision) : base.criteria();
        return new StoppingCriteria(tolerance == null ? from.relativeTolerance() : tolerance,
                from.absoluteTolerance(), maximumIterations == null ? from.maximumIterations() : maximumIterations,
                from.divergenceLimit(), from.toFirstResidual(),
                maximumSeconds == null ? from.maximumSeconds() : maximumSeconds, from.stagnationWindow());
    }
}
