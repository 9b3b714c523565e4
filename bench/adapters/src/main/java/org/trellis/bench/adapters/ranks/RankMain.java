package org.trellis.bench.adapters.ranks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.trellis.bench.peer.solver.SystemFile;

/**
 * The life of a process with a peer's library. It is given by a line what to do, and sleeps until then: a process that
 * waited in MPI would do so busily, on a processor that another contender's turn needs.
 */
public final class RankMain {
    /** Asks for a solution. */
    static final String SOLVE = "solve";
    /** Asks to end. */
    static final String END = "end";
    /** First argument of a process that only looks for the library. */
    static final String FIND = "find";
    /** First argument of a process that solves. */
    static final String RUN = "run";

    private final RankProgram program;
    private final RankSpec spec;
    private final BufferedReader in;
    private final Writer out;
    private boolean greeted;

    private RankMain(RankProgram program, RankSpec spec, BufferedReader in, Writer out) {
        this.program = program;
        this.spec = spec;
        this.in = in;
        this.out = out;
    }

    /**
     * Does what the arguments say, and ends the process.
     *
     * @param program   what to do with the library
     * @param out       where to say what was found
     * @param arguments {@value #FIND} and names of the library, or {@value #RUN} and the file of a {@link RankSpec}
     * @throws IOException if no process listens
     */
    @SuppressWarnings("checkstyle:IllegalCatch") // whatever goes wrong is to be reported
    public static void run(RankProgram program, PrintStream out, String... arguments) throws IOException {
        if (arguments[0].equals(FIND)) {
            out.println(RankSpec.line(find(program, Arrays.asList(arguments).subList(1, arguments.length))));
            return;
        }
        RankSpec spec = RankSpec.read(Path.of(arguments[1]));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), spec.port());
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                Writer writer = new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8)) {
            RankMain process = new RankMain(program, spec, in, writer);
            try {
                process.live();
            } catch (RuntimeException | Error | IOException e) {
                process.complain(e);
                // Others may wait in MPI for this one: the launcher ends them when it ends without a farewell.
                Runtime.getRuntime().halt(1);
            }
        }
    }

    @SuppressWarnings("checkstyle:IllegalCatch") // whatever goes wrong is to be reported
    private static RankSpec.Found find(RankProgram program, List<String> names) {
        try {
            NativeLibrary library = NativeLibrary.load(names);
            MpiCalls mpi = new MpiCalls(library);
            return new RankSpec.Found(program.version(library), mpi.family(), mpi.version(), null);
        } catch (RuntimeException | LinkageError e) {
            return new RankSpec.Found(null, null, null, String.valueOf(e.getMessage()));
        }
    }

    private void live() throws IOException {
        NativeLibrary library = NativeLibrary.load(spec.libraries());
        MpiCalls mpi = new MpiCalls(library);
        mpi.begin();
        if (mpi.size() != spec.processes()) {
            throw new IllegalStateException(
                    "a launcher started " + spec.processes() + " processes, and " + mpi.version()
                            + ", with which " + library.file() + " was built, sees " + mpi.size()
                            + " of them; expected the launcher of that library first in the PATH");
        }
        program.begin(library, mpi);
        try (Arena arena = Arena.ofConfined()) {
            SystemFile system = SystemFile.map(Path.of(spec.system()), arena);
            int rank = mpi.rank();
            RankRows rows = new RankRows(system, system.firstRow(rank, spec.processes(), spec.blockSize()),
                    system.firstRow(rank + 1, spec.processes(), spec.blockSize()));
            RankSolver solver = program.open(library, mpi, rows, new RankProgram.Order(spec.options(),
                    spec.blockSize(), spec.tolerance(), spec.absolute(), spec.maximumIterations()), arena);
            say(new RankSpec.Hello(spec.token(), rank, mpi.size(), ProcessHandle.current().pid(),
                    program.version(library), mpi.version(), null));
            greeted = true;
            obey(solver, mpi, rows);
        }
        program.end(library);
        mpi.end();
    }

    private void obey(RankSolver solver, MpiCalls mpi, RankRows rows) throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(Path.of(spec.solution()), StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment part = channel.map(MapMode.READ_WRITE, rows.first() * Double.BYTES,
                    (long) rows.count() * Double.BYTES, arena);
            for (String line = in.readLine(); !END.equals(line); line = in.readLine()) {
                if (!SOLVE.equals(line)) {
                    throw new IOException("the process that measures "
                            + (line == null ? "has gone" : "said '" + line + "', expected solve or end"));
                }
                mpi.barrier();
                long start = System.nanoTime();
                solver.setUp();
                mpi.barrier();
                long ready = System.nanoTime();
                RankSolver.Outcome outcome = solver.solve();
                long solved = System.nanoTime();
                solver.copySolution(part);
                solver.tearDown();
                say(RankSpec.Answer.of((ready - start) * 1e-9, (solved - ready) * 1e-9, outcome));
            }
        }
    }

    private void complain(Throwable problem) {
        String text = problem instanceof IllegalStateException ? problem.getMessage() : problem.toString();
        try {
            say(greeted
                    ? RankSpec.Answer.failed(text)
                    : new RankSpec.Hello(spec.token(), 0, 0, ProcessHandle.current().pid(), "", "", text));
        } catch (IOException e) {
            problem.addSuppressed(e);
        }
    }

    private void say(Object what) throws IOException {
        out.write(RankSpec.line(what) + '\n');
        out.flush();
    }
}
