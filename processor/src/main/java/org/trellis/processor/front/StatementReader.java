package org.trellis.processor.front;

import com.sun.source.tree.ArrayTypeTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.EmptyStatementTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.PrimitiveTypeTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.lang.model.type.TypeKind;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.diagnostic.KernelError;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/** Reads the statements of one method. An error ends the statement that has it; the next one is read all the same. */
final class StatementReader {
    private final SourcePositions places;
    private final ExpressionReader expressions;
    private final LoopReader loops;
    private final Diagnostics diagnostics;
    private final ValueType result;

    StatementReader(SourcePositions places, ExpressionReader expressions, ValueType result) {
        this.places = places;
        this.expressions = expressions;
        this.loops = new LoopReader(places, expressions);
        this.diagnostics = places;
        this.result = result;
    }

    /** Reads the statements of a method's body. */
    List<Statement> body(BlockTree tree, Scope parameters) {
        Scope scope = new Scope(parameters);
        List<Statement> statements = new ArrayList<>();
        List<? extends StatementTree> lines = tree.getStatements();
        for (int i = 0; i < lines.size(); i++) {
            if (i == lines.size() - 1 && lines.get(i) instanceof ReturnTree last) {
                guarded(statements, () -> result(last, scope));
            } else {
                read(lines.get(i), scope, statements);
            }
        }
        if (result != ValueType.VOID && (lines.isEmpty() || !(lines.getLast() instanceof ReturnTree))) {
            diagnostics.error(Code.RETURN, places.at(lines.isEmpty() ? tree : lines.getLast()),
                    "the function has to end with the return of its value; choose between values with if, else or ?:");
        }
        return statements;
    }

    private Statement result(ReturnTree tree, Scope scope) {
        if ((tree.getExpression() == null) != (result == ValueType.VOID)) {
            throw expressions.error(Code.MISMATCH, tree, "expected a result of type " + result.source());
        }
        Expression value = tree.getExpression() == null
                ? null
                : expressions.value(tree.getExpression(), scope, result);
        return new Statement.Return(value, places.at(tree));
    }

    /** Something that yields a statement or fails. */
    @FunctionalInterface
    private interface Reading {
        Statement read();
    }

    private void guarded(List<Statement> statements, Reading reading) {
        try {
            statements.add(reading.read());
        } catch (KernelError e) {
            e.report(diagnostics);
        }
    }

    private void read(StatementTree tree, Scope scope, List<Statement> statements) {
        switch (tree) {
            case EmptyStatementTree _ -> {
                // Nothing to do.
            }
            case VariableTree variable -> guarded(statements, () -> declaration(variable, scope));
            case ExpressionStatementTree line ->
                guarded(statements, () -> expression(tree, line.getExpression(), scope));
            case BlockTree block ->
                statements.add(new Statement.Block(nested(block, new Scope(scope)), places.at(tree)));
            case IfTree branch -> guarded(statements, () -> branch(branch, scope));
            case ForLoopTree loop -> guarded(statements, () -> {
                Scope inner = new Scope(scope);
                LoopReader.Header header = loops.header(loop, inner);
                return header.loop(nested(loop.getStatement(), new Scope(inner)), places.at(tree));
            });
            case ReturnTree _ -> diagnostics.error(Code.RETURN, places.at(tree),
                    "a return is allowed as the last statement of a method only; use if and else");
            default -> diagnostics.error(Code.STATEMENT, places.at(tree), "this statement ("
                    + tree.getKind().toString().toLowerCase(Locale.ROOT).replace('_', ' ')
                    + ") is not part of the kernel language");
        }
    }

    private List<Statement> nested(StatementTree tree, Scope scope) {
        List<Statement> statements = new ArrayList<>();
        if (tree instanceof BlockTree block) {
            block.getStatements().forEach(line -> read(line, scope, statements));
        } else if (tree != null) {
            read(tree, scope, statements);
        }
        return statements;
    }

    private Statement branch(IfTree tree, Scope scope) {
        Expression condition = expressions.value(tree.getCondition(), scope, ValueType.BOOLEAN);
        return new Statement.If(condition, nested(tree.getThenStatement(), new Scope(scope)),
                nested(tree.getElseStatement(), new Scope(scope)), places.at(tree));
    }

    private Statement declaration(VariableTree tree, Scope scope) {
        if (tree.getType() == null || "var".equals(tree.getType().toString())) {
            throw expressions.error(Code.VAR, tree, "'" + tree.getName()
                    + "' has no type; write double, int or boolean instead of var");
        }
        String name = tree.getName().toString();
        int rank = 0;
        Tree type = tree.getType();
        while (type instanceof ArrayTypeTree array) {
            type = array.getType();
            rank++;
        }
        ValueType components = scalar(type);
        if (rank == 0) {
            // Declared first, so that errors in the value are not followed by others about the name.
            scope.declare(Symbol.scalar(name, components));
            Expression value = tree.getInitializer() == null
                    ? null
                    : expressions.value(tree.getInitializer(), scope, components);
            return new Statement.Declare(name, components, value, places.at(tree));
        }
        return array(tree, name, components, rank, scope);
    }

    private ValueType scalar(Tree type) {
        TypeKind kind = type instanceof PrimitiveTypeTree primitive ? primitive.getPrimitiveTypeKind() : TypeKind.NONE;
        return switch (kind) {
            case DOUBLE -> ValueType.REAL;
            case INT -> ValueType.INT;
            case BOOLEAN -> ValueType.BOOLEAN;
            default -> throw expressions.error(Code.TYPE, type,
                    "the type " + type + " is not supported; kernels compute with double "
                            + "(which stands for the precision of the loop), int and boolean");
        };
    }

    private Statement array(VariableTree tree, String name, ValueType type, int rank, Scope scope) {
        ExpressionTree value = tree.getInitializer();
        if (!(value instanceof NewArrayTree creation)) {
            Code code = value == null ? Code.ARRAY : Code.ALIAS;
            throw expressions.error(code, tree, "'" + name + "' has to be a new array of fixed size, "
                    + "such as new double[4] or {1.0, 2.0}");
        }
        if (rank > 2 || type == ValueType.BOOLEAN) {
            throw expressions.error(Code.ARRAY, tree,
                    "local arrays are of double or int and have one or two dimensions");
        }
        List<Integer> lengths = new ArrayList<>();
        List<Expression> values = new ArrayList<>();
        if (creation.getInitializers() != null) {
            initializers(creation, type, rank, scope, lengths, values);
        } else {
            for (ExpressionTree dimension : creation.getDimensions()) {
                lengths.add(length(dimension, scope));
            }
        }
        if (lengths.size() != rank) {
            throw expressions.error(Code.ARRAY, tree, "every length of the array '" + name + "' has to be given");
        }
        scope.declare(new Symbol(name, type, rank, lengths));
        return new Statement.DeclareArray(name, type, lengths, values, places.at(tree));
    }

    private int length(ExpressionTree tree, Scope scope) {
        Object length = expressions.constants().evaluate(tree, scope).orElse(null);
        if (length instanceof Integer size && size > 0) {
            return size;
        }
        throw expressions.error(Code.ARRAY, tree, "the length of a local array has to be a constant of at least 1"
                + (length == null ? "" : ", found " + length));
    }

    private void initializers(NewArrayTree tree, ValueType type, int rank, Scope scope, List<Integer> lengths,
            List<Expression> values) {
        List<? extends ExpressionTree> parts = tree.getInitializers();
        if (parts.isEmpty()) {
            throw expressions.error(Code.ARRAY, tree, "a local array has at least one component");
        }
        lengths.add(parts.size());
        int columns = 0;
        for (ExpressionTree part : parts) {
            if (rank == 1) {
                values.add(expressions.value(part, scope, type));
            } else if (part instanceof NewArrayTree row && row.getInitializers() != null
                    && (columns == 0 || columns == row.getInitializers().size())) {
                columns = row.getInitializers().size();
                initializers(row, type, 1, scope, new ArrayList<>(), values);
            } else {
                throw expressions.error(Code.ARRAY, part, "the rows of a local array have the same number of values");
            }
        }
        if (rank == 2) {
            lengths.add(columns);
        }
    }

    private Statement expression(Tree at, ExpressionTree tree, Scope scope) {
        return switch (tree) {
            case AssignmentTree assignment -> {
                Expression target = expressions.target(assignment.getVariable(), scope);
                Expression value = expressions.value(assignment.getExpression(), scope, target.type());
                yield new Statement.Assign(target, "", value, places.at(at));
            }
            case CompoundAssignmentTree assignment -> {
                Expression target = expressions.target(assignment.getVariable(), scope);
                Expression value = expressions.value(assignment.getExpression(), scope);
                yield compound(at, target, Operators.symbol(tree.getKind()), value);
            }
            case UnaryTree unary -> {
                String operator = switch (tree.getKind()) {
                    case PREFIX_INCREMENT, POSTFIX_INCREMENT -> "+";
                    case PREFIX_DECREMENT, POSTFIX_DECREMENT -> "-";
                    default -> throw expressions.error(Code.STATEMENT, at, "this is not a statement");
                };
                yield compound(at, expressions.target(unary.getExpression(), scope), operator, new Expression.Int(1));
            }
            case MethodInvocationTree invocation -> {
                Expression call = expressions.call(invocation, scope);
                if (call instanceof Expression.Call function) {
                    yield new Statement.Evaluate(function, places.at(at));
                }
                throw expressions.error(Code.STATEMENT, at, "the value of the call is not used");
            }
            default -> throw expressions.error(Code.STATEMENT, at, "this is not a statement of the kernel language");
        };
    }

    private Statement compound(Tree at, Expression target, String operator, Expression value) {
        // Checks the types; the result of the operator has to be the target's own type.
        Expression combined = expressions.binary(at, operator, target, value);
        if (combined.type() != target.type()) {
            throw expressions.error(Code.MISMATCH, at, "expected " + target.type().source() + ", found "
                    + combined.type().source() + "; an int is not narrowed silently in kernels");
        }
        Expression right = ((Expression.Binary) combined).right();
        return new Statement.Assign(target, operator, right, places.at(at));
    }
}
