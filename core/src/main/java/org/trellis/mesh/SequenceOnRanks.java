package org.trellis.mesh;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** A sequence of a mesh over ranks, which the local mesh runs, with rings or step by step. */
final class SequenceOnRanks implements SequenceHandle {
    private final Mesh mesh;
    private final LoopSequence sequence;
    private final List<SequencePart> parts;
    private final boolean calls;
    private final StepListener listener;
    private final Runnable inSteps = this::runSteps;
    private final Runnable inRings = this::runRings;

    SequenceOnRanks(Mesh mesh, LoopSequence sequence) {
        this.mesh = mesh;
        this.sequence = sequence;
        this.parts = SequencePart.of(mesh, sequence.steps());
        this.calls = sequence.steps().stream().anyMatch(CallStep.class::isInstance);
        this.listener = mesh::submitting;
    }

    @Override
    public boolean run() {
        LocalMesh local = mesh.division().local();
        Passage passage = mesh.running().passage();
        boolean rings = sequence.rings() > 0 || local.runsSequences();
        // What a call of the program reads and writes has to pass the gate, too.
        if (!rings || !passage.enterTogether(sequence.steps(), calls)) {
            return together(local, inSteps);
        }
        try {
            return together(local, inRings);
        } finally {
            passage.leave();
        }
    }

    /** A rank that is alone gives its device the sequence itself. */
    private boolean together(LocalMesh local, Runnable steps) {
        if (sequence.joins() && !local.runsSequences()) {
            return local.together(sequence, steps);
        }
        steps.run();
        return false;
    }

    private void runSteps() {
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).run(false);
        }
    }

    private void runRings() {
        mesh.division().local().run(sequence, listener);
    }

    @Override
    public void prepare() {}

    @Override
    public boolean isJoined() {
        return false;
    }

    @Override
    public OptionalDouble deviceSeconds() {
        return OptionalDouble.empty();
    }

    @Override
    public Map<String, String> deviceFigures() {
        return Map.of();
    }

    @Override
    public void resetTimes() {}

    @Override
    public void release() {}
}
