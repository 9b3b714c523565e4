package org.trellis.internal.threads.loop;

import java.util.ArrayList;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.kernel.IncrementMode;
import org.trellis.kernel.LoopRange;
import org.trellis.kernel.LoopStyle;
import org.trellis.kernel.RangeLoop;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.plan.InverseMap;
import org.trellis.mesh.plan.LoopPlan;
import org.trellis.mesh.plan.LoopPlans;

/**
 * Turns a loop and its parameters into phases.
 *
 * <p>Usually there is one phase for each colour of the plan. With contributions stored (temporary array, fission) the
 * kernel runs in one phase on all elements, and further phases add: target by target from the inverse of the map, or
 * element by element under the colours of the plan. With fission, an increment that repeats another stores nothing and
 * adds what the other stored.
 */
final class TeamLoopBuilder {
    /** Units for each thread, so that one that is held up leaves work to the others. */
    private static final int UNITS_PER_THREAD = 4;

    private final LoopDeclaration loop;
    private final LoopParameters parameters;
    private final WorkerTeam team;
    private final int maxUnits;
    private final LoopRange[] ranges;
    private final LoopPlan plan;
    private final LoopChooser.Factory choosers;
    private final List<ElementPhase> elementPhases = new ArrayList<>();
    private final List<LoopPhase> phases = new ArrayList<>();
    private HostBinding binding;
    private LoopChooser chooser;
    private Reductions reductions;

    TeamLoopBuilder(LoopDeclaration loop, LoopParameters parameters, WorkerTeam team, LoopChooser.Factory choosers) {
        this.choosers = choosers;
        this.loop = loop;
        this.parameters = parameters;
        this.team = team;
        this.maxUnits = team.size() == 1 ? 1 : UNITS_PER_THREAD * team.size();
        this.plan = LoopPlans.of(loop, parameters);
        this.ranges = new LoopRange[maxUnits];
        for (int unit = 0; unit < maxUnits; unit++) {
            ranges[unit] = new LoopRange(loop.kernel().signature());
        }
    }

    PreparedLoop build() {
        if (parameters.fission() || parameters.scheme() == LoopScheme.TEMPORARY) {
            storeAndAdd();
        } else {
            HostBinding direct = new HostBinding(loop, plan.order() != null, new Object[loop.arity()]);
            if (parameters.scheme() == LoopScheme.OWNER_COMPUTE) {
                for (int a = 0; a < loop.arity(); a++) {
                    direct.mode(a, IncrementMode.ADD_OWNED);
                }
            }
            addElementPhases(direct, plan);
        }
        TeamLoop built = new TeamLoop(loop, plan, team, phases.toArray(LoopPhase[]::new), binding, reductions);
        return chooser == null ? built : built.choosing(chooser, elementPhases.toArray(ElementPhase[]::new));
    }

    private void addElementPhases(HostBinding bound, LoopPlan elements) {
        binding = bound;
        reductions = new Reductions(loop, elements.blockOffsets());
        Precision precision = loop.precision();
        RangeLoop code = loop.kernel().loop(parameters.style(), precision, bound.shape());
        if (parameters.style() == LoopStyle.SCALAR) {
            chooser = choosers.chooser(loop, team.size(), new LoopChooser.Codes(code,
                    () -> loop.kernel().loop(LoopStyle.SIMD, precision, bound.shape()))).orElse(null);
        }
        for (int colour = 0; colour < elements.colours(); colour++) {
            elementPhases.add(new ElementPhase(code, bound.arguments(), ranges, elements, reductions, colour));
        }
        phases.addAll(elementPhases);
    }

    private void storeAndAdd() {
        Object[] stored = new Object[loop.arity()];
        List<Contribution> contributions = new ArrayList<>();
        List<Integer> arguments = new ArrayList<>();
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.incrementsIndirectly(a) && !repeats(a)) {
                stored[a] = room(a);
            }
        }
        HostBinding storing = new HostBinding(loop, false, stored);
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.incrementsIndirectly(a)) {
                int base = repeats(a) ? loop.signature(a).repeats() : a;
                int sign = repeats(a) ? loop.signature(a).sign() : 1;
                if (repeats(a)) {
                    storing.mode(a, IncrementMode.DROP);
                }
                contributions.add(Contribution.of(stored[base], destination(a, sign)));
                arguments.add(a);
            }
        }
        addElementPhases(storing, LoopPlans.of(loop, LoopScheme.IN_ORDER, parameters.blockSize()));
        if (parameters.scheme() == LoopScheme.TEMPORARY) {
            for (int i = 0; i < contributions.size(); i++) {
                addGather(arguments.get(i), contributions.get(i));
            }
        } else {
            Contribution[] all = contributions.toArray(Contribution[]::new);
            for (int colour = 0; colour < plan.colours(); colour++) {
                phases.add(new ApplyPhase(all, plan, colour, maxUnits));
            }
        }
    }

    /** Says whether, with fission, an argument adds what another one stores. */
    private boolean repeats(int a) {
        int base = loop.signature(a).repeats();
        return parameters.fission() && base >= 0 && loop.incrementsIndirectly(base)
                && loop.signature(base).repeats() < 0 && loop.signature(base).entries() == loop.signature(a).entries()
                && loop.signature(base).components() == loop.signature(a).components()
                && loop.dat(base).type() == loop.dat(a).type();
    }

    private Object room(int a) {
        MeshMap map = loop.map(a);
        long places = map.arity() == MeshMap.VARIABLE
                ? map.entries().length
                : (long) loop.set().size() * loop.signature(a).entries();
        long length = places * loop.dat(a).components();
        if (length > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(loop.where(a) + " needs a temporary array of " + length
                    + " values, expected at most " + Integer.MAX_VALUE + "; another scheme needs none");
        }
        return HostStorage.zeros(loop.dat(a).type(), (int) length).array();
    }

    private Contribution.Destination destination(int a, int sign) {
        MeshMap map = loop.map(a);
        return map.arity() == MeshMap.VARIABLE
                ? new Contribution.Destination(loop.dat(a), sign, null, map.offsets(), map.entries())
                : new Contribution.Destination(loop.dat(a), sign, HostBinding.columns(map, loop.entry(a)), null, null);
    }

    private void addGather(int a, Contribution contribution) {
        MeshMap map = loop.map(a);
        int[][] tables = map.arity() == MeshMap.VARIABLE
                ? new int[][]{map.entries()}
                : HostBinding.columns(map, loop.entry(a));
        InverseMap[] inverse = new InverseMap[tables.length];
        for (int k = 0; k < tables.length; k++) {
            inverse[k] = LoopPlans.inverse(loop.set(), tables[k], map.to().size());
        }
        phases.add(new GatherPhase(contribution, inverse, map.to().size(), maxUnits));
    }
}
