package org.trellis.processor.front;

import java.util.HashMap;
import java.util.Map;

/** The local names at some place of a method. */
final class Scope {
    private final Scope outer;
    private final Map<String, Symbol> symbols = new HashMap<>();

    Scope(Scope outer) {
        this.outer = outer;
    }

    /** Returns what a local name stands for, or null. */
    Symbol find(String name) {
        Symbol symbol = symbols.get(name);
        return symbol != null || outer == null ? symbol : outer.find(name);
    }

    void declare(Symbol symbol) {
        symbols.put(symbol.name(), symbol);
    }
}
