package org.trellis.processor.model;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.processor.diagnostic.Position;

/**
 * The heading of an annotated method as it is written, before anything is known to be right about it.
 *
 * @param name       the method's name
 * @param kernel     true for a kernel, false for a kernel function
 * @param modifiers  its modifiers, in lower case; {@code generic}, {@code varargs} and {@code throws} are among them if
 *                   they apply, and {@code hidden} if it or a class around it is private
 * @param result     its result type as written
 * @param parameters its parameters
 * @param at         where it is declared
 */
public record Heading(String name, boolean kernel, Set<String> modifiers, String result,
        List<HeadingParameter> parameters, Position at) {
    /** Keeps copies. */
    public Heading {
        modifiers = Set.copyOf(modifiers);
        parameters = List.copyOf(parameters);
    }

    /**
     * A parameter as it is written.
     *
     * @param name        its name
     * @param type        its type
     * @param descriptors its access descriptors
     * @param at          where it is declared
     */
    public record HeadingParameter(String name, String type, List<Descriptor> descriptors, Position at) {
        /** Keeps a copy of the descriptors. */
        public HeadingParameter {
            descriptors = List.copyOf(descriptors);
        }
    }

    /**
     * An access descriptor.
     *
     * @param access which
     * @param values its elements by name, defaults included
     */
    public record Descriptor(Access access, Map<String, Object> values) {
        /** Keeps a copy of the values. */
        public Descriptor {
            values = Map.copyOf(values);
        }

        /**
         * Returns a number.
         *
         * @param name     the element
         * @param fallback the number if there is no such element
         * @return its value
         */
        public int number(String name, int fallback) {
            return values.get(name) instanceof Integer number ? number : fallback;
        }

        /**
         * Returns a text.
         *
         * @param name the element
         * @return its value, or an empty string
         */
        public String text(String name) {
            return values.get(name) instanceof String text ? text : "";
        }
    }
}
