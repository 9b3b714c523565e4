package org.trellis.bench.solve;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.trellis.backend.Availability;
import org.trellis.bench.console.Console;
import org.trellis.bench.peer.solver.PeerFailedException;
import org.trellis.bench.peer.solver.PeerSession;
import org.trellis.bench.peer.solver.PeerSettings;
import org.trellis.bench.peer.solver.PeerSolution;
import org.trellis.bench.peer.solver.PeerSystem;
import org.trellis.bench.peer.solver.SolverPeer;
import org.trellis.bench.report.SolveRun;
import org.trellis.common.ProgressListener;
import org.trellis.memory.HostVector;
import org.trellis.solve.SolveFacts;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;

/**
 * Other libraries that solve the same system, each against every way of Trellis's that it has something to set against.
 * One that fails is said and left out; the others go on. Residuals are recomputed here, from what the peers return.
 */
final class PeerContenders implements AutoCloseable {
    private final Console console;
    private final List<SolverPeer> peers;
    private final Map<String, PeerSettings> settings;
    private final List<Contender> contenders = new ArrayList<>();
    private PeerSystem system;
    private boolean failed;

    PeerContenders(Console console, List<SolverPeer> peers, Map<String, PeerSettings> settings) {
        this.console = console;
        this.peers = peers;
        this.settings = settings;
    }

    /** A peer with a way of solving, and what came of it so far. */
    private static final class Contender implements AutoCloseable {
        private final SolverConfig stack;
        private final String peer;
        private final PeerSession session;
        private final List<Double> seconds = new ArrayList<>();
        private final List<Double> setupSeconds = new ArrayList<>();
        private SolveReport report;
        private double error = Double.NaN;

        Contender(SolverConfig stack, String peer, PeerSession session) {
            this.stack = stack;
            this.peer = peer;
            this.session = session;
        }

        SolveRun run() {
            return new SolveRun(stack, report, List.of(), seconds, setupSeconds, error,
                    Optional.of(new SolveRun.Peer(peer, session.library(), session.processes())), Optional.empty());
        }

        @Override
        public void close() {
            session.close();
        }
    }

    /**
     * Starts the peers.
     *
     * @param stacks what they are set against
     * @param solver knows whether the matrix is symmetric
     */
    void open(CsrMatrix matrix, HostVector b, List<SolverConfig> stacks, ContenderSolver solver,
            ProgressListener progress) {
        if (peers.isEmpty()) {
            return;
        }
        if (matrix.rows() != matrix.columns()) {
            leaveOut("all peers", "the matrix is " + matrix + ", expected a square one");
            return;
        }
        system = new PeerSystem(matrix, b, solver.isSymmetric());
        for (int i = 0; i < peers.size(); i++) {
            SolverPeer peer = peers.get(i);
            progress.progress("start " + peer.name(), i, peers.size());
            Availability found = peer.probe();
            if (found.available()) {
                open(peer, stacks);
            } else {
                leaveOut("peer " + peer.name(), found.reason());
            }
        }
    }

    private void open(SolverPeer peer, List<SolverConfig> stacks) {
        Set<String> known = new LinkedHashSet<>();
        for (SolverConfig stack : stacks) {
            Optional<String> objection = peer.objection(stack, system);
            if (objection.isPresent()) {
                leaveOut("peer " + peer.name() + " beside " + stack, objection.get());
            } else if (known.add(peer.describe(stack, system, settings.get(peer.name())))) {
                start(peer, stack);
            }
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with the contenders
    private void start(SolverPeer peer, SolverConfig stack) {
        try {
            contenders.add(new Contender(stack, peer.name(),
                    peer.open(stack, system, settings.get(peer.name()))));
        } catch (PeerFailedException e) {
            leaveOut("peer " + peer.name() + " beside " + stack, e.getMessage());
        }
    }

    private void leaveOut(String who, String why) {
        console.complain(who + (who.startsWith("all") ? " are" : " is") + " left out: " + why);
        failed = true;
    }

    /** Returns whether there is none. */
    boolean isEmpty() {
        return contenders.isEmpty();
    }

    /** Returns whether a peer that was named was left out. */
    boolean haveFailed() {
        return failed;
    }

    /**
     * Has each peer prepare and solve.
     *
     * @param known the solution, or null
     */
    void round(int round, int rounds, HostVector known, ProgressListener progress) {
        for (Iterator<Contender> turns = contenders.iterator(); turns.hasNext();) {
            Contender one = turns.next();
            progress.progress("solve by " + one.peer, round, rounds);
            try {
                PeerSolution solution = one.session.solve(one.stack.criteria().maximumSeconds());
                one.seconds.add(solution.solveSeconds());
                one.setupSeconds.add(solution.setupSeconds());
                if (round == 0) {
                    judge(one, solution, known);
                }
            } catch (PeerFailedException e) {
                leaveOut("peer " + one.peer + " beside " + one.stack, e.getMessage());
                turns.remove();
                one.close();
            }
        }
    }

    private void judge(Contender one, PeerSolution solution, HostVector known) {
        HostVector x = HostVector.zeros(system.matrix().precision(), system.matrix().columns());
        one.session.readSolution(x);
        HostVector product = system.matrix().multiply(x);
        double scale = norm(system.rightHandSide(), null);
        double residual = norm(system.rightHandSide(), product);
        StoppingCriteria criteria = one.stack.criteria();
        SolveStatus status = status(solution, residual <= criteria.threshold(scale), criteria);
        String detail = String.format(Locale.ROOT,
                "%s says '%s' with a relative residual of %.3e; that recomputed from its solution is %.3e",
                one.session.library(), solution.reason(), solution.residual(), residual / scale);
        one.report = new SolveReport(status, solution.iterations(), 0, List.of(scale, solution.residual() * scale),
                scale, residual, solution.solveSeconds(), detail,
                new SolveFacts(one.session.method(), one.session.preconditioner(), solution.setupSeconds(), 0, 0,
                        one.session.notes()));
        if (known != null) {
            one.error = ContenderSolver.largestDifference(x, known);
        }
    }

    private static SolveStatus status(PeerSolution solution, boolean meets, StoppingCriteria criteria) {
        if (meets) {
            return SolveStatus.CONVERGED;
        }
        if (solution.iterations() >= criteria.maximumIterations()) {
            return SolveStatus.ITERATION_LIMIT;
        }
        // It holds the system for solved, which it is not; or it gave up.
        return solution.converged() ? SolveStatus.STAGNATED : SolveStatus.BREAKDOWN;
    }

    private static double norm(HostVector b, HostVector minus) {
        double sum = 0;
        for (int i = 0; i < b.length(); i++) {
            double one = minus == null ? b.get(i) : b.get(i) - minus.get(i);
            sum += one * one;
        }
        return Math.sqrt(sum);
    }

    /** Returns what came of it. */
    List<SolveRun> runs() {
        return contenders.stream().map(Contender::run).toList();
    }

    @Override
    public void close() {
        contenders.forEach(Contender::close);
        if (system != null) {
            system.close();
        }
    }
}
