package org.trellis.processor.check;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.lower.Expressions;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.Statement;

/**
 * Indices are known once loops are unrolled, and within bounds. The entry of a row of variable arity is the variable of
 * a loop over it.
 */
final class IndexRule implements KernelRule {
    @Override
    public void check(Method unrolled, Diagnostics diagnostics) {
        Map<String, List<Integer>> lengths = new HashMap<>();
        Set<String> rowVariables = new HashSet<>();
        for (Parameter parameter : unrolled.parameters()) {
            lengths.put(parameter.name(), parameter.rank() < 2
                    ? List.of(parameter.components())
                    : List.of(Math.max(0, parameter.entries()), parameter.components()));
        }
        Statements.visit(unrolled.body(), statement -> {
            switch (statement) {
                case Statement.DeclareArray d -> lengths.put(d.name(), d.lengths());
                case Statement.Loop l when !l.rows().isEmpty() -> rowVariables.add(l.variable());
                default -> {
                    // Declares nothing that matters here.
                }
            }
        });
        Statements.visit(unrolled.body(), statement -> {
            if (statement instanceof Statement.Assign a && a.target() instanceof Expression.Element e) {
                check(e, lengths, rowVariables, diagnostics);
            }
            Statements.read(statement, part -> Expressions.visit(part, inner -> {
                if (inner instanceof Expression.Element e) {
                    check(e, lengths, rowVariables, diagnostics);
                } else if (inner instanceof Expression.Sample s) {
                    check(s, lengths.get(s.raster()).getFirst(), diagnostics);
                }
            }));
        });
    }

    private static void check(Expression.Sample sample, int components, Diagnostics diagnostics) {
        if (sample.component() < 0 || sample.component() >= components) {
            diagnostics.error(Code.INDEX_BOUNDS, sample.at(), "component " + sample.component() + " of the raster '"
                    + sample.raster() + "' is out of bounds, expected 0 to " + (components - 1));
        }
    }

    private static void check(Expression.Element element, Map<String, List<Integer>> lengths, Set<String> rowVariables,
            Diagnostics diagnostics) {
        List<Integer> expected = lengths.get(element.array());
        for (int i = 0; i < element.indices().size(); i++) {
            Expression index = element.indices().get(i);
            int length = expected.get(i);
            if (length == 0) {
                if (!(index instanceof Expression.Local local && rowVariables.contains(local.name()))) {
                    diagnostics.error(Code.INDEX_UNKNOWN, element.at(), "'" + element.array()
                            + "' has variable arity: expected the variable of a loop over " + element.array()
                            + ".length as its first index");
                }
            } else if (!(index instanceof Expression.Int constant)) {
                diagnostics.error(Code.INDEX_UNKNOWN, element.at(), "an index of '" + element.array()
                        + "' is not known at compile time; expected constants and variables of constant loops");
            } else if (constant.value() < 0 || constant.value() >= length) {
                diagnostics.error(Code.INDEX_BOUNDS, element.at(), "index " + constant.value() + " of '"
                        + element.array() + "' is out of bounds, expected 0 to " + (length - 1));
            }
        }
    }
}
