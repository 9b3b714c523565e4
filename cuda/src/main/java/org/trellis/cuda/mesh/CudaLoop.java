package org.trellis.cuda.mesh;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.trellis.common.Precision;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopStatistics;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.PreparedLoop;
import org.trellis.mesh.plan.LoopPlan;
import org.trellis.mesh.plan.LoopPlans;

/**
 * A loop on the device. A run queues its launches and returns; whoever looks at a global that was reduced waits.
 * Globals that the kernel reads are passed with each run.
 */
final class CudaLoop implements PreparedLoop {
    private final CudaContext context;
    private final LoopDeclaration loop;
    private final LoopPlan plan;
    private final LoopMemory memory;
    private final LoopClock clock;
    private final List<LoopLaunches> launches;
    private final int elementColours;
    private final Global[] reduced;
    private final Runnable[] finishers;
    private final boolean[] late;
    private boolean closed;

    private record FiguresKey(LoopDeclaration loop, LoopPlan plan) {}

    CudaLoop(CudaContext context, LoopDeclaration loop, LoopPlan plan, int elementColours, LoopMemory memory,
            List<LoopLaunches> launches) {
        this.context = context;
        this.loop = loop;
        this.plan = plan;
        this.elementColours = elementColours;
        this.memory = memory;
        this.launches = launches;
        this.clock = new LoopClock(context);
        this.reduced = new Global[loop.arity()];
        this.finishers = new Runnable[loop.arity()];
        this.late = new boolean[loop.arity()];
        for (int a = 0; a < reduced.length; a++) {
            int argument = a;
            finishers[a] = () -> finish(argument);
            if (loop.argument(a) instanceof Global global && loop.access(a).reduces()) {
                reduced[a] = global;
            } else if (loop.argument(a) instanceof MeshConstant constant) {
                setConstant(a, constant);
            }
        }
    }

    @Override
    public void run() {
        if (closed) {
            throw new IllegalStateException(loop + " is closed");
        }
        if (loop.set().size() == 0) {
            return;
        }
        passGlobals();
        clock.begin();
        for (int i = 0; i < launches.size(); i++) {
            launches.get(i).run();
        }
        clock.end();
        for (int a = 0; a < reduced.length; a++) {
            if (reduced[a] != null) {
                late[a] = true;
                reduced[a].pending(finishers[a]);
            }
        }
    }

    /** Puts the values of globals into the kernels' arguments; fetches results that this run would overwrite. */
    private void passGlobals() {
        for (int a = 0; a < reduced.length; a++) {
            if (reduced[a] != null) {
                reduced[a].get();
            } else if (loop.argument(a) instanceof Global global) {
                passGlobal(a, global);
            }
        }
    }

    private void passGlobal(int a, Global global) {
        boolean wide = loop.precision() == Precision.F64;
        for (int i = 0; i < launches.size(); i++) {
            LoopLaunches target = launches.get(i);
            long offset = target.valueOffset(a);
            if (offset >= 0) {
                for (int c = 0; c < global.components(); c++) {
                    if (global.real()) {
                        putReal(target.block(), offset, c, global.get(c), wide);
                    } else {
                        target.block().set(ValueLayout.JAVA_INT, offset + (long) c * Integer.BYTES,
                                global.ints()[c]);
                    }
                }
            }
        }
    }

    private static void putReal(MemorySegment block, long offset, int component, double value, boolean wide) {
        if (wide) {
            block.set(ValueLayout.JAVA_DOUBLE, offset + (long) component * Double.BYTES, value);
        } else {
            block.set(ValueLayout.JAVA_FLOAT, offset + (long) component * Float.BYTES, (float) value);
        }
    }

    private void setConstant(int a, MeshConstant constant) {
        for (LoopLaunches target : launches) {
            long offset = target.valueOffset(a);
            for (int c = 0; c < constant.components() && offset >= 0; c++) {
                if (constant.real()) {
                    putReal(target.block(), offset, c, constant.get(c), loop.precision() == Precision.F64);
                } else {
                    target.block().set(ValueLayout.JAVA_INT, offset + (long) c * Integer.BYTES,
                            (int) constant.get(c));
                }
            }
        }
    }

    private void finish(int a) {
        late[a] = false;
        context.synchronize();
        memory.fold(a, reduced[a]);
    }

    @Override
    public LoopStatistics statistics() {
        LoopStatistics figures = loop.set().mesh().derived(new FiguresKey(loop, plan), LoopStatistics.class,
                () -> LoopPlans.statistics(loop, plan));
        return new LoopStatistics(figures.blocks(), figures.blockColours(),
                Math.max(elementColours, figures.elementColours()), figures.executed(), figures.reuse(),
                figures.stagedBytes());
    }

    @Override
    public OptionalDouble deviceSeconds() {
        return clock.mean();
    }

    @Override
    public void resetTimes() {
        clock.reset();
    }

    @Override
    public Map<String, String> deviceFigures() {
        LoopLaunches main = launches.getFirst();
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("launches", Integer.toString(launches.stream().mapToInt(LoopLaunches::count).sum()));
        figures.put("registers", Integer.toString(main.registers()));
        figures.put("localBytes", Integer.toString(main.localBytes()));
        figures.put("sharedBytes", Integer.toString(main.sharedBytes()));
        figures.put("occupancy", String.format(Locale.ROOT, "%.2f",
                main.occupancy(context.device().multiprocessorThreads())));
        return figures;
    }

    /** Nobody can fetch results once this loop has gone. */
    private void settle() {
        for (int a = 0; a < late.length && context.isOpen(); a++) {
            if (late[a]) {
                reduced[a].get();
            }
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            settle();
            launches.forEach(LoopLaunches::close);
            clock.close();
            memory.close();
        }
    }
}
