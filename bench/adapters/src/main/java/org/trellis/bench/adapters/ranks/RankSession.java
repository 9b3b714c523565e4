package org.trellis.bench.adapters.ranks;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.trellis.bench.peer.solver.PeerFailedException;
import org.trellis.bench.peer.solver.PeerSession;
import org.trellis.bench.peer.solver.PeerSolution;
import org.trellis.memory.HostVector;

/** A peer's processes with a system, and the folder that they share with the process that measures. */
final class RankSession implements PeerSession {
    private final RankChoice choice;
    private final Path folder;
    private final RankProcesses job;
    private final int processes;
    private final List<String> notes;

    private RankSession(RankChoice choice, Path folder, RankProcesses job, int processes, List<String> notes) {
        this.choice = choice;
        this.folder = folder;
        this.job = job;
        this.processes = processes;
        this.notes = List.copyOf(notes);
    }

    /**
     * What is to be started.
     *
     * @param peer      the peer's name
     * @param program   the main class of its processes
     * @param libraries names of its library
     * @param processes how many
     * @param launcher  what starts them; empty for one process that is started without
     */
    record Plan(String peer, Class<?> program, List<String> libraries, int processes,
            Optional<MpiLauncher> launcher) {
        String name() {
            return "peer " + peer + " (" + (processes == 1 ? "1 process" : processes + " processes") + ')';
        }
    }

    /**
     * Starts processes.
     *
     * @param plan   what is to be started
     * @param choice what they are to do
     * @param system the file with the system
     * @param rows   its number of rows
     * @param notes  sentences for the report
     * @return the session
     * @throws PeerFailedException if they cannot be started
     */
    @MustBeClosed
    static RankSession start(Plan plan, RankChoice choice, Path system, int rows, List<String> notes) {
        Path folder = null;
        try (ServerSocket server = new ServerSocket(0, plan.processes(), InetAddress.getLoopbackAddress())) {
            folder = Files.createTempDirectory("trellis-peer");
            folder.toFile().deleteOnExit();
            Path solution = folder.resolve("solution.bin");
            Path file = folder.resolve("job.json");
            Path output = folder.resolve("output.txt");
            for (Path made : List.of(solution, file, output)) {
                made.toFile().deleteOnExit();
            }
            try (RandomAccessFile room = new RandomAccessFile(solution.toFile(), "rw")) {
                room.setLength((long) rows * Double.BYTES);
            }
            RankSpec spec = new RankSpec(plan.peer(), plan.libraries(), choice.options(), choice.blockSize(),
                    choice.criteria().relativeTolerance(), choice.criteria().absoluteTolerance(),
                    choice.criteria().maximumIterations(), system.toString(), solution.toString(),
                    server.getLocalPort(), UUID.randomUUID().toString(), plan.processes());
            spec.write(file);
            List<String> line = new ArrayList<>(plan.launcher().map(found -> found.line(plan.processes()))
                    .orElse(List.of()));
            line.addAll(RankJvm.command(plan.program()));
            line.addAll(List.of(RankMain.RUN, file.toString()));
            ProcessBuilder builder =
                    new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
            MpiLauncher.prepare(builder.environment());
            Process process = builder.start();
            process.getOutputStream().close();
            RankProcesses job = RankProcesses.await(plan.name(), process, output, server, spec);
            return new RankSession(choice, folder, job, plan.processes(), notes);
        } catch (IOException e) {
            delete(folder);
            throw new PeerFailedException(plan.name() + " cannot be started: " + e.getMessage(), e);
        } catch (PeerFailedException e) {
            delete(folder);
            throw e;
        }
    }

    private static void delete(Path folder) {
        if (folder == null) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            folder.toFile().deleteOnExit();
        }
    }

    @Override
    public PeerSolution solve(double seconds) {
        return job.solve(seconds);
    }

    @Override
    public void readSolution(HostVector x) {
        Path file = folder.resolve("solution.bin");
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment all = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
            MemorySegment.copy(all, JAVA_DOUBLE, 0, x.doubleStorage(), x.offset(), x.length());
        } catch (IOException e) {
            throw new PeerFailedException("the solution of " + library() + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Returns the job, for tests. */
    RankProcesses job() {
        return job;
    }

    @Override
    public String library() {
        return job.hello().library();
    }

    @Override
    public int processes() {
        return processes;
    }

    @Override
    public String method() {
        return choice.method();
    }

    @Override
    public String preconditioner() {
        return choice.preconditioner();
    }

    @Override
    public List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        all.add(job.hello().library() + " under " + job.hello().mpi() + " with " + choice.inWords());
        return all;
    }

    @Override
    public void close() {
        job.close();
        delete(folder);
    }
}
