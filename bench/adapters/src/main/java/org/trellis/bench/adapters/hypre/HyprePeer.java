package org.trellis.bench.adapters.hypre;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.trellis.bench.adapters.ranks.RankChoice;
import org.trellis.bench.adapters.ranks.RankPeer;
import org.trellis.bench.peer.solver.PeerSystem;
import org.trellis.solve.krylov.SolverConfig;

/**
 * hypre: PCG by the norm of the residual, GMRES and BiCGSTAB; with its diagonal scaling, BoomerAMG or ILU(0) of each
 * process's block. BoomerAMG is as the manual (chapter "BoomerAMG") advises for CPUs: HMIS, extended+i interpolation
 * with at most 4 weights a row, a strength of 0.25 in two dimensions and 0.5 in three, and the library's own smoother,
 * which is hybrid l1 Gauss-Seidel, forward on the way down and backward on the way up.
 */
public final class HyprePeer extends RankPeer {
    /** Names the Krylov solver. */
    static final String SOLVER = "solver";
    /** Names the preconditioner. */
    static final String PRECONDITIONER = "preconditioner";
    /** Says that PCG looks at the norm of the residual, not at that of the preconditioner. */
    static final String TWO_NORM = "two_norm";
    /** The length of a cycle of GMRES. */
    static final String K_DIM = "k_dim";

    /** Names without Debian's development package, too. */
    private static final List<String> LIBRARIES = List.of("libHYPRE.so", "libHYPRE-2.33.0.so", "libHYPRE-2.32.0.so",
            "libHYPRE-2.28.0.so", "libHYPRE-2.26.0.so", "libHYPRE.dylib");
    private static final int AMBIENT_DIMENSIONS = 3;

    /** Creates the adapter. */
    public HyprePeer() {
        this(LIBRARIES);
    }

    HyprePeer(List<String> libraries) {
        super("hypre", HypreRank.class, libraries, "libhypre-dev openmpi-bin");
    }

    @Override
    protected List<String> preconditioners() {
        return List.of("none", "jacobi", "ilu0", "amg");
    }

    @Override
    protected RankChoice choose(SolverConfig stack, PeerSystem system, Map<String, String> given) {
        Map<String, String> options = new LinkedHashMap<>();
        String method = switch (kindOf(stack, system)) {
            case "cg" -> "PCG";
            case "gmres" -> "GMRES";
            default -> "BiCGSTAB";
        };
        options.put(SOLVER, method.toLowerCase(Locale.ROOT));
        if (method.equals("PCG")) {
            options.put(TWO_NORM, "1");
        }
        if (method.equals("GMRES")) {
            options.put(K_DIM, stack.methodOptions().getOrDefault("restart", stack.isAutomatic() ? "50" : "30"));
        }
        int block = blockSize(stack, system);
        String words = switch (preconditionerOf(stack, system)) {
            case "jacobi" -> put(options, "diagonal", "diagonal scaling");
            case "ilu0" -> {
                options.put(HypreOption.ILU_TYPE.label(), "0");
                options.put(HypreOption.FILL.label(), "0");
                yield put(options, "ilu", "ILU(0) of each process's block");
            }
            case "amg" -> {
                multigrid(options, system, block);
                yield put(options, "boomeramg", "BoomerAMG");
            }
            default -> put(options, "none", "none");
        };
        over(options, given);
        return new RankChoice(method, words, options, block, stack.criteria());
    }

    private static String put(Map<String, String> options, String name, String words) {
        options.put(PRECONDITIONER, name);
        return words;
    }

    private static void multigrid(Map<String, String> options, PeerSystem system, int block) {
        boolean deep = GraphDimension.of(system.matrix(), block) >= AMBIENT_DIMENSIONS;
        options.put(HypreOption.COARSEN_TYPE.label(), "10");
        options.put(HypreOption.INTERP_TYPE.label(), "6");
        options.put(HypreOption.P_MAX_ELMTS.label(), "4");
        options.put(HypreOption.STRONG_THRESHOLD.label(), deep ? "0.5" : "0.25");
        if (block > 1) {
            options.put(HypreOption.NUM_FUNCTIONS.label(), Integer.toString(block));
        }
    }

    /** What the user says goes over what was chosen. */
    private static void over(Map<String, String> options, Map<String, String> given) {
        List<HypreOption> known = HypreOption.of(options.get(PRECONDITIONER));
        List<HypreOption> all = List.of(HypreOption.values());
        given.forEach((name, value) -> {
            HypreOption option = all.stream().filter(one -> one.label().equals(name)).findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("peer hypre has no option '" + name
                            + "', expected one of " + names(all.stream())));
            option.number(value);
            if (known.contains(option)) {
                options.put(name, value);
            }
        });
    }

    private static List<String> names(Stream<HypreOption> options) {
        return new ArrayList<>(options.map(HypreOption::label).toList());
    }
}
