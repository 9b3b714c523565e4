package org.trellis.mesh;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Checks;
import org.trellis.mesh.device.PreparedRepetition;

/**
 * Sequences that are run one after the other, again and again, until scalars which they leave say that it is enough:
 * the iterations of a solver until the residual is small. All sequences once are a round. After each round scalars are
 * recorded and compared with their bounds ({@link StopCondition}). A backend that can do that on its device (a CUDA
 * graph with a while node) is given once for all rounds; with any other the host looks after each.
 *
 * <p>As with a {@link LoopSequence}, the steps have to be prepared before a device can take them: as long as one of the
 * sequences has not been run, or a loop has changed since, rounds go step by step. So they do while a listener is on
 * the steps of the mesh, or it has checkpoints.
 */
public final class Repetition {
    private final Mesh mesh;
    private final String name;
    private final List<LoopSequence> round;
    private final StopCondition watch;
    private final int most;
    private final Step[] steps;
    private final PreparedStep[] bound;
    private final double[] values;
    private Optional<PreparedRepetition> prepared = Optional.empty();
    private boolean asked;

    /**
     * Makes a repetition.
     *
     * @param mesh  of the sequences
     * @param name  for messages
     * @param round the sequences
     * @param watch what is examined
     * @param most  the most rounds of one run
     */
    Repetition(Mesh mesh, String name, List<LoopSequence> round, StopCondition watch, int most) {
        Checks.positive("rounds of repetition '" + name + "'", most);
        this.mesh = mesh;
        this.name = Objects.requireNonNull(name);
        this.round = List.copyOf(round);
        this.watch = watch;
        this.most = most;
        if (round.isEmpty()) {
            throw new IllegalArgumentException(
                    "repetition '" + name + "' has no sequence, expected at least one");
        }
        if (!watch.recorded().scalars().mesh().equals(mesh)) {
            throw new IllegalArgumentException("repetition '" + name + "' records " + watch.recorded()
                    + " of another mesh, expected scalars of the same");
        }
        this.steps = round.stream().flatMap(sequence -> sequence.steps().stream()).toArray(Step[]::new);
        this.bound = new PreparedStep[steps.length];
        this.values = new double[watch.recorded().scalars().count()];
    }

    /**
     * Returns the most rounds of one run.
     *
     * @return at least 1
     */
    public int most() {
        return most;
    }

    /**
     * Returns how many scalars are recorded after a round.
     *
     * @return at least 1
     */
    public int recorded() {
        return watch.recorded().components();
    }

    /**
     * Says whether the next run is the device's alone. Prepares that where it can be.
     *
     * @return false where the host looks after each round
     */
    public boolean isOnDevice() {
        if (mesh.isWatched() || !mesh.running().passage().isFree() || !mesh.kernels().repeats()) {
            return false;
        }
        if (!isCurrent()) {
            prepare();
        }
        return prepared.isPresent();
    }

    @SuppressWarnings("ReferenceEquality") // a loop that was prepared anew is another
    private boolean isCurrent() {
        for (int i = 0; i < steps.length; i++) {
            if (now(steps[i]) != bound[i]) {
                return false;
            }
        }
        return asked;
    }

    private void prepare() {
        release();
        boolean all = true;
        for (int i = 0; i < steps.length; i++) {
            bound[i] = now(steps[i]);
            all &= bound[i] != null && !(steps[i] instanceof LoopStep loop && !loop.isWhole());
        }
        asked = true;
        if (all) {
            prepared = mesh.kernels().repeat(Arrays.asList(bound), watch, most);
        }
    }

    private static PreparedStep now(Step step) {
        return switch (step) {
            case LoopStep loop -> loop.loop().current();
            case WorkStep work -> work.work();
            case SetStep set -> null;
            case CallStep call -> null;
        };
    }

    /**
     * Runs rounds, at least one, until what is watched is out of its bounds, and waits for them.
     *
     * @param rounds   at most so many, 1 to {@link #most}
     * @param recorded overwritten by what is recorded, {@link #recorded} values for each round
     * @return how many rounds were run
     * @throws IllegalArgumentException if the number is out of its range or there is no room for as many rounds
     * @throws IllegalStateException    if the mesh is closed
     */
    public int run(int rounds, double[] recorded) {
        if (rounds < 1 || rounds > most || recorded.length < (long) rounds * recorded()) {
            throw new IllegalArgumentException("repetition '" + name + "': " + rounds + " rounds with room for "
                    + recorded.length + " values, expected 1 to " + most + " rounds and " + recorded()
                    + " values for each");
        }
        mesh.running().settle();
        return isOnDevice() ? runOnDevice(rounds, recorded) : runFromHost(rounds, recorded);
    }

    private int runOnDevice(int rounds, double[] recorded) {
        for (int i = 0; i < steps.length; i++) {
            prepared.get().pass(i);
        }
        int done = prepared.get().run(rounds, recorded);
        for (Step step : steps) {
            for (int i = 0; i < done && step instanceof LoopStep; i++) {
                ((LoopStep) step).loop().countRun();
            }
        }
        return done;
    }

    private int runFromHost(int rounds, double[] recorded) {
        int done = 0;
        do {
            for (int i = 0; i < round.size(); i++) {
                round.get(i).run();
            }
            watch.recorded().scalars().copyTo(values);
            System.arraycopy(values, watch.recorded().first(), recorded, done * recorded(), recorded());
            done++;
        } while (done < rounds && watch.goesOn(values));
        return done;
    }

    void release() {
        prepared.ifPresent(PreparedRepetition::close);
        prepared = Optional.empty();
        asked = false;
        Arrays.fill(bound, null);
    }

    @Override
    public String toString() {
        return "repetition '" + name + "' of " + round.size() + " sequences";
    }
}
