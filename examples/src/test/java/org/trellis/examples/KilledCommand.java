package org.trellis.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.trellis.bench.Main;

/**
 * A command of the command line in a process of its own that is killed by SIGKILL at random moments and started again
 * with {@code --restart} each time, run by hand: {@code KilledCommand FOLDER KILLS SECONDS EVERY COMMAND...}. In the
 * end what it has written as JSON is compared with what it writes when it is not killed, times left out. Kills as often
 * as is asked for, or until so many seconds are over.
 */
final class KilledCommand {
    private static final int LIMIT_SECONDS = 120;
    private static final int EARLIEST_MILLISECONDS = 500;
    private static final Set<String> OTHERS = Set.of("date", "command", "machine", "jvm", "levels");

    private final Path folder;
    private final String every;
    private final List<String> command;

    private KilledCommand(Path folder, String every, List<String> command) {
        this.folder = folder;
        this.every = every;
        this.command = command;
    }

    public static void main(String... arguments) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        new KilledCommand(folder, arguments[3], List.of(arguments).subList(4, arguments.length))
                .run(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
    }

    private Process start(String json, List<String> more) throws IOException {
        List<String> all = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow(),
                "--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-Xmx2g", "-cp",
                System.getProperty("java.class.path"), Main.class.getName()));
        all.addAll(command);
        all.addAll(List.of("--json", folder.resolve(json).toString()));
        all.addAll(more);
        return new ProcessBuilder(all).redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile()).start();
    }

    private void end(Process process) throws IOException, InterruptedException {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException(Files.readString(folder.resolve("output")));
        }
    }

    private void run(int wanted, int seconds) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        end(start("alone.json", List.of()));
        int longest = (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        Path state = folder.resolve("state");
        SplittableRandom random = new SplittableRandom(wanted);
        int kills = 0;
        int writing = 0;
        int starts = 0;
        int restarts = 0;
        boolean ended = false;
        begun = System.nanoTime();
        while (!ended) {
            boolean again = Files.exists(state) || Files.exists(folder.resolve("state.previous"));
            List<String> more = new ArrayList<>(List.of("--checkpoint", state.toString(), "--checkpoint-every", every));
            if (again) {
                more.addAll(List.of("--restart", state.toString()));
                restarts++;
            }
            starts++;
            Process process = start("killed.json", more);
            boolean last = kills == wanted || System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(seconds);
            if (!last && !process.waitFor(random.nextInt(EARLIEST_MILLISECONDS, longest), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
                kills++;
                writing += Files.exists(folder.resolve("state.new")) ? 1 : 0;
            } else {
                end(process);
                requireSame();
                ended = last;
                if (!last) {
                    forget();
                }
            }
        }
        System.out.println(kills + " kills, " + writing + " of them while a checkpoint was written, " + starts
                + " starts, " + restarts + " from a checkpoint: the same bits each time that it ended");
    }

    private void forget() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.getFileName().toString().startsWith("state")).toList()) {
                Files.delete(file);
            }
        }
    }

    private void requireSame() throws IOException {
        JsonNode expected = results("alone.json");
        JsonNode actual = results("killed.json");
        if (!expected.equals(actual)) {
            throw new IllegalStateException("results are " + actual + ", expected " + expected);
        }
    }

    private JsonNode results(String json) throws IOException {
        return withoutTimes(new ObjectMapper().readTree(folder.resolve(json).toFile()));
    }

    private static JsonNode withoutTimes(JsonNode node) {
        if (node instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            object.remove(names.stream().filter(name -> OTHERS.contains(name) || name.contains("econds")
                    || name.contains("erSecond")).toList());
        }
        node.forEach(KilledCommand::withoutTimes);
        return node;
    }
}
