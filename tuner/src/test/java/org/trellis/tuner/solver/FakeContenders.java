package org.trellis.tuner.solver;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.tuner.Entries;

/**
 * Solvers of the identity that take the time of a clock in this object: so long to prepare, so long for an iteration,
 * each of which multiplies the error. Whatever a tournament decides is repeatable with them.
 */
final class FakeContenders implements Contenders {
    static final int SIZE = 5;

    final List<String> log = new ArrayList<>();
    private final Map<SolverChoice, Speed> speeds = new HashMap<>();
    private final Backend backend = Backends.open("reference", Configuration.load());
    private final SpmvOperator operator;
    private final SolverSpace space;
    private LinearOperator timed;
    private long nanoseconds;
    int generation;
    /** Whether the last solver was to tell of its iterations. */
    boolean observed;
    int open;
    /** Whether looks at vectors are thought to wait for a device. */
    boolean device;
    /** What a solver's first solution takes beyond later ones. */
    double firstExtra;
    /** How often the operator was applied, once products take time. */
    int products;
    CollectiveClock clock = CollectiveClock.OWN;
    ColdCode code = ColdCode.none();
    /** What new values take for a solver that is there; NaN where it has to be made anew. */
    double refreshSeconds = Double.NaN;

    /** What a choice takes; {@code decay} multiplies its factor's distance from 1 for each generation that it is old.
     * */
    record Speed(double setup, double iteration, double factor, double decay, Manner manner) {}

    /** What a solver does. */
    enum Manner {
        HONEST, LIAR, NOT_A_NUMBER, REFUSES
    }

    FakeContenders() {
        this(SolverSpace.of(new SolverSpace.Traits(1000, true, true, 1, true, false)));
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    FakeContenders(SolverSpace space) {
        Entries identity = new Entries(SIZE, SIZE);
        for (int i = 0; i < SIZE; i++) {
            identity.add(i, i, 1);
        }
        operator = backend.kernels(SparseKernels.class).prepare(identity.build());
        this.space = space;
    }

    FakeContenders with(String choice, double setup, double iteration, double factor) {
        return with(choice, new Speed(setup, iteration, factor, 1, Manner.HONEST));
    }

    FakeContenders with(String choice, Speed speed) {
        speeds.put(SolverChoice.parse(choice), speed);
        return this;
    }

    long nanoTime() {
        return nanoseconds;
    }

    double seconds() {
        return nanoseconds * 1e-9;
    }

    private void pass(double seconds) {
        nanoseconds += Math.round(seconds * 1e9);
    }

    @Override
    public Backend backend() {
        return backend;
    }

    /** Lets a product take time, too. */
    FakeContenders withProduct(double seconds) {
        timed = (LinearOperator) Proxy.newProxyInstance(LinearOperator.class.getClassLoader(),
                new Class<?>[]{LinearOperator.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("apply")) {
                        pass(seconds);
                        products++;
                    }
                    return method.invoke(operator, arguments);
                });
        return this;
    }

    @Override
    public boolean isOnDevice() {
        return device;
    }

    @Override
    public ColdCode code() {
        return code;
    }

    @Override
    public LinearOperator operator() {
        return timed == null ? operator : timed;
    }

    @Override
    public SolverSpace space() {
        return space;
    }

    @Override
    public LinearSolver prepare(SolverChoice choice, double seconds) {
        Speed speed = speeds.get(choice);
        if (speed == null) {
            speed = speeds.get(choice.with(SolverChoice.Renewal.ALWAYS));
        }
        if (speed == null || speed.manner() == Manner.REFUSES) {
            pass(speed == null ? 0 : speed.setup());
            throw new IllegalArgumentException("no such solver here");
        }
        pass(speed.setup());
        log.add("prepare " + choice);
        open++;
        return new FakeSolver(choice, speed);
    }

    @Override
    public boolean refresh(SolverChoice choice, LinearSolver solver) {
        if (Double.isNaN(refreshSeconds)) {
            return false;
        }
        pass(refreshSeconds);
        ((FakeSolver) solver).made = generation;
        return true;
    }

    @Override
    public boolean canKeep(SolverChoice choice) {
        return true;
    }

    @Override
    public void close() {
        operator.close();
        backend.close();
    }

    /** Solves with the identity. */
    private final class FakeSolver implements LinearSolver {
        private final SolverChoice choice;
        private final Speed speed;
        private int made = generation;
        private boolean used;

        FakeSolver(SolverChoice choice, Speed speed) {
            this.choice = choice;
            this.speed = speed;
        }

        @Override
        public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
            log.add("solve " + choice);
            observed = !observer.equals(IterationObserver.NONE);
            HostVector right = (HostVector) b;
            HostVector solution = (HostVector) x;
            double threshold = criteria.threshold(distance(right, HostVector.zeros(b.precision(), SIZE)));
            double factor = 1 - (1 - speed.factor()) * Math.pow(speed.decay(), generation - made);
            List<Double> norms = new ArrayList<>(List.of(distance(right, solution)));
            long start = nanoseconds;
            pass(used ? 0 : firstExtra);
            used = true;
            SolveStatus status = SolveStatus.CONVERGED;
            while (norms.getLast() > threshold) {
                boolean late = clock.agree((nanoseconds - start) * 1e-9) >= criteria.maximumSeconds();
                if (late || norms.size() > criteria.maximumIterations()) {
                    status = late ? SolveStatus.TIME_LIMIT : SolveStatus.ITERATION_LIMIT;
                    break;
                }
                pass(speed.iteration());
                for (int i = 0; i < SIZE; i++) {
                    solution.set(i, right.get(i) + factor * (solution.get(i) - right.get(i)));
                }
                norms.add(distance(right, solution));
                observer.iterated(norms.size() - 1, norms.getLast());
            }
            if (speed.manner() == Manner.LIAR) {
                solution.set(0, solution.get(0) + 1);
            } else if (speed.manner() == Manner.NOT_A_NUMBER) {
                solution.set(1, Double.NaN);
                status = SolveStatus.DIVERGED;
            }
            return new SolveReport(status, norms.size() - 1, 0, norms, distance(right, HostVector.zeros(b.precision(),
                    SIZE)), norms.getLast(), 0, "of a fake solver");
        }

        private double distance(HostVector one, HostVector other) {
            double sum = 0;
            for (int i = 0; i < SIZE; i++) {
                sum += Math.pow(one.get(i) - other.get(i), 2);
            }
            return Math.sqrt(sum);
        }

        @Override
        public void close() {
            open--;
        }
    }
}
