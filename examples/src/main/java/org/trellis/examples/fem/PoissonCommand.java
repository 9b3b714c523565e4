package org.trellis.examples.fem;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.Usage;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.fem.space.MeshHierarchy;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.file.AtomicFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code trellis example poisson}. */
@Command(name = "poisson", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Poisson's equation by finite elements of any degree, with the matrix stored in one of several ways or not at all.",
    "Prints errors against the known solution, elements assembled and iterations a second."})
public final class PoissonCommand implements Callable<Integer> {
    private static final int MOST_STUDIES = 10;

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "MESH", arity = "0..1", defaultValue = "quads:n=32", description = {
        "A mesh file of triangles, quadrilaterals, tetrahedra or hexahedra, perhaps with .gz, or the unit square or",
        "cube: " + FemInput.GENERATED + ". Default: quads:n=32."})
    private String input;

    @Option(names = "--form", paramLabel = "F", defaultValue = "sine", description = {
        "sine (the thesis's: kappa 1), variable (kappa a function) or tensor (an oblique tensor, and a reaction).",
        "Default: sine."})
    private String form;

    @Option(names = "--distort", description = "Move the vertices of a mesh that is generated.")
    private boolean distort;

    @Option(names = "--study", paramLabel = "N", defaultValue = "0",
            description = "Solve on N more meshes, each twice as fine, and give rates. Default: 0.")
    private int study;

    @Mixin
    private FemOptions how;

    @Option(names = {"-q", "--quiet"}, description = "Show no progress.")
    private boolean quiet;

    /**
     * Creates the command.
     *
     * @param console where it prints
     */
    public PoissonCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        PoissonProblems problem = Usage.get(spec, () -> PoissonProblems.of(form));
        Usage.check(spec, how::check);
        FemInput mesh = read();
        List<FemRun> runs = new ArrayList<>();
        try (ConsoleProgress progress = new ConsoleProgress(console, quiet); Backend backend = how.open(spec)) {
            int degree = 0;
            for (int finer = 0; finer <= study; finer++) {
                progress.progress("mesh " + input, finer, study + 1);
                degree = solve(problem, mesh, finer, backend, runs, progress);
            }
            progress.clear();
            FemResults results = new FemResults(problem.text(), input, backend.name(), degree, runs);
            console.printText(results.table());
            if (how.json() != null) {
                AtomicFile.writeText(how.json(), results.json(Usage.commandLine(spec)));
            }
        }
        return runs.stream().allMatch(run -> run.report().converged()) ? ExitCode.OK : ExitCode.NOT_CONVERGED;
    }

    private FemInput read() throws IOException {
        FemInput mesh;
        try {
            mesh = FemInput.of(input);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Usage.check(spec, () -> {
            if (study < 0 || study > MOST_STUDIES) {
                throw new IllegalArgumentException("--study is " + study + ", expected 0 to " + MOST_STUDIES);
            }
            if (!mesh.isGenerated() && (study > 0 || distort)) {
                throw new IllegalArgumentException("--study and --distort with the mesh " + mesh
                        + ", expected one that is generated: " + FemInput.GENERATED);
            }
        });
        return mesh;
    }

    private int solve(PoissonProblems problem, FemInput input, int finer, Backend backend, List<FemRun> runs,
            ConsoleProgress progress) throws IOException {
        UnaryOperator<double[]> move = distort ? StructuredMeshes::distorted : x -> x;
        MeshHierarchy meshes = Usage.get(spec, () -> how.meshes(input, finer, move));
        CellMesh mesh = meshes.finest();
        FunctionSpace space = Usage.get(spec, () -> FunctionSpace.of(mesh, how.element(mesh.shape())));
        progress.clear();
        DegreeMultigrid.Problem system = problem.problem(mesh.dimension());
        Usage.check(spec, () -> how.form(space.element(), 1));
        FemTuning.Chosen chosen = how.tuning().choose(how, system, space, backend, console);
        try (FemSolver solver = Usage.get(spec, () -> solver(chosen, system, space, meshes, backend))) {
            console.print("%s", FemResults.heading(input, space, backend.name(),
                    chosen.options().precision().label()));
            runs.add(solver.solve(problem::load, problem::value, problem::gradient));
            if (finer == study) {
                FemOutput.write(how, space, solver, 1, input.toString(), console);
            }
        }
        return space.element().degree();
    }

    @SuppressWarnings("MustBeClosed") // the caller closes it
    private FemSolver solver(FemTuning.Chosen chosen, DegreeMultigrid.Problem problem, FunctionSpace space,
            MeshHierarchy meshes, Backend backend) {
        try {
            return new FemSolver(how, chosen, problem, space, meshes, backend);
        } catch (UnsupportedKernelException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
