package org.trellis.bench.adapters.ranks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.trellis.solve.StoppingCriteria;

/**
 * What a peer sets against a method of solving.
 *
 * @param method         its method, in its words
 * @param preconditioner its preconditioner, in its words
 * @param options        all options that its processes are given, in an order that is for reading
 * @param blockSize      unknowns of a node, a divisor of the number of rows
 * @param criteria       when to stop
 */
public record RankChoice(String method, String preconditioner, Map<String, String> options, int blockSize,
        StoppingCriteria criteria) {
    /** Copies the options in their order. */
    public RankChoice {
        options = new LinkedHashMap<>(options);
    }

    /** Returns the options as one text. */
    String inWords() {
        return options.entrySet().stream()
                .map(option -> option.getKey() + (option.getValue().isEmpty() ? "" : "=" + option.getValue()))
                .collect(Collectors.joining(", "));
    }
}
