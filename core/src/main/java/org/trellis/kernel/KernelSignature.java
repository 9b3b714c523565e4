package org.trellis.kernel;

import java.util.List;
import java.util.Objects;

/**
 * What a kernel takes.
 *
 * @param name      class and method, {@code Airfoil.resCalc}
 * @param arguments its parameters in order
 */
public record KernelSignature(String name, List<ArgumentSignature> arguments) {
    /** Keeps a copy of the list. */
    public KernelSignature {
        Objects.requireNonNull(name);
        arguments = List.copyOf(arguments);
    }

    /**
     * Returns the number of parameters.
     *
     * @return how many arguments a loop binds
     */
    public int arity() {
        return arguments.size();
    }
}
