package org.trellis.solve;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.Repetition;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.Scalars;
import org.trellis.mesh.StopCondition;
import org.trellis.mesh.loop.Layout;
import org.trellis.sparse.LinearOperator;

/**
 * The iterations of conjugate gradients as sequences of steps on a mesh of their own, whose one set are the rows. Every
 * coefficient stays where the vectors are. An iteration reads and writes scalars of its own slot and leaves what the
 * next one needs in the next slot; slots are used in turn, so that several iterations can be queued before the host
 * looks at any.
 */
abstract class CgRecurrence implements AutoCloseable {
    /** Units of rounding that the squares of two norms may differ in when the norms are the same. */
    private static final int ROUNDINGS = 8;

    final Mesh mesh;
    final int slots;
    final LinearOperator matrix;
    /** Work that is closed before the mesh. */
    final List<PreparedStep> work = new ArrayList<>();
    final List<LoopSequence> iterations = new ArrayList<>();
    /** The most rounds that a device runs by itself before the host looks. */
    private static final int MOST_ROUNDS = 2048;
    private static final int PER_SLOT = 3;

    private Scalars scalars;
    private double[] values;
    private Repetition repetition;
    private double[] recorded;
    /** ρ before the first iteration of a round that is examined, which its last iteration has overwritten. */
    private double rhoBefore;
    private double sigmaBefore;
    private boolean lookingBack;

    /**
     * Makes the mesh.
     *
     * @param matrix  the product
     * @param backend where the iterations run
     * @param slots   how many iterations use scalars of their own; at least 2
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    CgRecurrence(LinearOperator matrix, Backend backend, int slots) {
        this.slots = slots;
        this.matrix = matrix;
        mesh = Mesh.on(backend, new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false));
    }

    /** Runs what a subclass prepares in its constructor; on a failure everything is closed. */
    final void prepare(Runnable all) {
        try {
            scalars = mesh.scalars("scalars", PER_SLOT * slots + 4);
            values = new double[scalars.count()];
            all.run();
            repetition = mesh.repetition("iterations", iterations,
                    new StopCondition(scalars.at(0, PER_SLOT * slots), bounds()), MOST_ROUNDS);
        } catch (RuntimeException | OutOfMemoryError e) {
            close();
            throw e;
        }
    }

    final Dat vector(String name, MeshSet rows) {
        return mesh.dat(name, rows, 1, matrix.precision());
    }

    final Scalars scalars() {
        return scalars;
    }

    /** rᵀ M⁻¹ r before the iteration of a slot. */
    Scalar rho(int slot) {
        return scalars.at(slot % slots);
    }

    /** pᵀ A p of the iteration of a slot. */
    final Scalar sigma(int slot) {
        return scalars.at(slots + slot % slots);
    }

    /** The square of the residual's norm after the iteration of a slot. */
    final Scalar square(int slot) {
        return scalars.at(2 * slots + slot);
    }

    /** The square of the residual's norm before the iteration of a slot. */
    final Scalar before(int slot) {
        return square((slot + slots - 1) % slots);
    }

    final Scalar limit() {
        return scalars.at(3 * slots);
    }

    final Scalar factor() {
        return scalars.at(3 * slots + 1);
    }

    /** A sum that is not used. */
    final Scalar unused() {
        return scalars.at(3 * slots + 2);
    }

    private Scalar zero() {
        return scalars.at(3 * slots + 3);
    }

    /** Whether an iteration leaves the σ of the next one, as it does its ρ, rather than its own. */
    boolean leavesSigmaForNext() {
        return false;
    }

    /** What has to hold in all slots for another round. */
    List<StopCondition.Bound> bounds() {
        return List.of(new StopCondition.Bound(scalars.at(0, slots), zero()),
                new StopCondition.Bound(scalars.at(slots, slots), zero()),
                new StopCondition.Bound(scalars.at(2 * slots, slots), limit()));
    }

    /** The steps that begin a recurrence. */
    abstract LoopSequence beginning();

    /**
     * Begins with a new residual, in slot 0.
     *
     * @param norm  the norm of the residual
     * @param limit the norm below which iterations that are queued leave everything as it is
     * @param step  what a step of the recurrence is multiplied by for the solution
     */
    final void begin(double norm, double limit, double step) {
        scalars.set(limit().first(), square(limit));
        scalars.set(square(slots - 1).first(), norm * norm);
        scalars.set(factor().first(), step);
        beginning().run();
        fetch();
    }

    /** A square that is a little smaller: who is stopped by it, in the precision of the vectors, has met the limit. */
    final double square(double limit) {
        return limit * limit * (1 - ROUNDINGS * matrix.precision().unitRoundoff());
    }

    /** Queues an iteration. */
    final void run(int slot) {
        iterations.get(slot).run();
    }

    /** Returns the slot that is used after another. */
    final int next(int slot) {
        return (slot + 1) % slots;
    }

    /** Waits for what is queued, and copies all scalars to the host. */
    final void fetch() {
        scalars.copyTo(values);
        lookingBack = false;
    }

    /** Says whether the device runs rounds, an iteration of each slot from slot 0 on, until it finds that to do. */
    final boolean repeats() {
        return repetition.isOnDevice();
    }

    /**
     * Has the device run rounds until one is the last that is needed. Its iterations after the one that meets the
     * limit, or cannot be done, have changed nothing.
     *
     * @param rounds at most
     * @return how many there were; each is to be examined in turn
     */
    final int repeat(int rounds) {
        if (recorded == null) {
            recorded = new double[MOST_ROUNDS * repetition.recorded()];
        }
        return repetition.run(Math.min(rounds, MOST_ROUNDS), recorded);
    }

    /** Makes the scalars of a round those that were last fetched. */
    final void look(int round) {
        rhoBefore = values[rho(0).first()];
        sigmaBefore = values[sigma(0).first()];
        System.arraycopy(recorded, round * repetition.recorded(), values, 0, repetition.recorded());
        lookingBack = true;
    }

    /** Returns rᵀ M⁻¹ r before the iteration of a slot, as last fetched. */
    final double rhoOf(int slot) {
        return lookingBack && slot == 0 ? rhoBefore : values[rho(slot).first()];
    }

    /** Returns rᵀ M⁻¹ r after the iteration of a slot, as last fetched. */
    final double rhoAfter(int slot) {
        return values[rho(slot + 1).first()];
    }

    /** Returns pᵀ A p of the iteration of a slot, as last fetched. */
    final double sigmaOf(int slot) {
        return lookingBack && slot == 0 && leavesSigmaForNext() ? sigmaBefore : values[sigma(slot).first()];
    }

    /** Returns the norm of the residual after the iteration of a slot, as last fetched. */
    final double normOf(int slot) {
        return Math.sqrt(values[square(slot).first()]);
    }

    /** Returns the memory of the vectors. */
    final long bytes() {
        return mesh.dats().stream().mapToLong(dat -> (long) dat.set().size() * dat.precision().bytes()).sum();
    }

    /** Where the residual is put before a recurrence begins; it need not be there afterwards. */
    abstract Dat residual();

    /** Where the solution is, once it is {@linkplain #settle() settled}. */
    abstract Dat solution();

    /** Brings the solution up to date, where iterations do not. */
    void settle() {}

    /** Returns sentences for the report. */
    List<String> notes() {
        return List.of();
    }

    @Override
    public void close() {
        work.forEach(PreparedStep::close);
        mesh.close();
    }
}
