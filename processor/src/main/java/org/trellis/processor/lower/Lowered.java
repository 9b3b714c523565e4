package org.trellis.processor.lower;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.Statement;

/**
 * A kernel whose body computes with local variables only, but for rows of maps of variable arity.
 *
 * @param name          its name
 * @param parameters    its parameters
 * @param body          statements over local variables, {@link Statement.Reduce} and elements of variable rows
 * @param loads         the components that are read, under the names that {@link Component#local} gives
 * @param stores        the components that are written, with the local variables that hold them at the end
 * @param contributions the increments that are made once and unconditionally
 * @param accumulators  the other increments: they are summed up in the variables that {@link Component#local} names,
 *                      which start at zero, and end in those given here
 */
public record Lowered(String name, List<Parameter> parameters, List<Statement> body, Set<Component> loads,
        Map<Component, String> stores, Map<Component, Contribution> contributions,
        Map<Component, String> accumulators) {
    /**
     * A component of a parameter.
     *
     * @param parameter the parameter's index
     * @param entry     the entry, 0 if there is one
     * @param component the component
     */
    public record Component(int parameter, int entry, int component) implements Comparable<Component> {
        /**
         * Returns the local variable that holds the component at first.
         *
         * @return a name that no variable of a kernel has
         */
        public String local() {
            return "p" + parameter + "e" + entry + "c" + component;
        }

        @Override
        public int compareTo(Component other) {
            int first = Integer.compare(parameter, other.parameter);
            int second = first != 0 ? first : Integer.compare(entry, other.entry);
            return second != 0 ? second : Integer.compare(component, other.component);
        }
    }

    /**
     * One increment.
     *
     * @param sign  1 or −1
     * @param local the variable that is added
     */
    public record Contribution(int sign, String local) {}

    /**
     * Says whether products and sums were contracted.
     *
     * @return true if any were
     */
    public boolean contracted() {
        boolean[] found = {false};
        Statements.visit(body, statement -> Statements.read(statement,
                part -> found[0] |= part instanceof Expression.Contracted));
        return found[0];
    }

    /**
     * Says whether a parameter holds a row of a map of variable arity.
     *
     * @return true if any does
     */
    public boolean variable() {
        return parameters.stream().anyMatch(Parameter::variable);
    }
}
