package org.trellis.examples.airfoil;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.MpiRanks;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.communicate.ParallelPartitioner;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.distributed.mesh.Division;
import org.trellis.distributed.mesh.RankOptions;
import org.trellis.matrices.mesh.AirfoilPart;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.partition.Partitioners;

/**
 * Times reading a mesh of Airfoil in shares and dividing it:
 * {@code trellis measure parallel-read FILE DIVISION [RANKS]}, where the division is {@code coordinates},
 * {@code blocks}, {@code ptscotch} or a partitioner. Under a launcher of MPI the ranks are its processes, without one
 * they are threads. Prints seconds and, for each process, the most memory it has had.
 */
public final class ParallelReadTiming {
    private static final double NANO = 1e-9;
    private static final double MEGABYTE = 1e6;

    private ParallelReadTiming() {}

    /**
     * Runs the program.
     *
     * @param arguments the file, the division, and the number of threads
     */
    public static void start(String... arguments) {
        ThreadRanks.RankTask<Void> task = communicator -> {
            time(communicator, arguments[0], division(arguments[1]));
            return null;
        };
        if (MpiRanks.launched().isPresent()) {
            MpiRanks.run(Configuration.load(), task);
        } else {
            ThreadRanks.run(Integer.parseInt(arguments[2]), task);
        }
    }

    private static Division division(String name) {
        return switch (name) {
            case "coordinates" -> Division.byCoordinates("x");
            case "blocks" -> Division.blocks();
            case "ptscotch" -> Division.by(ParallelPartitioner.PTSCOTCH, Division.USUAL_TOLERANCE);
            default -> Division.by(Partitioners.named(name), Division.USUAL_TOLERANCE);
        };
    }

    private static void time(Communicator communicator, String file, Division division) {
        try (Backend backend = Backends.open("reference", Configuration.load());
                Mesh mesh = DistributedMesh.on(backend, communicator, RankOptions.usual().withDivision(division))) {
            communicator.barrier();
            double startCpu = processorSeconds();
            long start = System.nanoTime();
            AirfoilPart share = AirfoilInput.read(file, communicator);
            communicator.barrier();
            long read = System.nanoTime();
            double readCpu = processorSeconds();
            AirfoilSolver solver = new AirfoilSolver(mesh, share, Precision.F64);
            mesh.divide();
            communicator.barrier();
            long divided = System.nanoTime();
            double dividedCpu = processorSeconds();
            double residual = solver.iterate();
            print(communicator, "read %.2f s, divided %.2f s, residual of the first iteration %.12e%n",
                    NANO * (read - start), NANO * (divided - read), residual);
            double[] cpu = {readCpu - startCpu, dividedCpu - readCpu};
            communicator.allReduce(Reduction.SUM, cpu);
            print(communicator, "on processors, all ranks' threads: read %.2f s, divided %.2f s%n",
                    cpu[0], cpu[1]);
            print(communicator, "%s%n", DistributedMesh.division(mesh));
            printMemory(communicator);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What this rank's thread has taken, without compilers and collectors. */
    private static double processorSeconds() {
        return NANO * ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void printMemory(Communicator communicator) throws IOException {
        long resident = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)) {
            if (line.startsWith("VmHWM")) {
                resident = 1024 * Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        byte[][] all = communicator.gather(0, new Packet().put(resident).toBytes());
        if (communicator.rank() == 0) {
            double[] megabytes = Arrays.stream(all).mapToDouble(own -> Packet.of(own).getLong() / MEGABYTE).toArray();
            double mean = Arrays.stream(megabytes).average().orElseThrow();
            print(communicator, "most resident, MB: %s; greatest over mean %.3f%n", Arrays.toString(megabytes),
                    Arrays.stream(megabytes).max().orElseThrow() / mean);
        }
    }

    private static void print(Communicator communicator, String format, Object... values) {
        if (communicator.rank() == 0) {
            System.out.printf(Locale.ROOT, format, values);
        }
    }
}
