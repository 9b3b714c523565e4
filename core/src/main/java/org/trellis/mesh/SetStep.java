package org.trellis.mesh;

import java.util.List;
import java.util.Objects;
import org.trellis.kernel.Access;

/**
 * Sets a global, as before a sum.
 *
 * @param global the global
 * @param values its components
 */
public record SetStep(Global global, List<Double> values) implements Step {
    /** Copies the values. */
    public SetStep {
        Objects.requireNonNull(global);
        values = List.copyOf(values);
    }

    @Override
    public String name() {
        return "set " + global.name();
    }

    @Override
    public List<StepData> data() {
        return List.of(new StepData(global, Access.WRITE));
    }
}
