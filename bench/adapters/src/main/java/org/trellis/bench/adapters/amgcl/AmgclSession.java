package org.trellis.bench.adapters.amgcl;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.trellis.bench.peer.solver.PeerFailedException;
import org.trellis.bench.peer.solver.PeerSession;
import org.trellis.bench.peer.solver.PeerSolution;
import org.trellis.bench.peer.solver.PeerSystem;
import org.trellis.memory.HostVector;

/** A process with amgcl and a system, which it solves each time it is asked. */
final class AmgclSession implements PeerSession {
    private static final String READY = "ready";
    private static final String ENDED = "ended";
    private static final double READ_SECONDS = 120;
    /** Nanoseconds, of more years than anybody waits. */
    private static final double LONGEST = 1e18;
    private static final int NUMBERS = 4;

    private final AmgclProgram program;
    private final Process process;
    private final Writer out;
    private final Path solution;
    private final Words words;
    private final int threads;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /**
     * What is said of a run.
     *
     * @param preconditioner the preconditioner with its options
     * @param tolerance      the residual that was asked for, as a share of the right-hand side
     */
    record Words(String preconditioner, double tolerance) {}

    private AmgclSession(AmgclProgram program, Process process, Path solution, Words words, int threads) {
        this.program = program;
        this.process = process;
        this.out = process.outputWriter(StandardCharsets.UTF_8);
        this.solution = solution;
        this.words = words;
        this.threads = threads;
        Thread.ofPlatform().daemon().name("trellis-amgcl").start(this::listen);
    }

    /**
     * Starts the program.
     *
     * @param program        the program
     * @param system         what it solves
     * @param threads        of OpenMP
     * @param arguments      method and tolerances
     * @param words          what is said of it
     * @return the session, when the system is read
     * @throws IOException         if files or processes cannot be made
     * @throws PeerFailedException if the program does not begin
     */
    @MustBeClosed
    static AmgclSession start(AmgclProgram program, PeerSystem system, int threads, List<String> arguments,
            Words words) throws IOException {
        Path solution = Files.createTempFile("trellis-amgcl", ".bin");
        solution.toFile().deleteOnExit();
        List<String> line =
                new ArrayList<>(List.of(program.file().toString(), system.file().toString(), solution.toString()));
        line.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("OMP_NUM_THREADS", Integer.toString(threads));
        AmgclSession session = new AmgclSession(program, builder.start(), solution, words, threads);
        try {
            String said = session.next(READ_SECONDS);
            if (!said.equals(READY)) {
                throw new PeerFailedException("peer amgcl cannot begin: " + said);
            }
            return session;
        } catch (PeerFailedException e) {
            session.close();
            throw e;
        }
    }

    private void listen() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("failed " + e.getMessage());
        }
        lines.add(ENDED);
    }

    /** Waits for a line; ends the process if there is none in time. */
    private String next(double seconds) {
        try {
            String line = lines.poll((long) Math.min(seconds * 1e9, LONGEST), TimeUnit.NANOSECONDS);
            if (line == null) {
                process.destroyForcibly();
                throw new PeerFailedException("peer amgcl has said nothing for " + seconds + " s and was ended");
            }
            return line;
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new PeerFailedException("peer amgcl: interrupted", e);
        }
    }

    @Override
    public PeerSolution solve(double seconds) {
        try {
            out.write("solve\n");
            out.flush();
        } catch (IOException e) {
            throw new PeerFailedException("peer amgcl cannot be asked to solve: " + e.getMessage(), e);
        }
        String line = next(seconds);
        String[] numbers = line.split(" ", -1);
        try {
            if (numbers.length == NUMBERS) {
                double residual = Double.parseDouble(numbers[3]);
                return new PeerSolution(Double.parseDouble(numbers[0]), Double.parseDouble(numbers[1]),
                        Integer.parseInt(numbers[2]), residual <= words.tolerance(), residual, "relative residual "
                                + numbers[3]);
            }
        } catch (NumberFormatException e) {
            throw new PeerFailedException(unexpected(line), e);
        }
        throw new PeerFailedException(unexpected(line));
    }

    private static String unexpected(String line) {
        return "peer amgcl said '" + line + "', expected " + NUMBERS
                + " numbers: seconds of set-up and solution, iterations, residual";
    }

    @Override
    public void readSolution(HostVector x) {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(solution, StandardOpenOption.READ)) {
            MemorySegment all = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
            MemorySegment.copy(all, JAVA_DOUBLE, 0, x.doubleStorage(), x.offset(), x.length());
        } catch (IOException e) {
            throw new PeerFailedException("the solution of amgcl cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public String library() {
        return program.library();
    }

    @Override
    public int processes() {
        return 1;
    }

    @Override
    public String method() {
        return "CG";
    }

    @Override
    public String preconditioner() {
        return words.preconditioner();
    }

    @Override
    public List<String> notes() {
        return List.of(library() + ", one process of " + threads + " threads");
    }

    @Override
    public void close() {
        process.destroy();
        solution.toFile().delete();
    }
}
