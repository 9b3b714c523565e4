package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.kernel.Access;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshSet;

/**
 * The dats of which a block of threads has its targets in shared memory, and the code that brings them there and back.
 */
final class SharedStages {
    /** Shared arrays start at multiples of this. */
    private static final int ALIGNMENT = 16;

    private final LoopOperands operands;
    private final LoopTables tables;
    private final LoopDeclaration loop;
    private final LoopForm form;
    private final BlockTables blocks;
    private final Map<Integer, Staged> staged = new LinkedHashMap<>();
    private final List<String> shared = new ArrayList<>();
    private final List<Integer> stagedArguments = new ArrayList<>();
    private int sharedBytes;

    /** A dat in shared memory. */
    record Staged(String pointer, String capacity, int components) {}

    SharedStages(LoopOperands operands, BlockTables blocks) {
        this.operands = operands;
        this.tables = operands.tables();
        this.loop = tables.loop();
        this.form = operands.form();
        this.blocks = blocks;
        if (form.blocks()) {
            stage();
        }
    }

    int sharedBytes() {
        return sharedBytes;
    }

    boolean isEmpty() {
        return staged.isEmpty();
    }

    /** Returns where an argument's dat is staged, or null. */
    Staged staged(int a) {
        return staged.get(tables.dat(a));
    }

    private void stage() {
        for (int a = 0; a < loop.arity(); a++) {
            boolean reads = form.stageReads() && loop.map(a) != null && loop.access(a) == Access.READ
                    && !LoopTables.byRows(loop, a);
            boolean adds = form.accumulates() && tables.addsToShared(a);
            if (loop.dat(a) != null && (reads || adds) && staged(a) == null) {
                Dat dat = loop.dat(a);
                LoopForm.Increments where = adds ? form.increments() : LoopForm.Increments.SHARED;
                int capacity = Math.ceilDiv(blocks.capacity(dat.set(), where), 2) * 2;
                int offset = sharedBytes;
                String name = Integer.toString(tables.dat(a));
                String position = operands.struct().number("offset" + name, () -> offset);
                String room = operands.struct().number("capacity" + name, () -> capacity);
                staged.put(tables.dat(a), new Staged("h" + name, room, dat.components()));
                shared.add(tables.type(a) + "* const h" + name + " = reinterpret_cast<" + tables.type(a)
                        + "*>(pool + " + position + ");");
                sharedBytes += Math.ceilDiv(capacity * dat.components() * dat.type().bytes(), ALIGNMENT) * ALIGNMENT;
                stagedArguments.add(a);
            }
        }
    }

    /** The targets of the block in a set: declares list and count once. */
    private void declareTargets(SourceText out, MeshSet set, List<MeshSet> declared) {
        if (!declared.contains(set)) {
            declared.add(set);
            int number = tables.set(set);
            BlockTables.Numbering numbering = blocks.numberings().get(set);
            String offsets = operands.array("targetOffsets" + number, "const int", numbering.local().targetOffsets());
            String targets = operands.array("targets" + number, "const int", numbering.local().targets());
            out.line("const int* const targets" + number + " = " + targets + " + " + offsets + "[block];");
            out.line("const int count" + number + " = " + offsets + "[block + 1] - " + offsets + "[block];");
        }
    }

    /** Clears or loads what is staged. */
    void stageIn(SourceText out) {
        if (staged.isEmpty()) {
            return;
        }
        shared.forEach(out::line);
        List<MeshSet> declared = new ArrayList<>();
        if (form.increments() == LoopForm.Increments.OWNED) {
            String owned = operands.array("owned", "const int", blocks.plan().ownedOffsets());
            out.line("const int ownedFirst = " + owned + "[block];");
            out.line("const int ownedCount = " + owned + "[block + 1] - ownedFirst;");
        }
        for (int a : stagedArguments) {
            Staged to = staged(a);
            boolean adds = tables.addsToShared(a);
            if (!adds || form.increments() == LoopForm.Increments.SHARED) {
                declareTargets(out, loop.dat(a).set(), declared);
            }
            String count = adds ? accumulatorCount(a) : "count" + tables.set(loop.dat(a).set());
            out.line(adds
                    ? "clearShared<" + to.components() + ">(" + to.pointer() + ", " + to.capacity() + ", " + count
                            + ");"
                    : "stageIn<" + to.components() + ", " + LoopTables.soa(loop.dat(a)) + ">(" + to.pointer() + ", "
                            + to.capacity() + ", " + operands.dat(a) + ", targets" + tables.set(loop.dat(a).set())
                            + ", "
                            + count + ", " + operands.stride(a) + ");");
        }
        out.line("__syncthreads();");
    }

    private String accumulatorCount(int a) {
        return form.increments() == LoopForm.Increments.OWNED
                ? "ownedCount"
                : "count" + tables.set(loop.dat(a).set());
    }

    /** Adds to memory what has been added in shared memory. */
    void stageOut(SourceText out) {
        for (int a : stagedArguments) {
            if (tables.addsToShared(a)) {
                Staged from = staged(a);
                boolean owned = form.increments() == LoopForm.Increments.OWNED;
                out.line("stageOut<" + from.components() + ", " + LoopTables.soa(loop.dat(a)) + ", " + form.atomicOut()
                        + ", " + !owned + ">(" + operands.dat(a) + ", " + from.pointer() + ", " + from.capacity() + ", "
                        + (owned ? "nullptr, ownedFirst" : "targets" + tables.set(loop.dat(a).set()) + ", 0") + ", "
                        + accumulatorCount(a) + ", " + operands.stride(a) + ");");
            }
        }
    }
}
