package org.trellis.examples.airfoil;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.mesh.Mesh;

/**
 * Prints how many bytes an iteration of Airfoil takes from the heap of a process of its own. What the compiler of a JVM
 * makes of loops depends on how they were used before: after other tests it may leave vectors on the heap.
 */
final class AllocationProgram {
    /** Fewer bytes an iteration than any object that each iteration would make. */
    static final long NOTHING = 64;
    private static final int FIRST = 5000;
    private static final int ROUND = 1000;
    private static final int ROUNDS = 40;
    private static final int LIMIT_SECONDS = 240;

    private AllocationProgram() {}

    /** Iterates with the backend of this name until nothing is allocated any more, or for long enough. */
    public static void main(String... arguments) {
        try (Backend backend = Backends.open(arguments[0], Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            AirfoilSolver solver = new AirfoilSolver(mesh, AirfoilGenerator.generate(20, 30), Precision.F64);
            AirfoilTest.vectorise(solver, backend);
            iterate(solver, FIRST);
            long each = allocation(solver);
            for (int round = 0; round < ROUNDS && each >= NOTHING; round++) {
                each = allocation(solver);
            }
            System.out.println(each);
        }
    }

    /** Returns the bytes that each of a thousand iterations takes from the heap. */
    private static long allocation(AirfoilSolver solver) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        iterate(solver, ROUND);
        return (threads.getCurrentThreadAllocatedBytes() - before) / ROUND;
    }

    private static void iterate(AirfoilSolver solver, int times) {
        for (int i = 0; i < times; i++) {
            solver.iterate();
        }
    }

    /** Runs the program, which prints into a file, and returns what it prints. */
    static long start(String backend, Path file) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--add-modules",
                "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-XX:+UseParallelGC", "-cp",
                System.getProperty("java.class.path"), AllocationProgram.class.getName(), backend))
                .redirectOutput(file.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException("the program has not ended well: " + Files.readString(file));
            }
            return Long.parseLong(Files.readString(file).strip());
        } finally {
            process.destroyForcibly();
        }
    }
}
