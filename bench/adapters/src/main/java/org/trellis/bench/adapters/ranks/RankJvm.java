package org.trellis.bench.adapters.ranks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The JVMs in which a peer's library is loaded. */
final class RankJvm {
    private static final int FIND_SECONDS = 60;
    private static final int LAST_LINES = 6;

    private RankJvm() {}

    /** Returns the command of a JVM with the program's main class. */
    static List<String> command(Class<?> program) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        // The library's arrays are not on the heap; its stack is that of the main thread.
        return new ArrayList<>(List.of(java, "-Xmx256m", "-Xss64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                program.getName()));
    }

    /**
     * Looks for a library in a process of its own.
     *
     * @param program the main class
     * @param names   names of the library
     * @return what was found, or an error
     */
    static RankSpec.Found find(Class<?> program, List<String> names) {
        List<String> line = command(program);
        line.add(RankMain.FIND);
        line.addAll(names);
        Path output = null;
        try {
            output = Files.createTempFile("trellis-peer", ".txt");
            ProcessBuilder builder =
                    new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
            MpiLauncher.prepare(builder.environment());
            Process process = builder.start();
            if (!process.waitFor(FIND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return failed("looking for it took longer than " + FIND_SECONDS + " s");
            }
            for (String said : lines(output)) {
                if (said.startsWith("{")) {
                    return RankSpec.MAPPER.readValue(said, RankSpec.Found.class);
                }
            }
            return failed("the process that looked for it ended with " + process.exitValue() + lastWords(output));
        } catch (IOException e) {
            return failed("it could not be looked for: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed("looking for it was interrupted");
        } finally {
            delete(output);
        }
    }

    private static RankSpec.Found failed(String error) {
        return new RankSpec.Found(null, null, null, error);
    }

    private static List<String> lines(Path output) throws IOException {
        return new String(Files.readAllBytes(output), StandardCharsets.UTF_8).lines().toList();
    }

    /** Returns what processes printed last, as the end of a sentence. */
    static String lastWords(Path output) {
        try {
            List<String> lines = lines(output).stream().filter(line -> !line.isBlank()).toList();
            return lines.isEmpty()
                    ? ""
                    : "; its last words:\n" + String.join("\n",
                            lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException e) {
            return "; what it printed cannot be read: " + e.getMessage();
        }
    }

    private static void delete(Path file) {
        if (file != null && !file.toFile().delete()) {
            file.toFile().deleteOnExit();
        }
    }
}
