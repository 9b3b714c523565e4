package org.trellis.bench.solve;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.trellis.bench.console.Console;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.ranks.RingProfile;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.SolveRun;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.multigrid.LevelRings;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;

/** How many rings preconditioners exchange by each of several methods, with what a profile knows of them. */
public final class SolverRings {
    private final RingChoice wanted;
    private final int blockSize;
    /** Null without a profile, and on ranks other than 0. */
    private final RingProfile profile;

    private SolverRings(RingChoice wanted, int blockSize, RingProfile profile) {
        this.wanted = wanted;
        this.blockSize = blockSize;
        this.profile = profile;
    }

    /**
     * Takes what was asked for; with a profile, numbers are tuned unless others are given.
     *
     * @param wanted    what was asked for, null for nothing
     * @param blockSize unknowns of a node
     * @param path      the profile, or null
     * @param whole     the matrix on rank 0, else null
     * @param job       the ranks
     * @param communicator the same
     * @return the numbers of each solver
     */
    public static SolverRings of(RingChoice wanted, int blockSize, Path path, CsrMatrix whole, RankJob job,
            Communicator communicator) {
        RingChoice otherwise = path == null ? RingChoice.AUTOMATIC : RingChoice.TUNED;
        RingProfile profile = path == null || whole == null
                ? null
                : new RingProfile(path, whole, job, communicator.transport());
        return new SolverRings(wanted == null ? otherwise : wanted, blockSize, profile);
    }

    /**
     * Refuses what makes no sense together.
     *
     * @throws IllegalArgumentException if there is a profile and nothing that could be tuned
     */
    static void refuse(RingChoice wanted, Path path, List<SolverConfig> stacks) {
        if (path == null) {
            return;
        }
        if (stacks.stream().noneMatch(PartitionedSolver::tunesRings)) {
            throw new IllegalArgumentException("--profile on several ranks with preconditioner "
                    + stacks.getFirst().preconditioner()
                    + ", whose products have one way of running; expected none, or "
                    + "amg, chebyshev or ssor, or method s-step, whose rings are tuned");
        }
        if (wanted != null && !wanted.tuned()) {
            throw new IllegalArgumentException("--profile with --rings " + wanted
                    + ", expected tuned, or no --rings: numbers that are given are not tuned");
        }
    }

    /** Returns the choice for a way of solving, the same on all ranks. Collective. */
    RingChoice choice(SolverConfig stack, Communicator communicator) {
        if (!wanted.tuned() || !PartitionedSolver.tunesRings(stack)) {
            return wanted;
        }
        String known = profile == null
                ? ""
                : profile.known(program(stack)).stream().map(String::valueOf).collect(Collectors.joining(","));
        String agreed =
                new String(communicator.broadcast(0, known.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
        return RingChoice.knowing(
                agreed.isEmpty() ? List.of() : Arrays.stream(agreed.split(",", -1)).map(Integer::valueOf).toList());
    }

    /** Names what is applied: with other smoothers, cycles or levels, other numbers may be the best. */
    private String program(SolverConfig stack) {
        String method = stack.isOfSteps() ? stack.method() + " " + new TreeMap<>(stack.methodOptions()) + ", " : "";
        return method + stack.preconditioner() + " " + new TreeMap<>(stack.preconditionerOptions())
                + (blockSize == 1 ? "" : ", nodes of " + blockSize);
    }

    /** Prints what is used and how it was found out, and keeps what was measured. On rank 0. */
    void report(Console console, String name, List<SolveRun> runs, List<List<LevelRings>> found) {
        for (int i = 0; i < runs.size(); i++) {
            report(console, name, runs.size() == 1 ? "" : runs.get(i).name() + ": ", runs.get(i).stack(),
                    found.get(i));
        }
        if (profile != null) {
            console.print("  profile           %s", profile);
        }
    }

    /**
     * Prints what a stack uses, and keeps what was measured of it. On rank 0.
     *
     * @param console where it is printed
     * @param name    of the matrix
     * @param before  what is printed before the levels
     * @param stack   method and preconditioner
     * @param levels  finest first
     */
    public void report(Console console, String name, String before, SolverConfig stack, List<LevelRings> levels) {
        if (!wanted.tuned() || levels.isEmpty()) {
            return;
        }
        console.print("  rings             %s%s", before,
                levels.stream().map(SolverRings::text).collect(Collectors.joining("; ")));
        if (profile != null) {
            levels.forEach(level -> profile.keep(name, program(stack), level.level(), level.trials()));
        }
    }

    boolean areTuned() {
        return wanted.tuned();
    }

    private static String text(LevelRings level) {
        List<String> tried = new ArrayList<>();
        level.trials().stream().filter(trial -> !trial.seconds().isEmpty())
                .forEach(trial -> tried.add(trial.rings() + ": " + Numbers.seconds(trial.leastSeconds())));
        return "level " + level.level() + " " + level.rings()
                + (tried.isEmpty() ? "" : " (tried " + String.join(", ", tried) + ")");
    }
}
