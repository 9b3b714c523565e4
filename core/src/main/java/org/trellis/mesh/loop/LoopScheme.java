package org.trellis.mesh.loop;

import java.util.Arrays;
import java.util.Locale;

/**
 * How the elements of a loop are run without two threads adding to the same target at once (thesis, section 7.1; Sulyok
 * et al., Locality optimised unstructured mesh algorithms on GPUs).
 */
public enum LoopScheme {
    /** Elements in their order, without colours: loops without indirect increments, and loops on one thread. */
    IN_ORDER,
    /** Blocks of consecutive elements in parallel, colour by colour; elements of a block in their order. */
    TWO_LEVEL,
    /** Blocks in parallel, colour by colour; elements of a block sorted by colours of their own. */
    BLOCK_PERMUTE,
    /** One colouring of all elements; elements of a colour in parallel. */
    FULL_PERMUTE,
    /** Increments stored in a temporary array, then gathered by their targets. */
    TEMPORARY,
    /**
     * Each block owns consecutive targets and runs all elements that touch them; elements on a border run more than
     * once. For loops that write nothing but increments through maps to one set.
     */
    OWNER_COMPUTE,
    /**
     * Each target runs the kernel for all elements that add to it, and keeps what is its own: nothing is stored in
     * between and nothing conflicts, but an element runs once for each of its targets. For loops that write nothing but
     * increments through maps of fixed arity to one set. On GPUs only.
     */
    RECOMPUTE,
    /**
     * All elements at once, increments added atomically: in no fixed order, so that results differ in rounding from run
     * to run. On GPUs only.
     */
    ATOMICS;

    /**
     * Returns the name used on the command line and in files.
     *
     * @return a lower-case word, for example {@code two-level}
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns the scheme of a given name.
     *
     * @param label for example {@code two-level}
     * @return the scheme
     * @throws IllegalArgumentException if there is none; lists those that there are
     */
    public static LoopScheme of(String label) {
        for (LoopScheme scheme : values()) {
            if (scheme.label().equals(label)) {
                return scheme;
            }
        }
        throw new IllegalArgumentException("scheme is '" + label + "', expected one of "
                + Arrays.stream(values()).map(LoopScheme::label).toList());
    }
}
