package org.trellis.processor.front;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.KernelError;
import org.trellis.processor.diagnostic.Position;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/** Reads the heads of counting loops. */
final class LoopReader {
    /** More runs than any loop over the components of an element has. */
    private static final int MAXIMUM_COUNT = 1 << 16;

    private static final String EXPECTED = "; expected for (int i = constant; i < constant; i++), "
            + "or k < x.length for a parameter x of variable arity";

    private static final Set<Tree.Kind> COMPARISONS = Set.of(Tree.Kind.LESS_THAN, Tree.Kind.LESS_THAN_EQUAL,
            Tree.Kind.GREATER_THAN, Tree.Kind.GREATER_THAN_EQUAL, Tree.Kind.NOT_EQUAL_TO);

    private final SourcePositions places;
    private final ExpressionReader expressions;

    LoopReader(SourcePositions places, ExpressionReader expressions) {
        this.places = places;
        this.expressions = expressions;
    }

    /** What the head of a loop says. */
    record Header(String variable, int first, int step, int count, String rows) {
        Statement loop(List<Statement> body, Position at) {
            return new Statement.Loop(variable, first, step, count, rows, body, at);
        }
    }

    /** Reads the head of a loop, and declares its variable. */
    Header header(ForLoopTree tree, Scope scope) {
        if (tree.getInitializer().size() != 1 || !(tree.getInitializer().getFirst() instanceof VariableTree variable)
                || variable.getType() == null || !"int".equals(variable.getType().toString())) {
            throw error(tree, "the loop does not declare one int variable");
        }
        String name = variable.getName().toString();
        int first = constant(variable.getInitializer(), scope)
                .orElseThrow(() -> error(tree, "the first value of '" + name + "' is not a constant"));
        scope.declare(Symbol.scalar(name, ValueType.INT));
        int step = step(tree, name, scope);
        ExpressionTree condition = tree.getCondition();
        while (condition instanceof ParenthesizedTree inner) {
            condition = inner.getExpression();
        }
        if (!(condition instanceof BinaryTree comparison) || !COMPARISONS.contains(comparison.getKind())
                || !comparison.getLeftOperand().toString().equals(name)) {
            throw error(tree, "the condition does not compare '" + name + "'");
        }
        Optional<Integer> bound = constant(comparison.getRightOperand(), scope);
        if (bound.isPresent()) {
            return new Header(name, first, step, count(tree, first, bound.get(), step, comparison.getKind()), "");
        }
        if (first == 0 && step == 1 && comparison.getKind() == Tree.Kind.LESS_THAN
                && comparison.getRightOperand().toString().endsWith(".length")
                && expressions.value(comparison.getRightOperand(), scope) instanceof Expression.Length rows) {
            return new Header(name, 0, 1, 0, rows.array());
        }
        throw error(tree, "the bound '" + comparison.getRightOperand() + "' is not a constant");
    }

    private Optional<Integer> constant(ExpressionTree tree, Scope scope) {
        return tree == null
                ? Optional.empty()
                : expressions.constants().evaluate(tree, scope).filter(Integer.class::isInstance)
                        .map(Integer.class::cast);
    }

    private int step(ForLoopTree tree, String name, Scope scope) {
        if (tree.getUpdate().size() == 1) {
            ExpressionTree update = ((ExpressionStatementTree) tree.getUpdate().getFirst()).getExpression();
            Tree.Kind kind = update.getKind();
            if (update instanceof UnaryTree unary && unary.getExpression().toString().equals(name)) {
                return kind == Tree.Kind.PREFIX_INCREMENT || kind == Tree.Kind.POSTFIX_INCREMENT ? 1 : -1;
            }
            if (update instanceof CompoundAssignmentTree compound && compound.getVariable().toString().equals(name)) {
                int distance = constant(compound.getExpression(), scope).orElse(0);
                if (distance != 0 && kind == Tree.Kind.PLUS_ASSIGNMENT) {
                    return distance;
                }
                if (distance != 0 && kind == Tree.Kind.MINUS_ASSIGNMENT) {
                    return -distance;
                }
            }
        }
        throw error(tree, "the step of '" + name + "' is not a constant other than 0");
    }

    private int count(ForLoopTree tree, int first, int bound, int step, Tree.Kind comparison) {
        int count = 0;
        for (long i = first; holds(comparison, i, bound); i += step) {
            count++;
            if (count > MAXIMUM_COUNT) {
                throw error(tree, "the loop runs more than " + MAXIMUM_COUNT + " times");
            }
        }
        return count;
    }

    private static boolean holds(Tree.Kind comparison, long value, int bound) {
        return switch (comparison) {
            case LESS_THAN -> value < bound;
            case LESS_THAN_EQUAL -> value <= bound;
            case GREATER_THAN -> value > bound;
            case GREATER_THAN_EQUAL -> value >= bound;
            case NOT_EQUAL_TO -> value != bound;
            default -> false;
        };
    }

    private KernelError error(Tree tree, String message) {
        return new KernelError(Code.LOOP_BOUNDS, places.at(tree), message + EXPECTED);
    }
}
