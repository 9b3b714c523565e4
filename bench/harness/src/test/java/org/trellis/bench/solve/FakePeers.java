package org.trellis.bench.solve;

import java.util.List;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.bench.peer.solver.PeerFailedException;
import org.trellis.bench.peer.solver.PeerSession;
import org.trellis.bench.peer.solver.PeerSettings;
import org.trellis.bench.peer.solver.PeerSolution;
import org.trellis.bench.peer.solver.PeerSystem;
import org.trellis.bench.peer.solver.SolverPeer;
import org.trellis.memory.HostVector;
import org.trellis.solve.krylov.SolverConfig;

/** Peers without a library. */
final class FakePeers {
    private FakePeers() {}

    /** Guesses ones, and opposes everything but conjugate gradients. */
    public static class Guessing implements SolverPeer {
        @Override
        public String name() {
            return "guessing";
        }

        @Override
        public Availability probe() {
            return Availability.yes("always there");
        }

        @Override
        public Optional<String> objection(SolverConfig stack, PeerSystem system) {
            return stack.method().equals("cg")
                    ? Optional.empty()
                    : Optional.of("it has nothing to set against method " + stack.method());
        }

        @Override
        public String describe(SolverConfig stack, PeerSystem system, PeerSettings settings) {
            return "guess " + settings.options();
        }

        /** Returns what it guesses. */
        double guess() {
            return 1;
        }

        /** Returns the round in which it fails. */
        int failure() {
            return Integer.MAX_VALUE;
        }

        @Override
        public PeerSession open(SolverConfig stack, PeerSystem system, PeerSettings settings) {
            return new Session(guess(), failure(), settings);
        }
    }

    /** Guesses zeros and holds the system for solved. */
    public static final class Wrong extends Guessing {
        @Override
        public String name() {
            return "wrong";
        }

        @Override
        double guess() {
            return 0;
        }
    }

    /** Fails in its second round. */
    public static final class Failing extends Guessing {
        @Override
        public String name() {
            return "failing";
        }

        @Override
        int failure() {
            return 1;
        }
    }

    /** Has no library. */
    public static final class Missing extends Guessing {
        @Override
        public String name() {
            return "missing";
        }

        @Override
        public Availability probe() {
            return Availability.no("its library is not installed, `apt-get install libmissing` brings it");
        }
    }

    /** Guesses. */
    private static final class Session implements PeerSession {
        private final double guess;
        private final int failure;
        private final PeerSettings settings;
        private int rounds;

        Session(double guess, int failure, PeerSettings settings) {
            this.guess = guess;
            this.failure = failure;
            this.settings = settings;
        }

        @Override
        public PeerSolution solve(double seconds) {
            if (rounds++ == failure) {
                throw new PeerFailedException("lost a process in the middle of a solution");
            }
            return new PeerSolution(0.5 * rounds, 2.0 * rounds, 7, true, 1e-9, "guessed");
        }

        @Override
        public void readSolution(HostVector x) {
            x.fill(guess);
        }

        @Override
        public String library() {
            return "Crystal Ball 1.0";
        }

        @Override
        public int processes() {
            return settings.processes() == 0 ? settings.threads() : settings.processes();
        }

        @Override
        public String method() {
            return "guess";
        }

        @Override
        public String preconditioner() {
            return "none";
        }

        @Override
        public List<String> notes() {
            return List.of("with " + settings.options());
        }

        @Override
        public void close() {}
    }
}
