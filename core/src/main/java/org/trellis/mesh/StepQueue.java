package org.trellis.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.trellis.backend.HostBackend;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.ChainReport;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.SetExtent;
import org.trellis.mesh.loop.Tiling;

/**
 * Notes steps and runs them when the program needs a value, or when there are enough. Loops that touch data which a
 * program can see without asking the mesh (the vector of a dat or of scalars) run at once, after all that has been
 * noted. On several ranks loops that reduce run at once, together with what has been noted: each rank may look at a
 * global when it likes.
 */
final class StepQueue implements Submission {
    private final Mesh mesh;
    private final ChainOptions options;
    private final ChainCache chains;
    private final List<QueuedStep> waiting = new ArrayList<>();
    private int loops;
    /** Steps are being run: what backends ask for now is theirs. */
    private boolean busy;
    /** The steps that are being run. */
    private List<QueuedStep> running = List.of();

    StepQueue(Mesh mesh) {
        this.mesh = mesh;
        this.options = mesh.options().chains();
        this.chains = new ChainCache(mesh, options);
        if (!mesh.kernels().tilings().contains(options.tiling())) {
            throw new UnsupportedKernelException("tiling " + options.tiling().label(), mesh.backend().name(),
                    "it runs chains of loops with one of " + mesh.kernels().tilings().stream().map(Tiling::label)
                            .toList());
        }
    }

    /** Notes a loop, unless it is to run at once; says whether it did. */
    @Override
    public boolean note(ParallelLoop loop, SetExtent part) {
        if (!options.lazy() || busy) {
            return false;
        }
        loop.requireUsable();
        LoopStep step = part == SetExtent.EXECUTED ? loop.step() : new LoopStep(loop, part);
        if (!mayWait(step)) {
            settle();
            return false;
        }
        add(QueuedStep.here(step));
        if (reducesOnRanks(step)) {
            settle();
        } else {
            trim();
        }
        return true;
    }

    private static boolean mayWait(LoopStep step) {
        LoopDeclaration declaration = step.loop().declaration();
        for (int a = 0; a < declaration.arity(); a++) {
            Dat dat = declaration.dat(a);
            if ((dat != null && dat.isExposed())
                    || (declaration.argument(a) instanceof Scalar scalar && scalar.scalars().isExposed())) {
                return false;
            }
        }
        return true;
    }

    private boolean reducesOnRanks(LoopStep step) {
        LoopDeclaration declaration = step.loop().declaration();
        return mesh.division().ranked()
                && IntStream.range(0, declaration.arity()).anyMatch(a -> declaration.access(a).reduces());
    }

    @Override
    public boolean awaits(Global global) {
        return !busy && waits(global, false);
    }

    /** Notes a value that a global gets, if a step that waits uses the global; says whether it did. */
    @Override
    public boolean note(Global global, double... values) {
        if (!awaits(global)) {
            return false;
        }
        List<Double> boxed = new ArrayList<>(values.length);
        for (double value : values) {
            boxed.add(value);
        }
        add(QueuedStep.here(new SetStep(global, boxed)));
        return true;
    }

    private void add(QueuedStep step) {
        waiting.add(step);
        loops += step.step() instanceof LoopStep ? 1 : 0;
    }

    /** Says whether a step that waits writes some value, or touches it at all. */
    private boolean waits(Object value, boolean written) {
        for (int i = 0; i < waiting.size(); i++) {
            Step step = waiting.get(i).step();
            boolean found = switch (step) {
                case SetStep set -> set.global().equals(value);
                case LoopStep loop -> touches(loop, value, written);
                case WorkStep work -> false; // never waits
                case CallStep call -> false;
            };
            if (found) {
                return true;
            }
        }
        return false;
    }

    private static boolean touches(LoopStep step, Object value, boolean written) {
        LoopDeclaration declaration = step.loop().declaration();
        for (int a = 0; a < declaration.arity(); a++) {
            if (declaration.argument(a).equals(value) && (!written || declaration.access(a).writes())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Runs a part of what waits if it is enough: up to where it begins to repeat itself, so that the next part looks
     * like this one.
     */
    private void trim() {
        if (loops < options.limit()) {
            return;
        }
        int end = waiting.size();
        for (int i = waiting.size() - 1; i > 0; i--) {
            if (waiting.get(i).step().equals(waiting.getFirst().step())) {
                end = i;
                break;
            }
        }
        run(end);
    }

    /**
     * Runs the steps of a sequence as a chain, or notes them; says whether it did. A device does not keep the program
     * waiting, and is given a sequence at once, unless loops are to run as one.
     */
    @Override
    public boolean take(LoopSequence sequence) {
        boolean atOnce = options.fusion() == Fusion.OFF && !(mesh.backend() instanceof HostBackend);
        boolean rings = mesh.division().ranked() && sequence.rings() > 0;
        boolean alone = options.tiling() == Tiling.NONE && (rings || !sequence.joins() || atOnce);
        if (busy || alone) {
            settle();
            return false;
        }
        boolean waits = options.lazy();
        for (Step step : sequence.steps()) {
            switch (step) {
                case LoopStep loop -> {
                    takeLoop(loop);
                    waits &= !reducesOnRanks(loop);
                }
                case SetStep set -> add(options.lazy() ? QueuedStep.here(set) : QueuedStep.of(set));
                case WorkStep work -> {
                    settle();
                    mesh.submitting(work);
                    work.work().run();
                }
                case CallStep call -> {
                    settle();
                    mesh.running().passage().note(call);
                    mesh.submitting(call);
                    call.call().run();
                }
            }
        }
        if (waits) {
            trim();
        } else {
            settle();
        }
        return true;
    }

    private void takeLoop(LoopStep step) {
        if (options.lazy() && !mayWait(step)) {
            settle();
            step.loop().runNow(step.part());
        } else {
            add(options.lazy() ? QueuedStep.here(step) : QueuedStep.of(step));
        }
    }

    /** Runs all that waits. */
    @Override
    public void settle() {
        if (!busy && !waiting.isEmpty()) {
            run(waiting.size());
        }
    }

    /** Runs all that waits if some of it writes a value. */
    @Override
    public void settle(Global global) {
        if (!busy && !waiting.isEmpty() && waits(global, true)) {
            run(waiting.size());
        }
    }

    private void run(int end) {
        List<QueuedStep> now = List.copyOf(waiting.subList(0, end));
        waiting.subList(0, end).clear();
        loops = (int) waiting.stream().filter(noted -> noted.step() instanceof LoopStep).count();
        busy = true;
        running = now;
        boolean done = false;
        try {
            mesh.division().divide(); // chains that are found before belong to the whole mesh
            chains.find(now).run(now);
            done = true;
        } finally {
            busy = false;
            running = List.of();
            if (!done) {
                forget();
            }
        }
    }

    /** Forgets what waits. */
    void forget() {
        waiting.clear();
        loops = 0;
    }

    /** Forgets chains with a loop that is not what it was. */
    @Override
    public void forget(ParallelLoop loop) {
        chains.forget(loop);
    }

    /** Forgets all chains. */
    @Override
    public void forgetChains() {
        chains.release();
    }

    /** Returns the loops of chains that are going to run in tiles: of sequences, and of what is being run. */
    @Override
    public List<List<LoopDeclaration>> tiledChains(List<LoopSequence> sequences) {
        if (options.tiling() == Tiling.NONE) {
            return List.of();
        }
        List<List<LoopDeclaration>> found =
                new ArrayList<>(ChainCut.tiled(mesh, options, running.stream().map(QueuedStep::step).toList()));
        for (LoopSequence sequence : sequences) {
            List<Step> steps = new ArrayList<>();
            for (Step step : sequence.steps()) {
                if (step instanceof LoopStep || step instanceof SetStep) {
                    steps.add(step);
                } else {
                    found.addAll(ChainCut.tiled(mesh, options, steps));
                    steps.clear();
                }
            }
            found.addAll(ChainCut.tiled(mesh, options, steps));
        }
        return found;
    }

    @Override
    public Map<String, TunedChainSegment> trials() {
        return chains.trials();
    }

    @Override
    public List<ChainReport> reports() {
        return chains.reports();
    }

    @Override
    public void release() {
        forget();
        chains.release();
    }
}
