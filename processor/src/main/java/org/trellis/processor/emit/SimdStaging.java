package org.trellis.processor.emit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trellis.processor.lower.Lowered;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.ValueType;

/**
 * Where the components of a group of lanes are kept between gathering, computing and scattering. A component has a slot
 * of as many values as there are lanes; the slots of a group follow one another, and so do groups.
 */
final class SimdStaging {
    /** Components of a parameter: so many are loaded lane by lane, which takes an instruction or two each. */
    private static final int MOST_LANE_BY_LANE = 8;

    private final LoopLayout layout;
    private final Map<Integer, Integer> slots = new HashMap<>();
    private final Map<Integer, Integer> twins = new HashMap<>();
    private int realSlots;
    private int intSlots;

    SimdStaging(LoopLayout layout) {
        this.layout = layout;
        List<Integer> increments = new ArrayList<>();
        for (int p : layout.fixed()) {
            Parameter parameter = parameter(p);
            boolean real = parameter.type() == ValueType.REAL;
            slots.put(p, real ? realSlots : intSlots);
            int size = parameter.entries() * parameter.components();
            realSlots += real ? size : 0;
            intSlots += real ? 0 : size;
            if (parameter.access() == Access.INCREMENT) {
                increments.stream().filter(q -> sameValues(p, q)).findFirst().ifPresent(q -> twins.put(p, q));
                increments.add(p);
            }
        }
    }

    private Parameter parameter(int p) {
        return layout.kernel().parameters().get(p);
    }

    /** Returns the number of slots for reals. */
    int realSlots() {
        return realSlots;
    }

    /** Returns the number of slots for integers. */
    int intSlots() {
        return intSlots;
    }

    /** Returns the first slot of an entry. */
    int slot(int p, int entry) {
        return slots.get(p) + entry * parameter(p).components();
    }

    /** Returns an earlier increment that adds the same values but perhaps for the sign, or −1. */
    int twin(int p) {
        return twins.getOrDefault(p, -1);
    }

    /** Returns the sign with which the values of an increment are staged: that of its first contribution. */
    int sign(int p) {
        for (Lowered.Component component : layout.components(p)) {
            Lowered.Contribution contribution = layout.contribution(component);
            if (contribution != null) {
                return contribution.sign();
            }
        }
        return 1;
    }

    private boolean sameValues(int p, int q) {
        if (parameter(p).components() != parameter(q).components() || parameter(p).entries() != parameter(q).entries()
                || parameter(p).type() != parameter(q).type()) {
            return false;
        }
        List<Lowered.Component> mine = layout.components(p);
        List<Lowered.Component> theirs = layout.components(q);
        for (int i = 0; i < mine.size(); i++) {
            Lowered.Contribution a = layout.contribution(mine.get(i));
            Lowered.Contribution b = layout.contribution(theirs.get(i));
            if (a == null || b == null || !a.local().equals(b.local()) || a.sign() * sign(p) != b.sign() * sign(q)) {
                return false;
            }
        }
        return true;
    }

    /** Says whether the components of one element can be moved by vectors. */
    static boolean chunkable(Parameter parameter, RealType real) {
        int components = parameter.components();
        int bytes = components * real.bytes();
        return parameter.type() == ValueType.REAL && components > 1 && Integer.bitCount(components) == 1 && bytes >= 8
                && bytes <= 64;
    }

    /** Says whether components that do not lie in rows are loaded lane by lane, not through scratch. */
    static boolean laneByLane(Parameter parameter) {
        return parameter.components() * parameter.entries() <= MOST_LANE_BY_LANE;
    }

    /** Returns the variable that holds a result, and its row after the transposition. */
    static String result(LoopLayout layout, int p, int component) {
        return "s" + layout.components(p).get(component).local();
    }
}
