package org.trellis.mesh;

import java.util.List;
import java.util.Objects;
import org.trellis.backend.PreparedStep;

/**
 * Work that a backend has prepared: the product of an operator, for one. {@code WorkStep} knows nothing of what it is,
 * only what it touches; a backend may make it a part of something larger.
 *
 * @param name for messages and reports
 * @param work the work; closed by whoever prepared it, after the last sequence with this step has run
 * @param data what it touches
 */
public record WorkStep(String name, PreparedStep work, List<StepData> data) implements Step {
    /** Copies the list. */
    public WorkStep {
        Objects.requireNonNull(name);
        Objects.requireNonNull(work);
        data = List.copyOf(data);
    }
}
