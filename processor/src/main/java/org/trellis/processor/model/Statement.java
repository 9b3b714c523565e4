package org.trellis.processor.model;

import java.util.List;
import org.trellis.processor.diagnostic.Position;

/** A statement. */
public sealed interface Statement {
    /**
     * Returns where the statement is.
     *
     * @return its place in the source
     */
    Position at();

    /**
     * Declares a scalar.
     *
     * @param name  its name
     * @param type  its type
     * @param value its first value, or null
     * @param at    where
     */
    record Declare(String name, ValueType type, Expression value, Position at) implements Statement {}

    /**
     * Declares an array of fixed size.
     *
     * @param name    its name
     * @param type    the type of its components
     * @param lengths one or two lengths
     * @param values  the values of all components, row by row, or none if they are zero
     * @param at      where
     */
    record DeclareArray(String name, ValueType type, List<Integer> lengths, List<Expression> values, Position at)
            implements
                Statement {
        /** Keeps copies of the lists. */
        public DeclareArray {
            lengths = List.copyOf(lengths);
            values = List.copyOf(values);
        }
    }

    /**
     * Assigns.
     *
     * @param target   a {@link Expression.Local} or a {@link Expression.Element}
     * @param operator empty for a plain assignment, or the operator of a compound one
     * @param value    the right side, of the target's type
     * @param at       where
     */
    record Assign(Expression target, String operator, Expression value, Position at) implements Statement {}

    /**
     * Runs one of two branches.
     *
     * @param condition what decides
     * @param whenTrue  the branch if it holds
     * @param whenFalse the branch if it does not; may be empty
     * @param at        where
     */
    record If(Expression condition, List<Statement> whenTrue, List<Statement> whenFalse, Position at)
            implements
                Statement {
        /** Keeps copies of the branches. */
        public If {
            whenTrue = List.copyOf(whenTrue);
            whenFalse = List.copyOf(whenFalse);
        }
    }

    /**
     * Counts.
     *
     * @param variable the loop variable
     * @param first    its first value
     * @param step     the distance between values
     * @param count    how many times the body runs; without meaning if {@code rows} is given
     * @param rows     the parameter of variable arity over whose entries the loop runs, from {@code first} = 0 by 1, or
     *                 an empty string
     * @param body     what is run
     * @param at       where
     */
    record Loop(String variable, int first, int step, int count, String rows, List<Statement> body, Position at)
            implements
                Statement {
        /** Keeps a copy of the body. */
        public Loop {
            body = List.copyOf(body);
        }
    }

    /**
     * Groups statements, with a scope of their own.
     *
     * @param body the statements
     * @param at   where
     */
    record Block(List<Statement> body, Position at) implements Statement {
        /** Keeps a copy of the body. */
        public Block {
            body = List.copyOf(body);
        }
    }

    /**
     * Ends a function.
     *
     * @param value its result, or null
     * @param at    where
     */
    record Return(Expression value, Position at) implements Statement {}

    /**
     * Calls a function for its effect on arrays.
     *
     * @param call the call
     * @param at   where
     */
    record Evaluate(Expression.Call call, Position at) implements Statement {}

    /**
     * Combines a value with a global reduction. Not in source: made of assignments to such parameters.
     *
     * @param parameter the index of the parameter
     * @param component which component
     * @param access    sum, minimum or maximum
     * @param value     the value; of a sum, with its sign
     * @param at        where
     */
    record Reduce(int parameter, int component, Access access, Expression value, Position at) implements Statement {}
}
