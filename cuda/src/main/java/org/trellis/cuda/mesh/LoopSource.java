package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature.Kind;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshSet;

/**
 * The CUDA C of a launch: the device function of the kernel, and a kernel around it that gathers, calls and scatters.
 * Scheme, layouts, real type, components and threads are constants in it; sizes and addresses are members of its one
 * argument, so that a mesh of another size needs no other code.
 */
final class LoopSource {
    /** The name of the kernel. */
    static final String FUNCTION = "loop";
    /** Shared arrays start at multiples of this. */
    private static final int ALIGNMENT = 16;
    /** Registers of a multiprocessor, of every device that is supported. */
    static final int REGISTER_FILE = 1 << 16;
    /** Elements of two words. */
    static final int PAIRED_BYTES = 32;
    /** What belongs to an element in the code that goes through elements one by one. */
    private static final Pattern OF_ELEMENT = Pattern.compile("(?<![\\w.])(e|[ivoc]\\d+|rows\\d+)(?![\\w(])");

    private final LoopTables tables;
    private final LoopDeclaration loop;
    private final LoopForm form;
    private final BlockTables blocks;
    private final Contributions contributions;
    private final Addresses addresses;
    private final int threads;
    private final ArgumentStruct struct = new ArgumentStruct();
    private final List<ArgumentCode> arguments = new ArrayList<>();
    private final List<ReductionCode> reductions = new ArrayList<>();
    private final Map<Integer, Staged> staged = new LinkedHashMap<>();
    private final List<String> shared = new ArrayList<>();
    private final List<Integer> stagedArguments = new ArrayList<>();
    private final Map<Integer, int[]> indexColumns = new LinkedHashMap<>();
    private final Map<Integer, int[]> placeColumns = new LinkedHashMap<>();
    private int sharedBytes;
    private boolean wholeWarps;

    /** Gives the addresses of arrays and results on the device. */
    interface Addresses {
        /** Returns the address of a copy of an array that does not change. */
        long of(Object array);

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

    /** A dat in shared memory. */
    record Staged(String pointer, String capacity, int components) {}

    LoopSource(LoopTables tables, LoopForm form, BlockTables blocks, Contributions contributions, int threads,
            Addresses addresses) {
        this.tables = tables;
        this.loop = tables.loop();
        this.form = form;
        this.blocks = blocks;
        this.contributions = contributions;
        this.threads = threads;
        this.addresses = addresses;
        if (form.blocks()) {
            stage();
        }
        for (int a = 0; a < loop.arity(); a++) {
            arguments.add(code(a));
        }
    }

    ArgumentStruct struct() {
        return struct;
    }

    int sharedBytes() {
        return sharedBytes;
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
    private String once(String array, String index) {
        return form.streaming() ? "__ldcs(" + array + " + " + index + ")" : array + "[" + index + "]";
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

    private ArgumentCode code(int a) {
        Kind kind = loop.signature(a).kind();
        if (kind != Kind.DAT) {
            if (loop.access(a).reduces()) {
                ReductionCode reduction = new ReductionCode(this, a);
                if (!form.addsStored()) {
                    reductions.add(reduction);
                }
                return reduction;
            }
            return new ValueCode(this, a);
        }
        if (LoopTables.byRows(loop, a)) {
            return new RowCode(this, a);
        }
        return tables.columns(a).isEmpty() || (form.increments() == LoopForm.Increments.STORED && tables.direct(a))
                ? new DirectCode(this, a)
                : new IndirectCode(this, a);
    }

    // What arguments ask for.

    String array(String name, String type, Object array) {
        return struct.pointer(name, type, () -> addresses.of(array));
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
        array("m" + number, "const int", column);
        return "i" + number;
    }

    /** The variable that holds the place in shared memory of a column's target. */
    String place(int[] column) {
        int number = tables.column(column);
        placeColumns.put(number, column);
        return "p" + number;
    }

    /** Returns where an argument's dat is staged, or null. */
    Staged staged(int a) {
        return staged.get(tables.dat(a));
    }

    // Shared memory.

    private void stage() {
        for (int a = 0; a < loop.arity(); a++) {
            boolean reads = form.stageReads() && loop.map(a) != null && loop.access(a) == Access.READ
                    && !LoopTables.byRows(loop, a);
            boolean adds = form.accumulates() && tables.addsToShared(a);
            if (loop.dat(a) != null && (reads || adds) && staged(a) == null) {
                Dat dat = loop.dat(a);
                LoopForm.Increments where = adds ? form.increments() : LoopForm.Increments.SHARED;
                int capacity = Math.ceilDiv(blocks.capacity(dat.set(), where), 2) * 2;
                int offset = sharedBytes;
                String name = Integer.toString(tables.dat(a));
                String position = struct.number("offset" + name, () -> offset);
                String room = struct.number("capacity" + name, () -> capacity);
                staged.put(tables.dat(a), new Staged("h" + name, room, dat.components()));
                shared.add(tables.type(a) + "* const h" + name + " = reinterpret_cast<" + tables.type(a)
                        + "*>(pool + " + position + ");");
                sharedBytes += Math.ceilDiv(capacity * dat.components() * dat.type().bytes(), ALIGNMENT) * ALIGNMENT;
                stagedArguments.add(a);
            }
        }
    }

    /** The targets of the block in a set: declares list and count once. */
    private void declareTargets(SourceText out, MeshSet set, List<MeshSet> declared) {
        if (!declared.contains(set)) {
            declared.add(set);
            int number = tables.set(set);
            BlockTables.Numbering numbering = blocks.numberings().get(set);
            String offsets = array("targetOffsets" + number, "const int", numbering.local().targetOffsets());
            String targets = array("targets" + number, "const int", numbering.local().targets());
            out.line("const int* const targets" + number + " = " + targets + " + " + offsets + "[block];");
            out.line("const int count" + number + " = " + offsets + "[block + 1] - " + offsets + "[block];");
        }
    }

    private void stageIn(SourceText out) {
        if (staged.isEmpty()) {
            return;
        }
        shared.forEach(out::line);
        List<MeshSet> declared = new ArrayList<>();
        if (form.increments() == LoopForm.Increments.OWNED) {
            String owned = array("owned", "const int", blocks.plan().ownedOffsets());
            out.line("const int ownedFirst = " + owned + "[block];");
            out.line("const int ownedCount = " + owned + "[block + 1] - ownedFirst;");
        }
        for (int a : stagedArguments) {
            Staged to = staged(a);
            boolean adds = tables.addsToShared(a);
            if (!adds || form.increments() == LoopForm.Increments.SHARED) {
                declareTargets(out, loop.dat(a).set(), declared);
            }
            String count = adds ? accumulatorCount(a) : "count" + tables.set(loop.dat(a).set());
            out.line(adds
                    ? "clearShared<" + to.components() + ">(" + to.pointer() + ", " + to.capacity() + ", " + count
                            + ");"
                    : "stageIn<" + to.components() + ", " + LoopTables.soa(loop.dat(a)) + ">(" + to.pointer() + ", "
                            + to.capacity() + ", " + dat(a) + ", targets" + tables.set(loop.dat(a).set()) + ", "
                            + count + ", " + stride(a) + ");");
        }
        out.line("__syncthreads();");
    }

    private String accumulatorCount(int a) {
        return form.increments() == LoopForm.Increments.OWNED
                ? "ownedCount"
                : "count" + tables.set(loop.dat(a).set());
    }

    private void stageOut(SourceText out) {
        for (int a : stagedArguments) {
            if (tables.addsToShared(a)) {
                Staged from = staged(a);
                boolean owned = form.increments() == LoopForm.Increments.OWNED;
                out.line("stageOut<" + from.components() + ", " + LoopTables.soa(loop.dat(a)) + ", " + form.atomicOut()
                        + ", " + !owned + ">(" + dat(a) + ", " + from.pointer() + ", " + from.capacity() + ", "
                        + (owned ? "nullptr, ownedFirst" : "targets" + tables.set(loop.dat(a).set()) + ", 0") + ", "
                        + accumulatorCount(a) + ", " + stride(a) + ");");
            }
        }
    }

    // The kernel.

    /** Writes the source. */
    KernelSource source(int registers) {
        SourceText body = new SourceText();
        body.open("extern \"C\" __global__ void __launch_bounds__(" + bounds(registers) + ") " + FUNCTION
                + "(const __grid_constant__ Arguments " + ArgumentStruct.NAME + ")");
        reductions.forEach(reduction -> reduction.declareTotals(body));
        if (form.blocks()) {
            blocks(body);
        } else {
            flat(body);
        }
        finishReductions(body);
        body.close();
        return new KernelSource(fileName(), text(body), LoopHeader.HEADERS, List.of())
                .define("REAL", loop.precision() == Precision.F64 ? "double" : "float")
                .define("THREADS", threads);
    }

    /**
     * Limits registers by the number of blocks that a multiprocessor is to run: the compiler's option for registers
     * does nothing where the threads of a block are known.
     */
    private String bounds(int registers) {
        return registers == 0 ? "THREADS" : "THREADS, " + Math.max(1, REGISTER_FILE / (registers * threads));
    }

    private String fileName() {
        return loop.name().replaceAll("[^A-Za-z0-9]", "_") + ".cu";
    }

    private String text(SourceText body) {
        StringBuilder text = new StringBuilder("#include \"" + LoopHeader.NAME + "\"\n");
        if (!form.addsStored()) {
            for (int a = 0; a < arguments.size(); a++) {
                if (!"1".equals(arguments.get(a).stride())) {
                    text.append("#define STRIDE_").append(loop.signature(a).name()).append(' ')
                            .append(arguments.get(a).stride()).append('\n');
                }
            }
            text.append(loop.kernel().cudaSource()).append('\n');
        }
        return text.append(struct.text()).append(body).toString();
    }

    private void flat(SourceText out) {
        String count = struct.number("count", () -> 0);
        int each = form.perThread();
        String step = each == 1 ? "THREADS" : "(THREADS * " + each + ")";
        out.open("for (unsigned at = blockIdx.x * " + step + " + threadIdx.x; at < (unsigned) " + count
                + "; at += gridDim.x * " + step + ")");
        if (form.listed()) {
            String order = array("order", "const int", blocks.plan().order());
            out.line("const int e = " + order + "[" + struct.number("first", () -> 0) + " + at];");
            oneElement(out);
        } else {
            // The same for all threads of a warp.
            out.open("if ((at | 31) + " + (each - 1) + " * THREADS < (unsigned) " + count + ")");
            severalElements(out, each);
            out.close();
            out.open("else for (int k = 0; k < " + each + " && at + k * THREADS < (unsigned) " + count + "; k++)");
            out.line("const int e = at + k * THREADS;");
            oneElement(out);
            out.close();
        }
        out.close();
    }

    private void oneElement(SourceText out) {
        element(out, true);
        arguments.forEach(argument -> argument.apply(out));
    }

    /** Loads all elements of a thread first, so that many loads are under way. All threads of the warp take part. */
    private void severalElements(SourceText out, int each) {
        wholeWarps = true;
        SourceText loads = out.nested();
        load(loads, true);
        SourceText rest = out.nested();
        callAndStore(rest);
        arguments.forEach(argument -> argument.apply(rest));
        wholeWarps = false;
        for (int k = 0; k < each; k++) {
            out.line("const int e_" + k + " = at + " + k + " * THREADS;");
            out.raw(OF_ELEMENT.matcher(loads.toString()).replaceAll("$1_" + k));
        }
        for (int k = 0; k < each; k++) {
            out.raw(OF_ELEMENT.matcher(rest.toString()).replaceAll("$1_" + k));
        }
    }

    private void blocks(SourceText out) {
        String first = struct.number("firstBlock", () -> 0);
        if (!staged.isEmpty()) {
            out.line("extern __shared__ __align__(16) unsigned char pool[];");
        }
        String map = array("blockMap", "const int", blocks.plan().blockMap());
        String offsets = array("blockOffsets", "const int", blocks.plan().blockOffsets());
        out.line("const int block = " + map + "[" + first + " + blockIdx.x];");
        out.line("const int start = " + offsets + "[block];");
        out.line("const int size = " + offsets + "[block + 1] - start;");
        stageIn(out);
        out.open("for (int round = 0; round < size; round += THREADS)");
        out.line("const bool active = round + threadIdx.x < size;");
        out.line("const int position = start + round + threadIdx.x;");
        if (form.coloured()) {
            colouredRound(out);
        } else {
            out.open("if (active)");
            elementOfList(out);
            element(out, true);
            out.close();
        }
        out.close();
        if (form.accumulates()) {
            out.line("__syncthreads();");
            stageOut(out);
        }
    }

    private void elementOfList(SourceText out) {
        out.line(form.listed()
                ? "const int e = " + array("order", "const int", blocks.order()) + "[position];"
                : "const int e = position;");
    }

    private void colouredRound(SourceText out) {
        BlockTables.Colours colours = blocks.colours();
        String positions = array("colours", colours.type(), colours.positions());
        String counts = array("colourCounts", "const int", colours.counts());
        out.line("const int colour = active ? (int) " + positions + "[position] : -1;");
        if (form.colourOrdered()) {
            openColours(out, positions, counts);
            out.open("if (colour == c)");
            elementOfList(out);
            element(out, true);
            arguments.forEach(argument -> argument.apply(out));
            out.close();
            out.line("__syncthreads();");
            out.close();
            return;
        }
        indexColumns.keySet().forEach(number -> out.line("int i" + number + " = 0;"));
        placeColumns.keySet().forEach(number -> out.line("int p" + number + " = 0;"));
        arguments.forEach(argument -> argument.declare(out));
        out.open("if (active)");
        elementOfList(out);
        element(out, false);
        out.close();
        openColours(out, positions, counts);
        out.open("if (colour == c)");
        arguments.forEach(argument -> argument.apply(out));
        out.close();
        out.line("__syncthreads();");
        out.close();
    }

    /** Sorted elements have only the colours between those of the first and the last. */
    private void openColours(SourceText out, String positions, String counts) {
        if (form.listed() && form.increments() != LoopForm.Increments.OWNED) {
            out.line("const int lastOfRound = start + (round + THREADS < size ? round + THREADS : size) - 1;");
            out.line("const int lastColour = " + positions + "[lastOfRound];");
            out.open("for (int c = " + positions + "[start + round]; c <= lastColour; c++)");
        } else {
            out.open("for (int c = 0; c < " + counts + "[block]; c++)");
        }
    }

    /** Looks targets up, loads, calls, stores. */
    private void element(SourceText out, boolean declare) {
        load(out, declare);
        callAndStore(out);
    }

    private void load(SourceText out, boolean declare) {
        String prefix = declare ? "const int " : "";
        indexColumns.forEach((number, column) -> out
                .line(prefix + "i" + number + " = " + once(array("m" + number, "const int", column), "e") + ";"));
        placeColumns.forEach((number, column) -> out.line(prefix + "p" + number + " = " + once(places(column),
                "position") + ";"));
        if (declare) {
            arguments.forEach(argument -> argument.declare(out));
        }
        arguments.forEach(argument -> argument.load(out));
    }

    private void callAndStore(SourceText out) {
        if (!form.addsStored()) {
            List<String> passed = arguments.stream().map(ArgumentCode::pass).toList();
            out.line(loop.name().replace('.', '_') + "(" + String.join(", ", passed) + ");");
            arguments.forEach(argument -> argument.store(out));
        }
    }

    private String places(int[] column) {
        int number = tables.column(column);
        for (BlockTables.Numbering numbering : blocks.numberings().values()) {
            for (int c = 0; c < numbering.columns().size(); c++) {
                if (tables.column(numbering.columns().get(c)) == number) {
                    return numbering.local().isShort()
                            ? array("l" + number, "const unsigned short", numbering.local().shortPlaces(c))
                            : array("l" + number, "const int", numbering.local().intPlaces(c));
                }
            }
        }
        throw new IllegalStateException(loop + " stages a column that was not numbered");
    }

    private void finishReductions(SourceText out) {
        if (reductions.isEmpty()) {
            return;
        }
        String blockCount = struct.number("blockCount", () -> 0);
        String first = struct.number("firstBlock", () -> 0);
        String counter = struct.pointer("counter", "unsigned", addresses::counter);
        out.line("__shared__ double scratch[THREADS / 32];");
        reductions.forEach(reduction -> reduction.foldBlock(out, first + " + blockIdx.x", blockCount));
        out.open("if (lastToArrive(" + counter + ", " + blockCount + "))");
        reductions.forEach(reduction -> reduction.foldPartials(out, blockCount));
        out.close();
    }

    List<Integer> reducingArguments() {
        return reductions.stream().map(ReductionCode::argument).toList();
    }
}
