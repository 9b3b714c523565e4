package org.trellis.mesh.checkpoint;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshCheckpoints;
import org.trellis.mesh.StepInterceptor;

/**
 * Saves the state of a mesh now and then, and starts a program again where it was. Nothing of the program changes but
 * its options:
 *
 * <pre>{@code
 * MeshOptions options = MeshOptions.of(configuration).withCheckpoints(
 *         Checkpoints.to(Path.of("state")).withInterval(CheckpointInterval.seconds(600)));
 * }</pre>
 *
 * and, to go on,
 *
 * <pre>{@code
 * ... .withCheckpoints(Checkpoints.to(file).withInterval(...).withRestart(file));
 * }</pre>
 *
 * <p>What has to be saved follows from what loops read and write (I. Z. Reguly, PhD thesis, 2014, section 6.1). The
 * file is written in the background and takes the place of the one before when it is complete; that one is kept beside
 * it. A program that starts again makes the same calls as before: until the checkpoint its loops do nothing, and what
 * it reads it gets from a log. Guide: {@code docs/how-to/checkpoints.md}.
 */
public final class Checkpoints implements MeshCheckpoints {
    private final Path file;
    private final CheckpointInterval interval;
    private final CheckpointPolicy policy;
    private final boolean compressed;
    private final Path restart;
    private final UnaryOperator<OutputStream> sink;
    private final AtomicLong requests;
    private final List<CheckpointReport> reports;
    /** What a mesh with these has started from, or null. */
    private final AtomicReference<String> restarted = new AtomicReference<>();

    private Checkpoints(Path file, CheckpointInterval interval, CheckpointPolicy policy, boolean compressed,
            Path restart, UnaryOperator<OutputStream> sink) {
        this.file = file;
        this.interval = Objects.requireNonNull(interval);
        this.policy = Objects.requireNonNull(policy);
        this.compressed = compressed;
        this.restart = restart;
        this.sink = sink;
        this.requests = new AtomicLong();
        this.reports = new ArrayList<>();
    }

    /**
     * Writes checkpoints when {@link #request} asks for them, with {@link CheckpointPolicy#speculative}.
     *
     * @param file where the last one is; beside it come files whose names begin with its name and a full stop
     * @return the checkpoints
     */
    public static Checkpoints to(Path file) {
        return new Checkpoints(Objects.requireNonNull(file), CheckpointInterval.onRequest(),
                CheckpointPolicy.speculative(), false, null, UnaryOperator.identity());
    }

    /**
     * Starts again from a checkpoint, and writes no others.
     *
     * @param file the file that {@link #to} was given
     * @return the checkpoints
     */
    public static Checkpoints from(Path file) {
        return new Checkpoints(null, CheckpointInterval.onRequest(), CheckpointPolicy.speculative(), false,
                Objects.requireNonNull(file), UnaryOperator.identity());
    }

    /**
     * Returns the same checkpoints with another interval. What was requested of these counts for these only.
     *
     * @param value how often
     * @return new checkpoints
     */
    public Checkpoints withInterval(CheckpointInterval value) {
        return new Checkpoints(file, value, policy, compressed, restart, sink);
    }

    /**
     * Returns the same checkpoints with another policy.
     *
     * @param value where they are begun
     * @return new checkpoints
     */
    public Checkpoints withPolicy(CheckpointPolicy value) {
        return new Checkpoints(file, interval, value, compressed, restart, sink);
    }

    /**
     * Returns the same checkpoints, compressed or not; as they begin, they are not.
     *
     * @param value true to compress files in the background, which takes a core longer than writing does
     * @return new checkpoints
     */
    public Checkpoints withCompression(boolean value) {
        return new Checkpoints(file, interval, policy, value, restart, sink);
    }

    /**
     * Returns the same checkpoints for a program that starts again.
     *
     * @param value the file that {@link #to} was given in the run before; may be the same as that of these
     * @return new checkpoints
     */
    public Checkpoints withRestart(Path value) {
        return new Checkpoints(file, interval, policy, compressed, Objects.requireNonNull(value), sink);
    }

    /** Lets tests look at, or spoil, what is written. */
    Checkpoints withSink(UnaryOperator<OutputStream> value) {
        return new Checkpoints(file, interval, policy, compressed, restart, value);
    }

    @Override
    @MustBeClosed
    public StepInterceptor begin(Mesh mesh) {
        return new CheckpointInterceptor(this, mesh);
    }

    /**
     * Asks for a checkpoint as soon as the policy finds a place. On several ranks the first has to be asked. May be
     * called by any thread, such as one that handles signals.
     */
    public void request() {
        requests.incrementAndGet();
    }

    /**
     * Returns what has become of the checkpoints of all meshes that have these, in the order in which they were done.
     *
     * @return a copy
     */
    public List<CheckpointReport> reports() {
        synchronized (reports) {
            return List.copyOf(reports);
        }
    }

    /**
     * Says whether a program that starts again is still before its checkpoint, where loops compute nothing, so that
     * times say nothing.
     *
     * @return true from the beginning of a restart until the first mesh with these has its state; false without one
     */
    public boolean isStartingAgain() {
        return restart != null && restarted.get() == null;
    }

    /**
     * Returns from what a program that starts again has gone on.
     *
     * @return a name of the checkpoint, such as {@code checkpoint 8 in state, after 594 steps}; empty without a restart
     *         and as long as {@link #isStartingAgain}
     */
    public Optional<String> startedFrom() {
        return Optional.ofNullable(restarted.get());
    }

    void restarted(String checkpoint) {
        restarted.set(checkpoint);
    }

    void report(CheckpointReport report) {
        synchronized (reports) {
            reports.add(report);
        }
    }

    Optional<Path> file() {
        return Optional.ofNullable(file);
    }

    CheckpointInterval interval() {
        return interval;
    }

    CheckpointPolicy policy() {
        return policy;
    }

    boolean compressed() {
        return compressed;
    }

    Optional<Path> restart() {
        return Optional.ofNullable(restart);
    }

    UnaryOperator<OutputStream> sink() {
        return sink;
    }

    long requests() {
        return requests.get();
    }
}
