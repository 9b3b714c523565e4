package org.trellis.examples.rotor;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.examples.rotor.mesh.FlowMesh;
import org.trellis.examples.rotor.solver.FlowSettings;
import org.trellis.examples.rotor.solver.FlowSolver;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.ParallelLoop;
import picocli.CommandLine;

/**
 * The heaviest loops of the flow solver in turns with the same loops in C++, {@code bench/suites/rotor-loops.cpp}, on
 * the same data in the same order. {@code trellis measure rotor-loops PROGRAM FOLDER THREADS ROUNDS MESH BACKEND...}.
 */
public final class RotorLoops {
    private static final List<String> LOOPS = List.of("upwind", "friction", "slopes", "convection", "sources");
    private static final int CYCLES = 4;
    private static final int WARM_UP = 60;
    private static final double WARM_UP_SECONDS = 4;
    private static final double TURN_SECONDS = 0.02;

    private final Process process;
    private final BufferedWriter orders;
    private final BufferedReader answers;
    private final Path folder;

    private RotorLoops(Process process, Path folder) {
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.US_ASCII);
        this.answers = process.inputReader(StandardCharsets.US_ASCII);
        this.folder = folder;
    }

    /**
     * Runs the program.
     *
     * @param arguments as above
     * @throws IOException if a file cannot be read or written
     */
    public static void start(String... arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[1]));
        int threads = Integer.parseInt(arguments[2]);
        int rounds = Integer.parseInt(arguments[3]);
        FlowOptions flows = CommandLine.populateCommand(new FlowOptions(), "--turbulent", "--reynolds", "1000000");
        FlowCase flowCase = flows.chosen(arguments[4]);
        FlowMesh geometry = flows.mesh(flowCase, arguments[4]);
        FlowSettings settings = flows.settings(flowCase);
        for (String backend : Arrays.asList(arguments).subList(5, arguments.length)) {
            Configuration configuration = Configuration.builder().set(ConfigurationKeys.THREADS, threads).build();
            try (Backend opened = Backends.open(backend, configuration);
                    Mesh mesh = Mesh.on(opened, MeshOptions.of(configuration))) {
                FlowSolver solver = new FlowSolver(mesh, geometry, settings, flows.problem(flowCase, settings),
                        Precision.F64);
                solver.start();
                for (int i = 0; i < CYCLES; i++) {
                    solver.iterate();
                }
                compare(mesh, backend, arguments[0], folder, threads, rounds);
            }
        }
    }

    private static void compare(Mesh mesh, String backend, String program, Path folder, int threads, int rounds)
            throws IOException {
        List<ParallelLoop> loops = LOOPS.stream().map(name -> loop(mesh, name)).toList();
        Path file = folder.resolve("data");
        write(loops, file);
        ProcessBuilder builder = new ProcessBuilder(program, file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("OMP_NUM_THREADS", Integer.toString(threads));
        builder.environment().put("OMP_WAIT_POLICY", "passive");
        builder.environment().putIfAbsent("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");
        Process process = builder.start();
        try {
            RotorLoops peer = new RotorLoops(process, folder);
            for (int i = 0; i < LOOPS.size(); i++) {
                if (!System.getProperty("rotor.loops", LOOPS.get(i)).contains(LOOPS.get(i))) {
                    continue;
                }
                peer.compare(backend, LOOPS.get(i), loops.get(i), threads, rounds);
            }
        } finally {
            process.destroy();
        }
    }

    /** Returns a loop of the finest level. */
    private static ParallelLoop loop(Mesh mesh, String name) {
        return mesh.loops().stream().filter(loop -> loop.declaration().name().endsWith("." + name)).findFirst()
                .orElseThrow();
    }

    /** Returns what a loop adds to. */
    private static Dat sums(ParallelLoop loop) {
        for (int a = 0; a < loop.declaration().arity(); a++) {
            if (loop.declaration().access(a).writes()) {
                return loop.declaration().dat(a);
            }
        }
        throw new IllegalStateException(loop + " writes nothing");
    }

    private static void write(List<ParallelLoop> loops, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            for (ParallelLoop loop : loops) {
                for (int a = 0; a < loop.declaration().arity(); a++) {
                    Dat dat = loop.declaration().dat(a);
                    if (dat != null && !loop.declaration().access(a).writes()) {
                        put(out, dat.name().replaceAll(" .*", ""), dat.toArray());
                    } else if (loop.declaration().argument(a) instanceof MeshConstant constant) {
                        put(out, constant.name(), (double[]) constant.toArray());
                    }
                }
            }
            int[] ends = loops.getFirst().declaration().map(0).toArray();
            ByteBuffer bytes = head("ends", ends.length, Integer.BYTES);
            for (int end : ends) {
                bytes.putInt(end);
            }
            write(out, bytes);
        }
    }

    private static void write(OutputStream out, ByteBuffer bytes) throws IOException {
        out.write(bytes.array(), bytes.arrayOffset(), bytes.position());
    }

    private static ByteBuffer head(String name, int count, int bytes) {
        ByteBuffer all = ByteBuffer.allocate(Integer.BYTES + name.length() + Long.BYTES + count * bytes)
                .order(ByteOrder.nativeOrder());
        return all.putInt(name.length()).put(name.getBytes(StandardCharsets.US_ASCII)).putLong(count);
    }

    private static void put(OutputStream out, String name, double... values) throws IOException {
        ByteBuffer bytes = head(name, values.length, Double.BYTES);
        for (double value : values) {
            bytes.putDouble(value);
        }
        write(out, bytes);
    }

    private String order(String line) throws IOException {
        orders.write(line + "\n");
        orders.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the C++ program has ended with " + process.exitValue() + " after '" + line + "'");
        }
        return answer;
    }

    private void compare(String backend, String name, ParallelLoop loop, int threads, int rounds)
            throws IOException {
        Dat sums = sums(loop);
        double[] before = sums.toArray();
        double difference = difference(name, loop, sums);
        long start = System.nanoTime();
        for (int i = 0; i < WARM_UP || System.nanoTime() - start < 1e9 * WARM_UP_SECONDS; i++) {
            loop.run();
        }
        double once = Double.parseDouble(order("run " + name + " 5")) / 5;
        int times = (int) Math.max(1, TURN_SECONDS / once);
        double[] own = new double[rounds];
        double[] other = new double[rounds];
        double[] ratio = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            sums.setAll(before);
            boolean first = round % 2 == 0;
            own[round] = first ? own(loop, times, threads) : 0;
            other[round] = Double.parseDouble(order("run " + name + " " + times)) / times;
            own[round] = first ? own[round] : own(loop, times, threads);
            ratio[round] = other[round] / own[round];
        }
        sums.setAll(before);
        Arrays.sort(own);
        Arrays.sort(other);
        Arrays.sort(ratio);
        int elements = loop.declaration().set().size();
        System.out.printf(Locale.ROOT,
                "%-10s %-8s %7d elements, ns each: ours %7.2f (least %7.2f), C++ %7.2f (least %7.2f); C++ over ours "
                        + "%.3f (quartiles %.3f to %.3f), of least times %.3f; differ by %.1e%n",
                name, backend, elements, 1e9 * own[rounds / 2] / elements, 1e9 * own[0] / elements,
                1e9 * other[rounds / 2] / elements, 1e9 * other[0] / elements, ratio[rounds / 2], ratio[rounds / 4],
                ratio[3 * rounds / 4], other[0] / own[0], difference);
    }

    private static double own(ParallelLoop loop, int times, int threads) {
        long start = now(threads);
        for (int i = 0; i < times; i++) {
            loop.run();
        }
        return 1e-9 * (now(threads) - start) / times;
    }

    /** Returns nanoseconds: of one thread alone its processor time, which other work on the machine disturbs less. */
    private static long now(int threads) {
        return threads == 1 ? ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() : System.nanoTime();
    }

    /** Returns by how much the sums of a run differ from the C++ program's, relative to the greatest. */
    private double difference(String name, ParallelLoop loop, Dat sums) throws IOException {
        double[] before = sums.toArray();
        sums.fill(0);
        loop.run();
        double[] own = sums.toArray();
        sums.setAll(before);
        Path file = folder.resolve("result");
        order("write " + name + " " + file);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
        double most = 0;
        double greatest = 0;
        for (double value : own) {
            most = Math.max(most, Math.abs(value - bytes.getDouble()));
            greatest = Math.max(greatest, Math.abs(value));
        }
        if (!(most <= 1e-10 * greatest)) {
            throw new IllegalStateException(name + " differs from C++ by " + most + " of " + greatest);
        }
        return most / greatest;
    }
}
