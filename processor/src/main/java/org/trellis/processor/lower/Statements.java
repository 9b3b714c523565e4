package org.trellis.processor.lower;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Statement;

/** Walks over statements. */
public final class Statements {
    private Statements() {}

    /**
     * Visits statements and those within them, from outside to inside.
     *
     * @param statements the statements
     * @param visitor    what is done with each
     */
    public static void visit(List<Statement> statements, Consumer<Statement> visitor) {
        for (Statement statement : statements) {
            visitor.accept(statement);
            switch (statement) {
                case Statement.If i -> {
                    visit(i.whenTrue(), visitor);
                    visit(i.whenFalse(), visitor);
                }
                case Statement.Loop l -> visit(l.body(), visitor);
                case Statement.Block b -> visit(b.body(), visitor);
                default -> {
                    // Has no statements within.
                }
            }
        }
    }

    /**
     * Visits the expressions that a statement reads itself, not those of the statements within it. Of an assigned
     * component these are its indices; of a compound assignment not the target's old value.
     *
     * @param statement the statement
     * @param visitor   what is done with each expression and each of its parts
     */
    public static void read(Statement statement, Consumer<Expression> visitor) {
        switch (statement) {
            case Statement.Declare d -> Expressions.visit(d.value(), visitor);
            case Statement.DeclareArray d -> d.values().forEach(value -> Expressions.visit(value, visitor));
            case Statement.Assign a -> {
                if (a.target() instanceof Expression.Element element) {
                    element.indices().forEach(index -> Expressions.visit(index, visitor));
                }
                Expressions.visit(a.value(), visitor);
            }
            case Statement.If i -> Expressions.visit(i.condition(), visitor);
            case Statement.Return r -> Expressions.visit(r.value(), visitor);
            case Statement.Evaluate e -> Expressions.visit(e.call(), visitor);
            case Statement.Reduce r -> Expressions.visit(r.value(), visitor);
            case Statement.Loop _,Statement.Block _ -> {
                // Only the statements within.
            }
        }
    }

    /**
     * Collects the local variables that are assigned after their declaration.
     *
     * @param statements the statements, with those within them
     * @return the variables' names
     */
    public static Set<String> assigned(List<Statement> statements) {
        Set<String> names = new HashSet<>();
        visit(statements, statement -> {
            if (statement instanceof Statement.Assign a && a.target() instanceof Expression.Local local) {
                names.add(local.name());
            }
        });
        return names;
    }
}
