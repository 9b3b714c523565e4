package org.trellis.processor.model;

import java.util.List;
import org.trellis.processor.diagnostic.Position;

/** A typed expression without side effects. */
public sealed interface Expression {
    /**
     * Returns the type of the value.
     *
     * @return the type
     */
    ValueType type();

    /**
     * A number, in double precision.
     *
     * @param value the value
     */
    record Real(double value) implements Expression {
        @Override
        public ValueType type() {
            return ValueType.REAL;
        }
    }

    /**
     * An integer.
     *
     * @param value the value
     */
    record Int(int value) implements Expression {
        @Override
        public ValueType type() {
            return ValueType.INT;
        }
    }

    /**
     * A truth value.
     *
     * @param value the value
     */
    record Bool(boolean value) implements Expression {
        @Override
        public ValueType type() {
            return ValueType.BOOLEAN;
        }
    }

    /**
     * A local variable, a loop variable or a scalar parameter.
     *
     * @param name its name
     * @param type its type
     */
    record Local(String name, ValueType type) implements Expression {}

    /**
     * A component of an array: of a parameter or of a local array.
     *
     * @param array   the array
     * @param indices one or two indices
     * @param type    the type of the component
     * @param at      where it is used
     */
    record Element(String array, List<Expression> indices, ValueType type, Position at) implements Expression {
        /** Keeps a copy of the indices. */
        public Element {
            indices = List.copyOf(indices);
        }
    }

    /**
     * An array or a row of one, as the argument of a function.
     *
     * @param array   the array
     * @param indices none, or the index of the row
     * @param rank    how many further indices lead to a component
     * @param type    the type of the components
     * @param at      where it is used
     */
    record View(String array, List<Expression> indices, int rank, ValueType type, Position at) implements Expression {
        /** Keeps a copy of the indices. */
        public View {
            indices = List.copyOf(indices);
        }
    }

    /**
     * The number of entries of a parameter of variable arity.
     *
     * @param array the parameter
     */
    record Length(String array) implements Expression {
        @Override
        public ValueType type() {
            return ValueType.INT;
        }
    }

    /**
     * An operator with one operand.
     *
     * @param operator {@code -}, {@code ~} or {@code !}
     * @param operand  the operand
     */
    record Unary(String operator, Expression operand) implements Expression {
        @Override
        public ValueType type() {
            return operand.type();
        }
    }

    /**
     * An operator with two operands of the same type, but for shifts.
     *
     * @param operator as in Java
     * @param left     the left operand
     * @param right    the right operand
     * @param type     the type of the result
     * @param at       where it is used
     */
    record Binary(String operator, Expression left, Expression right, ValueType type, Position at)
            implements
                Expression {}

    /**
     * One of two values.
     *
     * @param condition what decides
     * @param whenTrue  the value if it holds
     * @param whenFalse the value if it does not
     */
    record Conditional(Expression condition, Expression whenTrue, Expression whenFalse) implements Expression {
        @Override
        public ValueType type() {
            return whenTrue.type();
        }
    }

    /**
     * A conversion between real and integer.
     *
     * @param type    the target
     * @param operand the operand, of the other type
     */
    record Cast(ValueType type, Expression operand) implements Expression {}

    /**
     * A method of {@code Math}.
     *
     * @param function  which
     * @param arguments its arguments, all of the type
     * @param type      the type of the result
     */
    record MathCall(MathFunction function, List<Expression> arguments, ValueType type) implements Expression {
        /** Keeps a copy of the arguments. */
        public MathCall {
            arguments = List.copyOf(arguments);
        }
    }

    /**
     * A value of a raster, interpolated at a place.
     *
     * @param raster    the parameter
     * @param component which of its components
     * @param arguments the coordinates of the place
     * @param at        where it is used
     */
    record Sample(String raster, int component, List<Expression> arguments, Position at) implements Expression {
        /** Keeps a copy of the coordinates. */
        public Sample {
            arguments = List.copyOf(arguments);
        }

        @Override
        public ValueType type() {
            return ValueType.REAL;
        }
    }

    /**
     * A product and a sum: rounded once where the machine can, twice elsewhere. Not in source: made of products and
     * sums of kernels that allow it.
     *
     * @param left  a factor
     * @param right the other factor
     * @param sum   what is added to the product
     */
    record Contracted(Expression left, Expression right, Expression sum) implements Expression {
        @Override
        public ValueType type() {
            return ValueType.REAL;
        }
    }

    /**
     * A call of a kernel function.
     *
     * @param function  its name
     * @param arguments values and views
     * @param type      the type of the result
     * @param at        where it is called
     */
    record Call(String function, List<Expression> arguments, ValueType type, Position at) implements Expression {
        /** Keeps a copy of the arguments. */
        public Call {
            arguments = List.copyOf(arguments);
        }
    }
}
