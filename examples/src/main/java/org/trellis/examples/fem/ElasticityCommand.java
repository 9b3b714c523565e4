package org.trellis.examples.fem;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.report.JobFacts;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.BoundaryCondition;
import org.trellis.fem.Constraints;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.PointFunction;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.MeshHierarchy;
import org.trellis.fem.space.StructuredMeshes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The command {@code trellis example elasticity}. */
@Command(name = "elasticity", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "An elastic body by finite elements: a loaded cantilever, or the patch test, whose solution is linear and exact."})
public final class ElasticityCommand extends ConsoleCommand {
    private static final double LENGTH = 5;
    private static final double TRACTION = -1e-3;
    private static final double COORDINATE_TOLERANCE = 1e-9;
    /** Slender bodies bend by far more than forces times stiffness: rounding of a product leaves some 1e-10 of them. */
    private static final double TOLERANCE = 1e-8;
    private static final double[] PATCH = {0.1, 0.2, -0.3, 0.05, -0.1, 0.4, 0.2, 0.15, -0.25};

    private final RankJob job;

    @Parameters(paramLabel = "MESH", arity = "0..1", defaultValue = "quads:n=8", description = {
        "A mesh file, or the unit square or cube: " + FemInput.GENERATED + ". The cantilever is five times as long,",
        "held at the least x and pulled down at the greatest. Default: quads:n=8."})
    private String input;

    @Option(names = "--patch", description = "Solve the patch test on a distorted mesh instead.")
    private boolean patch;

    @Option(names = "--young", paramLabel = "E", defaultValue = "1", description = "Young's modulus. Default: 1.")
    private double young;

    @Option(names = "--poisson", paramLabel = "NU", defaultValue = "0.3",
            description = "Poisson's ratio, below 0.5. Default: 0.3.")
    private double poisson;

    @Option(names = "--ranks", paramLabel = "N", description = {
        "Ranks, which are threads with a part of the mesh each; the same as trellis run --ranks N example elasticity.",
        "Default: those of the job, or 1."})
    private Integer ranks;

    @Mixin
    private FemOptions how;

    /**
     * Creates the command.
     *
     * @param console where it prints
     * @param job     the ranks that it runs on
     */
    public ElasticityCommand(Console console, RankJob job) {
        super(console);
        this.job = job;
    }

    @Override
    public Integer call() throws IOException {
        checkUsage(how::check);
        if (!patch) {
            how.usualTolerance(TOLERANCE);
        }
        FemInput given;
        try {
            given = FemInput.of(input);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), e.getMessage(), e);
        }
        MeshHierarchy meshes =
                checked(() -> how.meshes(given, 0, patch ? StructuredMeshes::distorted : this::stretched));
        CellMesh mesh = meshes.finest();
        FunctionSpace space = checked(() -> FunctionSpace.of(mesh, how.element(mesh.shape())));
        int dimension = mesh.dimension();
        checkUsage(() -> how.form(space.element(), dimension));
        DegreeMultigrid.Problem problem = checked(() -> problem(space));
        PointFunction none = (x, f) -> Arrays.fill(f, 0);
        FemSolver.Known known = patch
                ? new FemSolver.Known(none, ElasticityCommand::displacements, ElasticityCommand::strains)
                : new FemSolver.Known(none, null, null);
        FemOptions.Setting setting = new FemOptions.Setting(problem, space, meshes, known);
        RankJob on = checked(() -> FemRanks.ranks(job, ranks));
        if (on.isDistributed()) {
            checkUsage(() -> FemRanks.check(how));
            FemSolver.Result result = how.solve(spec(), setting, on, null, console());
            if (on.isSilent()) {
                return result.run().report().converged() ? ExitCode.OK : ExitCode.NOT_CONVERGED;
            }
            console().print("%s", FemResults.heading(given, space, on.ranks() + " ranks", how.precision().label()));
            console().print("%s", result.division());
            return finish(result, "ranks", FemRanks.facts(on), space);
        }
        try (Backend backend = how.open(spec())) {
            FemSolver.Result result = how.solve(spec(), setting, on, backend, console());
            console().print("%s", FemResults.heading(given, space, backend.name(), how.precision().label()));
            how.printCheckpoints(console(), "elasticity " + given);
            return finish(result, backend.name(), Optional.empty(), space);
        }
    }

    private int finish(FemSolver.Result result, String backend, Optional<JobFacts> on, FunctionSpace space)
            throws IOException {
        FemRun run = result.run();
        int dimension = space.mesh().dimension();
        FemResults results = new FemResults(patch ? "patch test" : "cantilever", input, backend,
                space.element().degree(), on, List.of(run));
        console().printText(results.table());
        console().printText(results.remarks());
        console().print("greatest displacement %s", String.format(Locale.ROOT, "%.6e",
                greatest(result.nodes(), dimension)));
        FemOutput.write(how, space, result.nodes(), result.loops(), dimension, input, console());
        how.json().write(() -> results.json(commandLine()));
        return run.report().converged() ? ExitCode.OK : ExitCode.NOT_CONVERGED;
    }

    private double[] stretched(double[] x) {
        x[0] *= LENGTH;
        return x;
    }

    private DegreeMultigrid.Problem problem(FunctionSpace space) {
        BilinearForm form = BilinearForm.elasticity(space.mesh().dimension(), young, poisson);
        return patch
                ? new DegreeMultigrid.Problem(form, ElasticityCommand::onAllSides, List.of())
                : cantilever(form, space);
    }

    private static DegreeMultigrid.Problem cantilever(BilinearForm form, FunctionSpace space) {
        int dimension = space.mesh().dimension();
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < space.coordinates().length; k += dimension) {
            least = Math.min(least, space.coordinates()[k]);
            most = Math.max(most, space.coordinates()[k]);
        }
        double held = least + COORDINATE_TOLERANCE * (most - least);
        double pulled = most - COORDINATE_TOLERANCE * (most - least);
        return new DegreeMultigrid.Problem(form, on -> {
            Constraints constraints = Constraints.none(on, dimension);
            int[] nodes = on.boundaryNodes(centre -> centre[0] < held);
            for (int field = 0; field < dimension; field++) {
                constraints.fix(nodes, field, x -> 0);
            }
            return constraints;
        }, List.of(BoundaryCondition.neumann(centre -> centre[0] > pulled, (x, g) -> {
            Arrays.fill(g, 0);
            g[dimension - 1] = TRACTION;
        })));
    }

    private static Constraints onAllSides(FunctionSpace space) {
        int dimension = space.mesh().dimension();
        Constraints constraints = Constraints.none(space, dimension);
        for (int field = 0; field < dimension; field++) {
            int a = field;
            constraints.fix(space.boundaryNodes(), field, x -> {
                double[] u = new double[dimension];
                displacements(x, u);
                return u[a];
            });
        }
        return constraints;
    }

    private static void displacements(double[] x, double[] u) {
        for (int a = 0; a < u.length; a++) {
            u[a] = a;
            for (int d = 0; d < x.length; d++) {
                u[a] += PATCH[3 * a + d] * x[d];
            }
        }
    }

    private static void strains(double[] x, double[] g) {
        for (int k = 0; k < g.length; k++) {
            g[k] = PATCH[k / x.length * 3 + k % x.length];
        }
    }

    private static double greatest(double[] u, int dimension) {
        double most = 0;
        for (int node = 0; node < u.length; node += dimension) {
            double square = 0;
            for (int a = 0; a < dimension; a++) {
                square += u[node + a] * u[node + a];
            }
            most = Math.max(most, Math.sqrt(square));
        }
        return most;
    }
}
