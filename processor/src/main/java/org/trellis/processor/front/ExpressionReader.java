package org.trellis.processor.front;

import com.sun.source.tree.ArrayAccessTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.tree.UnaryTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.KernelError;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.MathFunction;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.ValueType;

/** Reads and types expressions. */
final class ExpressionReader {
    /** The method of rasters that kernels call. */
    private static final String SAMPLE = "linear";
    private static final int LEAST_SAMPLE = 3;
    private static final int MOST_SAMPLE = 4;
    private static final Set<String> COMPARISONS = Set.of("<", "<=", ">", ">=");
    private static final Set<String> BIT_OPERATORS = Set.of("&", "|", "^");
    private static final Set<String> SHIFTS = Set.of("<<", ">>", ">>>");

    private final SourcePositions places;
    private final ConstantNames names;
    private final Constants constants;
    private final Map<String, Method> functions;

    /**
     * Creates a reader.
     *
     * @param functions the headings of the functions that may be called, by name
     */
    ExpressionReader(SourcePositions places, ConstantNames names, Map<String, Method> functions) {
        this.places = places;
        this.names = names;
        this.constants = new Constants(names);
        this.functions = functions;
    }

    Constants constants() {
        return constants;
    }

    /** Reads an expression with a value. */
    Expression value(ExpressionTree tree, Scope scope) {
        Optional<Object> constant = constants.evaluate(tree, scope);
        if (constant.isPresent()) {
            return literal(tree, constant.get());
        }
        return switch (tree) {
            case ParenthesizedTree inner -> value(inner.getExpression(), scope);
            case IdentifierTree name -> name(name, scope);
            case MemberSelectTree select -> length(select, scope);
            case ArrayAccessTree access -> element(access, scope);
            case UnaryTree unary -> unary(unary, scope);
            case BinaryTree binary -> binary(binary, scope);
            case ConditionalExpressionTree conditional -> conditional(conditional, scope);
            case TypeCastTree cast -> cast(cast, scope);
            case MethodInvocationTree call -> call(call, scope);
            case AssignmentTree _,CompoundAssignmentTree _ -> throw error(Code.ASSIGNMENT_VALUE, tree,
                    "an assignment is not a value in kernels; write it as a statement of its own");
            default -> throw unsupported(tree);
        };
    }

    /** Reads an expression of a given type, widening {@code int} to {@code double}. */
    Expression value(ExpressionTree tree, Scope scope, ValueType type) {
        return convert(value(tree, scope), type, tree);
    }

    /** Widens {@code int} to {@code double} if that is requested; anything else has to fit. */
    Expression convert(Expression value, ValueType type, Tree at) {
        if (value.type() == type) {
            return value;
        }
        if (type == ValueType.REAL && value.type() == ValueType.INT) {
            return value instanceof Expression.Int constant
                    ? new Expression.Real(constant.value())
                    : new Expression.Cast(ValueType.REAL, value);
        }
        throw error(Code.MISMATCH, at, "expected " + type.source() + ", found " + value.type().source()
                + (type == ValueType.INT && value.type() == ValueType.REAL ? "; write the cast (int)" : ""));
    }

    /** Reads what an array access or a name means as the target of an assignment. */
    Expression target(ExpressionTree tree, Scope scope) {
        return switch (tree) {
            case ParenthesizedTree inner -> target(inner.getExpression(), scope);
            case IdentifierTree name when scope.find(name.toString()) != null -> {
                Symbol symbol = scope.find(name.toString());
                if (symbol.rank() > 0) {
                    throw error(Code.ALIAS, tree, "the array '" + name
                            + "' cannot be assigned as a whole; assign its components");
                }
                yield new Expression.Local(symbol.name(), symbol.type());
            }
            case ArrayAccessTree access -> element(access, scope);
            default -> throw error(Code.NAME, tree, "'" + tree
                    + "' cannot be assigned; kernels assign local variables and components of their arrays");
        };
    }

    private Expression literal(Tree tree, Object value) {
        return switch (value) {
            case Integer i -> new Expression.Int(i);
            case Double d -> new Expression.Real(d);
            case Float f -> new Expression.Real(f);
            case Boolean b -> new Expression.Bool(b);
            default -> throw error(Code.TYPE, tree, "a value of type " + unboxed(value)
                    + " is not supported; kernels compute with double, int and boolean");
        };
    }

    private static String unboxed(Object value) {
        return value instanceof Long ? "long" : value.getClass().getSimpleName();
    }

    private Expression name(IdentifierTree tree, Scope scope) {
        Symbol symbol = scope.find(tree.toString());
        if (symbol == null) {
            throw error(Code.NAME, tree,
                    "'" + tree + "' is neither a local variable nor a parameter nor a constant whose "
                            + "value the compiler knows; pass other values as @Constant or @GlobalRead parameters");
        }
        if (symbol.rank() > 0) {
            throw error(Code.ALIAS, tree, "the array '" + tree
                    + "' is used as a value; use its components, or hand it to a kernel function");
        }
        return new Expression.Local(symbol.name(), symbol.type());
    }

    private Expression length(MemberSelectTree tree, Scope scope) {
        if ("length".contentEquals(tree.getIdentifier()) && tree.getExpression() instanceof IdentifierTree name) {
            Symbol symbol = scope.find(name.toString());
            if (symbol != null && symbol.rank() > 0) {
                return new Expression.Length(symbol.name());
            }
        }
        throw error(Code.NAME, tree, "'" + tree + "' is not a constant whose value the compiler knows");
    }

    private Expression.Element element(ArrayAccessTree tree, Scope scope) {
        List<Expression> indices = new ArrayList<>();
        Symbol symbol = indices(tree, scope, indices);
        if (indices.size() != symbol.rank()) {
            throw error(Code.ALIAS, tree, "a row of the array '" + symbol.name()
                    + "' is used as a value; use its components, or hand it to a kernel function");
        }
        return new Expression.Element(symbol.name(), indices, symbol.type(), places.at(tree));
    }

    private Symbol indices(ArrayAccessTree tree, Scope scope, List<Expression> indices) {
        Symbol symbol;
        if (tree.getExpression() instanceof ArrayAccessTree outer) {
            symbol = indices(outer, scope, indices);
        } else {
            symbol = tree.getExpression() instanceof IdentifierTree name ? scope.find(name.toString()) : null;
            if (symbol == null) {
                throw error(Code.NAME, tree, "'" + tree.getExpression()
                        + "' is neither a parameter nor a local array; arrays outside the kernel have to be passed");
            }
        }
        if (indices.size() == symbol.rank()) {
            throw error(Code.MISMATCH, tree, "'" + tree.getExpression() + "' is not an array");
        }
        indices.add(value(tree.getIndex(), scope, ValueType.INT));
        return symbol;
    }

    private Expression unary(UnaryTree tree, Scope scope) {
        Expression operand = switch (tree.getKind()) {
            case UNARY_PLUS, UNARY_MINUS, BITWISE_COMPLEMENT, LOGICAL_COMPLEMENT -> value(tree.getExpression(), scope);
            default -> throw error(Code.ASSIGNMENT_VALUE, tree,
                    "an increment is not a value in kernels; write it as a statement of its own");
        };
        boolean fits = switch (tree.getKind()) {
            case LOGICAL_COMPLEMENT -> operand.type() == ValueType.BOOLEAN;
            case BITWISE_COMPLEMENT -> operand.type() == ValueType.INT;
            default -> operand.type() == ValueType.INT || operand.type() == ValueType.REAL;
        };
        if (!fits) {
            throw error(Code.MISMATCH, tree, "the operator does not apply to " + operand.type().source());
        }
        return switch (tree.getKind()) {
            case UNARY_PLUS -> operand;
            case UNARY_MINUS -> new Expression.Unary("-", operand);
            case BITWISE_COMPLEMENT -> new Expression.Unary("~", operand);
            default -> new Expression.Unary("!", operand);
        };
    }

    private Expression binary(BinaryTree tree, Scope scope) {
        return binary(tree, Operators.symbol(tree.getKind()), value(tree.getLeftOperand(), scope),
                value(tree.getRightOperand(), scope));
    }

    /** Types an operator; also used for compound assignments. */
    Expression binary(Tree tree, String operator, Expression left, Expression right) {
        if (operator.isEmpty()) {
            throw unsupported(tree);
        }
        boolean booleans = left.type() == ValueType.BOOLEAN && right.type() == ValueType.BOOLEAN;
        boolean numbers = numeric(left) && numeric(right);
        boolean integers = left.type() == ValueType.INT && right.type() == ValueType.INT;
        boolean equality = "==".equals(operator) || "!=".equals(operator);
        if (booleans && (Operators.LOGICAL.contains(operator) || BIT_OPERATORS.contains(operator) || equality)) {
            return new Expression.Binary(operator, left, right, ValueType.BOOLEAN, places.at(tree));
        }
        if (integers && (SHIFTS.contains(operator) || BIT_OPERATORS.contains(operator))) {
            return new Expression.Binary(operator, left, right, ValueType.INT, places.at(tree));
        }
        if (!numbers || Operators.LOGICAL.contains(operator) || BIT_OPERATORS.contains(operator)
                || SHIFTS.contains(operator)) {
            throw error(Code.MISMATCH, tree, "the operator " + operator + " does not apply to " + left.type().source()
                    + " and " + right.type().source());
        }
        ValueType type = integers ? ValueType.INT : ValueType.REAL;
        boolean comparison = equality || COMPARISONS.contains(operator);
        return new Expression.Binary(operator, convert(left, type, tree), convert(right, type, tree),
                comparison ? ValueType.BOOLEAN : type, places.at(tree));
    }

    private static boolean numeric(Expression expression) {
        return expression.type() == ValueType.INT || expression.type() == ValueType.REAL;
    }

    private Expression conditional(ConditionalExpressionTree tree, Scope scope) {
        Expression condition = value(tree.getCondition(), scope, ValueType.BOOLEAN);
        Expression whenTrue = value(tree.getTrueExpression(), scope);
        Expression whenFalse = value(tree.getFalseExpression(), scope);
        ValueType type = whenTrue.type() == whenFalse.type() ? whenTrue.type() : ValueType.REAL;
        return new Expression.Conditional(condition, convert(whenTrue, type, tree), convert(whenFalse, type, tree));
    }

    private Expression cast(TypeCastTree tree, Scope scope) {
        String type = tree.getType().toString();
        Expression operand = value(tree.getExpression(), scope);
        if (!numeric(operand) || !("double".equals(type) || "int".equals(type))) {
            throw error(Code.TYPE, tree, "a cast of " + operand.type().source() + " to " + type
                    + " is not supported; kernels convert between double and int");
        }
        ValueType target = "int".equals(type) ? ValueType.INT : ValueType.REAL;
        return operand.type() == target ? operand : new Expression.Cast(target, operand);
    }

    /** Reads a call of {@code Math} or of a kernel function. */
    Expression call(MethodInvocationTree tree, Scope scope) {
        ExpressionTree select = tree.getMethodSelect();
        if (!tree.getTypeArguments().isEmpty()) {
            throw unsupported(tree);
        }
        if (select instanceof MemberSelectTree member) {
            Symbol raster = scope.find(member.getExpression().toString());
            if (raster != null && raster.rank() == 1 && SAMPLE.contentEquals(member.getIdentifier())) {
                return sample(tree, raster, scope);
            }
            if (!names.isType(member.getExpression().toString(), "java.lang.Math")) {
                throw noFunction(tree);
            }
            return math(tree, member.getIdentifier().toString(), scope);
        }
        Method function = functions.get(select.toString());
        if (function != null) {
            return function(tree, function, scope);
        }
        if (names.importsStatically(select.toString(), "java.lang.Math")) {
            return math(tree, select.toString(), scope);
        }
        throw noFunction(tree);
    }

    private KernelError noFunction(MethodInvocationTree tree) {
        return error(Code.CALL, tree, "'" + tree.getMethodSelect()
                + "' cannot be called from a kernel; it is neither a method of Math that kernels know "
                + "nor a @KernelFunction of the same class nor linear(component, x, y) of a raster, perhaps with z");
    }

    private Expression math(MethodInvocationTree tree, String name, Scope scope) {
        MathFunction function = MathFunction.of(name)
                .filter(found -> found.arity() == tree.getArguments().size())
                .orElseThrow(() -> noFunction(tree));
        List<Expression> arguments = new ArrayList<>();
        boolean integers = function.integers();
        for (ExpressionTree argument : tree.getArguments()) {
            Expression value = value(argument, scope);
            integers &= value.type() == ValueType.INT;
            arguments.add(value);
        }
        ValueType type = integers ? ValueType.INT : ValueType.REAL;
        arguments.replaceAll(argument -> convert(argument, type, tree));
        return new Expression.MathCall(function, arguments, type);
    }

    /** Reads {@code raster.linear(component, x, y)}, or with a third coordinate. */
    private Expression sample(MethodInvocationTree tree, Symbol raster, Scope scope) {
        List<? extends ExpressionTree> given = tree.getArguments();
        if (given.size() < LEAST_SAMPLE || given.size() > MOST_SAMPLE) {
            throw noFunction(tree);
        }
        if (!(value(given.getFirst(), scope, ValueType.INT) instanceof Expression.Int component)) {
            throw error(Code.INDEX_UNKNOWN, given.getFirst(), "the component of the raster '" + raster.name()
                    + "' is not known at compile time; expected a constant");
        }
        List<Expression> place = new ArrayList<>();
        given.subList(1, given.size()).forEach(x -> place.add(value(x, scope, ValueType.REAL)));
        return new Expression.Sample(raster.name(), component.value(), place, places.at(tree));
    }

    private Expression function(MethodInvocationTree tree, Method function, Scope scope) {
        List<? extends ExpressionTree> given = tree.getArguments();
        List<Parameter> expected = function.parameters();
        if (given.size() != expected.size()) {
            throw error(Code.MISMATCH, tree, "'" + function.name() + "' takes " + expected.size() + " arguments, found "
                    + given.size());
        }
        List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            Parameter parameter = expected.get(i);
            arguments.add(parameter.rank() == 0
                    ? value(given.get(i), scope, parameter.type())
                    : view(given.get(i), scope, parameter));
        }
        return new Expression.Call(function.name(), arguments, function.result(), places.at(tree));
    }

    private Expression view(ExpressionTree tree, Scope scope, Parameter parameter) {
        List<Expression> indices = new ArrayList<>();
        Symbol symbol = switch (tree) {
            case ParenthesizedTree inner when inner.getExpression() instanceof IdentifierTree name ->
                scope.find(name.toString());
            case IdentifierTree name -> scope.find(name.toString());
            case ArrayAccessTree access -> indices(access, scope, indices);
            default -> null;
        };
        if (symbol == null) {
            throw error(Code.ALIAS, tree, "the argument for '" + parameter.name()
                    + "' has to be a parameter, a local array, or a row of one");
        }
        if (symbol.type() != parameter.type() || symbol.rank() - indices.size() != parameter.rank()) {
            throw error(Code.MISMATCH, tree, "'" + tree + "' does not fit the parameter " + parameter.type().source()
                    + "[]".repeat(parameter.rank()) + " " + parameter.name());
        }
        return new Expression.View(symbol.name(), indices, parameter.rank(), symbol.type(), places.at(tree));
    }

    private KernelError unsupported(Tree tree) {
        return error(Code.EXPRESSION, tree, "this expression ("
                + tree.getKind().toString().toLowerCase(java.util.Locale.ROOT).replace('_', ' ')
                + ") is not part of the kernel language");
    }

    KernelError error(Code code, Tree tree, String message) {
        return new KernelError(code, places.at(tree), message);
    }
}
