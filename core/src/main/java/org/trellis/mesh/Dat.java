package org.trellis.mesh;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.Layout;

/**
 * Data on a set: the same number of components for each element. Everything that takes or gives values here speaks the
 * user's numbering, element by element with components side by side, whatever layout and order the mesh keeps them in.
 *
 * <p>As a {@link LoopArgument} a dat stands for its values on the loop's own elements; {@link #at(MeshMap, int)} and
 * {@link #at(MeshMap)} reach it through a map.
 *
 * <p>Once the mesh is closed, values can neither be taken nor given: an {@link IllegalStateException} that names the
 * dat.
 */
public final class Dat implements LoopArgument, AutoCloseable {
    private final String name;
    private final MeshSet set;
    private final int components;
    private final ScalarType type;
    private Layout layout;
    private DatHandle handle;
    private boolean closed;
    private boolean exposed;

    /** Makes a dat, and by a function of it what has its values. */
    Dat(String name, MeshSet set, int components, ScalarType type, Layout layout, Function<Dat, DatHandle> values) {
        this.name = Objects.requireNonNull(name);
        this.set = set;
        this.components = components;
        this.type = type;
        this.layout = layout;
        this.handle = values.apply(this);
    }

    /** Says that each rank brings some of the values. */
    Dat brought(ContributedValues values) {
        for (double value : values.values()) {
            checkWhole(value);
        }
        handle = new DatHandle.Brought(this, values);
        return this;
    }

    /**
     * Returns the values that this rank brings, of a dat that no rank has whole. For what divides the mesh.
     *
     * @return empty for a dat that has been declared whole, and once the mesh has been divided
     */
    public Optional<ContributedValues> brought() {
        return handle.brought();
    }

    /** Returns all values to be divided; null for zeros and for what ranks bring. */
    double[] undivided() {
        return handle.undivided(); // not read by the program
    }

    /** Says whether the values are those of a vector that another object owns. */
    boolean isOnVector() {
        return handle.isOnVector();
    }

    /** Says whether a program can see the values without asking, by a vector. */
    boolean isExposed() {
        return exposed || isOnVector();
    }

    boolean shares(DenseVector vector) {
        return isOnVector() && handle.isShownBy(vector);
    }

    /** Binds the vector that has the values to the numbering and layout that they have now. */
    void follow() {
        handle.follow();
    }

    boolean keeps(DatStorage wanted) {
        return !closed && !set.mesh().isClosed() && handle.isIn(wanted);
    }

    /** Gives the values to what has this rank's share of them from now on. */
    void divide(RankedDat share) {
        DatHandle before = handle;
        handle = new DividedDat(this, share);
        if (before instanceof WholeDat whole) {
            whole.release(); // a share releases what it had by itself
        }
    }

    /** Returns what has the values, since the mesh has been divided. */
    DatHandle.Held divided() {
        return (DividedDat) handle;
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Returns the set that the data are on.
     *
     * @return the set
     */
    public MeshSet set() {
        return set;
    }

    /**
     * Returns the number of components of an element.
     *
     * @return at least 1
     */
    public int components() {
        return components;
    }

    /**
     * Returns the type of the components.
     *
     * @return the type
     */
    public ScalarType type() {
        return type;
    }

    /**
     * Returns the precision of real components.
     *
     * @return the precision
     * @throws IllegalStateException if components are whole numbers
     */
    public Precision precision() {
        return type.precision();
    }

    /**
     * Reaches the dat through one entry of a map.
     *
     * @param map   a map from the loop's set to the dat's
     * @param entry which entry
     * @return the argument
     * @throws IllegalArgumentException if the map leads elsewhere or has no such entry
     */
    public IndirectArgument at(MeshMap map, int entry) {
        if (entry == IndirectArgument.ALL) {
            throw new IllegalArgumentException(this + " reached through entry -1 of " + map
                    + ", expected an entry from 0; at(map) takes all");
        }
        return new IndirectArgument(this, map, entry);
    }

    /**
     * Reaches the dat through all entries of a map at once.
     *
     * @param map a map from the loop's set to the dat's
     * @return the argument
     * @throws IllegalArgumentException if the map leads elsewhere
     */
    public IndirectArgument at(MeshMap map) {
        return new IndirectArgument(this, map, IndirectArgument.ALL);
    }

    /**
     * Returns the layout.
     *
     * @return how components lie in memory
     */
    public Layout layout() {
        return layout;
    }

    /**
     * Changes the layout. Values stay; loops adapt before their next run. Costs a pass over the data.
     *
     * @param wanted the new layout
     * @return this dat
     * @throws IllegalStateException if the dat is closed
     */
    public Dat layout(Layout wanted) {
        DatHandle.Held held = reach();
        if (wanted == layout) {
            return this;
        }
        passage().moving(this);
        held.layout(wanted);
        layout = wanted;
        follow();
        set.mesh().layoutChanged();
        return this;
    }

    /**
     * Returns the distance of consecutive elements in the storage.
     *
     * @return in values
     */
    public int elementStride() {
        return layout == Layout.AOS ? components : 1;
    }

    /**
     * Returns the distance of consecutive components of an element in the storage.
     *
     * @return in values
     */
    public int componentStride() {
        return layout == Layout.AOS || components == 1 ? 1 : set.size();
    }

    int place(int currentElement, int component) {
        return place(layout, set.size(), currentElement, component);
    }

    int place(Layout in, int size, int currentElement, int component) {
        return in == Layout.AOS ? currentElement * components + component : component * size + currentElement;
    }

    /** Returns the number of values of a dat, which its memory must be able to hold. */
    static int length(String name, int components, String set, int size) {
        long length = (long) size * components;
        if (length > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("dat '" + name + "' of " + components + " components on " + set + " has "
                    + length + " values, expected at most " + Integer.MAX_VALUE);
        }
        return (int) length;
    }

    /** Puts values that are given in the user's numbering where this dat would have them if its set had a shape. */
    void place(HostStorage target, double[] values, SetShape shape) {
        int broken = type.real() ? -1 : DatValues.firstBroken(values);
        if (broken >= 0) {
            checkWhole(values[broken]);
        }
        new DatValues(shape, components, layout).put(values, target);
    }

    /** Takes other memory, and returns the old. */
    DatStorage replace(DatStorage next) {
        return reach().replace(next);
    }

    private Passage passage() {
        return set.mesh().running().passage();
    }

    private int index(int element, int component) {
        Checks.index("component of dat '" + name + "'", component, components);
        return place(set.current(element), component);
    }

    /**
     * Returns one value. On a device this costs a transfer.
     *
     * @param element   the user's number of the element
     * @param component the component
     * @return the value; exact for every type
     * @throws IndexOutOfBoundsException if there is no such element or component
     * @throws IllegalStateException if the dat is closed
     */
    public double get(int element, int component) {
        DatHandle.Held held = reach();
        index(element, component);
        passage().reading(this, element, component);
        return held.get(element, component);
    }

    /**
     * Sets one value. On a device this costs a transfer.
     *
     * @param element   the user's number of the element
     * @param component the component
     * @param value     the value; rounded to nearest in single precision
     * @throws IndexOutOfBoundsException if there is no such element or component
     * @throws IllegalArgumentException  if the dat holds whole numbers and the value is none
     * @throws IllegalStateException if the dat is closed
     */
    public void set(int element, int component, double value) {
        DatHandle.Held held = reach();
        checkWhole(value);
        index(element, component);
        passage().writing(this, false, Double.hashCode(value) + 31L * ((long) element * components + component));
        held.set(element, component, value);
    }

    void checkWhole(double value) {
        if (!type.real() && value != (int) value) {
            throw new IllegalArgumentException("value for dat '" + name + "' is " + value
                    + ", expected a whole number of 32 bits");
        }
    }

    /**
     * Sets all values.
     *
     * @param values element by element in the user's order, components side by side; not kept
     * @return this dat
     * @throws IllegalArgumentException if there are more or fewer, or the dat holds whole numbers and a value is none
     * @throws IllegalStateException if the dat is closed
     */
    public Dat setAll(double[] values) {
        DatHandle.Held held = reach();
        requireNumber(values.length);
        passage().writing(this, values);
        held.setAll(values);
        return this;
    }

    private void requireNumber(int values) {
        Checks.length("number of values for dat '" + name + "'", values, (long) set.size() * components);
    }

    /**
     * Sets all values.
     *
     * @param values element by element in the user's order, components side by side; not kept
     * @return this dat
     * @throws IllegalArgumentException if there are more or fewer
     * @throws IllegalStateException if the dat is closed
     */
    public Dat setAll(int[] values) {
        DatHandle.Held held = reach();
        requireNumber(values.length);
        passage().writing(this, values);
        held.setAll(values);
        return this;
    }

    /**
     * Sets every component of every element to one value.
     *
     * @param value the value
     * @return this dat
     * @throws IllegalArgumentException if the dat holds whole numbers and the value is none
     * @throws IllegalStateException if the dat is closed
     */
    public Dat fill(double value) {
        DatHandle.Held held = reach();
        checkWhole(value);
        passage().writing(this, true, Double.hashCode(value));
        held.fill(value);
        return this;
    }

    /**
     * Returns all values.
     *
     * @return element by element in the user's order, components side by side; a new array
     * @throws IllegalStateException if the dat is closed
     */
    public double[] toArray() {
        DatHandle.Held held = reach();
        passage().reading(this);
        return held.toArray();
    }

    /**
     * Returns all values of a dat of whole numbers.
     *
     * @return element by element in the user's order, components side by side; a new array
     * @throws IllegalStateException if the dat holds real numbers
     */
    public int[] toIntArray() {
        if (type.real()) {
            throw new IllegalStateException("dat '" + name + "' of " + type.label() + " asked for whole numbers");
        }
        return Arrays.stream(toArray()).mapToInt(value -> (int) value).toArray();
    }

    /**
     * Returns the values as a vector for products and solvers, in the current layout and numbering, to which it is
     * bound. Once the set is renumbered or changed, or the layout is, the vector refuses any use; take another one. Of
     * a mesh with checkpoints, it is for solvers only, which announce their writes to these.
     *
     * <p>Of a mesh over ranks, the vector has the values of the elements that this rank owns, components side by side;
     * solvers take it with {@link Mesh#solverBackend}, whose sums are all ranks'. Asking for it divides the mesh. From
     * then on, loops that read values of other ranks' elements exchange them anew each time, unless the loops before
     * them belong to the same sequence.
     *
     * @return a view: writing one writes the other; closing it does nothing
     * @throws IllegalStateException if the dat holds whole numbers; or if it is divided over ranks and its components
     *                               lie apart, or every rank has all of its set
     */
    public DenseVector vector() {
        DenseVector view = view();
        reach().watch();
        return passage().vector(this, view);
    }

    /** Notes that the values can be seen by a vector. */
    void expose() {
        exposed = true;
    }

    DenseVector view() {
        expose();
        set.mesh().divide();
        return reach().view();
    }

    IllegalStateException wholeNumbers() {
        return new IllegalStateException("dat '" + name + "' of whole numbers asked for a vector");
    }

    /** The values are about to be overwritten by a vector that was taken inside of the library. */
    void overwriting() {
        passage().overwriting(this);
        handle.overwriting();
    }

    /**
     * Returns the memory. For backends.
     *
     * @return what the backend made when the dat was declared, or when its set was last changed
     * @throws IllegalStateException if the dat is closed
     */
    public DatStorage storage() {
        return reach().storage();
    }

    /** Returns what has the values: in one piece, or on the ranks. */
    private DatHandle.Held reach() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        if (set.mesh().isClosed()) {
            throw new IllegalStateException(this + " is used after its mesh was closed");
        }
        set.mesh().running().settle();
        DatHandle.Held held = handle.reach();
        handle = held;
        return held;
    }

    /** Says whether something is this dat or a view of its memory. */
    @SuppressWarnings("ReferenceEquality") // a dat is what it is
    boolean isBehind(Object data) {
        return data == this || (data instanceof DenseVector vector && handle.isShownBy(vector));
    }

    /**
     * Returns what this rank has of the values. For what saves them.
     *
     * @return empty before the mesh is divided, and on one rank
     */
    public Optional<RankedDat> onRank() {
        return handle.onRank();
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Releases the memory and the name; the mesh forgets the dat. Idempotent. Without it, the dat is closed with its
     * mesh. A vector that the dat was made on is not closed; it has its values in the user's order then and is bound
     * to nothing.
     *
     * @throws IllegalStateException if a loop or sequence that is open uses the dat; names it
     */
    @Override
    public void close() {
        if (!closed) {
            set.mesh().forget(this);
            closed = true;
            release();
        }
    }

    /** Releases the memory with the mesh. */
    void release() {
        handle.release();
    }

    void renumber(Permutation permutation) {
        handle.renumber(permutation);
    }

    @Override
    public String toString() {
        return "dat '" + name + "' of " + components + " " + type.label() + " on set '" + set.name() + "'";
    }
}
