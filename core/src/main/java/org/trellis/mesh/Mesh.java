package org.trellis.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.kernel.LoopKernel;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.MeshReport;
import org.trellis.mesh.loop.SetParts;

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
    private final MeshState state = new MeshState();
    private final MeshDeclarations declarations;
    private final MeshLoops running = new MeshLoops(this, state);
    private final MeshDivision division;

    @MustBeClosed
    private Mesh(Backend backend, MeshOptions options, MeshRanks ranks) {
        this.backend = backend;
        this.kernels = backend.kernels(LoopKernels.class);
        this.options = Objects.requireNonNull(options);
        this.division = new MeshDivision(this, ranks);
        this.declarations = new MeshDeclarations(this, state);
        running.begin();
    }

    /**
     * Creates an empty mesh with the options of {@link Configuration#load()}.
     *
     * @param backend where its loops run; not closed with the mesh
     * @return the mesh
     * @throws org.trellis.common.UnsupportedKernelException if the backend has no loops, or no chains of loops as the
     *                                                       options say
     */
    @MustBeClosed
    public static Mesh on(Backend backend) {
        return on(backend, MeshOptions.of(Configuration.load()));
    }

    /**
     * Creates an empty mesh on the backend of the host that the configuration names, or the available one of highest
     * priority, with the options of {@link Configuration#load()}.
     *
     * @return the mesh
     * @throws org.trellis.common.BackendUnavailableException if there is no backend of the host
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // what callers on the host share holds no resource of their own
    public static Mesh onHost() {
        return on(Backends.openHost(Configuration.load()));
    }

    /**
     * Creates an empty mesh.
     *
     * @param backend where its loops run; not closed with the mesh
     * @param options what holds unless a dat or a loop says otherwise
     * @return the mesh
     * @throws org.trellis.common.UnsupportedKernelException if the backend has no loops, or no chains of loops as the
     *                                                       options say
     */
    @MustBeClosed
    public static Mesh on(Backend backend, MeshOptions options) {
        return new Mesh(backend, options, null);
    }

    /**
     * Creates an empty mesh that is divided over ranks before its first loop is prepared. All make the same calls.
     *
     * @param backend where this rank's loops run; not closed with the mesh
     * @param options what holds unless a dat or a loop says otherwise
     * @param ranks   what divides the mesh
     * @return the mesh
     * @throws IllegalArgumentException if the options have a tuner, which ranks cannot follow
     * @throws org.trellis.common.UnsupportedKernelException if the backend has no loops, or no chains of loops as the
     *                                                       options say
     */
    @MustBeClosed
    public static Mesh on(Backend backend, MeshOptions options, MeshRanks ranks) {
        return new Mesh(backend, options, ranks);
    }

    /**
     * Returns what divides the mesh over ranks.
     *
     * @return empty on one rank
     */
    public Optional<MeshRanks> ranks() {
        return division.ranks();
    }

    /**
     * Divides the mesh over its ranks, unless it has been; otherwise its first loop does. Nothing happens on one rank.
     *
     * @return this mesh, in which no sets and maps can be declared any more
     * @throws IllegalArgumentException if it cannot be divided; says why
     */
    public Mesh divide() {
        division.divide();
        return this;
    }

    MeshDivision division() {
        return division;
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
     * Returns the backend that solvers of vectors of this mesh take. Called by all ranks, if there are several.
     *
     * @return {@link #backend} on one rank; over ranks what computes where that does, with sums over all ranks. Closed
     *         with the mesh, or the backend itself
     */
    public Backend solverBackend() {
        return division.ranks().map(MeshRanks::solverBackend).orElse(backend);
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

    MeshDeclarations declarations() {
        return declarations;
    }

    MeshLoops running() {
        return running;
    }

    /**
     * Declares a set.
     *
     * @param name for messages; no other set has it
     * @param size the number of elements
     * @return the set
     * @throws IllegalArgumentException if the size is negative or the name taken
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public MeshSet set(String name, int size) {
        return declarations.set(name, size, size, size, size);
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
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public MeshSet set(String name, int interior, int owned, int executed, int total) {
        return declarations.set(name, interior, owned, executed, total);
    }

    /**
     * Declares a set of which this rank has a part, with rings of other ranks' elements around it.
     *
     * @param name  for messages; no other set has it
     * @param parts where the parts end
     * @return the set, which cannot be renumbered
     * @throws IllegalArgumentException if the name is taken
     */
    public MeshSet set(String name, SetParts parts) {
        return declarations.set(name, parts);
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
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public MeshMap map(String name, MeshSet from, MeshSet to, int arity, int[] targets) {
        return declarations.map(name, from, to, arity, targets);
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
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public MeshMap map(String name, MeshSet from, MeshSet to, int[] offsets, int[] targets) {
        return declarations.map(name, from, to, offsets, targets);
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
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public Dat dat(String name, MeshSet set, int components, Precision precision) {
        return declarations.dat(name, set, components, ScalarType.of(precision));
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
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public Dat dat(String name, MeshSet set, int components, Precision precision, double[] values) {
        MeshDeclarations.checkValues(name, set, components, values.length);
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
        return declarations.dat(name, set, components, vector);
    }

    /**
     * Declares a dat of doubles with a value for each element of the set.
     *
     * @param name   for messages; no other dat has it
     * @param set    the set that it is on
     * @param values element by element; copied; none for zeros
     * @return the dat
     * @throws IllegalArgumentException if there are values, but not one for each element
     * @throws IllegalStateException    if the mesh is closed or being changed
     */
    public Dat dat(String name, MeshSet set, double... values) {
        return values.length == 0
                ? dat(name, set, 1, Precision.F64)
                : dat(name, set, 1, Precision.F64, values);
    }

    /**
     * Declares a dat of whole numbers, all zero.
     *
     * @param name       for messages; no other dat has it
     * @param set        the set that it is on
     * @param components values of an element, at least 1
     * @return the dat, in the layout of the mesh's options
     * @throws IllegalArgumentException if there would be more than 2³¹ − 1 values
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public Dat intDat(String name, MeshSet set, int components) {
        return declarations.dat(name, set, components, ScalarType.INT);
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
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public Dat intDat(String name, MeshSet set, int components, int[] values) {
        MeshDeclarations.checkValues(name, set, components, values.length);
        return intDat(name, set, components).setAll(values);
    }

    /**
     * Declares a global of real numbers.
     *
     * @param name   for messages; no other global has it
     * @param values its components
     * @return the global
     * @throws IllegalArgumentException if there are no components or the name is taken
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public Global global(String name, double... values) {
        return new Global(this, declarations.take("global", name), values.clone(), null);
    }

    /**
     * Declares a global of whole numbers.
     *
     * @param name   for messages; no other global has it
     * @param values its components
     * @return the global
     * @throws IllegalArgumentException if there are no components or the name is taken
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public Global intGlobal(String name, int... values) {
        return new Global(this, declarations.take("global", name), null, values.clone());
    }

    /**
     * Declares real numbers, all zero, that live where the dats live.
     *
     * @param name  for messages; no other scalars have it
     * @param count how many, at least 1
     * @return the scalars, closed with the mesh
     * @throws IllegalArgumentException if the count is not positive or the name is taken
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public Scalars scalars(String name, int count) {
        return declarations.scalars(name, count);
    }

    /**
     * Declares a constant of real numbers.
     *
     * @param name   for messages; no other constant has it
     * @param values its components
     * @return the constant
     * @throws IllegalArgumentException if there are no components or the name is taken
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public MeshConstant constant(String name, double... values) {
        return new MeshConstant(this, declarations.take("constant", name), values.clone(), null);
    }

    /**
     * Declares a constant of whole numbers.
     *
     * @param name   for messages; no other constant has it
     * @param values its components
     * @return the constant
     * @throws IllegalArgumentException if there are no components or the name is taken
     * @throws IllegalStateException if the mesh is closed or being changed
     */
    public MeshConstant intConstant(String name, int... values) {
        return new MeshConstant(this, declarations.take("constant", name), null, values.clone());
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
        state.requireSettled();
        declarations.requireOwn(set, "loop " + kernel.signature().name());
        LoopDeclaration declaration = new LoopDeclaration(kernel, set, List.of(arguments));
        ParallelLoop loop = division.divided()
                ? new ParallelLoop(this, declaration)
                : new ParallelLoop(this, declaration, new LoopDefaults(kernels, options).of(declaration),
                        options.tunerOfLoops());
        running.add(loop);
        return loop;
    }

    /**
     * Starts a sequence of loops and other steps that is run again and again.
     *
     * @param name for reports
     * @return to add steps to
     * @throws IllegalStateException if the mesh is closed
     */
    public LoopSequence.Builder sequence(String name) {
        requireOpen();
        return new LoopSequence.Builder(this, Objects.requireNonNull(name));
    }

    /**
     * Makes a repetition: sequences that are run one after the other until scalars say that it is enough.
     *
     * @param name  for messages
     * @param round the sequences, which stay open as long as the repetition is run
     * @param watch what is recorded after a round, and what has to hold for another one
     * @param most  the most rounds of one run, for which a device keeps memory
     * @return a repetition that is released with the mesh
     * @throws IllegalArgumentException if there is no sequence, scalars are another mesh's, or {@code most} is below 1
     * @throws IllegalStateException    if the mesh is closed
     */
    public Repetition repetition(String name, List<LoopSequence> round, StopCondition watch, int most) {
        requireOpen();
        Repetition repetition = new Repetition(this, name, round, watch, most);
        running.add(repetition);
        return repetition;
    }

    /**
     * Lets a listener see every step of this mesh, until {@link #removeListener}. Without any, steps cost nothing more.
     *
     * @param listener hears of steps, after those that were added before
     */
    public void addListener(StepListener listener) {
        running.addListener(listener);
    }

    /**
     * Stops notifying a listener of steps.
     *
     * @param listener a listener; nothing happens if it is none
     */
    public void removeListener(StepListener listener) {
        running.removeListener(listener);
    }

    boolean isWatched() {
        return running.isWatched();
    }

    void submitting(Step step) {
        running.submitting(step);
    }

    /**
     * Renumbers a set: its elements, and with them the rows and targets of all maps and the values of all dats. The
     * user's numbering does not change: dats take and give values in it. Costs a pass over each map and dat concerned.
     *
     * @param set         the set
     * @param permutation from its current numbering to the new one; {@code set.order().inverse()} restores the user's
     * @throws IllegalArgumentException if the permutation has another size or the set is {@link MeshSet#pinned}
     * @throws IllegalStateException    if the mesh is closed or being changed
     */
    public void renumber(MeshSet set, Permutation permutation) {
        division.requireWhole("renumbering");
        declarations.renumber(set, permutation);
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
     * <p>Sets that change are in the user's (new) order afterwards and have no blocks. Dats have new memory: a
     * {@link Dat#vector} of before is not the dat's any more. Loops and sequences stay and are prepared anew; what
     * moves something else forgets its times. Costs a pass over maps and dats concerned, and their memory twice.
     *
     * @param edit says what changes; may look at the mesh and run loops, but neither declare nor renumber nor change
     * @throws IllegalArgumentException if something does not fit: the mesh is then as it was
     * @throws IllegalStateException    if the mesh is closed or being changed, or a sequence has work (not a loop) that
     *                                  is bound to the memory of a dat that would change: the mesh is then as it was
     */
    public void change(Consumer<MeshChange> edit) {
        ChangeBuilder.change(this, state, edit);
    }

    /**
     * Returns the sets.
     *
     * @return in the order of declaration
     */
    public List<MeshSet> sets() {
        return List.copyOf(declarations.sets());
    }

    /**
     * Returns the maps.
     *
     * @return in the order of declaration
     */
    public List<MeshMap> maps() {
        return List.copyOf(declarations.maps());
    }

    /** {@return the dats, in the order of declaration} */
    public List<Dat> dats() {
        return List.copyOf(declarations.dats());
    }

    /**
     * Returns the loops.
     *
     * @return in the order of declaration
     */
    public List<ParallelLoop> loops() {
        return List.copyOf(running.loops());
    }

    /**
     * Returns the sequences.
     *
     * @return in the order of declaration
     */
    public List<LoopSequence> sequences() {
        return List.copyOf(running.sequences());
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
        return state.derived(key, type, make);
    }

    int structure() {
        return state.structure();
    }

    void layoutChanged() {
        state.layoutChanged();
    }

    void structureChanged() {
        state.structureChanged();
    }

    /** {@return whether the mesh has been closed} */
    public boolean isClosed() {
        return state.isClosed();
    }

    void requireOpen() {
        state.requireOpen();
    }

    void forget(Dat dat) {
        if (!state.isClosed()) {
            state.requireSettled();
            running.requireUnused(dat);
            declarations.forget(dat);
        }
    }

    /**
     * Reports how often and how fast each loop and each sequence has run. All ranks call this, if there are several.
     *
     * @return one entry for each; its text is a table
     */
    public MeshReport report() {
        return running.report(backend.name(), division.report());
    }

    /** Forgets the times of past runs of all loops and sequences. */
    public void resetTimes() {
        running.resetTimes();
        division.resetTimes();
    }

    /** Releases dats and loops. Idempotent; using them afterwards is an {@link IllegalStateException}. */
    @Override
    public void close() {
        running.finish(() -> {
            if (state.close()) {
                running.release();
                declarations.release();
                division.close();
            }
        });
    }
}
