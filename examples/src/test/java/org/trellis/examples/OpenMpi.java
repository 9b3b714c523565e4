package org.trellis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts programs of tests under Open MPI. */
public final class OpenMpi {
    private static final int LIMIT_SECONDS = 120;
    private static final String MPIRUN = "mpirun.openmpi";
    /** As root, and without a word about what is not there. */
    private static final Map<String, String> ENVIRONMENT = Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", "OMPI_MCA_pml", "ob1", "OMPI_MCA_btl", "self,vader",
            "OMPI_MCA_osc", "^ucx", "OMPI_MCA_plm", "isolated", "OMPI_MCA_mca_base_component_show_load_errors", "0");

    private OpenMpi() {}

    /**
     * Looks for the launcher.
     *
     * @return whether it is on the path
     */
    public static boolean isInstalled() {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, MPIRUN)));
    }

    /**
     * Starts a program with this one's class path.
     *
     * @param ranks     processes; 0 for a single one without the launcher
     * @param output    where what it prints goes
     * @param program   has {@code main}
     * @param arguments what it is given
     * @return the launcher's process
     * @throws IOException if it cannot be started
     */
    public static Process start(int ranks, File output, Class<?> program, String... arguments) throws IOException {
        return start(ranks, output, System.getProperty("java.class.path"), program.getName(), arguments);
    }

    /**
     * Starts a program.
     *
     * @param ranks     processes; 0 for a single one without the launcher
     * @param output    where what it prints goes
     * @param classPath where its classes are
     * @param program   the name of a class that has {@code main}
     * @param arguments what it is given
     * @return the launcher's process
     * @throws IOException if it cannot be started
     */
    public static Process start(int ranks, File output, String classPath, String program, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        if (ranks > 0) {
            command.addAll(List.of(MPIRUN, "--oversubscribe", "--bind-to", "none", "-n", Integer.toString(ranks),
                    "env")); // Open MPI's launcher rewrites commands whose program is "java".
        }
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp",
                classPath, program));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output);
        builder.environment().putAll(ENVIRONMENT);
        return builder.start();
    }

    /**
     * Runs a program to its end that writes numbers by {@link #write} into the file that is its argument. Skips the
     * test where there is no launcher.
     *
     * @param ranks   processes
     * @param folder  where the file goes
     * @param program has {@code main}
     * @return the numbers
     * @throws IOException          if it cannot be started, or files cannot be read
     * @throws InterruptedException if the thread is interrupted
     */
    public static double[] numbers(int ranks, Path folder, Class<?> program)
            throws IOException, InterruptedException {
        assumeTrue(isInstalled(), "Open MPI is not installed (Debian: openmpi-bin)");
        Path printed = folder.resolve("printed");
        Path file = folder.resolve("numbers");
        await(start(ranks, printed.toFile(), program, file.toString()), printed);
        return Files.readAllLines(file).stream().mapToDouble(Double::parseDouble).toArray();
    }

    /**
     * Waits for the end of a program, which it ends itself after two minutes.
     *
     * @param process what was started
     * @param printed what it printed, for the message if it failed
     * @throws InterruptedException if the thread is interrupted
     */
    public static void await(Process process, Path printed) throws InterruptedException {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertEquals(0, process.waitFor(), () -> {
            try {
                return Files.readString(printed);
            } catch (IOException e) {
                return e.toString();
            }
        });
    }

    /**
     * Writes numbers, all their digits.
     *
     * @param file    where to
     * @param numbers one array behind the other
     * @throws IOException if that fails
     */
    public static void write(Path file, double[]... numbers) throws IOException {
        Files.write(file, Arrays.stream(numbers).flatMapToDouble(Arrays::stream).mapToObj(Double::toString).toList());
    }
}
