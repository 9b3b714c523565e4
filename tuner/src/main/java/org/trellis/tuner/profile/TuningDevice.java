package org.trellis.tuner.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.trellis.backend.Backend;
import org.trellis.memory.MemorySpace;

/**
 * What products were measured on.
 *
 * @param backend    the name of the backend
 * @param name       the name of its device
 * @param properties facts about it, sorted by name; on the host the processor's model among them
 */
public record TuningDevice(String backend, String name, Map<String, String> properties) {
    /** The property that names the processor. */
    public static final String PROCESSOR = "processor";

    /** Properties in which two devices of one name may differ so that times of one say nothing of the other. */
    private static final List<String> TELLING = List.of(PROCESSOR, "threads", "vectorBits", "multiprocessors");

    /** Of several devices of one kind, which one was used; and software that changes more often than the device. */
    private static final List<String> LEFT_OUT = List.of("device", "driverCudaVersion", "kernelCompiler");

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    /** Sorts the properties. */
    public TuningDevice {
        properties = Collections.unmodifiableMap(new TreeMap<>(properties));
    }

    /**
     * Describes a backend's device.
     *
     * @param backend an open backend
     * @return its device
     */
    public static TuningDevice of(Backend backend) {
        Map<String, String> properties = new TreeMap<>(backend.device().properties());
        LEFT_OUT.forEach(properties::remove);
        if (backend.device().space() == MemorySpace.HOST) {
            properties.put(PROCESSOR, processor());
        }
        return new TuningDevice(backend.name(), backend.device().name(), properties);
    }

    /** The model where the system reports it, else the architecture. */
    private static String processor() {
        if (Files.isReadable(CPU_INFO)) {
            try (Stream<String> lines = Files.lines(CPU_INFO)) {
                return lines.filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst().orElse(System.getProperty("os.arch"));
            } catch (IOException e) {
                return System.getProperty("os.arch");
            }
        }
        return System.getProperty("os.arch");
    }

    /**
     * Returns whether times on another device hold for this one.
     *
     * @param other another device
     * @return true if backend, name and the telling properties that both have (processor, threads, width of vectors,
     *         multiprocessors) are the same
     */
    public boolean matches(TuningDevice other) {
        return backend.equals(other.backend) && name.equals(other.name)
                && TELLING.stream().allMatch(key -> !properties.containsKey(key) || !other.properties.containsKey(key)
                        || properties.get(key).equals(other.properties.get(key)));
    }

    /**
     * Returns a name for messages.
     *
     * @return backend and name, with the processor if there is one
     */
    @Override
    public String toString() {
        String processor = properties.get(PROCESSOR);
        return backend + " on " + name + (processor == null ? "" : " (" + processor + ")");
    }
}
