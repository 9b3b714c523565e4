package org.trellis.processor.model;

import java.util.List;
import org.trellis.processor.diagnostic.Position;

/**
 * A kernel or a kernel function.
 *
 * @param name       its name
 * @param result     the type of its result; {@link ValueType#VOID} for kernels
 * @param parameters its parameters
 * @param body       its statements
 * @param at         where it is declared
 */
public record Method(String name, ValueType result, List<Parameter> parameters, List<Statement> body, Position at) {
    /** Keeps copies of the lists. */
    public Method {
        parameters = List.copyOf(parameters);
        body = List.copyOf(body);
    }
}
