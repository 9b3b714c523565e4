package org.trellis.cuda.compile;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.trellis.common.TrellisException;

/**
 * Kernels that a kind of work is known to need, as a list: a line each with the resource of the source, those of its
 * headers separated by commas, and the options separated by spaces, with tabs between the three. Lists name texts and
 * do not hold them, so that they stay right when kernels are changed. A source that is generated at run time has its
 * name in place of a resource, and its text, compressed, as a fourth field: the lists of this module have none.
 */
public final class KernelList {
    private static final String FIELD = "\t";
    private static final int FIELDS = 3;
    private static final int TEXT = 3;
    private static final List<String> NAMES = List.of("multigrid-f64", "multigrid-f32");
    private static final Map<String, String> PLACES = new ConcurrentHashMap<>();

    private KernelList() {}

    /** Remembers where a text was read. */
    static void found(String place, String text) {
        PLACES.put(text, place);
    }

    /**
     * Returns the lists of this module.
     *
     * @return their names
     */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * Reads a list of this module.
     *
     * @param name one of {@link #names}, for example {@code multigrid-f64}
     * @return the sources in their order
     * @throws IllegalArgumentException if there is no such list, or a line is none of a list or names what is not
     *                                  there; says which
     * @throws UncheckedIOException     if a resource cannot be read
     */
    public static List<KernelSource> named(String name) {
        try (InputStream in = KernelList.class.getResourceAsStream(name + ".kernels")) {
            if (in == null) {
                throw new IllegalArgumentException("there is no list of kernels '" + name + "', expected the resource "
                        + name + ".kernels beside " + KernelList.class.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(KernelList::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the list of kernels " + name + " cannot be read", e);
        }
    }

    /**
     * Reads a list that was {@linkplain Recorder recorded}.
     *
     * @param file the file
     * @return the sources in their order
     * @throws IllegalArgumentException if a line is none of a list or names what is not there; says which
     * @throws IOException              if the file cannot be read
     */
    public static List<KernelSource> read(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(KernelList::parse).toList();
        }
    }

    /**
     * Reads a line.
     *
     * @param line as {@link #line} makes it
     * @return the source
     * @throws IllegalArgumentException if it has other than three or four fields or names a resource that is not there
     */
    static KernelSource parse(String line) {
        String[] fields = line.split(FIELD, -1);
        if (fields.length != FIELDS && fields.length != TEXT + 1) {
            throw new IllegalArgumentException("a line of a list of kernels has " + fields.length + " fields, expected "
                    + FIELDS + " or " + (TEXT + 1) + ": " + line);
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (String header : words(fields[1], ",")) {
            headers.put(fileName(header), text(header));
        }
        String text = fields.length == FIELDS ? text(fields[0]) : unpacked(fields[TEXT]);
        return new KernelSource(fileName(fields[0]), text, headers, words(fields[2], " "));
    }

    private static String packed(String text) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new DeflaterOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError("memory is written", e);
        }
        return Base64.getEncoder().encodeToString(packed.toByteArray());
    }

    private static String unpacked(String field) {
        try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(field)))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalArgumentException("a line of a list of kernels has a text that is not compressed", e);
        }
    }

    private static List<String> words(String field, String separator) {
        return field.isEmpty() ? List.of() : List.of(field.split(separator));
    }

    private static String fileName(String place) {
        return place.substring(place.lastIndexOf('/') + 1);
    }

    private static String text(String place) {
        try (InputStream in = KernelList.class.getResourceAsStream("/" + place)) {
            if (in == null) {
                throw new IllegalArgumentException("a list of kernels names " + place + ", which is no resource");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            found(place, text);
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException("kernel source " + place + " cannot be read", e);
        }
    }

    /**
     * Writes a source as a line of a list.
     *
     * @param source the source
     * @return the line, or empty if a header was generated
     */
    static Optional<String> line(KernelSource source) {
        String place = PLACES.get(source.text());
        List<String> headers = new ArrayList<>();
        for (String header : source.headers().values()) {
            headers.add(PLACES.get(header));
        }
        if (headers.contains(null)) {
            return Optional.empty();
        }
        String rest = FIELD + String.join(",", headers) + FIELD + String.join(" ", source.options());
        return Optional.of(place == null ? source.name() + rest + FIELD + packed(source.text()) : place + rest);
    }

    /** Adds the kernels that a process loads to a file, each once. */
    public static final class Recorder {
        private final Path file;
        private final Set<String> written = ConcurrentHashMap.newKeySet();

        /**
         * Begins.
         *
         * @param file the file, to whose end lines are added
         * @throws IllegalArgumentException if it is a folder or its folder is not there
         */
        public Recorder(Path file) {
            Path folder = file.toAbsolutePath().getParent();
            if (Files.isDirectory(file)) {
                throw new IllegalArgumentException("the list of kernels " + file + " is a folder, expected a file");
            }
            if (folder == null || !Files.isDirectory(folder)) {
                throw new IllegalArgumentException(
                        "the list of kernels " + file + " is to be in " + folder + ", which is no folder");
            }
            this.file = file;
        }

        /**
         * Adds a source, unless it is there.
         *
         * @param source what is loaded
         * @throws TrellisException if the file cannot be written
         */
        public void add(KernelSource source) {
            line(source).filter(written::add).ifPresent(line -> {
                try {
                    Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                } catch (IOException e) {
                    throw new TrellisException("the list of kernels " + file + " cannot be written: " + e, e);
                }
            });
        }
    }
}
