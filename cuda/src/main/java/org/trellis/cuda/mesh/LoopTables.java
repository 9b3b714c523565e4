package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.ArgumentSignature.Kind;
import org.trellis.mesh.Dat;
import org.trellis.mesh.IndirectArgument;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.Layout;

/** What a loop touches, each thing once and with a number: dats, columns of maps, sets. */
final class LoopTables {
    /** Columns whose addresses fit the argument of a kernel with all that is beside them. */
    private static final int MOST_COLUMNS = 400;
    /** Columns of an argument that go on having their own addresses where there are more in all. */
    private static final int FEW_COLUMNS = 64;

    private final LoopDeclaration loop;
    private final LoopRange range;
    private final List<Dat> dats = new ArrayList<>();
    private final List<int[]> columns = new ArrayList<>();
    private final List<MeshSet> sets = new ArrayList<>();

    private record SelfKey(MeshSet set) {}

    /** Arrays are distinguished by identity, as records compare them. */
    private record ConsecutiveKey(int[] column) {}

    private record SlicesKey(MeshMap map) {}

    private record CountingKey(int most) {}

    LoopTables(LoopDeclaration loop) {
        this(loop, null);
    }

    /** The tables of a loop over some elements of a set in parts. */
    LoopTables(LoopDeclaration loop, LoopRange range) {
        this.loop = loop;
        this.range = range;
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.dat(a) != null) {
                number(dats, loop.dat(a));
                number(sets, loop.dat(a).set());
                columns(a).forEach(column -> number(columns, column));
            }
        }
        number(sets, loop.set());
    }

    @SuppressWarnings("ReferenceEquality") // things of a mesh are distinguished by identity
    private static <T> int number(List<T> known, T thing) {
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i) == thing) {
                return i;
            }
        }
        known.add(thing);
        return known.size() - 1;
    }

    LoopDeclaration loop() {
        return loop;
    }

    /** Returns the elements that are run; null if all are. */
    LoopRange range() {
        return range;
    }

    List<Dat> dats() {
        return dats;
    }

    int dat(int a) {
        return number(dats, loop.dat(a));
    }

    /** Returns the name of the pointer to an argument's dat in the struct. */
    String pointer(int a) {
        return "d" + dat(a);
    }

    int column(int[] column) {
        return number(columns, column);
    }

    /** Says whether the targets of a column follow each other as the elements do. */
    boolean consecutive(int[] column) {
        return column.length > 0 && loop.set().mesh().derived(new ConsecutiveKey(column), Boolean.class,
                () -> IntStream.range(1, column.length).allMatch(e -> column[e] == column[0] + e));
    }

    List<int[]> allColumns() {
        return columns;
    }

    int set(MeshSet set) {
        return number(sets, set);
    }

    /** Returns the type of an argument's components in the source. */
    String type(int a) {
        return type(loop.signature(a));
    }

    static String type(ArgumentSignature signature) {
        return signature.type() == ArgumentSignature.Type.REAL ? "REAL" : "int";
    }

    static boolean soa(Dat dat) {
        return dat.layout() == Layout.SOA && dat.components() > 1;
    }

    boolean direct(int a) {
        return loop.dat(a) != null && loop.map(a) == null;
    }

    static boolean byRows(LoopDeclaration loop, int a) {
        return loop.map(a) != null && loop.map(a).arity() == MeshMap.VARIABLE;
    }

    /** Says whether a loop adds through a map of variable arity, which registers cannot hold. */
    static boolean addsThroughRows(LoopDeclaration loop) {
        return IntStream.range(0, loop.arity()).anyMatch(a -> loop.incrementsIndirectly(a) && byRows(loop, a));
    }

    /** Says whether nothing in the loop writes an argument's dat. */
    @SuppressWarnings("ReferenceEquality")
    boolean readOnly(int a) {
        return IntStream.range(0, loop.arity())
                .noneMatch(b -> loop.dat(b) == loop.dat(a) && loop.access(b) != Access.READ);
    }

    /** Says whether an argument adds to a dat that elements share: through a map, or where another argument does. */
    @SuppressWarnings("ReferenceEquality")
    boolean addsToShared(int a) {
        return loop.signature(a).kind() == Kind.DAT && loop.access(a) == Access.INCREMENT && IntStream
                .range(0, loop.arity()).anyMatch(b -> loop.incrementsIndirectly(b) && loop.dat(b) == loop.dat(a));
    }

    /**
     * Returns the columns through which an argument is reached, one for each entry that the kernel takes. A direct
     * increment to a dat that is also added to through maps has one that leads from each element to itself.
     */
    List<int[]> columns(int a) {
        MeshMap map = loop.map(a);
        if (map == null) {
            return addsToShared(a) ? List.of(self()) : List.of();
        }
        if (map.arity() == MeshMap.VARIABLE) {
            return List.of();
        }
        if (loop.entry(a) != IndirectArgument.ALL) {
            return List.of(map.column(loop.entry(a)));
        }
        return IntStream.range(0, map.arity()).mapToObj(map::column).toList();
    }

    /** Says whether the columns of an argument are too many for lines and addresses of their own. */
    boolean wide(int a) {
        return columns.size() > MOST_COLUMNS && columns(a).size() > FEW_COLUMNS;
    }

    /** Says whether a loop has such an argument. */
    static boolean hasWide(LoopDeclaration loop) {
        LoopTables tables = new LoopTables(loop);
        return IntStream.range(0, loop.arity()).anyMatch(a -> loop.dat(a) != null && tables.wide(a));
    }

    /** Returns the rows of an argument's map of variable arity in slices. */
    RowSlices slices(int a) {
        MeshMap map = loop.map(a);
        return map.from().mesh().derived(new SlicesKey(map), RowSlices.class,
                () -> RowSlices.of(map.offsets(), map.entries()));
    }

    /** Returns 0, 1, 2 and so on, for the longest row of a map. */
    int[] counting() {
        int most = IntStream.range(0, loop.arity()).filter(a -> byRows(loop, a))
                .map(a -> loop.map(a).maximumArity()).max().orElse(0);
        return loop.set().mesh().derived(new CountingKey(most), int[].class, () -> IntStream.range(0, most).toArray());
    }

    private int[] self() {
        MeshSet set = loop.set();
        return set.mesh().derived(new SelfKey(set), int[].class, () -> IntStream.range(0, set.size()).toArray());
    }
}
