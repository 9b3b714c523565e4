package org.trellis.mesh.checkpoint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Function;
import org.trellis.kernel.Access;
import org.trellis.mesh.CallStep;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.IndirectArgument;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopStep;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshRaster;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.SetStep;
import org.trellis.mesh.Step;
import org.trellis.mesh.StepData;
import org.trellis.mesh.WorkStep;
import org.trellis.mesh.loop.SetExtent;

/** What a step does with each dat, and what says that a step of another run is the same. */
final class StepUse {
    private final String name;
    private final String description;
    private final LoopDeclaration loop;
    private final Step step;
    private final int bindings;
    private final DatState[] dats;
    private final Access[] access;
    private final DatState[] changing;
    /** Globals and scalars. */
    private final List<Object> changed = new ArrayList<>();
    private boolean[][] unknown;
    private int id;
    private boolean seen;
    private StepUse follower;

    private StepUse(Step step, String description, LoopDeclaration loop, Map<DatState, Access> touched) {
        this(step, description, loop, touched, step.name());
    }

    private StepUse(Step step, String description, LoopDeclaration loop, Map<DatState, Access> touched, String name) {
        this.step = step;
        this.name = name;
        this.description = description;
        this.loop = loop;
        this.bindings = loop == null ? 0 : loop.bindings();
        this.dats = touched.keySet().toArray(DatState[]::new);
        this.access = touched.values().toArray(Access[]::new);
        this.changing = touched.entrySet().stream().filter(entry -> entry.getValue() != Access.READ)
                .map(Map.Entry::getKey).toArray(DatState[]::new);
    }

    /**
     * Looks at a step.
     *
     * @param step   the step, with what is bound to it now
     * @param states finds what is known of a dat
     * @param solver the solver that is at work, as the beginning of a name; empty without one
     * @return what it does
     */
    static StepUse of(Step step, Function<Dat, DatState> states, String solver) {
        return switch (step) {
            case LoopStep loop -> ofLoop(loop, states);
            case SetStep set -> {
                StepUse use = new StepUse(step, "setting " + set.global().name() + " to " + set.values(), null,
                        Map.of());
                use.changed.add(set.global());
                yield use;
            }
            case CallStep call -> new StepUse(step, "call of '" + step.name() + "'", null, Map.of());
            case WorkStep work -> ofWork(work, states, solver);
        };
    }

    private static StepUse ofWork(WorkStep step, Function<Dat, DatState> states, String solver) {
        Map<DatState, Access> touched = new LinkedHashMap<>();
        List<Object> values = new ArrayList<>();
        StringJoiner description = new StringJoiner(", ", "(", ")");
        for (StepData data : step.data()) {
            if (data.data() instanceof Dat dat) {
                DatState state = states.apply(dat);
                touched.put(state, data.access());
                description.add(data.access() + " " + state.name());
            } else if (data.writes()) {
                values.add(data.data() instanceof Scalar scalar ? scalar.scalars() : data.data());
            }
        }
        StepUse use = new StepUse(step, solver + step.name() + description, null, touched, solver + step.name());
        use.changed.addAll(values);
        return use;
    }

    private static StepUse ofLoop(LoopStep step, Function<Dat, DatState> states) {
        LoopDeclaration loop = step.loop().declaration();
        Map<DatState, Access> touched = new LinkedHashMap<>();
        boolean whole = step.part() == SetExtent.EXECUTED || step.part() == SetExtent.TOTAL;
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.dat(a) != null) {
                Access one = (whole && covers(loop, a)) || loop.access(a) != Access.WRITE
                        ? loop.access(a)
                        : Access.READ_WRITE;
                touched.merge(states.apply(loop.dat(a)), one,
                        (before, now) -> before == now && now != Access.WRITE ? now : Access.READ_WRITE);
            }
        }
        StepUse use = new StepUse(step, describe(step, loop), loop, touched);
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.access(a).reduces()) {
                switch (loop.argument(a)) {
                    case Global global -> use.changed.add(global);
                    case Scalar scalar -> use.changed.add(scalar.scalars());
                    default -> throw new IllegalStateException(loop.where(a) + " reduces into a dat");
                }
            }
        }
        return use;
    }

    /**
     * Says whether a parameter that assigns does so to every element of the dat's set. A loop that assigns through a
     * map reaches no element twice, so that counting is enough.
     */
    private static boolean covers(LoopDeclaration loop, int a) {
        if (loop.set().inParts()) {
            return false;
        }
        MeshMap map = loop.map(a);
        if (map == null) {
            return true;
        }
        if (map.arity() == MeshMap.VARIABLE) {
            return loop.dat(a).onRank().isEmpty() && map.entries().length == map.to().size();
        }
        long entries = loop.entry(a) == IndirectArgument.ALL ? map.arity() : 1;
        return entries * map.from().size() == map.to().size();
    }

    private static String describe(LoopStep step, LoopDeclaration loop) {
        StringJoiner arguments = new StringJoiner(", ", "(", ")");
        for (int a = 0; a < loop.arity(); a++) {
            String given = switch (loop.argument(a)) {
                case Dat dat -> dat.name();
                case IndirectArgument indirect -> indirect.dat().name() + " by " + indirect.map().name()
                        + (indirect.entry() == IndirectArgument.ALL ? "" : " " + indirect.entry());
                case Global global -> global.name();
                case Scalar scalar -> scalar.name();
                case MeshConstant constant -> constant.toString();
                case MeshRaster raster -> raster.toString();
            };
            arguments.add(loop.access(a) + " " + given);
        }
        String own = step.loop().hasOwnParameters() ? " as " + step.loop().parameters() : "";
        String part = step.part() == SetExtent.EXECUTED ? "" : " on " + step.part();
        return "loop " + loop.name() + arguments + " over " + loop.set().name() + part + own + ", kernel "
                + Integer.toHexString(loop.kernel().cudaSource().hashCode());
    }

    /** Says whether this is of a step, and the same is bound to it as when this was made. */
    @SuppressWarnings("ReferenceEquality") // each loop has one declaration at a time
    boolean isOf(Step other) {
        if (step instanceof WorkStep work && other instanceof WorkStep same) {
            return work == same || (work.name().equals(same.name()) && work.data().equals(same.data()));
        }
        return step == other && (!(step instanceof LoopStep own)
                || (own.loop().declaration() == loop && loop.bindings() == bindings));
    }

    /** Returns what followed when this step was run last, or null. */
    StepUse follower() {
        return follower;
    }

    void followedBy(StepUse next) {
        if (follower != next) { // mostly it is
            follower = next;
        }
    }

    /** Returns the number of this description. */
    int id() {
        return id;
    }

    void number(int value) {
        id = value;
    }

    String name() {
        return name;
    }

    String description() {
        return description;
    }

    /** Says whether the step has been asked this before, as it is each time that it runs. */
    boolean comesAgain() {
        boolean again = seen;
        seen = true;
        return again;
    }

    /** Says whether a checkpoint may begin before the step: it is a loop, or a step of a solver. */
    boolean isPlace() {
        return loop != null || step instanceof WorkStep;
    }

    /** Returns the dats that {@link #change} changes. */
    List<DatState> changing() {
        return List.of(changing);
    }

    /** Returns where it is kept whether the program has the values that {@link #change} changes. */
    boolean[][] unknown() {
        return unknown;
    }

    /** Says whether what the step touches includes something of a mesh that has been closed. */
    boolean isClosed() {
        return Arrays.stream(dats).anyMatch(state -> state.dat().set().mesh().isClosed());
    }

    /** Returns globals and scalars that the step changes. */
    List<Object> values() {
        return changed;
    }

    /**
     * Refuses to read what work within a step of a solver has left, which another run of the program would not have.
     */
    void requireOwn() {
        for (int d = 0; d < dats.length; d++) {
            if (access[d] == Access.WRITE) {
                dats[d].ownAgain();
            } else if (dats[d].within() != 0) {
                throw leftWithin(dats[d], description);
            }
        }
    }

    /** Says that values belong to work within a step of a solver. */
    static IllegalStateException leftWithin(DatState state, String reader) {
        return new IllegalStateException(reader + " reads " + state.dat() + ", which loops within a solver's step have "
                + "left; with checkpoints expected a dat of which nothing is read that they leave");
    }

    int size() {
        return dats.length;
    }

    DatState dat(int index) {
        return dats[index];
    }

    /** Returns what the step does with a dat; WRITE only if it assigns every value. */
    Access access(int index) {
        return access[index];
    }

    boolean overwrites() {
        return Arrays.asList(access).contains(Access.WRITE);
    }

    /** Notes where it is kept whether the program has the values that change. */
    void follow(Map<Object, boolean[]> values) {
        List<boolean[]> all = new ArrayList<>();
        for (Object value : changed) {
            all.add(values.computeIfAbsent(value, key -> new boolean[1]));
        }
        unknown = all.toArray(boolean[][]::new);
    }

    /**
     * Notes that dats have changed, and that loops have changed globals and scalars; what a step of another kind sets,
     * the program knows.
     */
    void change() {
        for (DatState state : changing) {
            state.changedByStep();
        }
        for (boolean[] one : unknown) {
            one[0] = isPlace();
        }
    }
}
