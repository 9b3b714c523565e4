package org.trellis.processor.emit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.processor.lower.Expressions;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Statement;

/**
 * The cells of rasters that have been found in the blocks around a statement, so that components which are sampled at
 * one place share the search. A cell is forgotten when a variable of its place is assigned.
 */
final class SampledCells {
    /** Methods of rasters that say where in a cell a place is, along each axis. */
    static final List<String> SHARES = List.of("across", "along", "through");

    private final Deque<Map<Expression.Sample, Integer>> blocks = new ArrayDeque<>();
    private int count;

    SampledCells() {
        blocks.push(new LinkedHashMap<>());
    }

    /** A block begins, in which those of the blocks around are known. */
    void open() {
        blocks.push(new LinkedHashMap<>());
    }

    void close() {
        blocks.pop();
    }

    /** A variable that a loop or branch assigns changes what was found before it. */
    void forget(Set<String> assigned) {
        blocks.forEach(block -> block.keySet().removeIf(place -> place.arguments().stream()
                .anyMatch(argument -> uses(argument, assigned))));
    }

    /** A component of a row was assigned. */
    void forgetRows() {
        blocks.forEach(block -> block.keySet().removeIf(place -> {
            boolean[] found = {false};
            place.arguments().forEach(argument -> Expressions.visit(argument,
                    part -> found[0] |= part instanceof Expression.Element));
            return found[0];
        }));
    }

    private static boolean uses(Expression expression, Set<String> names) {
        boolean[] found = {false};
        Expressions.visit(expression,
                part -> found[0] |= part instanceof Expression.Local local && names.contains(local.name()));
        return found[0];
    }

    /** Returns the places that a statement samples itself, not in blocks inside of it, and that are new. */
    Map<Expression.Sample, Integer> find(Statement statement) {
        Map<Expression.Sample, Integer> found = new LinkedHashMap<>();
        Statements.read(statement, value -> Expressions.visit(value, part -> {
            if (part instanceof Expression.Sample sample && number(place(sample)) < 0) {
                found.put(place(sample), count);
                blocks.element().put(place(sample), count);
                count++;
            }
        }));
        return found;
    }

    /** Returns the variables of the cell that a sample is in. */
    String name(Expression.Sample sample) {
        int number = number(place(sample));
        if (number < 0) {
            throw new IllegalStateException("no cell was found for " + sample);
        }
        StringBuilder text = new StringBuilder("cell").append(number);
        SHARES.subList(0, sample.arguments().size()).forEach(share -> text.append(", ").append(share).append(number));
        return text.toString();
    }

    private int number(Expression.Sample place) {
        for (Map<Expression.Sample, Integer> block : blocks) {
            if (block.containsKey(place)) {
                return block.get(place);
            }
        }
        return -1;
    }

    private static Expression.Sample place(Expression.Sample sample) {
        return new Expression.Sample(sample.raster(), 0, sample.arguments(), sample.at());
    }
}
