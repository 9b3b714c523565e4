package org.trellis.cuda.compile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.trellis.common.ParallelRanges;

/**
 * The archives of machine code that a program has. A kernel is found by everything that decides what its code is, but
 * for the compiler: an archive was compiled by one of its own.
 *
 * <p>Code runs on devices of its own architecture and on those of the same major and a later minor number (CUDA C++
 * Programming Guide, "Binary Compatibility"); code of the virtual machine on all later ones, once the driver has
 * translated it.
 */
public final class KernelArchives {
    private static final System.Logger LOGGER = System.getLogger(KernelArchives.class.getName());
    private static final String COMPILER = "archive";
    /** Digits of a key that distinguish more kernels than there are. */
    private static final int KEY_DIGITS = 32;
    private static final Pattern REAL = Pattern.compile("sm_([0-9]+)([0-9])");
    private static final Pattern VIRTUAL = Pattern.compile("compute_([0-9]+)");

    /** The architectures of each archive. */
    private final Map<KernelArchive, List<String>> archives = new LinkedHashMap<>();

    private KernelArchives(Iterable<KernelArchive> found) {
        for (KernelArchive archive : found) {
            try (InputStream index = archive.open(KernelArchive.INDEX)) {
                if (index == null) {
                    throw new IOException("it has no file " + KernelArchive.INDEX);
                }
                archives.put(archive,
                        new String(index.readAllBytes(), StandardCharsets.UTF_8).lines().map(String::strip)
                                .filter(line -> !line.isEmpty()).toList());
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.WARNING, "the archive of kernels " + archive + " is left out", e);
            }
        }
    }

    /**
     * Takes archives.
     *
     * @param archives the archives; one without an index is left out, which is logged
     * @return all of them
     */
    public static KernelArchives of(KernelArchive... archives) {
        return new KernelArchives(List.of(archives));
    }

    /**
     * Finds the archives that the program has.
     *
     * @return those of the service loader
     */
    public static KernelArchives installed() {
        return new KernelArchives(ServiceLoader.load(KernelArchive.class, KernelArchives.class.getClassLoader()));
    }

    /**
     * Names the file that has a kernel in an archive.
     *
     * @param source       the kernel
     * @param architecture what it is compiled for
     * @return the name, with {@code /} between folder and file
     */
    public static String entry(KernelSource source, String architecture) {
        return architecture + "/" + KernelCache.key(source, architecture, COMPILER).substring(0, KEY_DIGITS);
    }

    /**
     * Says whether some archive has code for a device, whichever.
     *
     * @param architecture the device's, for example {@code sm_90}
     * @return false if nothing will be found for it
     */
    public boolean serves(String architecture) {
        return archives.values().stream().anyMatch(known -> !candidates(known, architecture).isEmpty());
    }

    /**
     * Says whether there is code, without reading it.
     *
     * @param source       the kernel
     * @param architecture the device's architecture
     * @return true if {@link #find} finds it
     */
    public boolean contains(KernelSource source, String architecture) {
        return search(source, architecture, InputStream::available).isPresent();
    }

    /**
     * Finds code.
     *
     * @param source       the kernel
     * @param architecture the device's architecture, for example {@code sm_90}
     * @return the code of the nearest architecture that the device runs, if there is one. What cannot be read is not
     *         there, and is logged
     */
    public Optional<byte[]> find(KernelSource source, String architecture) {
        return search(source, architecture, in -> new InflaterInputStream(in).readAllBytes());
    }

    /** Reads from a file. */
    @FunctionalInterface
    private interface Reading<T> {
        T read(InputStream in) throws IOException;
    }

    private <T> Optional<T> search(KernelSource source, String architecture, Reading<T> reading) {
        for (Map.Entry<KernelArchive, List<String>> archive : archives.entrySet()) {
            for (String candidate : candidates(archive.getValue(), architecture)) {
                String name = entry(source, candidate);
                try (InputStream in = archive.getKey().open(name)) {
                    if (in != null) {
                        return Optional.of(reading.read(in));
                    }
                } catch (IOException e) {
                    LOGGER.log(System.Logger.Level.WARNING, name + " of " + archive.getKey() + " cannot be read", e);
                }
            }
        }
        return Optional.empty();
    }

    /** Returns those of some architectures that a device runs, the nearest first, then virtual ones. */
    static List<String> candidates(List<String> known, String device) {
        Matcher own = REAL.matcher(device);
        if (!own.matches()) {
            return known.contains(device) ? List.of(device) : List.of();
        }
        int number = Integer.parseInt(own.group(1) + own.group(2));
        List<String> found = new ArrayList<>();
        for (int minor = number; minor >= number / 10 * 10; minor--) {
            if (known.contains("sm_" + minor)) {
                found.add("sm_" + minor);
            }
        }
        known.stream().filter(name -> {
            Matcher machine = VIRTUAL.matcher(name);
            return machine.matches() && Integer.parseInt(machine.group(1)) <= number;
        }).sorted((a, b) -> Integer.compare(Integer.parseInt(b.substring("compute_".length())),
                Integer.parseInt(a.substring("compute_".length())))).forEach(found::add);
        return found;
    }

    /**
     * Compiles kernels into a folder that is an archive then, on all processors.
     *
     * @param sources       the kernels; of equal ones one counts
     * @param architectures what they are compiled for, for example {@code sm_90} and {@code compute_80}
     * @param compiler      compiles, on several threads
     * @param folder        the folder, made if it is not there; files of the same names are replaced
     * @return bytes of the code, compressed
     * @throws IOException if the folder cannot be written
     * @throws org.trellis.common.KernelCompilationException if a kernel does not compile
     */
    public static long write(Collection<KernelSource> sources, List<String> architectures, KernelCompiler compiler,
            Path folder) throws IOException {
        for (String architecture : architectures) {
            Files.createDirectories(folder.resolve(architecture));
        }
        List<KernelSource> kernels = sources.stream().distinct().toList();
        int jobs = Math.multiplyExact(kernels.size(), architectures.size());
        ParallelRanges.run(jobs, 1, (from, to) -> {
            for (int job = from; job < to; job++) {
                String architecture = architectures.get(job / kernels.size());
                KernelSource source = kernels.get(job % kernels.size());
                write(folder.resolve(entry(source, architecture)), compiler.compile(source, architecture));
            }
        });
        Files.write(folder.resolve(KernelArchive.INDEX), architectures);
        return bytes(folder);
    }

    private static void write(Path file, byte[] code) {
        try (OutputStream out = new DeflaterOutputStream(Files.newOutputStream(file))) {
            out.write(code);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written", e);
        }
    }

    private static long bytes(Path folder) throws IOException {
        long sum = 0;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                sum += Files.size(file);
            }
        }
        return sum;
    }
}
