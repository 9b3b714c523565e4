package org.trellis.matrices.generate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;

/** A generator by name, with parameters given as text: for command lines and specifications. */
public final class GeneratorKind {
    private final String name;
    private final String description;
    private final List<Parameter> parameters;
    private final Function<Arguments, MatrixGenerator> factory;

    GeneratorKind(String name, String description, List<Parameter> parameters,
            Function<Arguments, MatrixGenerator> factory) {
        this.name = name;
        this.description = description;
        this.parameters = List.copyOf(parameters);
        this.factory = factory;
    }

    /**
     * Returns all generators.
     *
     * @return the kinds in the order of the reference page
     */
    public static List<GeneratorKind> all() {
        return GeneratorKinds.ALL;
    }

    /**
     * Finds a generator.
     *
     * @param name its name
     * @return the kind
     * @throws IllegalArgumentException if there is none of that name; lists those that there are
     */
    public static GeneratorKind named(String name) {
        return find(name).orElseThrow(() -> {
            List<String> names = all().stream().map(GeneratorKind::name).toList();
            return new IllegalArgumentException("generator '" + name + "' is unknown, expected one of "
                    + String.join(", ", names) + Suggestions.phrase(name, names));
        });
    }

    /**
     * Looks for a generator.
     *
     * @param name a name
     * @return the kind, if there is one of that name
     */
    public static Optional<GeneratorKind> find(String name) {
        return all().stream().filter(kind -> kind.name.equals(name)).findFirst();
    }

    /**
     * Returns the name.
     *
     * @return for example {@code poisson2d}
     */
    public String name() {
        return name;
    }

    /**
     * Returns what is generated.
     *
     * @return one sentence
     */
    public String description() {
        return description;
    }

    /**
     * Returns the parameters.
     *
     * @return all of them, in the order of the reference page
     */
    public List<Parameter> parameters() {
        return parameters;
    }

    /**
     * Makes a generator.
     *
     * @param arguments texts by parameter name; a parameter that is missing has its default
     * @return the generator, which has made nothing yet
     * @throws IllegalArgumentException if a name is unknown or a value unusable; names the parameter, the value and
     *                                  what was expected
     */
    public MatrixGenerator generator(Map<String, String> arguments) {
        return factory.apply(Arguments.of(name, parameters, arguments));
    }

    /**
     * Makes a matrix.
     *
     * @param arguments texts by parameter name; a parameter that is missing has its default
     * @param precision the type of the values
     * @param progress  receives the rows or edges done
     * @return a new matrix
     * @throws IllegalArgumentException if a name is unknown, a value unusable, or the matrix does not fit the heap
     */
    public CsrMatrix generate(Map<String, String> arguments, Precision precision, ProgressListener progress) {
        return generator(arguments).generate(precision, progress);
    }

    @Override
    public String toString() {
        return name;
    }
}
