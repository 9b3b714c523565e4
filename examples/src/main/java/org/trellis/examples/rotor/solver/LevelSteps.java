package org.trellis.examples.rotor.solver;

import java.util.LinkedHashMap;
import java.util.Map;
import org.trellis.examples.rotor.kernels.FluxesLoops;
import org.trellis.examples.rotor.kernels.Gas;
import org.trellis.examples.rotor.kernels.GradientsLoops;
import org.trellis.examples.rotor.kernels.MarchingLoops;
import org.trellis.examples.rotor.kernels.MeasuresLoops;
import org.trellis.examples.rotor.kernels.PeriodicLoops;
import org.trellis.examples.rotor.kernels.ScalarDissipationLoops;
import org.trellis.examples.rotor.kernels.TurbulenceLoops;
import org.trellis.examples.rotor.kernels.ViscousLoops;
import org.trellis.examples.rotor.mesh.Patch;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;

/**
 * The loops of one level: its residual, and a Runge–Kutta step. Each loop is declared once, however often it is run.
 */
final class LevelSteps {
    /** Jacobi's steps of residual smoothing. */
    private static final int SWEEPS = 2;
    /** What an evaluation of dissipation costs, an evaluation of convection being 1. */
    private static final int DISSIPATION_WORK = 3;

    private final LevelData data;
    private final FlowSettings settings;
    private final FlowConstants constants;
    private final boolean finest;
    private final boolean held;
    private final Dat outside;
    private final Map<String, ParallelLoop> loops = new LinkedHashMap<>();
    private double work;
    private boolean keepsLimits;

    /**
     * Declares what data the loops need.
     *
     * @param data      of the level
     * @param settings  what is computed
     * @param constants of all levels
     * @param held      whether the states of nodes on the far boundary are given
     */
    LevelSteps(LevelData data, FlowSettings settings, FlowConstants constants, boolean held) {
        this.data = data;
        this.settings = settings;
        this.constants = constants;
        this.finest = data.index() == 0;
        this.held = held;
        if (needsGradients()) {
            data.onNodes("g", Gas.GRADIENT);
            data.onNodes("inverse", Gas.STATE);
            data.onNodes("phi", Gas.STATE);
        }
        if (settings.scheme().dissipation() == FlowSettings.Dissipation.JST) {
            data.onNodes("differences", Gas.STATE);
            data.onNodes("pressures", 2);
            data.onNodes("shock", 1);
        }
        if (settings.isViscous()) {
            data.onNodes("mu", 2);
        }
        if (hasTurbulence()) {
            data.onNodes("distance", 1);
            data.onNodes("damping", 1);
        }
        if (settings.smoothing() > 0) {
            data.onNodes("smoothed", Gas.STATE);
            data.onNodes("sum", Gas.STATE);
            data.onNodes("degree", 1);
        }
        if (data.parts().containsKey(Patch.FAR)) {
            LevelData.Part far = data.parts().get(Patch.FAR);
            outside = data.mesh().dat(data.named("outside"), far.set(), Gas.STATE, data.precision());
        } else {
            outside = null;
        }
    }

    /** Says whether steps that are declared from now on keep the limits of reconstructions that there are. */
    void keepLimits(boolean kept) {
        keepsLimits = kept;
    }

    /** The states outside of the far boundary; null if the level has none. */
    Dat outside() {
        return outside;
    }

    private boolean needsGradients() {
        return finest && (settings.scheme().dissipation() == FlowSettings.Dissipation.ROE || settings.isViscous());
    }

    private boolean hasTurbulence() {
        return finest && settings.flow().turbulent();
    }

    private Dat dat(String name) {
        return data.dat(name);
    }

    private LoopArgument end(String name, int which) {
        return dat(name).at(data.edgeNodes(), which);
    }

    private ParallelLoop loop(String name, LoopKernel kernel, MeshSet set, LoopArgument... arguments) {
        return loops.computeIfAbsent(name, key -> data.mesh().loop(kernel, set, arguments));
    }

    private ParallelLoop onNodes(String name, LoopKernel kernel, LoopArgument... arguments) {
        return loop(name, kernel, data.nodes(), arguments);
    }

    private ParallelLoop onEdges(String name, LoopKernel kernel, LoopArgument... arguments) {
        return loop(name, kernel, data.edges(), arguments);
    }

    private ParallelLoop clear(String name) {
        Dat cleared = dat(name);
        LoopKernel kernel = switch (cleared.components()) {
            case 1 -> MarchingLoops.CLEAR1;
            case 2 -> MarchingLoops.CLEAR2;
            case Gas.STATE -> MarchingLoops.CLEAR6;
            default -> MarchingLoops.CLEAR18;
        };
        return onNodes("clear " + name, kernel, cleared);
    }

    /** Adds up at periodic nodes what their two parts have gathered. */
    void join(LoopSequence.Builder steps, String name, LoopKernel kernel, boolean turned) {
        if (data.isPeriodic()) {
            LoopArgument both = dat(name).at(data.pairNodes());
            steps.run(turned
                    ? loop("join " + name, kernel, data.pairs(), constants.turn(), both)
                    : loop("join " + name, kernel, data.pairs(), both));
        }
    }

    /** What is computed once. */
    void start(LoopSequence.Builder steps) {
        if (needsGradients()) {
            steps.run(clear("inverse"));
            steps.run(onEdges("moments", GradientsLoops.MOMENTS, end("x", 0), end("x", 1), end("inverse", 0),
                    end("inverse", 1)));
            join(steps, "inverse", PeriodicLoops.JOIN_MOMENTS, true);
            steps.run(onNodes("invert", GradientsLoops.INVERT, dat("inverse")));
            steps.run(onNodes("unlimited", GradientsLoops.UNLIMITED, dat("phi")));
        }
        if (settings.smoothing() > 0) {
            steps.run(clear("degree")).run(onEdges("degree", MarchingLoops.DEGREE, end("degree", 0), end("degree", 1)));
            join(steps, "degree", PeriodicLoops.JOIN1, false);
            steps.run(clear("sum"));
        }
        steps.run(clear("forcing")).run(clear("frozen"));
    }

    /** Gives walls their velocity, and nodes on walls without friction theirs through them. */
    void stick(LoopSequence.Builder steps) {
        slide(steps, "q");
        LevelData.Part wall = data.parts().get(Patch.NO_SLIP);
        if (wall != null && settings.isViscous()) {
            steps.run(loop("stick", FluxesLoops.STICK, wall.set(), dat("x").at(wall.node(), 0), constants.omega(),
                    dat("q").at(wall.node(), 0)));
        }
    }

    /** Lets the level's flow be one of its own, not a finer one's. */
    void free(LoopSequence.Builder steps) {
        steps.run(clear("forcing"));
    }

    /** Keeps a state's nodes on walls without friction from going through them. */
    void slide(LoopSequence.Builder steps, String name) {
        LevelData.Sliding walls = data.sliding();
        if (walls != null) {
            steps.run(loop("slide " + name, FluxesLoops.SLIDE, walls.set(), dat("x").at(walls.node(), 0),
                    walls.walls(), constants.omega(), dat(name).at(walls.node(), 0)));
        }
    }

    void primitive(LoopSequence.Builder steps) {
        steps.run(onNodes("primitive", MarchingLoops.PRIMITIVE, dat("q"), dat("w")));
        viscosity(steps);
    }

    private void viscosity(LoopSequence.Builder steps) {
        if (settings.isViscous()) {
            steps.run(onNodes("viscosity", ViscousLoops.VISCOSITY, dat("w"), constants.viscosity(), dat("mu")));
        }
    }

    /** Local time steps. */
    private void timeSteps(LoopSequence.Builder steps) {
        steps.run(clear("speeds"));
        steps.run(onEdges("wave speed", MarchingLoops.WAVE_SPEED, data.dat("n"), data.dat("sweep"), end("w", 0),
                end("w", 1), constants.omega(), end("speeds", 0), end("speeds", 1)));
        if (settings.isViscous()) {
            steps.run(onEdges("diffusion speed", ViscousLoops.DIFFUSION_SPEED, end("x", 0), end("x", 1),
                    data.dat("n"), end("w", 0), end("w", 1), end("mu", 0), end("mu", 1), end("speeds", 0),
                    end("speeds", 1)));
        }
        data.parts().forEach((patch, part) -> steps.run(loop("wave speed " + patch, MarchingLoops.WAVE_SPEED_OUT,
                part.set(), part.normal(), part.sweep(), dat("w").at(part.node(), 0), constants.omega(),
                dat("speeds").at(part.node(), 0))));
        join(steps, "speeds", PeriodicLoops.JOIN1, false);
        steps.run(onNodes("time step", MarchingLoops.TIME_STEP, dat("speeds"), constants.courant(), dat("step")));
    }

    /** What flows without friction, and given sources. */
    private void convection(LoopSequence.Builder steps) {
        work++;
        steps.run(clear("convection"));
        steps.run(onEdges("convection", FluxesLoops.CONVECTION, data.dat("n"), data.dat("sweep"), end("w", 0),
                end("w", 1), constants.omega(), end("convection", 0), end("convection", 1)));
        data.parts().forEach((patch, part) -> steps.run(boundary(patch, part)));
        join(steps, "convection", PeriodicLoops.JOIN6, true);
        if (settings.flow().omega() != 0) {
            steps.run(onNodes("turning", FluxesLoops.TURNING, dat("w"), dat("volume"), constants.omega(),
                    dat("convection")));
        }
        if (finest && held) {
            steps.run(onNodes("give", TurbulenceLoops.GIVE, data.onNodes("source", Gas.STATE), dat("volume"),
                    dat("convection")));
        }
    }

    private ParallelLoop boundary(Patch patch, LevelData.Part part) {
        LoopArgument state = dat("w").at(part.node(), 0);
        LoopArgument residual = dat("convection").at(part.node(), 0);
        String name = "flux " + patch;
        return switch (patch) {
            case SLIP -> loop(name, FluxesLoops.SLIP_WALL, part.set(), part.normal(), part.sweep(), state,
                    constants.omega(), residual);
            case NO_SLIP -> settings.isViscous()
                    ? loop(name, FluxesLoops.NO_SLIP_WALL, part.set(), part.sweep(), state, constants.omega(), residual)
                    : loop(name, FluxesLoops.SLIP_WALL, part.set(), part.normal(), part.sweep(), state,
                            constants.omega(), residual);
            case INLET -> loop(name, FluxesLoops.INLET, part.set(), part.normal(), part.sweep(), state,
                    constants.inlet(), constants.omega(), residual);
            case OUTLET -> loop(name, FluxesLoops.OUTLET, part.set(), part.normal(), part.sweep(), state,
                    constants.outlet(), constants.omega(), residual);
            default -> loop(name, FluxesLoops.FAR_FIELD, part.set(), part.normal(), part.sweep(), state, outside,
                    constants.omega(), residual);
        };
    }

    /** Gradients at nodes. */
    void gradients(LoopSequence.Builder steps) {
        steps.run(clear("g"));
        if (settings.scheme().leastSquares()) {
            steps.run(onEdges("slopes", GradientsLoops.SLOPES, end("x", 0), end("x", 1), end("w", 0), end("w", 1),
                    end("g", 0), end("g", 1)));
        } else {
            steps.run(onEdges("border", GradientsLoops.BORDER, data.dat("n"), end("w", 0), end("w", 1), end("g", 0),
                    end("g", 1)));
            data.parts().forEach((patch, part) -> steps.run(loop("close " + patch, GradientsLoops.CLOSE, part.set(),
                    part.normal(), dat("w").at(part.node(), 0), dat("g").at(part.node(), 0))));
        }
        join(steps, "g", PeriodicLoops.JOIN_GRADIENTS, true);
        steps.run(settings.scheme().leastSquares()
                ? onNodes("solve", GradientsLoops.SOLVE, dat("inverse"), dat("g"))
                : onNodes("divide", GradientsLoops.DIVIDE, dat("volume"), dat("g")));
        if (settings.scheme().limited() && !keepsLimits) {
            steps.run(onNodes("limit", GradientsLoops.LIMIT, dat("x"), dat("w"), dat("g"), dat("volume"),
                    dat("x").at(data.neighbours()), dat("w").at(data.neighbours()), constants.limiter(), dat("phi")));
            join(steps, "phi", PeriodicLoops.LESSER6, false);
        }
    }

    /** Dissipation, friction and turbulence. */
    private void dissipation(LoopSequence.Builder steps) {
        work += DISSIPATION_WORK;
        if (needsGradients()) {
            gradients(steps);
        }
        steps.run(clear("fresh"));
        if (settings.scheme().dissipation() == FlowSettings.Dissipation.ROE) {
            upwind(steps);
        } else {
            scalar(steps);
        }
        if (settings.isViscous()) {
            steps.run(finest
                    ? onEdges("friction", ViscousLoops.FRICTION, end("x", 0), end("x", 1), data.dat("n"), end("w", 0),
                            end("w", 1), end("g", 0), end("g", 1), end("mu", 0), end("mu", 1), end("fresh", 0),
                            end("fresh", 1))
                    : onEdges("friction", ViscousLoops.FRICTION_FIRST, end("x", 0), end("x", 1), data.dat("n"),
                            end("w", 0), end("w", 1), end("mu", 0), end("mu", 1), end("fresh", 0), end("fresh", 1)));
        }
        join(steps, "fresh", PeriodicLoops.JOIN6, true);
        if (hasTurbulence()) {
            steps.run(onNodes("turbulence", TurbulenceLoops.SOURCES, dat("w"), dat("g"), dat("mu"), dat("distance"),
                    dat("volume"), dat("fresh"), dat("damping")));
        }
    }

    private void upwind(LoopSequence.Builder steps) {
        steps.run(finest
                ? onEdges("upwind", FluxesLoops.UPWIND, end("x", 0), end("x", 1), data.dat("n"), data.dat("sweep"),
                        end("w", 0), end("w", 1), end("g", 0), end("g", 1), end("phi", 0), end("phi", 1),
                        constants.omega(), end("fresh", 0), end("fresh", 1))
                : onEdges("upwind", FluxesLoops.UPWIND_FIRST, data.dat("n"), data.dat("sweep"), end("w", 0),
                        end("w", 1), constants.omega(), end("fresh", 0), end("fresh", 1)));
    }

    private void scalar(LoopSequence.Builder steps) {
        if (!finest) {
            steps.run(onEdges("scalar", ScalarDissipationLoops.SCALAR_FIRST, data.dat("n"), data.dat("sweep"),
                    end("w", 0), end("w", 1), constants.differences(), constants.omega(), end("fresh", 0),
                    end("fresh", 1)));
            return;
        }
        steps.run(clear("differences")).run(clear("pressures"));
        steps.run(onEdges("differences", ScalarDissipationLoops.DIFFERENCES, end("w", 0), end("w", 1),
                end("differences", 0), end("differences", 1)));
        steps.run(onEdges("pressures", ScalarDissipationLoops.PRESSURES, end("w", 0), end("w", 1),
                end("pressures", 0), end("pressures", 1)));
        join(steps, "differences", PeriodicLoops.JOIN6, true);
        join(steps, "pressures", PeriodicLoops.JOIN2, false);
        steps.run(onNodes("sensor", ScalarDissipationLoops.SENSOR, dat("pressures"), dat("shock")));
        steps.run(onEdges("scalar", ScalarDissipationLoops.SCALAR, data.dat("n"), data.dat("sweep"), end("w", 0),
                end("w", 1), end("differences", 0), end("differences", 1), end("shock", 0), end("shock", 1),
                constants.differences(), constants.omega(), end("fresh", 0), end("fresh", 1)));
    }

    /** Nothing changes what is held. */
    private void hold(LoopSequence.Builder steps, String name) {
        LevelData.Sliding walls = data.sliding();
        if (walls != null) {
            steps.run(loop("kept " + name, FluxesLoops.KEPT, walls.set(), dat("x").at(walls.node(), 0), walls.walls(),
                    constants.omega(), dat(name).at(walls.node(), 0)));
        }
        LevelData.Part wall = data.parts().get(Patch.NO_SLIP);
        if (wall != null && settings.isViscous()) {
            steps.run(loop("stuck " + name, FluxesLoops.STUCK, wall.set(), dat(name).at(wall.node(), 0)));
        }
        LevelData.Part far = data.parts().get(Patch.FAR);
        if (held && far != null) {
            steps.run(loop("held " + name, FluxesLoops.HELD, far.set(), dat(name).at(far.node(), 0)));
        }
    }

    /** The residual of the state, all of it fresh: convection and frozen, not added up. */
    void parts(LoopSequence.Builder steps) {
        primitive(steps);
        convection(steps);
        dissipation(steps);
        steps.run(onNodes("copy fresh", MarchingLoops.COPY, dat("fresh"), dat("frozen")));
    }

    /** Adds up a residual. */
    void total(LoopSequence.Builder steps) {
        steps.run(onNodes("total", hasTurbulence() ? MarchingLoops.TOTAL : MarchingLoops.TOTAL_OF_FLOW,
                dat("convection"), dat("frozen"), dat("forcing"), dat("r")));
        hold(steps, "r");
    }

    /** The norm of the residual. */
    void norm(LoopSequence.Builder steps, Global square, Global most) {
        steps.run(onNodes("norm", MeasuresLoops.NORM, dat("r"), dat("volume"), dat("share"), square, most));
    }

    /** What runs when a residual has been added up. */
    @FunctionalInterface
    interface Observer {
        void add(LoopSequence.Builder steps);
    }

    /**
     * A step of all stages.
     *
     * @param steps    what they are added to
     * @param observer what runs in between, when the residual of the state before is known
     */
    void step(LoopSequence.Builder steps, Observer observer) {
        steps.run(onNodes("copy q", MarchingLoops.COPY, dat("q"), dat("before")));
        primitive(steps);
        for (int stage = 0; stage < FlowConstants.stages(); stage++) {
            if (stage == 0) {
                timeSteps(steps);
            }
            convection(steps);
            if (FlowConstants.isFresh(stage)) {
                dissipation(steps);
                steps.run(onNodes("blend " + stage, MarchingLoops.BLEND, dat("fresh"), constants.beta(stage),
                        dat("frozen")));
            }
            total(steps);
            if (stage == 0) {
                observer.add(steps);
            }
            if (settings.smoothing() == 0) {
                advance(steps, stage);
            } else {
                advanceSmoothed(steps, stage);
            }
        }
    }

    private void advance(LoopSequence.Builder steps, int stage) {
        steps.run(hasTurbulence()
                ? onNodes("stage " + stage, MarchingLoops.ADVANCE_TURBULENT, dat("before"), dat("r"), dat("step"),
                        dat("damping"), constants.alpha(stage), dat("q"), dat("w"))
                : onNodes("stage " + stage, MarchingLoops.ADVANCE, dat("before"), dat("r"), dat("step"),
                        constants.alpha(stage), dat("q"), dat("w")));
        viscosity(steps);
    }

    private void advanceSmoothed(LoopSequence.Builder steps, int stage) {
        steps.run(onNodes("scale", MarchingLoops.SCALE, dat("step"), dat("r")));
        String residual = smoothed(steps);
        steps.run(hasTurbulence()
                ? onNodes("stage " + stage, MarchingLoops.STAGE_TURBULENT, dat("before"), dat(residual), dat("step"),
                        dat("damping"), constants.alpha(stage), dat("q"))
                : onNodes("stage " + stage, MarchingLoops.STAGE, dat("before"), dat(residual), constants.alpha(stage),
                        dat("q")));
        if (stage + 1 < FlowConstants.stages()) {
            primitive(steps);
        }
    }

    /** Smooths the residual, and returns the name of what it is in then. */
    private String smoothed(LoopSequence.Builder steps) {
        String from = "r";
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            steps.run(clear("sum"));
            steps.run(onEdges("gather " + from, MarchingLoops.GATHER, end(from, 0), end(from, 1), end("sum", 0),
                    end("sum", 1)));
            join(steps, "sum", PeriodicLoops.JOIN6, true);
            steps.run(onNodes("smooth", MarchingLoops.SMOOTH, dat("r"), dat("sum"), dat("degree"),
                    constants.smoothing(), dat("smoothed")));
            from = "smoothed";
        }
        hold(steps, from);
        return from;
    }

    /** Evaluations so far, in those of convection, times edges. */
    double work() {
        return work * data.edges().size();
    }

    /** What a step costs, in the same unit. */
    double workOfStep() {
        int fresh = 0;
        for (int stage = 0; stage < FlowConstants.stages(); stage++) {
            fresh += FlowConstants.isFresh(stage) ? 1 : 0;
        }
        return (FlowConstants.stages() + DISSIPATION_WORK * fresh) * (double) data.edges().size();
    }
}
