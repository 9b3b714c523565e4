package org.trellis.examples.rotor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.trellis.examples.rotor.kernels.Gas;
import org.trellis.examples.rotor.mesh.HybridMesh;
import org.trellis.examples.rotor.mesh.Patch;
import org.trellis.examples.rotor.solver.FlowMeasures;
import org.trellis.examples.rotor.solver.FlowSettings;
import org.trellis.examples.rotor.solver.FlowSolver;

/** The figures of a flow when it has been computed. */
final class FlowFigures {
    /** Of Blasius' boundary layer. */
    private static final double BLASIUS = 0.664;
    /** Of the turbulent boundary layer on a plate, c_f = 0.025 Re^(-1/7), as NASA's turbulence modelling resource. */
    private static final double TURBULENT = 0.025;
    /** Where that resource compares codes. */
    private static final double COMPARED = 0.97008;
    private static final double NEAR_NOSE = 0.3;
    private static final double NEAR_END = 0.9;
    private static final int TENTHS = 10;
    private static final List<String> COMPONENTS =
            List.of("density", "velocity x", "velocity y", "velocity z", "pressure", "nu tilde");

    private final FlowSolver solver;
    private final FlowSettings.Flow flow;
    private final FlowMeasures measures;
    private final List<Figure> figures = new ArrayList<>();

    /**
     * A number with a name.
     *
     * @param name  what it is
     * @param value its value
     */
    record Figure(String name, double value) {
        String text() {
            return String.format(Locale.ROOT, "%-44s %.6g", name, value);
        }
    }

    private FlowFigures(FlowSolver solver) {
        this.solver = solver;
        this.flow = solver.settings().flow();
        this.measures = new FlowMeasures(solver);
    }

    /**
     * Measures a flow. All ranks call it.
     *
     * @param solver   the flow
     * @param flowCase what it is
     * @param problem  what it began with
     * @return its figures
     */
    static List<Figure> of(FlowSolver solver, FlowCase flowCase, FlowSolver.Problem problem) {
        FlowFigures found = new FlowFigures(solver);
        switch (flowCase) {
            case FREE_STREAM -> found.change();
            case MANUFACTURED -> found.errors(problem);
            case PLATE -> {
                found.pressures();
                found.friction();
            }
            case CYLINDER -> {
                found.pressures();
                found.figures.addAll(CylinderFigures.of(solver, found.measures));
            }
            default -> {
                found.pressures();
                if (flowCase == FlowCase.BUMP) {
                    found.floor();
                }
                found.forces();
                found.passing();
            }
        }
        found.add("least time step", found.measures.leastStep());
        return found.figures;
    }

    private void add(String name, double value) {
        figures.add(new Figure(name, value));
    }

    private void change() {
        double[] state = solver.state().toArray();
        double[] free = flow.freeStream();
        double most = 0;
        for (int i = 0; i < state.length; i++) {
            most = Math.max(most, Math.abs(state[i] - free[i % Gas.STATE]));
        }
        add("largest change of the free stream", most);
        add("largest residual in a unit of volume", Arrays.stream(measures.largest()).max().orElse(0));
        add("mass that leaves the mesh", measures.leaving()[0]);
    }

    private void errors(FlowSolver.Problem problem) {
        double[] errors = measures.errors(problem);
        for (int k = 0; k < (flow.turbulent() ? errors.length : errors.length - 1); k++) {
            add("error of " + COMPONENTS.get(k), errors[k]);
        }
    }

    /** Pressure coefficients, the greatest Mach number, and how much entropy has grown where it has most. */
    private void pressures() {
        double[] w = solver.state().toArray();
        double dynamic = 0.5 * flow.mach() * flow.mach();
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        double mach = 0;
        double entropy = 0;
        for (int at = 0; at < w.length; at += Gas.STATE) {
            double coefficient = (w[at + 4] - 1 / Gas.GAMMA) / dynamic;
            least = Math.min(least, coefficient);
            most = Math.max(most, coefficient);
            mach = Math.max(mach, mach(w, at));
            entropy = Math.max(entropy, Gas.GAMMA * w[at + 4] / Math.pow(w[at], Gas.GAMMA) - 1);
        }
        add("least pressure coefficient", least);
        add("greatest pressure coefficient", most);
        add("greatest Mach number", mach);
        add("greatest growth of entropy", entropy);
    }

    /** The greatest Mach number along one side of the floor, and where a shock ends what is faster than sound. */
    private void shock(SortedMap<Double, Integer> lowest) {
        double most = 0;
        double before = 0;
        double last = 0;
        double shock = Double.NaN;
        double[] w = solver.state().toArray();
        for (Map.Entry<Double, Integer> one : lowest.entrySet()) {
            double mach = mach(w, Gas.STATE * one.getValue());
            most = Math.max(most, mach);
            if (before > 1 && mach <= 1) {
                shock = last + (before - 1) / (before - mach) * (one.getKey() - last);
            }
            before = mach;
            last = one.getKey();
        }
        add("greatest Mach number on the floor", most);
        if (shock > 0) {
            add("x where the floor's flow becomes subsonic", shock);
        }
    }

    private static double mach(double[] w, int at) {
        double speed = Math.sqrt(w[at + 1] * w[at + 1] + w[at + 2] * w[at + 2] + w[at + 3] * w[at + 3]);
        return speed / Math.sqrt(Gas.GAMMA * w[at + 4] / w[at]);
    }

    /** Pressure coefficients along one side of the floor, between its nodes. */
    private void floor() {
        double[] x = solver.geometry().levels().getFirst().mesh().points();
        double[] w = solver.state().toArray();
        double dynamic = 0.5 * flow.mach() * flow.mach();
        TreeMap<Double, Integer> lowest = new TreeMap<>();
        for (int node = 0; node < x.length / HybridMesh.SPACE; node++) {
            int at = HybridMesh.SPACE * node;
            if (x[at + 1] == 0) {
                lowest.merge(x[at], node,
                        (one, other) -> x[HybridMesh.SPACE * one + 2] < x[HybridMesh.SPACE * other + 2]
                                ? one
                                : other);
            }
        }
        shock(lowest);
        for (int tenth = 1; tenth < TENTHS; tenth++) {
            double place = tenth / (double) TENTHS;
            Map.Entry<Double, Integer> left = lowest.floorEntry(place);
            Map.Entry<Double, Integer> right = lowest.higherEntry(place);
            if (left != null && right != null) {
                double share = (place - left.getKey()) / (right.getKey() - left.getKey());
                double before = w[Gas.STATE * left.getValue() + 4];
                double pressure = before + share * (w[Gas.STATE * right.getValue() + 4] - before);
                add(String.format(Locale.ROOT, "pressure coefficient on the floor, x = %.1f", place),
                        (pressure - 1 / Gas.GAMMA) / dynamic);
            }
        }
    }

    private void forces() {
        FlowMeasures.WallFriction friction = measures.friction();
        if (!friction.nodes().isEmpty()) {
            add("force of friction on walls along x", friction.force()[0]);
        }
        measures.force(Patch.NO_SLIP).ifPresent(force -> add("force of pressure on no-slip walls along x", force[0]));
        measures.force(Patch.SLIP).ifPresent(force -> {
            add("force of pressure on walls along x", force[0]);
            add("along y", force[1]);
            add("along z", force[2]);
        });
    }

    private void passing() {
        measures.passing(Patch.INLET).ifPresent(in -> {
            add("mass that comes in", -in.mass());
            add("entropy that comes in", in.entropy());
        });
        measures.passing(Patch.OUTLET).ifPresent(out -> {
            add("mass that leaves", out.mass());
            add("entropy that leaves", out.entropy());
        });
    }

    /** Friction on a plate beside what theory has for it. */
    private void friction() {
        double dynamic = 0.5 * flow.mach() * flow.mach();
        double reynolds = flow.mach() / flow.viscosity();
        double sum = 0;
        double worst = 0;
        int count = 0;
        TreeMap<Double, Double> along = new TreeMap<>();
        double half = widthHalf();
        for (FlowMeasures.Friction one : measures.friction().nodes()) {
            double x = one.x()[0];
            along.put(x, one.traction()[0] / dynamic);
            if (x >= NEAR_NOSE && x <= NEAR_END && one.x()[1] < half) {
                double expected = flow.turbulent()
                        ? TURBULENT * Math.pow(reynolds * x, -1.0 / 7)
                        : BLASIUS / Math.sqrt(reynolds * x);
                double off = one.traction()[0] / dynamic / expected - 1;
                sum += off;
                worst = Math.max(worst, Math.abs(off));
                count++;
            }
        }
        if (count > 0) {
            String theory = flow.turbulent() ? "0.025 Re^-1/7" : "Blasius";
            add("friction over that of " + theory + ", mean", 1 + sum / count);
            add("most that it is off", worst);
            Map.Entry<Double, Double> left = along.floorEntry(COMPARED);
            Map.Entry<Double, Double> right = along.higherEntry(COMPARED);
            if (left != null && right != null) {
                double share = (COMPARED - left.getKey()) / (right.getKey() - left.getKey());
                add("friction coefficient at x = 0.97",
                        left.getValue() + share * (right.getValue() - left.getValue()));
            }
        }
    }

    /** One side of the plate is enough: the flow is the same across. */
    private double widthHalf() {
        double[] x = solver.geometry().levels().getFirst().mesh().points();
        double most = 0;
        for (int at = 1; at < x.length; at += HybridMesh.SPACE) {
            most = Math.max(most, x[at]);
        }
        return 0.5 * most;
    }
}
