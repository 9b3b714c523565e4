package org.trellis.processor.model;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A class with kernels.
 *
 * @param packageName its package, empty for the unnamed one
 * @param name        its name within the package, {@code Outer.Inner} for a nested class
 * @param isPublic    whether it can be seen outside its package
 * @param kernels     its kernels, in order
 * @param functions   its kernel functions by name
 * @param contracted  the names of the kernels whose products and sums may be contracted
 */
public record KernelClass(String packageName, String name, boolean isPublic, List<Method> kernels,
        Map<String, Method> functions, Set<String> contracted) {
    /** Keeps copies. */
    public KernelClass {
        kernels = List.copyOf(kernels);
        functions = Map.copyOf(functions);
        contracted = Set.copyOf(contracted);
    }

    /**
     * Returns the stem of the names of generated classes.
     *
     * @return the name with nesting written as underscores
     */
    public String stem() {
        return name.replace('.', '_');
    }
}
