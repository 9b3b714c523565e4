package org.trellis.mesh.checkpoint;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.trellis.common.Precision;
import org.trellis.mesh.CallStep;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalars;

/**
 * A program as users write them, random but for its seed: loops alone and in a sequence, globals and scalars that steer
 * it, values that it reads and gives in between.
 */
final class Walk {
    private final Mesh mesh;
    private final SplittableRandom choices;
    private final MeshSet cells;
    private final Dat value;
    private final Dat before;
    private final Dat gain;
    private final Dat flow;
    private final Dat counted;
    private final Dat scratch;
    private final Global change;
    private final Scalars most;
    private final ParallelLoop number;
    private final ParallelLoop give;
    private final ParallelLoop save;
    private final LoopSequence sequence;
    private double heard;

    /** Is called after each step of the program; throws to kill it. */
    interface Killer {
        void after(int iteration);
    }

    Walk(Mesh mesh, int size, long seed) {
        this(mesh, size, seed, 0.1, Precision.F64);
    }

    Walk(Mesh mesh, int size, long seed, double factor, Precision precision) {
        this.mesh = mesh;
        SplittableRandom random = new SplittableRandom(seed);
        choices = random.split();
        cells = mesh.set("cells", size);
        MeshSet edges = mesh.set("edges", size);
        int[] targets = new int[2 * size];
        for (int e = 0; e < size; e++) {
            targets[2 * e] = e;
            targets[2 * e + 1] = (e + 1) % size;
        }
        MeshMap ends = mesh.map("ends", edges, cells, 2, targets);
        value = mesh.dat("value", cells, 1, precision, random.doubles(size).toArray());
        before = mesh.dat("before", cells, 1, precision);
        gain = mesh.dat("gain", cells, 1, precision);
        flow = mesh.dat("flow", edges, 1, precision);
        counted = mesh.intDat("counted", cells, 1);
        scratch = mesh.dat("scratch", cells, 1, precision, random.doubles(size).toArray());
        change = mesh.global("change", 0);
        most = mesh.scalars("most", 1);
        save = mesh.loop(WalkKernelsLoops.COPY_TO, cells, value, before);
        number = mesh.loop(WalkKernelsLoops.NUMBER, cells, value, counted);
        give = mesh.loop(WalkKernelsLoops.GIVE, edges, flow, scratch.at(ends, 1));
        sequence = mesh.sequence("step").set(change, 0)
                .run(mesh.loop(WalkKernelsLoops.SLOPE, edges, value.at(ends, 0), value.at(ends, 1), flow))
                .run(new CallStep("listen", this::listen, List.of()))
                .run(mesh.loop(WalkKernelsLoops.SPREAD, edges, flow, gain.at(ends, 0), gain.at(ends, 1)))
                .run(mesh.loop(WalkKernelsLoops.STEP, cells, before, gain, value, mesh.constant("factor", factor),
                        change,
                        most.at(0)))
                .build();
    }

    private void listen() {
        heard = 0.75 * heard + change.get();
    }

    /** Runs, and returns everything that is to be the same. */
    double[] run(int iterations, Killer killer) {
        double time = 0;
        for (int i = 0; i < iterations; i++) {
            save.run();
            sequence.run();
            if (change.get() > 1e-3 && i % 3 == 1) {
                number.run();
            }
            if (choices.nextInt(5) == 0) {
                give.run();
            }
            time += 1 / (1 + most.get(0)) + 1e-3 * change.get();
            touch(choices.nextInt(9), i);
            killer.after(i);
        }
        return results(time);
    }

    /** Reads or gives values as programs do now and then. */
    private void touch(int what, int i) {
        if (what == 0) {
            double[] all = value.toArray();
            scratch.set(i % all.length, 0, all[i % all.length] + heard);
        } else if (what == 1) {
            heard += before.get(i % cells.size(), 0) + value.get((3 * i) % cells.size(), 0);
        } else if (what == 2) {
            gain.fill(1e-3 * i);
        } else if (what == 3) {
            double[] all = scratch.toArray();
            Arrays.setAll(all, e -> all[e] + 1);
            scratch.setAll(all);
        } else if (what == 4) {
            counted.set(i % cells.size(), 0, i);
        }
    }

    private double[] results(double time) {
        double[] all = new double[4 * cells.size() + flow.set().size() + 3];
        int at = 0;
        for (Dat dat : new Dat[]{value, gain, scratch, counted, flow}) {
            double[] values = dat.toArray();
            System.arraycopy(values, 0, all, at, values.length);
            at += values.length;
        }
        all[at] = time;
        all[at + 1] = heard;
        all[at + 2] = mesh.ranks().isPresent() ? 0 : most.get(0);
        return all;
    }
}
