package org.trellis.tuner.loop;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.tuner.contest.AdviceOrigin;

/**
 * What is known of a loop before its first run.
 *
 * @param parameters what to begin with
 * @param origin     where that comes from, a profile or the backend's rule
 * @param promising  what to try first, the most promising first; need not fit the loop
 * @param ruledOut   what need not be tried: it was slower on this device
 */
public record LoopAdvice(LoopParameters parameters, AdviceOrigin origin, List<LoopParameters> promising,
        Set<LoopParameters> ruledOut) {
    /** Copies the collections. */
    public LoopAdvice {
        Objects.requireNonNull(parameters);
        Objects.requireNonNull(origin);
        promising = List.copyOf(promising);
        ruledOut = Set.copyOf(ruledOut);
    }
}
