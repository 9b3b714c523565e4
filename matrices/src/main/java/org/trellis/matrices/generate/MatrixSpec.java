package org.trellis.matrices.generate;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;

/**
 * A generated matrix as text: {@code kind} or {@code kind:key=value,key=value}, for example
 * {@code poisson2d:nx=1000,ny=2^10}. Numbers may be written {@code 1e6}, {@code 2^20} or {@code 1_000_000}.
 *
 * @param kind      the generator
 * @param arguments the arguments as they were written, in their order; parameters that are missing have their defaults
 */
public record MatrixSpec(GeneratorKind kind, Map<String, String> arguments) {
    /**
     * Checks the arguments.
     *
     * @throws IllegalArgumentException if a name is unknown or a value unusable
     */
    public MatrixSpec {
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
        kind.generator(arguments);
    }

    /**
     * Parses a specification.
     *
     * @param text the specification
     * @return the generator and its arguments, checked
     * @throws IllegalArgumentException if the text is none: unknown generator or parameter, a value of the wrong type
     *                                  or out of range, or a syntax error; names the part and what was expected
     */
    public static MatrixSpec parse(String text) {
        int colon = text.indexOf(':');
        GeneratorKind kind = GeneratorKind.named(colon < 0 ? text : text.substring(0, colon));
        Map<String, String> arguments = new LinkedHashMap<>();
        if (colon >= 0 && colon < text.length() - 1) {
            for (String part : text.substring(colon + 1).split(",", -1)) {
                int equals = part.indexOf('=');
                if (equals < 1 || equals == part.length() - 1) {
                    throw new IllegalArgumentException(
                            "generator " + kind.name() + ": '" + part + "', expected parameter=value");
                }
                String name = part.substring(0, equals);
                if (arguments.put(name, part.substring(equals + 1)) != null) {
                    throw new IllegalArgumentException("generator " + kind.name() + ": " + name
                            + " is given twice, expected once");
                }
            }
        }
        return new MatrixSpec(kind, arguments);
    }

    /**
     * Parses a text that may be something else, for example the path of a file.
     *
     * @param text any text
     * @return the specification, or nothing if what stands before the first colon is not the name of a generator
     * @throws IllegalArgumentException if it is, but the arguments are wrong
     */
    public static Optional<MatrixSpec> parseIfSpec(String text) {
        int colon = text.indexOf(':');
        return GeneratorKind.find(colon < 0 ? text : text.substring(0, colon)).map(kind -> parse(text));
    }

    /**
     * Makes the matrix.
     *
     * @param precision the type of the values
     * @param progress  hears of the rows or edges done
     * @return a new matrix
     * @throws IllegalArgumentException if the matrix does not fit the heap of this JVM
     */
    public CsrMatrix generate(Precision precision, ProgressListener progress) {
        return kind.generate(arguments, precision, progress);
    }

    /**
     * Returns the specification as text.
     *
     * @return what {@link #parse} takes
     */
    @Override
    public String toString() {
        return arguments.isEmpty()
                ? kind.name()
                : kind.name() + arguments.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(",", ":", ""));
    }
}
