package org.trellis.tuner.loop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.tuner.contest.AdviceOrigin;
import org.trellis.tuner.features.LoopFingerprint;
import org.trellis.tuner.profile.LoopResult;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.TuningDevice;

/**
 * Proposes parameters for parallel loops: those that were fastest when the same loop was measured on this device; else
 * what the backend's rule says. What is known of the loop on other devices, and of its kernel on other meshes, in other
 * layouts or precisions, only decides what is tried first.
 */
public final class LoopAdvisor {
    /** What was so much slower than the best is not tried again. */
    private static final double AGAIN = 1.05;
    private static final int HINTS_OF_A_LOOP = 2;

    private final TuningDevice device;
    private final List<Profile> profiles;
    private final boolean allowUnrepeatable;

    /**
     * Creates an advisor.
     *
     * @param device            what loops run on
     * @param profiles          what was learnt before, the most trusted first
     * @param allowUnrepeatable whether atomics may be proposed
     */
    public LoopAdvisor(TuningDevice device, List<Profile> profiles, boolean allowUnrepeatable) {
        this.device = Objects.requireNonNull(device);
        this.profiles = List.copyOf(profiles);
        this.allowUnrepeatable = allowUnrepeatable;
    }

    /**
     * Returns what loops run on.
     *
     * @return the device
     */
    public TuningDevice device() {
        return device;
    }

    /**
     * Proposes parameters. Costs a pass over the results in the profiles.
     *
     * @param loop  the loop
     * @param space what it can be run with
     * @return what to begin with, and what to try then
     */
    public LoopAdvice advise(LoopFingerprint loop, LoopSpace space) {
        List<LoopResult> measured = profiles.stream().flatMap(profile -> profile.loopResults(device, loop).stream())
                .filter(result -> usable(result) && space.fits(result.parameters()))
                .sorted(Comparator.comparingDouble(LoopResult::medianSeconds)).toList();
        List<LoopParameters> hints = hints(loop);
        if (measured.isEmpty()) {
            return new LoopAdvice(space.rule(), AdviceOrigin.RULE, hints, Set.of());
        }
        double best = measured.getFirst().medianSeconds();
        Set<LoopParameters> again = new LinkedHashSet<>();
        Set<LoopParameters> ruledOut = new LinkedHashSet<>();
        for (LoopResult result : measured) {
            (result.medianSeconds() <= AGAIN * best ? again : ruledOut).add(result.parameters());
        }
        ruledOut.removeAll(again);
        List<LoopParameters> promising = new ArrayList<>(again);
        promising.addAll(hints);
        return new LoopAdvice(measured.getFirst().parameters(), AdviceOrigin.PROFILE, promising, ruledOut);
    }

    private boolean usable(LoopResult result) {
        return result.isCorrect() && (allowUnrepeatable || result.parameters().scheme() != LoopScheme.ATOMICS);
    }

    /** The best of the same loop on other devices, and of loops with the same kernel on all devices of the backend. */
    private List<LoopParameters> hints(LoopFingerprint loop) {
        List<LoopResult> same = new ArrayList<>();
        List<LoopResult> others = new ArrayList<>();
        for (Profile profile : profiles) {
            for (TuningDevice other : profile.devices()) {
                if (other.backend().equals(device.backend())) {
                    profile.loopResults(other).stream().filter(this::usable)
                            .filter(result -> result.loop().hasKernelOf(loop))
                            .forEach(result -> (result.loop().equals(loop) ? same : others).add(result));
                }
            }
        }
        Set<LoopParameters> hints = new LinkedHashSet<>(best(same));
        hints.addAll(best(others));
        return List.copyOf(hints);
    }

    private static List<LoopParameters> best(List<LoopResult> results) {
        Map<LoopFingerprint, Integer> taken = new HashMap<>();
        return results.stream().sorted(Comparator.comparingDouble(LoopResult::medianSeconds))
                .filter(result -> taken.merge(result.loop(), 1, Integer::sum) <= HINTS_OF_A_LOOP)
                .map(LoopResult::parameters).toList();
    }
}
