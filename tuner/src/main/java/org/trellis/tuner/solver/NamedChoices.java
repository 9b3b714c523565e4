package org.trellis.tuner.solver;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Supplier;

/** Choices by their texts, each read when it is first asked for: reading all may take longer than a small system. */
final class NamedChoices extends AbstractList<SolverChoice> implements RandomAccess {
    private final List<Supplier<String>> texts;
    private final SolverChoice[] choices;

    NamedChoices(List<Supplier<String>> texts) {
        this.texts = List.copyOf(texts);
        this.choices = new SolverChoice[texts.size()];
    }

    /** Copies a list unless it is of this kind, which does not change. */
    static List<SolverChoice> copyOf(List<SolverChoice> list) {
        return list instanceof NamedChoices ? list : List.copyOf(list);
    }

    @Override
    public SolverChoice get(int index) {
        if (choices[index] == null) {
            choices[index] = SolverChoice.parse(texts.get(index).get());
        }
        return choices[index];
    }

    @Override
    public int size() {
        return texts.size();
    }
}
