package org.trellis.examples.airfoil;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.trellis.file.TemporaryFolder;
import org.trellis.matrices.mesh.AirfoilMesh;

/**
 * The same loops as a plain C program with one thread, compiled here and run in turns with the loops of Trellis, so
 * that times can be compared on any machine. It waits between its turns.
 */
final class PlainC implements AutoCloseable {
    /** How the program is compiled, besides {@code -o FILE SOURCE -lm}. */
    static final List<String> OPTIONS = List.of("-O3", "-march=native");

    private static final int BUFFER = 1 << 20;
    private static final long COMPILER_SECONDS = 60;

    private final TemporaryFolder folder;
    private final Process process;
    private final Writer orders;
    private final BufferedReader answers;

    /**
     * What some iterations took.
     *
     * @param rms     the residual after the last
     * @param seconds the seconds of the five loops, in the order of {@link AirfoilSolver.Loop}
     */
    record Turn(double rms, double[] seconds) {}

    private PlainC(TemporaryFolder folder, Process process) {
        this.folder = folder;
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.US_ASCII);
        this.answers = process.inputReader(StandardCharsets.US_ASCII);
    }

    /**
     * Compiles the program and starts it on a mesh.
     *
     * @param mesh the mesh
     * @return the program, waiting
     * @throws IOException if there is no compiler, or it fails
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // the folder is closed with the program, or here
    static PlainC start(AirfoilMesh mesh) throws IOException {
        TemporaryFolder folder = TemporaryFolder.create();
        try {
            Path program = compile(folder.path());
            Path file = folder.path().resolve("mesh.bin");
            write(mesh, file);
            ProcessBuilder builder = new ProcessBuilder(program.toString(), file.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            // Java's heap lies on large pages (the launcher asks for them), so malloc's does too.
            builder.environment().putIfAbsent("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");
            return new PlainC(folder, builder.start());
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    private static Path compile(Path folder) throws IOException {
        Path source = folder.resolve("airfoil.c");
        try (InputStream input = PlainC.class.getResourceAsStream("airfoil.c")) {
            Files.copy(input, source);
        }
        Path program = folder.resolve("airfoil");
        String compiler = System.getenv().getOrDefault("CC", "cc");
        Stream<String> command = Stream.of(Stream.of(compiler), OPTIONS.stream(),
                Stream.of("-o", program.toString(), source.toString(), "-lm")).flatMap(words -> words);
        Process running;
        try {
            running = new ProcessBuilder(command.toList()).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new IOException("--plain-c needs a C compiler: '" + compiler
                    + "' cannot be run; install one, or name one by the environment variable CC", e);
        }
        String printed = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (await(running) != 0) {
            throw new IOException("--plain-c: '" + compiler + "' does not compile airfoil.c:\n" + printed);
        }
        return program;
    }

    private static int await(Process running) throws IOException {
        try {
            if (!running.waitFor(COMPILER_SECONDS, TimeUnit.SECONDS)) {
                running.destroyForcibly();
                throw new IOException("the C compiler did not end within " + COMPILER_SECONDS + " s");
            }
            return running.exitValue();
        } catch (InterruptedException e) {
            running.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the C compiler ran", e);
        }
    }

    private static void write(AirfoilMesh mesh, Path file) throws IOException {
        try (OutputStream stream = Files.newOutputStream(file);
                DataOutputStream output = new DataOutputStream(new BufferedOutputStream(stream, BUFFER))) {
            write(output, new int[]{mesh.nodes(), mesh.cells(), mesh.edges(), mesh.boundaryEdges()});
            write(output, mesh.cellNodes());
            write(output, mesh.edgeNodes());
            write(output, mesh.edgeCells());
            write(output, mesh.boundaryNodes());
            write(output, mesh.boundaryCells());
            write(output, mesh.boundaryKinds());
            byte[] bytes = new byte[mesh.coordinates().length * Double.BYTES];
            ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asDoubleBuffer().put(mesh.coordinates());
            output.write(bytes);
        }
    }

    private static void write(OutputStream output, int[] values) throws IOException {
        byte[] bytes = new byte[values.length * Integer.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asIntBuffer().put(values);
        output.write(bytes);
    }

    /**
     * Runs some iterations after those that were run before.
     *
     * @param iterations how many
     * @return what they took
     * @throws IOException if the program has ended
     */
    Turn iterate(int iterations) throws IOException {
        orders.write(iterations + "\n");
        orders.flush();
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the C program ended before its " + iterations + " iterations were done");
        }
        String[] words = line.split(" ");
        double[] numbers = Arrays.stream(words).mapToDouble(Double::parseDouble).toArray();
        return new Turn(numbers[0], Arrays.copyOfRange(numbers, 1, numbers.length));
    }

    @Override
    public void close() throws IOException {
        try {
            orders.close();
        } finally {
            process.destroy();
            folder.close();
        }
    }
}
