package org.trellis.examples.rotor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.trellis.examples.rotor.kernels.ManufacturedSolution;
import org.trellis.examples.rotor.mesh.FlowFiles;
import org.trellis.examples.rotor.mesh.FlowMesh;
import org.trellis.examples.rotor.mesh.FlowMeshes;
import org.trellis.examples.rotor.solver.FlowSettings;
import org.trellis.examples.rotor.solver.FlowSettings.Dissipation;
import org.trellis.examples.rotor.solver.FlowSolver;
import org.trellis.examples.rotor.solver.InitialFlows;
import picocli.CommandLine.Option;

/** The options that say what flows and how it is computed. */
final class FlowOptions {
    /** Sutherland's constant over a temperature of 288.15 K. */
    private static final double SUTHERLAND = 110.4 / 288.15;
    /** ν̃ of made-up flows over the viscosity. */
    private static final double MADE_UP_TURBULENCE = 1;
    private static final double MADE_UP_REYNOLDS = 10;
    private static final double PLATE_REYNOLDS = 1e4;
    private static final double CYLINDER_REYNOLDS = 40;

    @Option(names = "--case", paramLabel = "NAME", description = {
        "free-stream: nothing may change; bump: Euler's equations in a channel; plate: a laminar boundary layer,",
        "or with --turbulent a turbulent one; cylinder: drag and wake; blade: a turning row; manufactured: errors on",
        "each level. Default: what suits the mesh, bump for files, or else free-stream."})
    private String name;

    @Option(names = "--levels", paramLabel = "N", defaultValue = "3",
            description = "Levels of the multigrid method, 1 to 8. Default: 3.")
    private int levels;

    @Option(names = "--mach", paramLabel = "M", description = "Of the free stream, along x. Default: the case's.")
    private Double mach;

    @Option(names = "--reynolds", paramLabel = "R", description = {
        "Of a unit of length in the free stream; 0 for no friction. Default: 10000 for plates, 40 for cylinders, whose",
        "diameter is 1, else 0; manufactured flows have no friction unless it is given or --turbulent is."})
    private Double reynolds;

    @Option(names = "--turbulent", description = "With the model of Spalart and Allmaras.")
    private boolean turbulent;

    @Option(names = "--omega", paramLabel = "W", description = {
        "How fast the frame turns about the x axis, in speeds of sound over lengths. Default: 0.3 for blades, else 0."})
    private Double omega;

    @Option(names = "--outlet-pressure", paramLabel = "P", defaultValue = "1",
            description = "Over the pressure of the free stream. Default: 1.")
    private double outletPressure;

    @Option(names = "--dissipation", paramLabel = "roe|jst", defaultValue = "roe", description = "Default: roe.")
    private String dissipation;

    @Option(names = "--gradients", paramLabel = "least-squares|green-gauss", defaultValue = "least-squares",
            description = "Default: least-squares.")
    private String gradients;

    @Option(names = "--limiter", description = "Limit reconstructions as Venkatakrishnan does, for shocks.")
    private boolean limiter;

    @Option(names = "--keep-limits", paramLabel = "N", defaultValue = "0", description = {
        "With --limiter, keep its limits as they are from cycle N on, so that the residual can fall further.",
        "Default: 0, never."})
    private int keepLimits;

    @Option(names = "--courant", paramLabel = "C", defaultValue = "2",
            description = "Of local time steps. Default: 2.")
    private double courant;

    @Option(names = "--smoothing", paramLabel = "E", defaultValue = "0",
            description = "Factor of implicit residual smoothing, for larger steps. Default: 0, none.")
    private double smoothing;

    @Option(names = "--cycle", paramLabel = "V|W", defaultValue = "W", description = "Default: W.")
    private String cycle;

    @Option(names = "--after", paramLabel = "N", defaultValue = "0", description = {
        "Steps on each level after the coarser one: 1 often halves cycles, each of which costs more. Default: 0."})
    private int after;

    /** Returns after how many cycles limits are kept; 0 for never. */
    int keptLimits() {
        if (keepLimits < 0 || (keepLimits > 0 && !limiter)) {
            throw new IllegalArgumentException("--keep-limits is " + keepLimits + (limiter ? "" : " without --limiter")
                    + ", expected at least 0, and --limiter with it");
        }
        return keepLimits;
    }

    /** The case that is named, or that suits a mesh. */
    FlowCase chosen(String mesh) {
        if (name != null) {
            return FlowCase.named(name);
        }
        if (mesh != null && FlowFiles.isFile(mesh)) {
            return FlowCase.BUMP;
        }
        String kind = mesh == null ? "" : mesh.replaceFirst(":.*", "");
        return switch (kind) {
            case "channel" -> FlowCase.BUMP;
            case "plate" -> FlowCase.PLATE;
            case "cylinder" -> FlowCase.CYLINDER;
            case "blade" -> FlowCase.BLADE;
            default -> FlowCase.FREE_STREAM;
        };
    }

    /** The mesh that is named, a file or one to make, or else the case's. */
    FlowMesh mesh(FlowCase flowCase, String input) {
        if (input == null || !FlowFiles.isFile(input)) {
            return FlowMeshes.of(input == null ? flowCase.mesh() : input, levels());
        }
        try {
            return FlowFiles.read(Path.of(input), levels());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int levels() {
        if (levels < 1 || levels > 8) {
            throw new IllegalArgumentException("--levels is " + levels + ", expected 1 to 8");
        }
        return levels;
    }

    private static boolean is(String option, String value, String first, String second) {
        if (!value.equals(first) && !value.equals(second)) {
            throw new IllegalArgumentException(
                    option + " is '" + value + "', expected " + first + " or " + second);
        }
        return value.equals(first);
    }

    private double usualReynolds(FlowCase flowCase) {
        return switch (flowCase) {
            case PLATE -> PLATE_REYNOLDS;
            case CYLINDER -> CYLINDER_REYNOLDS;
            case MANUFACTURED -> turbulent ? MADE_UP_REYNOLDS : 0;
            default -> 0;
        };
    }

    FlowSettings settings(FlowCase flowCase) {
        double speed = mach == null ? flowCase.mach() : mach;
        double number = reynolds != null ? reynolds : usualReynolds(flowCase);
        if (number < 0) {
            throw new IllegalArgumentException("--reynolds is " + number + ", expected at least 0");
        }
        double turning = omega != null ? omega : flowCase == FlowCase.BLADE ? 0.3 : 0;
        double viscosity = number > 0 ? speed / number : 0;
        double sutherland = flowCase == FlowCase.MANUFACTURED ? 0 : SUTHERLAND;
        FlowSettings.Flow flow =
                new FlowSettings.Flow(speed, turning, viscosity, sutherland, turbulent, outletPressure);
        FlowSettings.Cycle usual = FlowSettings.Cycle.W;
        FlowSettings.Cycle shape = new FlowSettings.Cycle(usual.before(), after, usual.coarsest(),
                is("--cycle", cycle, "V", "W") ? 1 : usual.visits());
        return FlowSettings.usual(flow)
                .with(new FlowSettings.Scheme(
                        is("--dissipation", dissipation, "roe", "jst") ? Dissipation.ROE : Dissipation.JST,
                        is("--gradients", gradients, "least-squares", "green-gauss"), limiter))
                .withSteps(courant, smoothing).with(shape);
    }

    FlowSolver.Problem problem(FlowCase flowCase, FlowSettings settings) {
        FlowSettings.Flow flow = settings.flow();
        if (flowCase == FlowCase.PLATE && flow.turbulent()) {
            return InitialFlows.turbulentPlate(flow);
        }
        return flowCase == FlowCase.MANUFACTURED
                ? InitialFlows.madeUp(new ManufacturedSolution(flow.mach(), flow.omega(), flow.viscosity(),
                        flow.turbulent() ? MADE_UP_TURBULENCE * flow.viscosity() : 0))
                : InitialFlows.freeStream(flow);
    }
}
