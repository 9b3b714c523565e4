package org.trellis.bench.warmup;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.ConsoleCommand;
import org.trellis.bench.option.HtmlOption;
import org.trellis.bench.option.ProgressOptions;
import org.trellis.bench.option.ThreadsConverter;
import org.trellis.bench.report.chart.CountChart;
import org.trellis.bench.report.html.TablesPage;
import org.trellis.common.ConfigurationKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures what the first products cost. */
@Command(name = "warm-up", sortOptions = false, description = {
    "Measures the whole time of 1, 10, 100, ... products of each matrix with each backend, the preparation and the "
            + "compiler's work included.",
    "Each measurement runs in a JVM of its own; backends take turns. Shown are medians."})
public final class WarmUpCommand extends ConsoleCommand {
    @Parameters(paramLabel = "MATRIX", arity = "1..*", description = "The matrices.")
    private List<String> matrices = new ArrayList<>();

    @Option(names = "--backend", paramLabel = "NAME", split = ",", defaultValue = "reference,threads,simd,cpu",
            description = "The backends. Default: reference,threads,simd,cpu.")
    private List<String> backends;

    @Option(names = "--products", paramLabel = "N", split = ",", defaultValue = "1,10,100,1000,10000",
            description = "Numbers of products. Default: 1,10,100,1000,10000.")
    private List<Integer> products;

    @Option(names = "--solve", description = "Solve a system by conjugate gradients to 1e-8 too.")
    private boolean solve;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3",
            description = "JVMs for each matrix and backend. Default: 3.")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "10",
            description = "Time after which a JVM begins no more products. Default: 10.")
    private double seconds;

    @Option(names = "--threads", paramLabel = "N", converter = ThreadsConverter.class,
            description = "Threads of the backends. Default: the setting trellis.threads.")
    private Integer threads;

    @Option(names = "--processor-time",
            description = "Measure the time that the processors spend on each JVM, its compiler included, instead of "
                    + "that on the wall: on a machine that other programs use.")
    private boolean processorTime;

    @Option(names = "--java-option", paramLabel = "OPTION",
            description = "A further option of these JVMs, such as --java-option=-XX:UseAVX=2; may be repeated.")
    private List<String> javaOptions = new ArrayList<>();

    @Mixin
    private HtmlOption html;

    @Mixin
    private ProgressOptions progressOptions;

    private final TablesPage page = new TablesPage("First products");

    /**
     * Makes the command.
     *
     * @param console where it prints
     */
    public WarmUpCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        checkUsage(html::check);
        List<Integer> counts = checked(this::counts);
        List<String> things = new ArrayList<>(counts.stream().map(String::valueOf).toList());
        if (solve) {
            things.add(WarmUpRun.CG);
        }
        boolean failed = false;
        for (String matrix : matrices) {
            WarmUpTimes times = new WarmUpTimes(backends, things);
            try (ConsoleProgress progress = progressOptions.open(console())) {
                for (int round = 0; round < rounds; round++) {
                    for (String backend : backends) {
                        progress.progress(matrix + ", " + backend, round, rounds);
                        failed |= !run(times, backend, matrix, counts.stream().map(String::valueOf).toList());
                        failed |= solve && !run(times, backend, matrix, List.of(WarmUpRun.CG));
                    }
                }
            }
            console().print("%s", matrix);
            console().printText(times.table().text());
            add(matrix, times);
        }
        html.write(console(), () -> page.of(provenance()));
        return failed ? ExitCode.FAILED : ExitCode.OK;
    }

    private void add(String matrix, WarmUpTimes times) {
        List<String> words = List.of((processorTime ? "Processor" : "Wall") + " time of so many products, the "
                + "preparation and the compiler's work included, each measurement in a JVM of its own.");
        Map<String, SortedMap<Integer, Double>> curves = times.curves();
        if (curves.isEmpty()) {
            page.add(matrix, words, times.table());
        } else {
            page.add(matrix, words, CountChart.of(matrix, "products", curves), times.table());
        }
    }

    private List<Integer> counts() {
        for (int i = 0; i < products.size(); i++) {
            int before = i == 0 ? 0 : products.get(i - 1);
            if (products.get(i) <= before) {
                throw new IllegalArgumentException("--products is " + products
                        + ", expected positive numbers that grow");
            }
        }
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds is " + rounds + ", expected at least 1");
        }
        return products;
    }

    /** Runs a JVM; says whether it went well. */
    private boolean run(WarmUpTimes times, String backend, String matrix, List<String> what) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(javaOptions);
        if (threads != null) {
            command.add("-D" + ConfigurationKeys.THREADS.name() + "=" + threads);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), WarmUpRun.class.getName(), backend, matrix,
                Double.toString(seconds), processorTime ? WarmUpRun.PROCESSOR : WarmUpRun.WALL));
        command.addAll(what);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> rest = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.matches("(cg|\\d+) [\\d.]+")) {
                    String[] words = line.split(" ");
                    times.add(backend, words[0], Double.parseDouble(words[1]));
                } else {
                    rest.add(line);
                }
            }
        }
        return wentWell(process, matrix + ", " + backend, rest);
    }

    private boolean wentWell(Process process, String what, List<String> rest) {
        try {
            int code = process.waitFor();
            if (code != 0) {
                String ended = what + ": the JVM ended with " + code;
                console().complain(ended + "\n" + String.join("\n", rest));
                page.trouble(ended);
            }
            return code == 0;
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
