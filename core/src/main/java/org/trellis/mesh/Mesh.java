package org.trellis.mesh;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.kernel.LoopKernel;
import org.trellis.memory.DenseVector;

/**
 * A mesh on a backend: sets, maps, data, and the loops over them.
 *
 * <pre>{@code
 * try (Backend backend = Backends.open(configuration); Mesh mesh = Mesh.on(backend)) {
 *     MeshSet nodes = mesh.set("nodes", 4);
 *     MeshSet edges = mesh.set("edges", 3);
 *     MeshMap ends = mesh.map("ends", edges, nodes, 2, new int[]{0, 1, 1, 2, 2, 3});
 *     Dat weight = mesh.dat("weight", edges, 1, Precision.F64, new double[]{1, 2, 3});
 *     Dat sum = mesh.dat("sum", nodes, 1, Precision.F64);
 *     mesh.loop(DegreeLoops.ADD, edges, weight, sum.at(ends, 0), sum.at(ends, 1)).run();
 * }
 * }</pre>
 *
 * <p>Used by one thread at a time, as its backend is.
 */
public final class Mesh implements AutoCloseable {
    private final Backend backend;
    private final LoopKernels kernels;
    private final MeshOptions options;
    private final Set<String> names = new HashSet<>();
    private final List<MeshSet> sets = new ArrayList<>();
    private final List<MeshMap> maps = new ArrayList<>();
    private final List<Dat> dats = new ArrayList<>();
    private final List<Scalars> scalars = new ArrayList<>();
    private final List<StepListener> listeners = new CopyOnWriteArrayList<>();
    private final List<ParallelLoop> loops = new ArrayList<>();
    private final List<LoopSequence> sequences = new ArrayList<>();
    private final Map<Object, Object> derived = new HashMap<>();
    private int structure;
    private boolean changing;
    private boolean closed;

    private Mesh(Backend backend, MeshOptions options) {
        this.backend = backend;
        this.kernels = backend.kernels(LoopKernels.class);
        this.options = Objects.requireNonNull(options);
    }

    /**
     * Creates an empty mesh with the options of {@link Configuration#load()}.
     *
     * @param backend where its loops run; not closed with the mesh
     * @return the mesh
     * @throws org.trellis.common.UnsupportedKernelException if the backend has no loops
     */
    public static Mesh on(Backend backend) {
        return on(backend, MeshOptions.of(Configuration.load()));
    }

    /**
     * Creates an empty mesh.
     *
     * @param backend where its loops run; not closed with the mesh
     * @param options what holds unless a dat or a loop says otherwise
     * @return the mesh
     * @throws org.trellis.common.UnsupportedKernelException if the backend has no loops
     */
    public static Mesh on(Backend backend, MeshOptions options) {
        return new Mesh(backend, options);
    }

    /**
     * Returns the backend.
     *
     * @return where loops run
     */
    public Backend backend() {
        return backend;
    }

    /**
     * Returns the options.
     *
     * @return what holds unless a dat or a loop says otherwise
     */
    public MeshOptions options() {
        return options;
    }

    LoopKernels kernels() {
        return kernels;
    }

    private String newName(String kind, String name) {
        requireSettled();
        Objects.requireNonNull(name);
        if (!names.add(kind + " '" + name + "'")) {
            throw new IllegalArgumentException(
                    "the mesh has a " + kind + " '" + name + "' already, expected another name");
        }
        return name;
    }

    private void requireOwn(MeshSet set, String what) {
        if (set.mesh() != this) {
            throw new IllegalArgumentException(what + " on " + set + " of another mesh, expected a set of this one");
        }
    }

    /**
     * Declares a set.
     *
     * @param name for messages; no other set has it
     * @param size the number of elements
     * @return the set
     * @throws IllegalArgumentException if the size is negative or the name taken
     */
    public MeshSet set(String name, int size) {
        Checks.notNegative("size of set '" + name + "'", size);
        MeshSet set = new MeshSet(this, newName("set", name), size, size, size, size);
        sets.add(set);
        return set;
    }

    /**
     * Declares a set of which this rank has a part, with elements of others around it. The elements of each part come
     * first, in the user's numbering and in every other.
     *
     * @param name     for messages; no other set has it
     * @param interior elements that reach nothing of another rank
     * @param owned    elements of this rank, at least {@code interior}
     * @param executed elements that this rank runs, at least {@code owned}
     * @param total    all elements, at least {@code executed}
     * @return the set
     * @throws IllegalArgumentException if the parts do not contain each other or the name is taken
     */
    public MeshSet set(String name, int interior, int owned, int executed, int total) {
        Checks.notNegative("size of set '" + name + "'", interior);
        if (interior > owned || owned > executed || executed > total) {
            throw new IllegalArgumentException("set '" + name + "' has " + interior + " interior, " + owned + " owned, "
                    + executed + " executed and " + total + " elements in all, expected none to be less than before");
        }
        MeshSet set = new MeshSet(this, newName("set", name), interior, owned, executed, total);
        sets.add(set);
        return set;
    }

    /**
     * Declares a map with the same number of entries for each element.
     *
     * @param name    for messages; no other map has it
     * @param from    the set whose elements have entries
     * @param to      the set that entries lead to
     * @param arity   entries of an element, at least 1
     * @param targets element after element, {@code arity} targets each; copied
     * @return the map
     * @throws IllegalArgumentException if the number of targets does not fit or a target does not exist; names it
     */
    public MeshMap map(String name, MeshSet from, MeshSet to, int arity, int[] targets) {
        requireOwn(from, "map '" + name + "'");
        requireOwn(to, "map '" + name + "'");
        MeshMap map = MeshMap.fixed(name, from, to, arity, targets);
        newName("map", name);
        maps.add(map);
        return map;
    }

    /**
     * Declares a map with as many entries for each element as its row has.
     *
     * @param name    for messages; no other map has it
     * @param from    the set whose elements have entries
     * @param to      the set that entries lead to
     * @param offsets element e has the targets {@code offsets[e]} to {@code offsets[e + 1] - 1}; copied
     * @param targets row after row; copied
     * @return the map
     * @throws IllegalArgumentException if offsets or targets do not fit; names the first offender
     */
    public MeshMap map(String name, MeshSet from, MeshSet to, int[] offsets, int[] targets) {
        requireOwn(from, "map '" + name + "'");
        requireOwn(to, "map '" + name + "'");
        MeshMap map = MeshMap.variable(name, from, to, offsets, targets);
        newName("map", name);
        maps.add(map);
        return map;
    }

    private Dat newDat(String name, MeshSet set, int components, ScalarType type) {
        Checks.positive("number of components of dat '" + name + "'", components);
        requireOwn(set, "dat '" + name + "'");
        int length = Dat.length(name, components, set.toString(), set.size());
        Dat dat = new Dat(newName("dat", name), set, components, kernels.allocate(type, length), options.layout());
        dats.add(dat);
        return dat;
    }

    /**
     * Declares a dat of real numbers, all zero.
     *
     * @param name       for messages; no other dat has it
     * @param set        the set that it is on
     * @param components values of an element, at least 1
     * @param precision  their precision
     * @return the dat, in the layout of the mesh's options
     * @throws IllegalArgumentException if there would be more than 2³¹ − 1 values
     */
    public Dat dat(String name, MeshSet set, int components, Precision precision) {
        return newDat(name, set, components, ScalarType.of(precision));
    }

    /**
     * Declares a dat of real numbers.
     *
     * @param name       for messages; no other dat has it
     * @param set        the set that it is on
     * @param components values of an element, at least 1
     * @param precision  their precision
     * @param values     element by element, components side by side; copied, rounded to nearest in single precision
     * @return the dat, in the layout of the mesh's options
     * @throws IllegalArgumentException if the number of values does not fit
     */
    public Dat dat(String name, MeshSet set, int components, Precision precision, double[] values) {
        checkValues(name, set, components, values.length);
        return dat(name, set, components, precision).setAll(values);
    }

    /**
     * Declares a dat whose values are those of a vector, without a copy. The vector is bound to the set as long as the
     * dat is open: a renumbering moves its elements, and it then fits only what is bound to the set too. Closing the
     * dat, or the mesh, brings the values back into the user's order and does not close the vector. The set cannot
     * change its size meanwhile.
     *
     * @param name       for messages; no other dat has it
     * @param set        the set that it is on
     * @param components values of an element, at least 1, side by side
     * @param vector     {@code size × components} elements in the mesh's memory space, which owns its memory and stays
     *                   open as long as the dat; bound to nothing if the set is in the user's order, otherwise to the
     *                   set's current numbering
     * @return the dat, with components side by side whatever the mesh's options say
     * @throws IllegalArgumentException if length, memory space or numbering do not fit, the vector is a part or a view
     *                                  of another, or another dat is on it
     */
    public Dat dat(String name, MeshSet set, int components, DenseVector vector) {
        Checks.positive("number of components of dat '" + name + "'", components);
        requireOwn(set, "dat '" + name + "'");
        VectorDats.check(name, set, components, vector, dats);
        Dat dat = new Dat(newName("dat", name), set, components, kernels.wrap(vector), Layout.AOS).on(vector);
        dats.add(dat);
        return dat;
    }

    /**
     * Declares a dat of whole numbers, all zero.
     *
     * @param name       for messages; no other dat has it
     * @param set        the set that it is on
     * @param components values of an element, at least 1
     * @return the dat, in the layout of the mesh's options
     * @throws IllegalArgumentException if there would be more than 2³¹ − 1 values
     */
    public Dat intDat(String name, MeshSet set, int components) {
        return newDat(name, set, components, ScalarType.INT);
    }

    /**
     * Declares a dat of whole numbers.
     *
     * @param name       for messages; no other dat has it
     * @param set        the set that it is on
     * @param components values of an element, at least 1
     * @param values     element by element, components side by side; copied
     * @return the dat, in the layout of the mesh's options
     * @throws IllegalArgumentException if the number of values does not fit
     */
    public Dat intDat(String name, MeshSet set, int components, int[] values) {
        checkValues(name, set, components, values.length);
        return intDat(name, set, components).setAll(values);
    }

    private static void checkValues(String name, MeshSet set, int components, int values) {
        Checks.length("number of values for dat '" + name + "' of " + components + " components on " + set, values,
                (long) set.size() * Checks.positive("number of components of dat '" + name + "'", components));
    }

    /**
     * Declares a global of real numbers.
     *
     * @param name   for messages; no other global has it
     * @param values its components
     * @return the global
     */
    public Global global(String name, double... values) {
        return new Global(this, newName("global", name), values.clone(), null);
    }

    /**
     * Declares a global of whole numbers.
     *
     * @param name   for messages; no other global has it
     * @param values its components
     * @return the global
     */
    public Global intGlobal(String name, int... values) {
        return new Global(this, newName("global", name), null, values.clone());
    }

    /**
     * Declares real numbers, all zero, that live where the dats live.
     *
     * @param name  for messages; no other scalars have it
     * @param count how many, at least 1
     * @return the scalars, closed with the mesh
     */
    public Scalars scalars(String name, int count) {
        Checks.positive("number of scalars '" + name + "'", count);
        Scalars made = new Scalars(this, newName("scalars", name), kernels.allocate(ScalarType.F64, count));
        scalars.add(made);
        return made;
    }

    /**
     * Declares a constant of real numbers.
     *
     * @param name   for messages; no other constant has it
     * @param values its components
     * @return the constant
     */
    public MeshConstant constant(String name, double... values) {
        return new MeshConstant(this, newName("constant", name), values.clone(), null);
    }

    /**
     * Declares a constant of whole numbers.
     *
     * @param name   for messages; no other constant has it
     * @param values its components
     * @return the constant
     */
    public MeshConstant intConstant(String name, int... values) {
        return new MeshConstant(this, newName("constant", name), null, values.clone());
    }

    /**
     * Declares a parallel loop, run as the options of the mesh say or, where they are silent, as the backend's rule
     * proposes.
     *
     * @param kernel    the kernel
     * @param set       the set whose elements it runs on
     * @param arguments one for each parameter of the kernel, in order
     * @return the loop; declare it once and run it often
     * @throws IllegalArgumentException                      if an argument does not fit: number, kind, set, map,
     *                                                       components, type, precision, or a conflict with another
     *                                                       argument or with itself; names loop, argument and values
     * @throws org.trellis.common.UnsupportedKernelException if the backend cannot run it as the options say
     */
    public ParallelLoop loop(LoopKernel kernel, MeshSet set, LoopArgument... arguments) {
        requireSettled();
        requireOwn(set, "loop " + kernel.signature().name());
        LoopDeclaration declaration = new LoopDeclaration(kernel, set, List.of(arguments));
        ParallelLoop loop = new ParallelLoop(this, declaration, new LoopDefaults(kernels, options).of(declaration),
                options.tunerOfLoops());
        loops.add(loop);
        return loop;
    }

    /**
     * Starts a sequence of loops and other steps that is run again and again.
     *
     * @param name for reports
     * @return to add steps to
     */
    public LoopSequence.Builder sequence(String name) {
        requireOpen();
        return new LoopSequence.Builder(this, Objects.requireNonNull(name));
    }

    /**
     * Lets somebody see every step of this mesh, until {@link #removeListener}. Without listeners steps cost nothing more.
     *
     * @param listener is told of steps, after those that were added before
     */
    public void addListener(StepListener listener) {
        listeners.add(Objects.requireNonNull(listener));
    }

    /**
     * Tells a listener of no more steps.
     *
     * @param listener a listener; nothing happens if it is none
     */
    public void removeListener(StepListener listener) {
        listeners.remove(listener);
    }

    boolean isWatched() {
        return !listeners.isEmpty();
    }

    void submitting(Step step) {
        if (!listeners.isEmpty()) {
            for (StepListener listener : listeners) {
                listener.submitting(step);
            }
        }
    }

    void add(LoopSequence sequence) {
        requireSettled();
        sequences.add(sequence);
    }

    /**
     * Renumbers a set: its elements, and with them the rows and targets of all maps and the values of all dats. The
     * user's numbering does not change: dats take and give values in it. Costs a pass over each map and dat concerned.
     *
     * @param set         the set
     * @param permutation from its current numbering to the new one; {@code set.order().inverse()} restores the user's
     * @throws IllegalArgumentException if the permutation has another size
     * @throws IllegalStateException    if the mesh is closed or being changed
     */
    public void renumber(MeshSet set, Permutation permutation) {
        requireSettled();
        requireOwn(set, "renumbering");
        Checks.length("size of the permutation for " + set, permutation.size(), set.size());
        set.requireParts(permutation);
        for (MeshMap map : maps) {
            if (map.to() == set) {
                map.renumberTargets(permutation);
            }
            if (map.from() == set) {
                map.renumberElements(permutation);
            }
        }
        for (Dat dat : dats) {
            if (dat.set() == set) {
                dat.renumber(permutation);
            }
        }
        set.renumber(permutation);
        dats.forEach(Dat::follow);
        structureChanged();
    }

    /**
     * Changes sizes of sets, and with them maps and dats, together or not at all. The function says what changes; then
     * everything new is made beside what is there and checked, and only then put in place:
     *
     * <pre>{@code
     * mesh.change(edit -> edit
     *         .resize(nodes, 5)                                        // node 4 is new
     *         .resize(edges, 4, new int[]{0, 1, 2, 2})                 // edge 2 is split
     *         .targets(ends, new int[]{0, 1, 1, 2, 2, 4, 4, 3})
     *         .fill(weight, 1));
     * }</pre>
     *
     * <p>Sets that change are in the user's (new) order afterwards and have no blocks; other sets keep theirs. Dats
     * have new memory: a {@link Dat#vector} taken before is not the dat's any more. Loops and sequences stay declared
     * and are prepared anew by their next run; those that move something else than before forget their times. Costs a
     * pass over the maps and dats concerned, on the host, and their memory twice.
     *
     * @param edit says what changes; may look at the mesh and run loops, but neither declare nor renumber nor change
     * @throws IllegalArgumentException if something does not fit: the mesh is then as it was
     * @throws IllegalStateException    if the mesh is closed or being changed
     */
    public void change(Consumer<MeshChange> edit) {
        requireSettled();
        MeshChange change = new MeshChange(this);
        ChangeBuilder builder = new ChangeBuilder(this, change);
        changing = true;
        try {
            edit.accept(change);
            change.end();
            builder.build();
        } finally {
            change.end();
            changing = false;
        }
        builder.commit();
    }

    /**
     * Returns the sets.
     *
     * @return in the order of declaration
     */
    public List<MeshSet> sets() {
        return List.copyOf(sets);
    }

    /**
     * Returns the maps.
     *
     * @return in the order of declaration
     */
    public List<MeshMap> maps() {
        return List.copyOf(maps);
    }

    /**
     * Returns the dats.
     *
     * @return in the order of declaration
     */
    public List<Dat> dats() {
        return List.copyOf(dats);
    }

    /**
     * Returns the loops.
     *
     * @return in the order of declaration
     */
    public List<ParallelLoop> loops() {
        return List.copyOf(loops);
    }

    /**
     * Keeps something that follows from sets and maps, such as a plan, until a numbering changes. For
     * backends.
     *
     * @param <T>  what is kept
     * @param key  says what it is; with {@code equals} and {@code hashCode}
     * @param type its class
     * @param make makes it, if it is not there
     * @return it
     */
    public <T> T derived(Object key, Class<T> type, Supplier<T> make) {
        Object found = derived.get(key);
        if (found == null) {
            found = make.get();
            derived.put(key, found);
        }
        return type.cast(found);
    }

    int structure() {
        return structure;
    }

    /** Tuning leaves the plans of all that it tried; once no loop is being tuned, nobody needs most of them. */
    void loopTuned() {
        if (loops.stream().noneMatch(ParallelLoop::isBeingTuned)) {
            derived.clear();
        }
    }

    void layoutChanged() {
        structure++;
    }

    void structureChanged() {
        structure++;
        derived.clear();
    }

    boolean isClosed() {
        return closed;
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException("mesh is closed");
        }
    }

    /** Refuses what a change in progress does not expect. */
    private void requireSettled() {
        requireOpen();
        if (changing) {
            throw new IllegalStateException(
                    "mesh is being changed, expected nothing to be declared, renumbered, closed "
                            + "or changed before Mesh.change returns");
        }
    }

    boolean owns(Dat dat) {
        return dats.contains(dat);
    }

    void forget(Dat dat) {
        if (closed) {
            return;
        }
        requireSettled();
        for (ParallelLoop loop : loops) {
            if (loop.declaration().uses(dat)) {
                throw new IllegalStateException(
                        dat + " is used by " + loop.declaration() + ", expected the loop to be closed before");
            }
        }
        dats.remove(dat);
        names.remove("dat '" + dat.name() + "'");
    }

    void forget(ParallelLoop loop) {
        if (closed) {
            return;
        }
        requireSettled();
        for (LoopSequence sequence : sequences) {
            if (sequence.runs(loop)) {
                throw new IllegalStateException(loop.declaration() + " is part of " + sequence
                        + ", expected the sequence to be closed before");
            }
        }
        loops.remove(loop);
    }

    void forget(LoopSequence sequence) {
        if (!closed) {
            requireSettled();
            sequences.remove(sequence);
        }
    }

    /**
     * Reports how often and how fast each loop and each sequence has run.
     *
     * @return one entry for each; its text is a table
     */
    public MeshReport report() {
        return new MeshReport(backend.name(), loops.stream().map(ParallelLoop::report).toList(),
                sequences.stream().map(LoopSequence::report).toList());
    }

    /** Forgets the times of past runs of all loops and sequences. */
    public void resetTimes() {
        loops.forEach(ParallelLoop::resetTimes);
        sequences.forEach(LoopSequence::resetTimes);
    }

    /** Releases dats and loops. Idempotent; running a loop or using a dat's values afterwards is an
     * {@link IllegalStateException}. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            structure++;
            sequences.forEach(LoopSequence::release);
            loops.forEach(ParallelLoop::release);
            dats.forEach(Dat::release);
            scalars.forEach(Scalars::release);
            derived.clear();
        }
    }
}
