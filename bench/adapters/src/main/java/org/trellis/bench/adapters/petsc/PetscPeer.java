package org.trellis.bench.adapters.petsc;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.bench.adapters.ranks.RankChoice;
import org.trellis.bench.adapters.ranks.RankPeer;
import org.trellis.bench.peer.solver.PeerSystem;
import org.trellis.solve.krylov.SolverConfig;

/**
 * PETSc: KSPCG, KSPGMRES and KSPBCGS by the norm of the residual, the last two preconditioned from the right; with
 * PCJACOBI, PCSOR (symmetric, of each process's block), ICC(0) and ILU(0) of each process's block, or PCGAMG with the
 * defaults of the release, the unknowns of a node and, with KSPCG, conjugate gradients to estimate eigenvalues.
 */
public final class PetscPeer extends RankPeer {
    /** Names the Krylov solver. */
    static final String KSP_TYPE = "ksp_type";

    private static final String PC_TYPE = "pc_type";
    private static final String SUB_PC_TYPE = "sub_pc_type";
    private static final String BLOCKS = "bjacobi";
    /** Names without Debian's development package, too. */
    private static final List<String> LIBRARIES = List.of("libpetsc_real.so", "libpetsc_real.so.3.22",
            "libpetsc_real.so.3.18", "libpetsc_real.so.3.15", "libpetsc.so", "libpetsc.dylib");

    /** Creates the adapter. */
    public PetscPeer() {
        this(LIBRARIES);
    }

    PetscPeer(List<String> libraries) {
        super("petsc", PetscRank.class, libraries, "libpetsc-real-dev openmpi-bin");
    }

    @Override
    protected List<String> preconditioners() {
        return List.of("none", "jacobi", "ssor", "ic0", "ilu0", "amg");
    }

    @Override
    protected RankChoice choose(SolverConfig stack, PeerSystem system, Map<String, String> given) {
        Map<String, String> options = new LinkedHashMap<>();
        String kind = kindOf(stack, system);
        String method = switch (kind) {
            case "cg" -> "KSPCG";
            case "gmres" -> "KSPGMRES";
            default -> "KSPBCGS";
        };
        options.put(KSP_TYPE, kind.equals("bicgstab") ? "bcgs" : kind);
        options.put("ksp_norm_type", "unpreconditioned");
        if (!kind.equals("cg")) {
            options.put("ksp_pc_side", "right");
        }
        if (kind.equals("gmres")) {
            options.put("ksp_gmres_restart",
                    stack.methodOptions().getOrDefault("restart", stack.isAutomatic() ? "50" : "30"));
        }
        String words = switch (preconditionerOf(stack, system)) {
            case "jacobi" -> put(options, "jacobi", "", "PCJACOBI");
            case "ssor" -> {
                options.put("pc_sor_local_symmetric", "");
                yield put(options, "sor", "", "PCSOR, symmetric in each process's block");
            }
            case "ic0" -> put(options, BLOCKS, "icc", "ICC(0) of each process's block");
            case "ilu0" -> put(options, BLOCKS, "ilu", "ILU(0) of each process's block");
            case "amg" -> {
                if (kind.equals("cg")) {
                    options.put("pc_gamg_esteig_ksp_type", "cg");
                }
                yield put(options, "gamg", "", "PCGAMG");
            }
            default -> put(options, "none", "", "none");
        };
        options.putAll(given);
        return new RankChoice(method, words, options, blockSize(stack, system), stack.criteria());
    }

    private static String put(Map<String, String> options, String type, String ofBlocks, String words) {
        options.put(PC_TYPE, type);
        if (!ofBlocks.isEmpty()) {
            options.put(SUB_PC_TYPE, ofBlocks);
        }
        return words;
    }
}
