package org.trellis.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.trellis.mesh.loop.SetExtent;

/**
 * A loop over a part of its set.
 *
 * @param loop the loop
 * @param part the elements that it runs on
 */
public record LoopStep(ParallelLoop loop, SetExtent part) implements Step {
    /** Checks that there is something. */
    public LoopStep {
        Objects.requireNonNull(loop);
        Objects.requireNonNull(part);
    }

    @Override
    public String name() {
        return loop.declaration().name();
    }

    /** Says whether the step runs what {@link ParallelLoop#run()} runs. */
    boolean isWhole() {
        MeshSet set = loop.declaration().set();
        return set.extent(part) == set.extent(SetExtent.EXECUTED);
    }

    /** Returns what is bound to the loop now. */
    @Override
    public List<StepData> data() {
        LoopDeclaration declaration = loop.declaration();
        List<StepData> data = new ArrayList<>();
        for (int a = 0; a < declaration.arity(); a++) {
            Dat dat = declaration.dat(a);
            data.add(new StepData(dat == null ? declaration.argument(a) : dat, declaration.access(a)));
        }
        return data;
    }
}
