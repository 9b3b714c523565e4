package org.trellis.examples.rotor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.trellis.examples.rotor.kernels.Gas;
import org.trellis.examples.rotor.mesh.HybridMesh;
import org.trellis.examples.rotor.mesh.Patch;
import org.trellis.examples.rotor.solver.FlowMeasures;
import org.trellis.examples.rotor.solver.FlowSettings;
import org.trellis.examples.rotor.solver.FlowSolver;

/**
 * The figures of flow about half a cylinder of diameter 1 along y: drag, pressures on its surface, and the wake. Drag
 * is that of the whole cylinder over half of density times speed squared times diameter.
 */
final class CylinderFigures {
    private static final double RADIUS = 0.5;
    /** Where pressures on the surface are given, in degrees from the front. */
    private static final int STEP = 30;
    private static final int BACK = 180;
    private static final double ON_THE_WAY = 1e-9;

    private final double[] x;
    private final double[] w;
    private final FlowSettings.Flow flow;
    private final int[] surface;
    private final List<FlowFigures.Figure> figures = new ArrayList<>();

    private CylinderFigures(FlowSolver solver) {
        x = solver.geometry().levels().getFirst().mesh().points();
        w = solver.state().toArray();
        flow = solver.settings().flow();
        surface = solver.geometry().levels().getFirst().dual().boundary(Patch.NO_SLIP).nodes();
    }

    /**
     * Measures a flow. All ranks call it.
     *
     * @param solver   the flow
     * @param measures of it
     * @return its figures
     * @throws IllegalArgumentException if the mesh has no wall where a cylinder would be
     */
    static List<FlowFigures.Figure> of(FlowSolver solver, FlowMeasures measures) {
        CylinderFigures found = new CylinderFigures(solver);
        if (found.surface.length == 0) {
            throw new IllegalArgumentException("case cylinder on " + solver.geometry().name()
                    + ", which has no wall that is no plane of symmetry, expected a mesh cylinder:");
        }
        found.drag(measures);
        found.pressures();
        if (solver.settings().isViscous()) {
            found.wake();
        }
        return found.figures;
    }

    private void add(String name, double value) {
        figures.add(new FlowFigures.Figure(name, value));
    }

    private double dynamic() {
        return 0.5 * flow.mach() * flow.mach();
    }

    /** How far a node's y is from where the mesh begins. */
    private double width() {
        return IntStream.of(surface).mapToDouble(node -> x[HybridMesh.SPACE * node + 1]).max().orElse(0);
    }

    private void drag(FlowMeasures measures) {
        double scale = 2 / (dynamic() * width());
        double pressure = scale * measures.force(Patch.NO_SLIP).orElseThrow()[0];
        double friction = scale * measures.friction().force()[0];
        add("drag coefficient by pressure", pressure);
        add("drag coefficient by friction", friction);
        add("drag coefficient", pressure + friction);
    }

    /** Between nodes of one end, by the angle from the front. */
    private void pressures() {
        TreeMap<Double, Double> byAngle = new TreeMap<>();
        for (int node : surface) {
            int at = HybridMesh.SPACE * node;
            if (x[at + 1] == 0) {
                double angle = Math.toDegrees(Math.atan2(x[at + 2], -x[at]));
                byAngle.put(angle, (w[Gas.STATE * node + 4] - 1 / Gas.GAMMA) / dynamic());
            }
        }
        for (int angle = 0; angle <= BACK; angle += STEP) {
            Map.Entry<Double, Double> left = byAngle.floorEntry(angle + ON_THE_WAY);
            Map.Entry<Double, Double> right = byAngle.ceilingEntry(angle - ON_THE_WAY);
            if (left != null && right != null) {
                double between = right.getKey() - left.getKey();
                double share = between > 0 ? (angle - left.getKey()) / between : 0;
                add(String.format(Locale.ROOT, "pressure coefficient %d degrees from the front", angle),
                        left.getValue() + share * (right.getValue() - left.getValue()));
            }
        }
    }

    /** How far behind the cylinder the flow on the plane of symmetry goes back to it, in diameters. */
    private void wake() {
        int[] behind = IntStream.range(0, x.length / HybridMesh.SPACE)
                .filter(node -> x[HybridMesh.SPACE * node] > RADIUS && x[HybridMesh.SPACE * node + 1] == 0
                        && x[HybridMesh.SPACE * node + 2] == 0)
                .boxed().sorted(Comparator.comparingDouble(node -> x[HybridMesh.SPACE * node]))
                .mapToInt(Integer::intValue).toArray();
        for (int i = 1; i < behind.length; i++) {
            double before = w[Gas.STATE * behind[i - 1] + 1];
            double here = w[Gas.STATE * behind[i] + 1];
            if (before < 0 && here >= 0) {
                double from = x[HybridMesh.SPACE * behind[i - 1]];
                double to = x[HybridMesh.SPACE * behind[i]];
                add("length of the wake", from + before / (before - here) * (to - from) - RADIUS);
                return;
            }
        }
    }
}
