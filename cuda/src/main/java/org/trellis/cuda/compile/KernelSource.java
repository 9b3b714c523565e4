package org.trellis.cuda.compile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * CUDA C with everything that decides what it compiles to, apart from device and compiler. A value: equal sources
 * compile to the same code.
 *
 * @param name    the name for messages, for example {@code csr.cu}
 * @param text    the source; kernels are {@code extern "C"}, so that they are found by their names
 * @param headers the texts of the headers that it includes, by the name between the quotes
 * @param options options that NVRTC and nvcc both know, in order, for example {@code -DROWS=4}
 */
public record KernelSource(String name, String text, Map<String, String> headers, List<String> options) {
    /** The texts that were read, by their paths: kernels are asked for again and again. */
    private static final Map<String, String> READ = new ConcurrentHashMap<>();
    /** Fingerprints of these texts. */
    private static final Map<String, String> FINGERPRINTS = new ConcurrentHashMap<>();

    /** Copies headers and options. */
    public KernelSource {
        Objects.requireNonNull(name);
        Objects.requireNonNull(text);
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        options = List.copyOf(options);
    }

    /**
     * Reads a source and its headers from the resources beside a class.
     *
     * @param anchor  a class of the package that holds the resources
     * @param name    the file name of the source
     * @param headers the file names of all headers that it includes, directly or not
     * @return the source without options
     * @throws IllegalArgumentException if there is no such resource
     * @throws java.io.UncheckedIOException if a resource cannot be read
     */
    public static KernelSource resource(Class<?> anchor, String name, String... headers) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String header : headers) {
            texts.put(header, read(anchor, header));
        }
        return new KernelSource(name, read(anchor, name), texts, List.of());
    }

    private static String read(Class<?> anchor, String name) {
        String path = anchor.getPackageName().replace('.', '/') + "/" + name;
        String text = READ.computeIfAbsent(path, key -> readResource(anchor, name));
        KernelList.found(path, text);
        FINGERPRINTS.computeIfAbsent(text, Fingerprint::of);
        return text;
    }

    /** Returns the fingerprint of the text. */
    String fingerprint() {
        return fingerprint(text);
    }

    /** Returns the fingerprint of a text; that of a resource is computed once. */
    static String fingerprint(String text) {
        String known = FINGERPRINTS.get(text);
        return known == null ? Fingerprint.of(text) : known;
    }

    private static String readResource(Class<?> anchor, String name) {
        try (InputStream in = anchor.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException("kernel source " + name + " is not a resource beside " + anchor);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("kernel source " + name + " cannot be read", e);
        }
    }

    /**
     * Returns this source with one more header, from the resources beside any class.
     *
     * @param anchor a class of the package that holds the header
     * @param header its file name
     * @return a new source
     * @throws IllegalArgumentException if there is no such resource
     * @throws java.io.UncheckedIOException if the resource cannot be read
     */
    public KernelSource including(Class<?> anchor, String header) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, read(anchor, header));
        return new KernelSource(name, text, more, options);
    }

    /**
     * Returns this source with one more option.
     *
     * @param option the option
     * @return a new source
     */
    public KernelSource withOption(String option) {
        List<String> more = new ArrayList<>(options);
        more.add(option);
        return new KernelSource(name, text, headers, more);
    }

    /**
     * Returns this source with one more macro.
     *
     * @param macro its name
     * @param value what it stands for
     * @return a new source
     */
    public KernelSource define(String macro, Object value) {
        return withOption("-D" + macro + "=" + value);
    }

    @Override
    public String toString() {
        return options.isEmpty() ? name : name + " " + String.join(" ", options);
    }
}
