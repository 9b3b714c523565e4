package org.trellis.mesh;

import java.util.List;

/**
 * Something that runs: a loop over a part of a set, an operator's product or other work of the backend, setting a
 * global, a call of the program. Each says what it reads and writes. Running a loop submits a step, and so does a
 * {@link LoopSequence}, which takes steps of every kind; a {@link StepListener} sees them all.
 */
public sealed interface Step permits LoopStep, WorkStep, SetStep, CallStep {
    /**
     * Returns the name for messages and reports.
     *
     * @return the kernel's, or what the step was given
     */
    String name();

    /**
     * Returns what the step touches.
     *
     * @return data with access, in the order of arguments; empty if it is not known
     */
    List<StepData> data();

    /**
     * Returns what the step needs the values of.
     *
     * @return the part of {@link #data} that is read
     */
    default List<StepData> reads() {
        return data().stream().filter(StepData::reads).toList();
    }

    /**
     * Returns what the step changes.
     *
     * @return the part of {@link #data} that is written
     */
    default List<StepData> writes() {
        return data().stream().filter(StepData::writes).toList();
    }
}
