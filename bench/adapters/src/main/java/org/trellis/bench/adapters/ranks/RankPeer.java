package org.trellis.bench.adapters.ranks;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.bench.peer.solver.PeerFailedException;
import org.trellis.bench.peer.solver.PeerSession;
import org.trellis.bench.peer.solver.PeerSettings;
import org.trellis.bench.peer.solver.PeerSystem;
import org.trellis.bench.peer.solver.SolverPeer;
import org.trellis.solve.krylov.SolverConfig;

/** A library of the system that solves systems as processes under MPI. */
public abstract class RankPeer implements SolverPeer {
    private static final String BLOCK_SIZE = "block-size";
    private static final String AMG = "amg";

    private final String name;
    private final Class<?> program;
    private final List<String> libraries;
    private final String debianPackage;
    private RankSpec.Found found;

    /**
     * Creates a peer.
     *
     * @param name          its name
     * @param program       the main class of its processes
     * @param libraries     names under which the system's loader may have the library, the likeliest first
     * @param debianPackage the package to install
     */
    protected RankPeer(String name, Class<?> program, List<String> libraries, String debianPackage) {
        this.name = name;
        this.program = program;
        this.libraries = List.copyOf(libraries);
        this.debianPackage = debianPackage;
    }

    @Override
    public final String name() {
        return name;
    }

    private synchronized RankSpec.Found found() {
        if (found == null) {
            found = RankJvm.find(program, libraries);
        }
        return found;
    }

    @Override
    public final Availability probe() {
        RankSpec.Found what = found();
        return what.error() == null
                ? Availability.yes(what.library() + " with " + what.mpi())
                : Availability.no("its library cannot be used here (" + what.error() + "); on Debian and its relatives"
                        + " `apt-get install " + debianPackage + "` brings it, one of your own belongs in"
                        + " LD_LIBRARY_PATH");
    }

    /**
     * Chooses what to set against a method of solving.
     *
     * @param stack   how Trellis solves the system; {@link #objection} has none
     * @param system  the system
     * @param options options of the user's
     * @return method, preconditioner and options
     * @throws IllegalArgumentException if an option is unknown
     */
    protected abstract RankChoice choose(SolverConfig stack, PeerSystem system, Map<String, String> options);

    /**
     * Lists what a peer may be set against.
     *
     * @return names of preconditioners of Trellis
     */
    protected abstract List<String> preconditioners();

    /**
     * Returns the kind of a method.
     *
     * @param stack  how Trellis solves the system
     * @param system the system
     * @return {@code cg}, {@code gmres} or {@code bicgstab}, or {@code richardson}; any other name stands for itself
     */
    protected static String kindOf(SolverConfig stack, PeerSystem system) {
        return switch (stack.method()) {
            case "cg", "fcg", "pipelined-cg" -> "cg";
            case "gmres", "fgmres" -> "gmres";
            case "bicgstab", "idr" -> "bicgstab";
            case SolverConfig.AUTO -> system.isSymmetric() ? "cg" : "gmres";
            default -> stack.method();
        };
    }

    /**
     * Returns the kind of a preconditioner.
     *
     * @param stack  how Trellis solves the system
     * @param system the system
     * @return a name of {@link #preconditioners()}
     */
    protected static String preconditionerOf(SolverConfig stack, PeerSystem system) {
        return stack.isAutomatic() ? system.isSymmetric() ? AMG : "ilu0" : stack.preconditioner();
    }

    /**
     * Returns the unknowns of a node.
     *
     * @param stack how Trellis solves the system
     * @param system the system
     * @return the option block-size of multigrid where it divides the number of rows, else 1
     */
    protected static int blockSize(SolverConfig stack, PeerSystem system) {
        int given = Integer.parseInt(stack.preconditionerOptions().getOrDefault(BLOCK_SIZE, "1"));
        return given > 0 && system.matrix().rows() % given == 0 ? given : 1;
    }

    @Override
    public final Optional<String> objection(SolverConfig stack, PeerSystem system) {
        String kind = kindOf(stack, system);
        if (!List.of("cg", "gmres", "bicgstab").contains(kind)) {
            return Optional.of("it has nothing to set against method " + kind
                    + ", expected one of the kind of cg, gmres or bicgstab");
        }
        String preconditioner = preconditionerOf(stack, system);
        if (!preconditioners().contains(preconditioner)) {
            return Optional.of("it has nothing to set against preconditioner " + preconditioner + ", expected one of "
                    + String.join(", ", preconditioners()));
        }
        if (stack.nullSpaceOfConstants()) {
            return Optional.of("it does not learn of null spaces");
        }
        if (stack.criteria().toFirstResidual()) {
            return Optional.of("it measures residuals by the right-hand side, not by the first of them");
        }
        return Optional.empty();
    }

    @Override
    public final String describe(SolverConfig stack, PeerSystem system, PeerSettings settings) {
        RankChoice choice = choose(stack, system, settings.options());
        return choice.method() + " with " + choice.preconditioner() + ": " + choice.inWords();
    }

    @Override
    @MustBeClosed
    public final PeerSession open(SolverConfig stack, PeerSystem system, PeerSettings settings) {
        objection(stack, system).ifPresent(reason -> {
            throw new IllegalArgumentException("peer " + name + " beside " + stack + ": " + reason);
        });
        if (found().error() != null) {
            throw new PeerFailedException("peer " + name + ": " + probe().reason());
        }
        RankChoice choice = choose(stack, system, settings.options());
        List<String> notes = new ArrayList<>();
        RankSession.Plan plan = plan(settings, System.getenv().getOrDefault("PATH", ""), notes);
        return RankSession.start(plan, choice, system.file(), system.matrix().rows(), notes);
    }

    private RankSession.Plan plan(PeerSettings settings, String path, List<String> notes) {
        int processes = settings.processes() == 0 ? settings.threads() : settings.processes();
        Optional<MpiLauncher> launcher = MpiLauncher.find(found().family(), path);
        if (processes > 1 && launcher.isEmpty()) {
            String missing = "no launcher of " + found().mpi() + " (mpirun." + found().family()
                    + ", mpirun or mpiexec) is in the PATH";
            if (settings.processes() > 0) {
                throw new PeerFailedException("peer " + name + " with " + processes + " processes: " + missing);
            }
            notes.add("one process, since " + missing);
            processes = 1;
        }
        return new RankSession.Plan(name, program, libraries, processes,
                processes == 1 ? Optional.empty() : launcher);
    }
}
