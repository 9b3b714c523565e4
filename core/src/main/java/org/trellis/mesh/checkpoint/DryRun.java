package org.trellis.mesh.checkpoint;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshCheckpoints;
import org.trellis.mesh.Scalars;
import org.trellis.mesh.Step;
import org.trellis.mesh.StepInterceptor;

/**
 * Finds out what checkpoints would save, and saves nothing: the program runs as ever, a few iterations of it, and
 * {@link #analysis} says before which of its loops least would have to be saved.
 *
 * <pre>{@code
 * DryRun dry = new DryRun();
 * try (Mesh mesh = Mesh.on(backend, options.withCheckpoints(dry))) {
 *     program(mesh);
 *     String table = dry.analysis().toString();
 * }
 * }</pre>
 */
public final class DryRun implements MeshCheckpoints {
    private final Map<Integer, StepLog> logs = new TreeMap<>();

    /** Creates a dry run that has seen nothing. */
    public DryRun() {}

    @Override
    @MustBeClosed
    public StepInterceptor begin(Mesh mesh) {
        return new Gate(mesh);
    }

    /**
     * Returns what was found out so far. On several ranks all of them see the same steps.
     *
     * @return a period of the steps if they have one, otherwise all that were seen, up to 4096
     * @throws IllegalStateException if no mesh has run a step with this
     */
    public CheckpointAnalysis analysis() {
        synchronized (logs) {
            if (logs.isEmpty()) {
                throw new IllegalStateException("a dry run has seen no step, expected a mesh to run some");
            }
            return logs.values().iterator().next().analysis();
        }
    }

    /** Sees everything and lets it pass. */
    private final class Gate implements StepInterceptor {
        private final Mesh mesh;
        private final StepLog log;
        private final InnerLoops inner;
        private boolean inside;

        Gate(Mesh mesh) {
            this.mesh = mesh;
            this.log = new StepLog(mesh);
            this.inner = new InnerLoops(log, (state, drops, changes) -> {});
        }

        @Override
        public void opening() {
            synchronized (logs) {
                logs.putIfAbsent(mesh.ranks().map(ranks -> ranks.rank()).orElse(0), log);
            }
        }

        @Override
        public boolean enter(Step step) {
            if (inner.enters(step)) {
                return true;
            }
            opening();
            StepUse use = log.use(step);
            inner.requireOwn(use);
            log.add(use);
            inside = true;
            inner.begin(step);
            return true;
        }

        @Override
        public boolean skips() {
            return false;
        }

        @Override
        public void leave() {
            if (!inner.leaves()) {
                inside = false;
            }
        }

        @Override
        public boolean enterAll(List<Step> steps, boolean separable) {
            if (!inner.enters(steps)) {
                steps.forEach(this::enter);
            }
            return true;
        }

        @Override
        public boolean passes(List<Step> steps) {
            return false;
        }

        @Override
        public void admit(Mesh guest, String name) {
            log.admit(guest, name);
        }

        @Override
        public void dismiss(Mesh guest) {
            log.dismiss();
        }

        @Override
        public void moving(Dat dat) {
            // layouts cost nothing that is estimated here
        }

        @Override
        public void overwriting(Dat dat) {
            inner.overwrites(dat);
        }

        @Override
        public double number(String what, DoubleSupplier value, List<Dat> data) {
            return value.getAsDouble();
        }

        @Override
        public void reading(Dat dat) {
            if (!inside) {
                inner.own(log.state(dat));
            }
        }

        @Override
        public void reading(Dat dat, int element, int component) {
            if (!inside) {
                inner.own(log.state(dat));
            }
        }

        @Override
        public void reading(Global global) {}

        @Override
        public void reading(Scalars scalars) {}

        @Override
        public void writing(Dat dat, boolean whole, long hash) {
            log.state(dat).given(whole, hash);
        }

        @Override
        public void bypass(String what) {
            if (!inside) {
                throw refused(what);
            }
        }

        @Override
        public void restructuring(String what) {
            if (log.steps() > 0) {
                throw refused(what);
            }
        }

        @Override
        public void close() {}
    }

    /** Says that checkpoints would miss something. */
    static IllegalStateException refused(String what) {
        return new IllegalStateException(what + " of a mesh with checkpoints, which would not see what becomes of its "
                + "data; expected loops, and values that are taken and given by dats, globals and scalars");
    }
}
