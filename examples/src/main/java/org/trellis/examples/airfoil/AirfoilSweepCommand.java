package org.trellis.examples.airfoil;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.DeviceTiming;
import org.trellis.bench.cli.Console;
import org.trellis.bench.cli.ConsoleProgress;
import org.trellis.bench.cli.ExitCode;
import org.trellis.bench.cli.OutputFile;
import org.trellis.bench.cli.PrecisionConverter;
import org.trellis.bench.cli.TextTable;
import org.trellis.bench.cli.Usage;
import org.trellis.bench.report.JsonReport;
import org.trellis.bench.report.Provenance;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.examples.airfoil.AirfoilSolver.Loop;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.mesh.Layout;
import org.trellis.mesh.LoopReport;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures all parameters of all loops of Airfoil on a device: {@code trellis example airfoil-sweep}. */
@Command(name = "airfoil-sweep", sortOptions = false, mixinStandardHelpOptions = true, description = {
    "Measures each loop of Airfoil with each set of parameters on a device's clock, in each layout and order,",
    "and prints the best of each scheme and what the backend's rule chooses."})
public final class AirfoilSweepCommand implements Callable<Integer> {
    private static final int WARM_UP_ITERATIONS = 20;

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "MESH", description = "As for airfoil; for example c-mesh:i=800,j=1200.")
    private String input;

    @Option(names = "--backend", paramLabel = "NAME", defaultValue = "cuda",
            description = "The backend, one with a clock of its own. Default: cuda.")
    private String backend;

    @Option(names = "--precision", paramLabel = "f64|f32", converter = PrecisionConverter.class, defaultValue = "f64",
            description = "Default: f64.")
    private Precision precision;

    @Option(names = "--order", paramLabel = "O", split = ",", defaultValue = "file",
            description = "How sets are numbered, several separated by commas: ${COMPLETION-CANDIDATES}.")
    private List<AirfoilOrder> orders;

    @Option(names = "--layout", paramLabel = "L", split = ",", defaultValue = "aos,soa",
            description = "Default: aos,soa.")
    private List<String> layouts;

    @Option(names = "--block-size", paramLabel = "N", defaultValue = "256",
            description = "Elements of the blocks of the order partition. Default: 256.")
    private int blockSize;

    @Option(names = "--json", paramLabel = "FILE", description = "Write all measurements as JSON.")
    private Path json;

    @Option(names = {"-q", "--quiet"}, description = "Show no progress.")
    private boolean quiet;

    /**
     * Creates the command.
     *
     * @param console where it prints
     */
    public AirfoilSweepCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Usage.check(spec, () -> OutputFile.check("--json", json));
        Configuration configuration = Configuration.builder().set(ConfigurationKeys.BACKEND, backend).build();
        List<AirfoilSweep.Result> results = new ArrayList<>();
        double bandwidth;
        String device;
        try (ConsoleProgress progress = new ConsoleProgress(console, quiet);
                Backend opened = Backends.open(configuration)) {
            device = opened.device().name();
            bandwidth = opened.kernels(DeviceTiming.class).copyBandwidth();
            AirfoilMesh file = AirfoilInput.read(input, progress);
            for (AirfoilOrder order : orders) {
                sweep(opened, file, order, progress, results);
            }
        }
        console.out().print(text(results, bandwidth));
        console.out().flush();
        if (json != null) {
            Files.writeString(json, json(results, device, bandwidth));
        }
        List<AirfoilSweep.Result> wrong = results.stream()
                .filter(r -> !(r.difference() <= AirfoilSweep.tolerance(precision))).toList();
        wrong.forEach(r -> console.err().printf(Locale.ROOT, "wrong: %s as %s in order %s, layout %s differs by %.3g%n",
                r.report().name(), r.report().parameters(), r.order().label(), r.layout().label(), r.difference()));
        return wrong.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void sweep(Backend opened, AirfoilMesh file, AirfoilOrder order, ConsoleProgress progress,
            List<AirfoilSweep.Result> results) {
        MeshOptions options = new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, false);
        try (Mesh mesh = Mesh.on(opened, options)) {
            AirfoilSolver solver = new AirfoilSolver(mesh, file, precision);
            progress.progress("order " + order.label(), 0, 1);
            order.apply(mesh, solver, blockSize);
            for (int i = 0; i < WARM_UP_ITERATIONS; i++) {
                solver.iterate();
            }
            AirfoilSweep sweep = new AirfoilSweep(opened, solver);
            for (String layout : layouts) {
                progress.progress("order " + order.label() + ", layout " + layout, 0, 1);
                results.addAll(sweep.run(order, Layout.of(layout)));
                progress.clear();
            }
        }
    }

    private String text(List<AirfoilSweep.Result> results, double bandwidth) {
        TextTable table = new TextTable("<loop", "<order", "<layout", "us", "GB/s", "of copy", "<parameters");
        for (AirfoilOrder order : orders) {
            for (Loop loop : Loop.values()) {
                for (String layout : layouts) {
                    results.stream().filter(r -> r.order() == order && r.loop() == loop
                            && r.layout() == Layout.of(layout)).filter(r -> r.proposed() || best(results, r))
                            .sorted(Comparator.comparingDouble(r -> r.seconds().median()))
                            .forEach(r -> table.row(r.report().name(), order.label(), layout,
                                    number("%.1f", 1e6 * r.seconds().median()), number("%.0f", r.gigabytesPerSecond()),
                                    number("%.1f %%", 1e11 * r.gigabytesPerSecond() / bandwidth),
                                    r.report().parameters() + (r.proposed() ? " (rule)" : "")));
                }
            }
        }
        return table.render() + String.format(Locale.ROOT, "copy %.0f GB/s, %d measurements, %s%n", 1e-9 * bandwidth,
                results.size(), precision.label());
    }

    /** Says whether nothing of the same scheme and staging is faster. */
    private static boolean best(List<AirfoilSweep.Result> results, AirfoilSweep.Result one) {
        return results.stream().noneMatch(r -> r.order() == one.order() && r.loop() == one.loop()
                && r.layout() == one.layout() && r.report().parameters().scheme() == one.report().parameters().scheme()
                && r.report().parameters().device().staging() == one.report().parameters().device().staging()
                && r.seconds().median() < one.seconds().median());
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private String json(List<AirfoilSweep.Result> results, String device, double bandwidth) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode();
        root.put("format", "trellis-loop-sweep");
        root.put("formatVersion", 1);
        JsonReport.putProvenance(root, Provenance.of(Usage.commandLine(spec)));
        root.put("mesh", input).put("backend", backend).put("device", device).put("precision", precision.label());
        root.put("copyGBs", 1e-9 * bandwidth);
        ArrayNode list = root.putArray("measurements");
        for (AirfoilSweep.Result result : results) {
            put(list.addObject(), result);
        }
        return mapper.writeValueAsString(root) + System.lineSeparator();
    }

    private static void put(ObjectNode node, AirfoilSweep.Result result) {
        LoopReport report = result.report();
        node.put("loop", report.name()).put("order", result.order().label()).put("layout", result.layout().label());
        node.put("parameters", report.parameters().toString()).put("rule", result.proposed());
        node.put("scheme", report.parameters().scheme().label());
        node.put("medianSeconds", result.seconds().median()).put("minimumSeconds", result.seconds().minimum());
        node.put("usefulBytes", report.usefulBytes()).put("usefulGBs", result.gigabytesPerSecond());
        node.put("blocks", report.statistics().blocks()).put("blockColours", report.statistics().blockColours());
        node.put("elementColours", report.statistics().elementColours());
        node.put("reuse", report.statistics().reuse()).put("stagedBytes", report.statistics().stagedBytes());
        node.put("difference", result.difference());
        ObjectNode code = node.putObject("code");
        report.device().forEach(code::put);
    }
}
