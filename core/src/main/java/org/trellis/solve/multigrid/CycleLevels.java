package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.CallStep;
import org.trellis.mesh.LoopStep;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.SetStep;
import org.trellis.mesh.Step;
import org.trellis.mesh.WorkStep;
import org.trellis.mesh.loop.Layout;
import org.trellis.solve.smooth.Smoother;

/** All levels of a hierarchy on a backend, on a mesh of their own. */
final class CycleLevels implements AutoCloseable {
    private final Mesh mesh;
    private final List<CycleLevel> levels = new ArrayList<>();
    private final Optional<DeviceTiming> timing;

    /**
     * Takes levels of operators, and the solution of a level below them.
     *
     * @param given   levels, finest first
     * @param lowest  solves on the next one
     * @param backend where cycles run
     * @param options what cycles do
     */
    CycleLevels(List<OperatorLevel> given, Smoother lowest, Backend backend, CycleOptions options) {
        this(backend);
        take(given, options);
        levels.add(CycleLevel.of(given.size(), lowest, mesh));
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private CycleLevels(Backend backend) {
        timing = backend.optionalKernels(DeviceTiming.class);
        mesh = Mesh.on(backend, new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false));
    }

    private void take(List<OperatorLevel> given, CycleOptions options) {
        for (OperatorLevel level : given) {
            levels.add(CycleLevel.of(levels.size(), level, mesh, options.shape() == CycleShape.K));
        }
    }

    /**
     * Takes levels of operators, and brings a hierarchy below them to the backend.
     *
     * @param given     levels above the hierarchy, finest first
     * @param hierarchy the levels below
     * @param parts     makes products and smoothers of the hierarchy, whose levels it counts from 0
     * @param options   what cycles do
     * @param times     where the time goes
     * @param remarks   gets what is worth saying
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    CycleLevels(List<OperatorLevel> given, Hierarchy hierarchy, MultigridParts parts, CycleOptions options,
            SetupTimes times, List<String> remarks) {
        this(parts.backend());
        MultigridParts below = parts.below(given.size());
        try {
            boolean krylov = options.shape() == CycleShape.K;
            take(given, options);
            CoarseInverse coarse = times.time(SetupPhase.COARSE,
                    () -> CoarseInverse.begin(hierarchy.level(hierarchy.size() - 1).stored()));
            for (int l = 0; l < hierarchy.size(); l++) {
                levels.add(CycleLevel.of(given.size() + l, hierarchy.level(l), coarse, mesh, below, krylov, times,
                        remarks));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    Mesh mesh() {
        return mesh;
    }

    List<CycleLevel> levels() {
        return levels;
    }

    /** Returns the precision of the vectors of all levels. */
    Precision precision() {
        return finest().b().precision();
    }

    CycleLevel finest() {
        return levels.getFirst();
    }

    /** Says whether a cycle is a symmetric operator if the matrices are. */
    boolean symmetric(CycleOptions options) {
        boolean shape = options.shape() == CycleShape.V || options.shape() == CycleShape.W;
        return shape && options.before() == options.after() && levels.stream().allMatch(level -> level.isCoarsest()
                ? level.lowest().symmetric()
                : level.smoother().symmetric() || (options.mirror() && level.smoother().hasDirections()));
    }

    /** Binds a cycle. */
    CycleSteps bind(CycleOptions options, DenseVector b, DenseVector x, boolean fromZero) {
        return new CycleSteps(levels, options, b, x, fromZero);
    }

    /** Runs a cycle step by step; returns the seconds of each level. */
    double[] time(CycleSteps cycle) {
        double[] seconds = new double[levels.size()];
        timing.ifPresent(DeviceTiming::synchronize);
        for (CycleSteps.LevelStep step : cycle.steps()) {
            long start = System.nanoTime();
            run(step.step());
            timing.ifPresent(DeviceTiming::synchronize);
            seconds[step.level()] += (System.nanoTime() - start) * 1e-9;
        }
        return seconds;
    }

    private static void run(Step step) {
        switch (step) {
            case LoopStep loop -> loop.loop().run();
            case WorkStep work -> work.work().run();
            case CallStep call -> call.call().run();
            case SetStep set -> throw new IllegalStateException("cycle with " + set);
        }
    }

    @Override
    public void close() {
        levels.reversed().forEach(CycleLevel::close);
        mesh.close();
    }
}
