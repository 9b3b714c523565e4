package org.trellis.mesh;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.trellis.backend.PreparedStep;
import org.trellis.kernel.Access;

/**
 * Work that a backend has prepared: the product of an operator, for one. {@code WorkStep} knows nothing of what it is,
 * only what it touches; a backend may make it a part of something larger.
 *
 * @param name for messages and reports
 * @param work the work; closed by the code that prepared it, after the last sequence with this step has run
 * @param data what it touches
 */
public record WorkStep(String name, PreparedStep work, List<StepData> data) implements Step {
    /** Copies the list. */
    public WorkStep {
        Objects.requireNonNull(name);
        Objects.requireNonNull(work);
        data = List.copyOf(data);
    }

    /** Takes several steps for one: what the first of them that touches a dat overwrites, none of them reads before. */
    static WorkStep of(String name, PreparedStep work, List<Step> steps) {
        Map<Object, Access> touched = new LinkedHashMap<>();
        for (Step step : steps) {
            Map<Object, Access> own = new LinkedHashMap<>();
            List<StepData> all = step.data();
            for (int a = 0; a < all.size(); a++) {
                Object data = all.get(a).data();
                own.merge(data instanceof Scalar scalar ? scalar.scalars() : data, access(step, a, all.get(a).access()),
                        (one, other) -> one == other && one != Access.WRITE ? one : Access.READ_WRITE);
            }
            own.forEach((data, now) -> touched.merge(data, now, WorkStep::afterwards));
        }
        return new WorkStep(name, work, touched.entrySet().stream()
                .map(entry -> new StepData(entry.getKey(), entry.getValue())).toList());
    }

    private static Access access(Step step, int argument, Access declared) {
        boolean partly = step instanceof LoopStep loop
                && (!loop.isWhole() || loop.loop().declaration().map(argument) != null);
        return (partly && declared == Access.WRITE) || declared.reduces() ? Access.READ_WRITE : declared;
    }

    private static Access afterwards(Access before, Access now) {
        return before == Access.READ && now != Access.READ ? Access.READ_WRITE : before;
    }
}
