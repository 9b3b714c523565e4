package org.trellis.processor.check;

import java.util.List;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.lower.Lowered;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Parameter;

/**
 * An increment that is said to repeat another adds the same variables: for each component both make one unconditional
 * increment, of the same value, with signs that differ by the given factor.
 */
final class RepeatsRule {
    void check(Lowered kernel, Diagnostics diagnostics) {
        for (int i = 0; i < kernel.parameters().size(); i++) {
            Parameter parameter = kernel.parameters().get(i);
            if (!parameter.repeats().isEmpty()) {
                int other = index(kernel.parameters(), parameter, i);
                if (other < 0) {
                    diagnostics.error(Code.REPEATS_TARGET, parameter.at(), "'" + parameter.name() + "' repeats '"
                            + parameter.repeats()
                            + "'; expected another @Increment parameter of the same type, components "
                            + "and entries that repeats none itself");
                } else {
                    compare(kernel, i, other, diagnostics);
                }
            }
        }
    }

    /** Returns the index of the parameter that another one repeats, or −1 if it names none. */
    private static int index(List<Parameter> parameters, Parameter repeating, int own) {
        for (int i = 0; i < parameters.size(); i++) {
            Parameter p = parameters.get(i);
            if (i != own && p.name().equals(repeating.repeats()) && p.access() == Access.INCREMENT
                    && p.type() == repeating.type() && p.components() == repeating.components()
                    && p.entries() == repeating.entries() && p.repeats().isEmpty()) {
                return i;
            }
        }
        return -1;
    }

    private static void compare(Lowered kernel, int own, int other, Diagnostics diagnostics) {
        Parameter parameter = kernel.parameters().get(own);
        for (int entry = 0; entry < Math.max(1, parameter.entries()); entry++) {
            for (int c = 0; c < parameter.components(); c++) {
                Lowered.Component mine = new Lowered.Component(own, entry, c);
                Lowered.Component theirs = new Lowered.Component(other, entry, c);
                if (parameter.variable() || !same(kernel, mine, theirs, parameter.sign())) {
                    diagnostics.error(Code.REPEATS_PROOF, parameter.at(), "it cannot be shown that component " + c
                            + " of '" + parameter.name() + "' repeats that of '" + parameter.repeats() + "' with sign "
                            + parameter.sign() + "; expected one unconditional increment of each by the same variable");
                    return;
                }
            }
        }
    }

    private static boolean same(Lowered kernel, Lowered.Component a, Lowered.Component b, int sign) {
        if (kernel.accumulators().containsKey(a) || kernel.accumulators().containsKey(b)) {
            return false;
        }
        Lowered.Contribution mine = kernel.contributions().get(a);
        Lowered.Contribution theirs = kernel.contributions().get(b);
        if (mine == null || theirs == null) {
            return mine == null && theirs == null;
        }
        return mine.local().equals(theirs.local()) && mine.sign() == sign * theirs.sign();
    }
}
