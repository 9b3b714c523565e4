package org.trellis.cuda.mesh;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.trellis.kernel.Raster;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshSet;

/**
 * What the code of arguments asks for: the members of the kernel's one argument, declared when they are first named,
 * and the variables that hold an element's targets.
 */
final class LoopOperands {
    /** Elements of two words. */
    static final int PAIRED_BYTES = 32;
    /** The variable that holds the element. */
    static final String ELEMENT = elementName("e");

    private final LoopTables tables;
    private final LoopDeclaration loop;
    private final LoopForm form;
    private final Contributions contributions;
    private final Addresses addresses;
    private final ArgumentStruct struct = new ArgumentStruct();
    private final Map<Integer, int[]> indexColumns = new LinkedHashMap<>();
    private final Map<Integer, int[]> placeColumns = new LinkedHashMap<>();
    private final PullCode pull;
    private final boolean expected;
    private boolean wholeWarps;

    /** Gives the addresses of arrays and results on the device. */
    interface Addresses {
        /** Returns the address of a copy of an array that does not change. */
        long of(Object array);

        /** Returns the address of an array of the addresses of copies of columns. */
        long table(List<int[]> columns);

        /** Returns the texture of a raster whose values do not change. */
        long texture(float[] values, int columns, int rows);

        /** Returns the address of a dat's values. */
        long of(Dat dat);

        /** Returns the address of stored contributions. */
        long contributions(int argument);

        /** Returns the address of a reduction's partial results, of its result, and of the counter of blocks. */
        long partials(int argument);

        /** Returns the address of a global's value on the device. */
        long value(int argument);

        /** Returns the address that a global's value is written to for the host. */
        long result(int argument);

        /** Returns the address of the counter of blocks that are done. */
        long counter();
    }

    /** Code that is expected only is written as it most likely is, where it depends on lists that take time to make. */
    LoopOperands(LoopTables tables, LoopForm form, Contributions contributions, Addresses addresses,
            boolean expected) {
        this.tables = tables;
        this.expected = expected;
        this.loop = tables.loop();
        this.form = form;
        this.contributions = contributions;
        this.addresses = addresses;
        this.pull = form.pulls() ? new PullCode(this) : null;
    }

    /** The name of a variable of which each element of a thread has one. */
    static String elementName(String name) {
        return name + SourceText.OF_ELEMENT;
    }

    ArgumentStruct struct() {
        return struct;
    }

    LoopTables tables() {
        return tables;
    }

    LoopForm form() {
        return form;
    }

    Contributions contributions() {
        return contributions;
    }

    boolean expected() {
        return expected;
    }

    /** Returns the code of targets that run their elements; null unless the form asks for it. */
    PullCode pull() {
        return pull;
    }

    /** The columns whose targets are looked up for each element, by number. */
    Map<Integer, int[]> indexColumns() {
        return indexColumns;
    }

    /** The columns whose targets' places in shared memory are looked up for each element, by number. */
    Map<Integer, int[]> placeColumns() {
        return placeColumns;
    }

    /** Says whether what is used once is kept from the caches. */
    boolean streaming() {
        return form.streaming();
    }

    /** Returns how elements that are used once are loaded and stored. */
    int once() {
        return form.streaming() ? 2 : 0;
    }

    /** Returns the element of an array that is used once. */
    String once(String array, String index) {
        return form.streaming() ? "__ldcs(" + array + " + " + index + ")" : array + "[" + index + "]";
    }

    /** Says whether all threads of a warp are there in the code that is written from now on. */
    void wholeWarps(boolean whole) {
        wholeWarps = whole;
    }

    /** The address of the counter of blocks that are done. */
    String counter() {
        return struct.pointer("counter", "unsigned", addresses::counter);
    }

    String array(String name, String type, Object array) {
        return array(name, type, () -> array);
    }

    /** An array that is made when its address is asked for: code is written for loops that may never be prepared. */
    String array(String name, String type, Supplier<?> array) {
        return struct.pointer(name, type, () -> addresses.of(array.get()));
    }

    /** An array of columns. */
    String table(String name, List<int[]> columns) {
        return struct.pointer(name, "const int* const", () -> addresses.table(columns));
    }

    String texture(String name, float[] values, Raster raster) {
        return "(unsigned long long) " + struct.pointer(name, "const void",
                () -> addresses.texture(values, raster.columns(), raster.rows()));
    }

    String dat(int a) {
        Dat dat = loop.dat(a);
        return struct.pointer(tables.pointer(a), tables.type(a), () -> addresses.of(dat));
    }

    /** The distance between the components of an element. */
    String stride(int a) {
        return LoopTables.soa(loop.dat(a)) ? size(loop.dat(a).set()) : "0";
    }

    String size(MeshSet set) {
        return struct.number("n" + tables.set(set), set::size);
    }

    String stored(int a) {
        int base = contributions.base(a);
        return struct.pointer("s" + base, tables.type(a), () -> addresses.contributions(base));
    }

    /** The distance between the components of a stored contribution. */
    String storedStride(int a) {
        int base = contributions.base(a);
        return contributions.transposed(a)
                ? struct.number("places" + base, () -> contributions.places(base))
                : "0";
    }

    /**
     * Says whether elements that follow each other in memory as threads do are to be moved by pairs of threads: those
     * of two words, where all threads of a warp are there.
     */
    boolean paired(int components, String type) {
        int bytes = type.equals("int") ? Integer.BYTES : loop.precision().bytes();
        return wholeWarps && components * bytes == PAIRED_BYTES;
    }

    /** Says whether threads of a warp write elements together, which are longer than what a thread fills at once. */
    boolean exchanged(int components, String type) {
        int bytes = type.equals("int") ? Integer.BYTES : loop.precision().bytes();
        return wholeWarps && components * bytes > PAIRED_BYTES;
    }

    String address(String name, String type, LongSupplier address) {
        return struct.pointer(name, type, address);
    }

    String partials(int a, String type) {
        return address("partials" + a, type, () -> addresses.partials(a));
    }

    String value(int a, String type) {
        return address("value" + a, type, () -> addresses.value(a));
    }

    String result(int a, String type) {
        return address("result" + a, type, () -> addresses.result(a));
    }

    /** The address of a global's value where the device has the newest one; null where it comes with the arguments. */
    String from(int a, String type) {
        return address("from" + a, "const " + type, () -> 0);
    }

    /** The variable that holds the target of a column. */
    String index(int[] column) {
        int number = tables.column(column);
        indexColumns.put(number, column);
        return elementName("i" + number);
    }

    /**
     * The expression for the target of an element through a column. One whose targets follow each other as the elements
     * do, as of parts of a set that is in the order of parts, costs no look-up.
     */
    String target(int[] column) {
        int number = tables.column(column);
        if (tables.consecutive(column)) {
            return ELEMENT + " + " + struct.number("first" + number, () -> column[0]);
        }
        return once(array("m" + number, "const int", column), ELEMENT);
    }

    /** The variable that holds the place in shared memory of a column's target. */
    String place(int[] column) {
        int number = tables.column(column);
        placeColumns.put(number, column);
        return elementName("p" + number);
    }
}
