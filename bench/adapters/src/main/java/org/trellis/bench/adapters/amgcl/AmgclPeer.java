package org.trellis.bench.adapters.amgcl;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.trellis.backend.Availability;
import org.trellis.bench.peer.solver.PeerFailedException;
import org.trellis.bench.peer.solver.PeerSession;
import org.trellis.bench.peer.solver.PeerSettings;
import org.trellis.bench.peer.solver.PeerSystem;
import org.trellis.bench.peer.solver.SolverPeer;
import org.trellis.solve.krylov.SolverConfig;

/**
 * amgcl: conjugate gradients with its multigrid, smoothed aggregation and SPAI(0) unless options say otherwise, on as
 * many OpenMP threads as Trellis has. The library has headers only: a small program is compiled for this machine, once
 * for a process, with the headers in the folder that {@value #FOLDER} names.
 */
public final class AmgclPeer implements SolverPeer {
    /** The environment variable that names the folder in which the folder {@code amgcl} with its headers is. */
    static final String FOLDER = "AMGCL_HOME";

    private static final String COARSENING = "coarsening";
    private static final String RELAXATION = "relaxation";
    /** The values of each option, the usual one first. */
    private static final Map<String, List<String>> OPTIONS = options();

    private final Path headers;
    private AmgclProgram program;

    /** Creates the adapter. */
    public AmgclPeer() {
        this(System.getenv(FOLDER));
    }

    AmgclPeer(String folder) {
        this.headers = folder == null || folder.isBlank() ? null : Path.of(folder);
    }

    private static Map<String, List<String>> options() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        all.put(COARSENING, List.of("smoothed_aggregation", "ruge_stuben"));
        all.put(RELAXATION, List.of("spai0", "gauss_seidel", "chebyshev"));
        return all;
    }

    @Override
    public String name() {
        return "amgcl";
    }

    @Override
    public Availability probe() {
        if (headers == null || !Files.isRegularFile(headers.resolve("amgcl").resolve("amg.hpp"))) {
            return Availability.no((headers == null
                    ? FOLDER + " is not set"
                    : FOLDER + " is " + headers + ", where no amgcl/amg.hpp is")
                    + "; it names a clone of https://github.com/ddemidov/amgcl");
        }
        return AmgclProgram.compiler().map(found -> Availability.yes(headers + " with " + found)).orElseGet(
                () -> Availability.no("no g++ or clang++ is in the PATH; `apt-get install g++` brings one"));
    }

    @Override
    public Optional<String> objection(SolverConfig stack, PeerSystem system) {
        boolean cg = stack.isAutomatic() ? system.isSymmetric() : stack.method().equals("cg");
        boolean multigrid = stack.isAutomatic() || stack.preconditioner().equals("amg");
        if (!cg || !multigrid) {
            return Optional.of("it is set against method cg with preconditioner amg, not against " + stack);
        }
        if (stack.nullSpaceOfConstants()) {
            return Optional.of("it does not learn of null spaces");
        }
        return stack.criteria().toFirstResidual()
                ? Optional.of("it measures residuals by the right-hand side, not by the first of them")
                : Optional.empty();
    }

    @Override
    public String describe(SolverConfig stack, PeerSystem system, PeerSettings settings) {
        return "CG with " + inWords(choose(settings), blockSize(stack, system));
    }

    private static String inWords(Map<String, String> choice, int block) {
        String words = choice.entrySet().stream().map(option -> option.getKey() + "=" + option.getValue())
                .collect(Collectors.joining(", "));
        return "amg: " + words + (block > 1 ? ", block_size=" + block : "");
    }

    private static Map<String, String> choose(PeerSettings settings) {
        Map<String, String> choice = new LinkedHashMap<>();
        OPTIONS.forEach((name, values) -> choice.put(name, values.getFirst()));
        settings.options().forEach((name, value) -> {
            if (!OPTIONS.containsKey(name)) {
                throw new IllegalArgumentException("peer amgcl has no option '" + name + "', expected one of "
                        + OPTIONS.keySet());
            }
            if (!OPTIONS.get(name).contains(value)) {
                throw new IllegalArgumentException("peer amgcl with " + name + "=" + value + ", expected one of "
                        + OPTIONS.get(name));
            }
            choice.put(name, value);
        });
        return choice;
    }

    private static int blockSize(SolverConfig stack, PeerSystem system) {
        int given = Integer.parseInt(stack.preconditionerOptions().getOrDefault("block-size", "1"));
        return given > 0 && system.matrix().rows() % given == 0 ? given : 1;
    }

    @Override
    @MustBeClosed
    public PeerSession open(SolverConfig stack, PeerSystem system, PeerSettings settings) {
        objection(stack, system).ifPresent(reason -> {
            throw new IllegalArgumentException("peer amgcl beside " + stack + ": " + reason);
        });
        Availability availability = probe();
        if (!availability.available()) {
            throw new PeerFailedException("peer amgcl: " + availability.reason());
        }
        Map<String, String> choice = choose(settings);
        int block = blockSize(stack, system);
        try {
            List<String> arguments = List.of(Integer.toString(block),
                    Double.toString(stack.criteria().relativeTolerance()),
                    Double.toString(stack.criteria().absoluteTolerance()),
                    Integer.toString(stack.criteria().maximumIterations()), choice.get(COARSENING),
                    choice.get(RELAXATION));
            return AmgclSession.start(program(), system, settings.threads(), arguments,
                    new AmgclSession.Words(inWords(choice, block), stack.criteria().relativeTolerance()));
        } catch (IOException e) {
            throw new PeerFailedException("peer amgcl cannot be started: " + e.getMessage(), e);
        }
    }

    private synchronized AmgclProgram program() {
        if (program == null) {
            try {
                program = AmgclProgram.compile(headers);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return program;
    }
}
