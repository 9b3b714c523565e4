package org.trellis.mesh;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** A sequence on one rank, in parts each of which a device may get at once. */
final class WholeSequence implements SequenceHandle {
    /** Runs that time the loops, the first of which is often too slow. */
    private static final int RUNS_APART = 2;
    /** The same of sequences without loops, such as the cycles of multigrid: there is nothing to time. */
    private static final int RUNS_APART_OF_WORK = 1;

    private final LoopSequence sequence;
    private final List<SequencePart> parts;
    private final int runsApart;
    private int apart;

    WholeSequence(Mesh mesh, LoopSequence sequence) {
        this.sequence = sequence;
        this.parts = SequencePart.of(mesh, sequence.steps());
        this.runsApart =
                sequence.steps().stream().anyMatch(LoopStep.class::isInstance) ? RUNS_APART : RUNS_APART_OF_WORK;
        this.apart = runsApart;
    }

    @Override
    public boolean run() {
        boolean whole = isJoined();
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).run(whole);
        }
        return whole;
    }

    @Override
    public boolean isJoined() {
        if (!sequence.joins() || apart > 0) {
            return false;
        }
        boolean any = false;
        for (int i = 0; i < parts.size(); i++) {
            any |= parts.get(i).isJoined();
        }
        return any && isCurrent();
    }

    @Override
    public void prepare() {
        if (!sequence.joins()) {
            return;
        }
        if (apart > 0) {
            apart--;
        }
        if (apart == 0 && !isCurrent()) {
            parts.forEach(SequencePart::join);
        }
    }

    /** Says whether the loops are prepared, and those that were asked to be joined. */
    private boolean isCurrent() {
        for (int i = 0; i < parts.size(); i++) {
            if (!parts.get(i).isCurrent()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public OptionalDouble deviceSeconds() {
        return parts.size() == 1 ? parts.getFirst().deviceSeconds() : OptionalDouble.empty();
    }

    @Override
    public Map<String, String> deviceFigures() {
        return parts.isEmpty() ? Map.of() : parts.getFirst().deviceFigures();
    }

    @Override
    public void resetTimes() {
        apart = runsApart;
        parts.forEach(SequencePart::resetTimes);
    }

    @Override
    public void release() {
        parts.forEach(SequencePart::release);
    }
}
