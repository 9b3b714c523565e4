package org.trellis.bench.ranks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.trellis.bench.Main;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;

/**
 * Starts a command line as processes of MPI, with this process's Java, class path and options, and forwards what they
 * print: results line by line, progress and complaints as they come, what the launcher says of a failure in one
 * sentence.
 */
final class MpiLaunch {
    private static final String MEMORY_OPTION = "-XX:MaxRAMPercentage=";
    private static final double MEMORY_PERCENT = 70;
    private static final int GRACE_SECONDS = 5;

    private final Console console;
    private final String launcher;
    private final int ranks;

    MpiLaunch(Console console, String launcher, int ranks) {
        this.console = console;
        this.launcher = launcher;
        this.ranks = ranks;
    }

    /** Runs it and returns the exit code: the launcher's, which is that of the first rank that failed. */
    int run(List<String> arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(arguments)).redirectInput(ProcessBuilder.Redirect.PIPE);
        Map<String, String> environment = builder.environment();
        // Open MPI 4 and 5 bind each of two processes to one core, which the rank then shares with its own compilers
        // and collectors, and where it stays even if another program takes that core; others do not look at these.
        environment.putIfAbsent("OMPI_MCA_hwloc_base_binding_policy", "none");
        environment.putIfAbsent("PRTE_MCA_hwloc_default_binding_policy", "none");
        if (ranks > Runtime.getRuntime().availableProcessors()) {
            // They also refuse more ranks than cores without an option.
            environment.putIfAbsent("OMPI_MCA_rmaps_base_oversubscribe", "1");
            environment.putIfAbsent("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
        }
        Process process = start(builder);
        Thread hook = new Thread(() -> end(process), "trellis-mpirun-end");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return forward(process);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the job was interrupted", e);
        } finally {
            end(process);
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private Process start(ProcessBuilder builder) throws IOException {
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            return process;
        } catch (IOException e) {
            throw new IOException("transport mpi cannot be used here: " + launcher + " cannot be started ("
                    + e.getMessage() + "). Install MPI, or name its launcher with --mpirun", e);
        }
    }

    private List<String> command(List<String> arguments) {
        // Open MPI 4's launcher rewrites commands whose program is "java", so there is another one before it.
        List<String> command = new ArrayList<>(List.of(launcher, "-n", Integer.toString(ranks), "env",
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        Optional<String> heap = Optional.empty();
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (option.startsWith(MEMORY_OPTION)) {
                continue;
            }
            // Agents watch one process; what they write would be written over by the other ranks.
            if (!option.startsWith("-javaagent") && !option.startsWith("-agent")) {
                command.add(option);
            }
            heap = option.startsWith("-Xmx") ? Optional.of(option) : heap;
        }
        if (heap.isEmpty()) {
            command.add(MEMORY_OPTION + MEMORY_PERCENT / ranks);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(arguments);
        return command;
    }

    private int forward(Process process) throws IOException, InterruptedException {
        LauncherErrors errors = new LauncherErrors(process.getErrorStream(), console);
        errors.start();
        process.inputReader().lines().forEach(line -> console.printText(line + System.lineSeparator()));
        int code = process.waitFor();
        errors.join();
        // A solution that did not converge and a mistake in the command line have been reported by rank 0.
        if (code != ExitCode.OK && code != ExitCode.NOT_CONVERGED && !errors.haveComplained()) {
            console.complain("the job of " + ranks + " ranks failed: " + launcher + " ended with " + code
                    + errors.launcherSays());
        }
        return code;
    }

    private static void end(Process process) {
        if (!process.isAlive()) {
            return;
        }
        process.destroy();
        try {
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
