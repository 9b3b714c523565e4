package org.trellis.mesh.plan;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.loop.LoopStatistics;

/** Counts what the blocks of a plan touch. */
final class PlanFigures {
    private final LoopDeclaration loop;
    private final LoopPlan plan;

    PlanFigures(LoopDeclaration loop, LoopPlan plan) {
        this.loop = loop;
        this.plan = plan;
    }

    LoopStatistics statistics() {
        Map<Dat, TargetTable> tables = new LinkedHashMap<>();
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.map(a) != null) {
                Dat dat = loop.dat(a);
                tables.computeIfAbsent(dat, d -> new TargetTable(d.set().size())).add(loop.map(a), loop.entry(a));
            }
        }
        long used = 0;
        long staged = 0;
        for (Map.Entry<Dat, TargetTable> entry : tables.entrySet()) {
            long bytes = (long) entry.getKey().components() * entry.getKey().type().bytes();
            long[] counts = count(entry.getValue());
            used += counts[0] * bytes;
            staged += counts[1] * bytes;
        }
        int inside = plan.elementColours() == null ? 1 : plan.elementColours().count();
        return new LoopStatistics(plan.blocks(), plan.colours(), inside, plan.executed(),
                staged == 0 ? 1 : (double) used / staged, staged);
    }

    /** Returns the entries of all blocks and the distinct targets of all blocks. */
    private long[] count(TargetTable table) {
        int[] seenIn = new int[table.targets()];
        Arrays.fill(seenIn, -1);
        int[] list = new int[16];
        long entries = 0;
        long distinct = 0;
        for (int block = 0; block < plan.blocks(); block++) {
            for (int i = plan.blockOffsets()[block]; i < plan.blockOffsets()[block + 1]; i++) {
                int element = plan.order() == null ? i : plan.order()[i];
                int count = table.entries(element);
                if (count > list.length) {
                    list = new int[2 * count];
                }
                table.list(element, list, 0);
                entries += count;
                for (int k = 0; k < count; k++) {
                    if (seenIn[list[k]] != block) {
                        seenIn[list[k]] = block;
                        distinct++;
                    }
                }
            }
        }
        return new long[]{entries, distinct};
    }
}
