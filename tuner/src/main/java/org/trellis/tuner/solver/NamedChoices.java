package org.trellis.tuner.solver;

import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Choices by their texts, each read when it is first asked for: reading all may take longer than a small system. */
final class NamedChoices extends AbstractList<SolverChoice> implements RandomAccess {
    /** A process has many solvers, and rules name few choices. */
    private static final Map<String, SolverChoice> READ = new ConcurrentHashMap<>();

    private final List<Named> texts;
    private final SolverChoice[] choices;

    /**
     * What stands for a choice.
     *
     * @param family where making the text takes a look at the whole matrix; empty where the text is at hand
     */
    record Named(Optional<String> family, Supplier<String> text) {
        static Named of(String text) {
            return new Named(Optional.empty(), () -> text);
        }
    }

    NamedChoices(List<Named> texts) {
        this.texts = List.copyOf(texts);
        this.choices = new SolverChoice[texts.size()];
    }

    /** Copies a list unless it is of this kind, which does not change. */
    static List<SolverChoice> copyOf(List<SolverChoice> list) {
        return list instanceof NamedChoices ? list : List.copyOf(list);
    }

    /** The family of a choice that takes a while to be read, while it has not been; else empty. */
    static Optional<String> familyBeforeReading(List<SolverChoice> list, int index) {
        return list instanceof NamedChoices named && named.choices[index] == null
                ? named.texts.get(index).family()
                : Optional.empty();
    }

    @Override
    public SolverChoice get(int index) {
        if (choices[index] == null) {
            choices[index] = read(texts.get(index).text().get());
        }
        return choices[index];
    }

    private static SolverChoice read(String text) {
        SolverChoice known = READ.get(text);
        if (known == null) {
            known = SolverChoice.parse(text);
            READ.put(text, known);
        }
        return known;
    }

    @Override
    public int size() {
        return texts.size();
    }
}
