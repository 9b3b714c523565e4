package org.trellis.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The computer and the JVM that a measurement ran on.
 *
 * @param processor     model of the processor as the system names it
 * @param processors    logical processors that the JVM may use
 * @param caches        sizes of the caches of the first processor, for example {@code "L1 48K, L2 2048K, L3 480M"};
 *                      empty where the system does not say
 * @param memoryBytes   physical memory
 * @param system        operating system with version and architecture
 * @param javaVersion   version of the JVM with its vendor
 * @param javaOptions   options that the JVM was started with
 * @param heapBytes     largest heap
 */
public record Machine(String processor, int processors, String caches, long memoryBytes, String system,
        String javaVersion, List<String> javaOptions, long heapBytes) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Path CPU_CACHES = Path.of("/sys/devices/system/cpu/cpu0/cache");

    /** Copies the list. */
    public Machine {
        javaOptions = List.copyOf(javaOptions);
    }

    /**
     * Describes this machine.
     *
     * @return the description
     * @throws UncheckedIOException if the system's description of itself cannot be read
     */
    public static Machine here() {
        return new Machine(processorModel(), Runtime.getRuntime().availableProcessors(), cacheSizes(), physicalMemory(),
                property("os.name") + ' ' + property("os.version") + ' ' + property("os.arch"),
                property("java.vm.name") + ' ' + Runtime.version() + " (" + property("java.vendor") + ')',
                ManagementFactory.getRuntimeMXBean().getInputArguments(), Runtime.getRuntime().maxMemory());
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }

    private static String processorModel() {
        return lines(CPU_INFO).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(property("os.arch"));
    }

    private static String cacheSizes() {
        if (!Files.isDirectory(CPU_CACHES)) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        try (Stream<Path> entries = Files.list(CPU_CACHES)) {
            entries.filter(entry -> entry.getFileName().toString().startsWith("index")).sorted().forEach(entry -> {
                String type = first(entry.resolve("type"));
                if (!type.equals("Instruction")) {
                    text.append(text.isEmpty() ? "" : ", ").append('L').append(first(entry.resolve("level")))
                            .append(' ').append(first(entry.resolve("size")));
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static String first(Path file) {
        List<String> lines = lines(file);
        return lines.isEmpty() ? "?" : lines.getFirst().strip();
    }

    /** These files exist on Linux; elsewhere the facts are left out. */
    private static List<String> lines(Path file) {
        if (!Files.isReadable(file)) {
            return List.of();
        }
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long physicalMemory() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }
}
