package org.trellis.mesh;

import java.util.List;
import java.util.Objects;

/**
 * Calls the program between other steps: on the calling thread, when all steps before have been submitted. A device may
 * not have done them yet; looking at data waits for it. What a device is given at once ends before a call, and
 * something new begins after it.
 *
 * @param name for messages and reports
 * @param call what is called
 * @param data what it touches
 */
public record CallStep(String name, Runnable call, List<StepData> data) implements Step {
    /** Copies the list. */
    public CallStep {
        Objects.requireNonNull(name);
        Objects.requireNonNull(call);
        data = List.copyOf(data);
    }
}
