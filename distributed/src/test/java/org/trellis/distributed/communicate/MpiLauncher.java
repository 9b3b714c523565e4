package org.trellis.distributed.communicate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.trellis.testing.TestSeed;

/** Starts programs under an MPI library that is installed on this machine. */
enum MpiLauncher {
    /** Open MPI. */
    OPEN_MPI("mpirun.openmpi", List.of("--oversubscribe", "--bind-to", "none")),
    /** MPICH. */
    MPICH("mpirun.mpich", List.of());

    private static final int SECONDS = 90;
    /** As root, and without a word about what is not there. */
    private static final Map<String, String> ENVIRONMENT = Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", "OMPI_MCA_pml", "ob1", "OMPI_MCA_btl", "self,vader",
            "OMPI_MCA_osc", "^ucx", "OMPI_MCA_plm", "isolated", "OMPI_MCA_mca_base_component_show_load_errors", "0");

    private final String command;
    private final List<String> options;

    MpiLauncher(String command, List<String> options) {
        this.command = command;
        this.options = options;
    }

    /** What a program left. */
    record Result(int code, String output, double seconds) {}

    String command() {
        return command;
    }

    boolean isInstalled() {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
    }

    /** Starts {@link MpiProgram}. */
    Process start(int ranks, int timeoutSeconds, Path output, String... arguments) throws IOException {
        return start(List.of(), ranks, timeoutSeconds, "", null, output, arguments);
    }

    private Process start(List<String> before, int ranks, int timeoutSeconds, String library, Path libraries,
            Path output, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(options);
        line.addAll(List.of("-n", Integer.toString(ranks)));
        line.addAll(before);
        // Open MPI's launcher rewrites commands whose program is "java".
        line.addAll(List.of("env",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-ea", "--enable-native-access=ALL-UNNAMED",
                "-Dtrellis.distributed.timeout=" + timeoutSeconds, "-Dtrellis.mpi.library=" + library,
                "-D" + TestSeed.PROPERTY + "=" + TestSeed.value(),
                "-cp", System.getProperty("java.class.path"), MpiProgram.class.getName()));
        line.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(ENVIRONMENT);
        if (libraries != null) {
            builder.environment().put("LD_LIBRARY_PATH", libraries.toString());
        }
        return builder.start();
    }

    /** Runs {@link MpiProgram} to its end. */
    Result run(int ranks, int timeoutSeconds, String... arguments) {
        return runWith("", ranks, timeoutSeconds, arguments);
    }

    /** Runs {@link MpiProgram} with a library that need not be the launcher's. */
    Result runWith(String library, int ranks, int timeoutSeconds, String... arguments) {
        return runWith(library, null, ranks, timeoutSeconds, arguments);
    }

    /** Runs {@link MpiProgram} with a folder of further libraries. */
    Result runWith(Path libraries, int ranks, int timeoutSeconds, String... arguments) {
        return runWith("", libraries, ranks, timeoutSeconds, arguments);
    }

    private Result runWith(String library, Path libraries, int ranks, int timeoutSeconds, String... arguments) {
        return runWith(List.of(), library, libraries, ranks, timeoutSeconds, arguments);
    }

    private Result runWith(List<String> before, String library, Path libraries, int ranks, int timeoutSeconds,
            String... arguments) {
        try {
            Path output = Files.createTempFile("trellis-mpi", ".txt");
            try {
                long began = System.nanoTime();
                Process process = start(before, ranks, timeoutSeconds, library, libraries, output, arguments);
                return finish(process, output, began);
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs {@link MpiProgram} with processes of which the last stops before MPI hears of it. */
    Result runWithout(int ranks, int timeoutSeconds, String... arguments) {
        return runWith(List.of("sh", "-c", "if [ \"${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\" = " + (ranks - 1)
                + " ]; then exec sleep " + SECONDS + "; fi; exec \"$@\"", "sh"), "", null, ranks, timeoutSeconds,
                arguments);
    }

    static Result finish(Process process, Path output, long began) throws IOException {
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError("still runs after " + SECONDS + " s: " + Files.readString(output));
            }
        } catch (InterruptedException e) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("interrupted", e);
        }
        return new Result(process.exitValue(), Files.readString(output), (System.nanoTime() - began) / 1e9);
    }
}
