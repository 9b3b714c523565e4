package org.trellis.fem;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.trellis.common.Checks;
import org.trellis.fem.space.FunctionSpace;

/**
 * Which unknowns have given values (Dirichlet conditions), and which values. Unknown {@code node * fields + field} is
 * that of a field at a node.
 */
public final class Constraints {
    private final FunctionSpace space;
    private final int fields;
    private final boolean[] fixed;
    private final double[] values;

    private Constraints(FunctionSpace space, int fields) {
        this.space = space;
        this.fields = Checks.positive("fields", fields);
        this.fixed = new boolean[space.nodes() * fields];
        this.values = new double[space.nodes() * fields];
    }

    /**
     * Begins without constraints.
     *
     * @param space  the nodes
     * @param fields components of the unknown function
     * @return none yet
     * @throws IllegalArgumentException if there is less than one field
     */
    public static Constraints none(FunctionSpace space, int fields) {
        return new Constraints(space, fields);
    }

    /**
     * Fixes a scalar function on the whole boundary.
     *
     * @param space the nodes
     * @param value its value at a place
     * @return the constraints
     * @throws IllegalArgumentException if a value is not finite; names the node
     */
    public static Constraints onBoundary(FunctionSpace space, ToDoubleFunction<double[]> value) {
        return none(space, 1).fix(space.boundaryNodes(), 0, value);
    }

    /**
     * Fixes a field at some nodes. Later values replace earlier ones.
     *
     * @param nodes which nodes
     * @param field which field
     * @param value its value at a place
     * @return this
     * @throws IndexOutOfBoundsException if there is no such node or field
     * @throws IllegalArgumentException  if a value is not finite; names the node
     */
    public Constraints fix(int[] nodes, int field, ToDoubleFunction<double[]> value) {
        Checks.index("field", field, fields);
        int dimension = space.mesh().dimension();
        for (int node : nodes) {
            Checks.index("node", node, space.nodes());
            double[] x = Arrays.copyOfRange(space.coordinates(), dimension * node, dimension * (node + 1));
            double given = value.applyAsDouble(x);
            if (!Double.isFinite(given)) {
                throw new IllegalArgumentException("value of node " + node + " at " + Arrays.toString(x) + " is "
                        + given + ", expected a finite number: boundary data are missing there");
            }
            fixed[node * fields + field] = true;
            values[node * fields + field] = given;
        }
        return this;
    }

    /**
     * Returns the nodes.
     *
     * @return as given
     */
    public FunctionSpace space() {
        return space;
    }

    /**
     * Returns the number of fields.
     *
     * @return as given
     */
    public int fields() {
        return fields;
    }

    /**
     * Says whether an unknown is fixed.
     *
     * @param unknown {@code node * fields + field}
     * @return whether it has a given value
     */
    public boolean isFixed(int unknown) {
        return fixed[unknown];
    }

    /**
     * Returns the value of an unknown that is fixed.
     *
     * @param unknown {@code node * fields + field}
     * @return its value, 0 of one that is free
     */
    public double value(int unknown) {
        return values[unknown];
    }

    boolean any() {
        for (boolean one : fixed) {
            if (one) {
                return true;
            }
        }
        return false;
    }
}
