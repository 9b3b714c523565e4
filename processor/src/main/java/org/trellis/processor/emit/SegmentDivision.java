package org.trellis.processor.emit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.processor.lower.Expressions;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/**
 * Divides the statements of a kernel into pieces whose vector code the JIT compiler takes, and finds the variables
 * that go from one to another. They go through memory, so that truth values must not be among them.
 */
final class SegmentDivision {
    /** The bytes of bytecode that a piece is to have, as estimated here. */
    private static final int MOST_BYTES = 1200;

    /**
     * Statements that are run together.
     *
     * @param statements the statements
     * @param in         the variables of before that they need
     * @param out        the variables that are needed after them
     */
    record Piece(List<Statement> statements, Set<String> in, Set<String> out) {}

    private final List<List<Statement>> groups = new ArrayList<>();
    private final Map<String, ValueType> types = new HashMap<>();

    /** Divides statements whose top level is run from first to last. */
    SegmentDivision(List<Statement> statements) {
        Statements.visit(statements, statement -> {
            if (statement instanceof Statement.Declare d) {
                types.put(d.name(), d.type());
            }
        });
        List<Statement> group = new ArrayList<>();
        int bytes = 0;
        for (int i = 0; i < statements.size(); i++) {
            int more = bytes(statements.get(i));
            if (!group.isEmpty() && bytes + more > MOST_BYTES && canCut(group, statements, i)) {
                groups.add(List.copyOf(group));
                group.clear();
                bytes = 0;
            }
            group.add(statements.get(i));
            bytes += more;
        }
        groups.add(List.copyOf(group));
    }

    private boolean canCut(List<Statement> before, List<Statement> all, int at) {
        Set<String> kept = declared(before);
        kept.retainAll(used(all.subList(at, all.size())));
        return kept.stream().noneMatch(name -> types.get(name) == ValueType.BOOLEAN);
    }

    /** Returns the type of a variable that statements declare, or null. */
    ValueType type(String name) {
        return types.get(name);
    }

    /**
     * Returns the pieces.
     *
     * @param shared  names of values that need not be passed on
     * @param results the variables that are needed at the end
     * @return what to run, in order
     */
    List<Piece> pieces(Set<String> shared, Set<String> results) {
        List<Piece> pieces = new ArrayList<>();
        Set<String> later = new HashSet<>(results);
        for (List<Statement> group : groups.reversed()) {
            Set<String> own = declared(group);
            Set<String> in = new LinkedHashSet<>(used(group));
            in.removeAll(own);
            in.removeAll(shared);
            Set<String> out = new LinkedHashSet<>(own);
            out.addAll(Statements.assigned(group));
            out.retainAll(later);
            // What is assigned under a condition, or by a part of its lanes, has an old value.
            pieces.addFirst(new Piece(group, in, out));
            later.addAll(in);
        }
        return pieces;
    }

    private static Set<String> declared(List<Statement> statements) {
        Set<String> names = new LinkedHashSet<>();
        Statements.visit(statements, statement -> {
            if (statement instanceof Statement.Declare d) {
                names.add(d.name());
            } else if (statement instanceof Statement.Loop l) {
                names.add(l.variable());
            }
        });
        return names;
    }

    /** Returns the variables that are read or assigned. */
    static Set<String> used(List<Statement> statements) {
        Set<String> names = new LinkedHashSet<>(Statements.assigned(statements));
        Statements.visit(statements, statement -> Statements.read(statement, part -> {
            if (part instanceof Expression.Local local) {
                names.add(local.name());
            }
        }));
        return names;
    }

    /** Estimates the bytecode of a statement's vector code. */
    private static int bytes(Statement statement) {
        int[] sum = {0};
        Statements.visit(List.of(statement), inner -> {
            sum[0] += inner instanceof Statement.Declare ? 4 : 16;
            Statements.read(inner, part -> sum[0] += bytes(part));
        });
        return sum[0];
    }

    private static int bytes(Expression part) {
        return switch (part) {
            case Expression.Local _ -> 4;
            case Expression.Real _,Expression.Int _,Expression.Bool _ -> 9;
            case Expression.Contracted c -> {
                int[] inner = {12};
                Expressions.visit(c.left(), e -> inner[0] += bytes(e));
                Expressions.visit(c.right(), e -> inner[0] += bytes(e));
                Expressions.visit(c.sum(), e -> inner[0] += bytes(e));
                yield inner[0];
            }
            case Expression.MathCall _ -> 60;
            default -> 8;
        };
    }
}
