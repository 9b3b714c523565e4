package org.trellis.cuda.mesh;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.trellis.common.Precision;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaGraph;
import org.trellis.cuda.runtime.GraphPart;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshRaster;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopStatistics;
import org.trellis.mesh.loop.SetExtent;
import org.trellis.mesh.plan.LoopPlan;
import org.trellis.mesh.plan.LoopPlans;

/**
 * A loop on the device. A run queues its launches and returns; code that looks at a global that was reduced waits.
 * Globals that the kernel reads are passed with each run, or stay on the device where another loop has reduced them.
 */
final class CudaLoop implements PreparedLoop, GraphPart {
    private final CudaContext context;
    private final LoopDeclaration loop;
    private final LoopPlan plan;
    private final LoopMemory memory;
    private final LoopClock clock;
    private final List<LoopLaunches> launches;
    private final int elementColours;
    private final boolean[] reduces;
    private final String[] pointers;
    private final boolean usesGlobals;
    private final int launchCount;
    /** Marks in the queue cost the host about as much as a launch; parts of a loop go without unless asked. */
    private boolean timed;
    private boolean rebound;
    private boolean closed;

    private record FiguresKey(LoopDeclaration loop, LoopPlan plan) {}

    CudaLoop(CudaContext context, LoopDeclaration loop, LoopPlan plan, int elementColours, LoopMemory memory,
            List<LoopLaunches> launches, boolean timed) {
        this.context = context;
        this.timed = timed;
        this.loop = loop;
        this.plan = plan;
        this.elementColours = elementColours;
        this.memory = memory;
        this.launches = launches;
        this.clock = new LoopClock(context);
        this.reduces = new boolean[loop.arity()];
        this.pointers = new String[loop.arity()];
        LoopTables tables = new LoopTables(loop);
        boolean found = false;
        for (int a = 0; a < reduces.length; a++) {
            reduces[a] = loop.argument(a) instanceof Global && loop.access(a).reduces();
            found |= loop.argument(a) instanceof Global;
            pointers[a] = loop.dat(a) == null ? null : tables.pointer(a);
            if (loop.argument(a) instanceof MeshConstant constant) {
                setConstant(a, constant);
            } else if (loop.argument(a) instanceof MeshRaster raster) {
                setPlace(a, RasterCode.place(raster.raster()));
            } else if (loop.argument(a) instanceof Scalar scalar) {
                setScalar(a, scalar);
            }
        }
        this.usesGlobals = found;
        this.launchCount = launches.stream().mapToInt(LoopLaunches::count).sum();
    }

    @Override
    public void run() {
        if (closed) {
            throw new IllegalStateException(loop + " is closed");
        }
        if (loop.set().size() == 0) {
            reduceNothing();
            return;
        }
        if (launchCount == 0) {
            // Elements of a part that no target is reached from.
            return;
        }
        passGlobals();
        if (timed) {
            clock.begin();
        }
        for (int i = 0; i < launches.size(); i++) {
            launches.get(i).run();
        }
        if (timed) {
            clock.end();
        }
        produced();
    }

    /** Loops over sets in parts are made of loops over elements of them, so that every part is the whole. */
    @Override
    public void run(SetExtent part) {
        run();
    }

    @Override
    public void run(int from, int to) {
        if (from == 0 && to == loop.set().size()) {
            run();
        } else if (from != to) {
            PreparedLoop.super.run(from, to);
        }
    }

    /** Changes an address in the struct; launches that store contributions and add them later have several. */
    @Override
    public boolean rebind(int argument) {
        if (launches.size() > 1) {
            return false;
        }
        rebound = true;
        if (loop.argument(argument) instanceof Scalar scalar) {
            setScalar(argument, scalar);
        } else if (loop.dat(argument) != null) {
            launches.getFirst().address(pointers[argument], memory.of(loop.dat(argument)));
        }
        return true;
    }

    @Override
    public void addTo(CudaGraph graph) {
        if (loop.set().size() > 0) {
            launches.forEach(part -> part.addTo(graph));
        }
    }

    @Override
    public void update(CudaGraph graph, int first) {
        if (!(usesGlobals || rebound) || loop.set().size() == 0) {
            return;
        }
        passGlobals();
        int at = first;
        for (int i = 0; i < launches.size(); i++) {
            launches.get(i).update(graph, at);
            at += launches.get(i).count();
        }
        produced();
    }

    @Override
    public int launchCount() {
        return loop.set().size() == 0 ? 0 : launchCount;
    }

    /** Says whether the kernel can read a global, or all that it reads, where a loop before it has left its value. */
    boolean readsOnDevice(Global global) {
        for (int a = 0; a < reduces.length; a++) {
            if (loop.argument(a).equals(global) && !reduces[a] && global.components() > ValueCode.COPIED) {
                return false;
            }
        }
        return true;
    }

    /** Returns the globals that the loop reduces into. */
    List<Global> reduced() {
        List<Global> reduced = new ArrayList<>();
        for (int a = 0; a < reduces.length; a++) {
            if (reduces[a]) {
                reduced.add((Global) loop.argument(a));
            }
        }
        return reduced;
    }

    private void produced() {
        for (int a = 0; a < reduces.length; a++) {
            if (reduces[a]) {
                memory.global(a).produced();
            }
        }
    }

    /** Puts the values of globals into the kernels' arguments, or where the device has them. */
    private void passGlobals() {
        for (int a = 0; a < reduces.length; a++) {
            CudaGlobal global = memory.global(a);
            if (global != null) {
                boolean wide = reduces[a] || loop.precision() == Precision.F64;
                for (int i = 0; i < launches.size(); i++) {
                    passGlobal(launches.get(i), a, global, wide);
                }
            }
        }
    }

    private static void passGlobal(LoopLaunches target, int a, CudaGlobal value, boolean wide) {
        long offset = target.valueOffset(a);
        if (offset < 0) {
            return;
        }
        long from = target.fromOffset(a);
        boolean there = from >= 0 && value.onDevice();
        if (from >= 0) {
            target.block().set(ValueLayout.JAVA_LONG, from, there ? value.valueAddress() : 0);
        }
        Global global = value.global();
        for (int c = 0; c < global.components() && !there; c++) {
            if (global.real()) {
                putReal(target.block(), offset, c, global.get(c), wide);
            } else {
                target.block().set(ValueLayout.JAVA_INT, offset + (long) c * Integer.BYTES, global.ints()[c]);
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

    private void setPlace(int a, double[] place) {
        for (LoopLaunches target : launches) {
            if (target.struct().has(RasterCode.place(a))) {
                long offset = target.struct().offset(RasterCode.place(a));
                for (int c = 0; c < place.length; c++) {
                    putReal(target.block(), offset, c, place[c], loop.precision() == Precision.F64);
                }
            }
        }
    }

    /** Lets the kernel read a scalar where it is, or overwrite it: a reduction begins with the neutral value. */
    private void setScalar(int a, Scalar scalar) {
        long address = LoopMemory.address(scalar);
        for (LoopLaunches target : launches) {
            if (loop.access(a).reduces()) {
                target.address("value" + a, address);
                target.address("result" + a, address);
                for (int c = 0; c < scalar.components() && target.valueOffset(a) >= 0; c++) {
                    putReal(target.block(), target.valueOffset(a), c, neutral(a), true);
                }
            } else {
                target.address("from" + a, address);
            }
        }
    }

    private double neutral(int a) {
        return switch (loop.access(a)) {
            case MIN -> Double.POSITIVE_INFINITY;
            case MAX -> Double.NEGATIVE_INFINITY;
            default -> 0;
        };
    }

    /** Without elements nothing is launched. */
    private void reduceNothing() {
        for (int a = 0; a < reduces.length; a++) {
            if (loop.argument(a) instanceof Scalar scalar && loop.access(a).reduces()) {
                for (int c = 0; c < scalar.components(); c++) {
                    scalar.scalars().set(scalar.first() + c, neutral(a));
                }
            }
        }
    }

    @Override
    public LoopStatistics statistics() {
        LoopStatistics figures = loop.set().mesh().derived(new FiguresKey(loop, plan), LoopStatistics.class,
                () -> LoopPlans.statistics(loop, plan));
        return new LoopStatistics(figures.blocks(), figures.blockColours(),
                Math.max(elementColours, figures.elementColours()), figures.executed(), figures.reuse(),
                figures.stagedBytes());
    }

    /** Lets runs be timed from now on, or not. */
    void timed(boolean wanted) {
        timed = wanted;
        clock.keepBusy(wanted);
    }

    @Override
    public OptionalDouble deviceSeconds() {
        return clock.mean();
    }

    @Override
    public OptionalDouble deviceSeconds(int from, int to) {
        return from == 0 && to == loop.set().size() ? clock.mean() : OptionalDouble.empty();
    }

    @Override
    public void resetTimes() {
        clock.reset();
    }

    @Override
    public Map<String, String> deviceFigures() {
        LoopLaunches main = launches.getFirst();
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("launches", Integer.toString(launchCount()));
        figures.put("registers", Integer.toString(main.registers()));
        figures.put("codeBytes", Integer.toString(main.codeBytes()));
        figures.put("localBytes", Integer.toString(main.localBytes()));
        figures.put("sharedBytes", Integer.toString(main.sharedBytes()));
        figures.put("occupancy", String.format(Locale.ROOT, "%.2f",
                main.occupancy(context.device().multiprocessorThreads())));
        return figures;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            launches.forEach(LoopLaunches::close);
            clock.close();
            memory.close();
        }
    }
}
