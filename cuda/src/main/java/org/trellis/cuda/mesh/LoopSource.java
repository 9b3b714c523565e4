package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.kernel.ArgumentSignature.Kind;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshRaster;

/**
 * The CUDA C of a launch: the device function of the kernel, and a kernel around it that gathers, calls and scatters.
 * Scheme, layouts, real type, components and threads are constants in it; sizes and addresses are members of its one
 * argument, so that a mesh of another size needs no other code. {@link LoopOperands} has what the code of arguments
 * names, {@link SharedStages} what blocks of threads keep in shared memory.
 */
final class LoopSource {
    /** The name of the kernel. */
    static final String FUNCTION = "loop";
    /** Registers of a multiprocessor, of every device that is supported. */
    static final int REGISTER_FILE = 1 << 16;

    private final LoopTables tables;
    private final LoopDeclaration loop;
    private final LoopForm form;
    private final BlockTables blocks;
    private final int threads;
    private final LoopOperands operands;
    private final SharedStages stages;
    private final List<ArgumentCode> arguments = new ArrayList<>();
    private final List<ReductionCode> reductions = new ArrayList<>();
    private final List<RasterCode> rasters = new ArrayList<>();

    LoopSource(LoopTables tables, LoopForm form, BlockTables blocks, Contributions contributions, int threads,
            LoopOperands.Addresses addresses, boolean expected) {
        this.tables = tables;
        this.loop = tables.loop();
        this.form = form;
        this.blocks = blocks;
        this.threads = threads;
        this.operands = new LoopOperands(tables, form, contributions, addresses, expected);
        this.stages = new SharedStages(operands, blocks);
        for (int a = 0; a < loop.arity(); a++) {
            arguments.add(code(a));
        }
    }

    ArgumentStruct struct() {
        return operands.struct();
    }

    int sharedBytes() {
        return stages.sharedBytes();
    }

    private ArgumentCode code(int a) {
        Kind kind = loop.signature(a).kind();
        if (loop.argument(a) instanceof MeshRaster) {
            RasterCode raster = new RasterCode(operands, a);
            rasters.add(raster);
            return raster;
        }
        if (kind != Kind.DAT) {
            if (loop.access(a).reduces()) {
                ReductionCode reduction = new ReductionCode(operands, a);
                if (!form.addsStored()) {
                    reductions.add(reduction);
                }
                return reduction;
            }
            return new ValueCode(operands, a);
        }
        if (LoopTables.byRows(loop, a)) {
            return new RowCode(operands, a);
        }
        if (tables.wide(a)) {
            return new WideCode(operands, a);
        }
        return tables.columns(a).isEmpty() || (form.increments() == LoopForm.Increments.STORED && tables.direct(a))
                ? new DirectCode(operands, a)
                : new IndirectCode(operands, a, stages.staged(a));
    }

    /** Writes the source. */
    KernelSource source(int registers) {
        SourceText body = new SourceText();
        body.open("extern \"C\" __global__ void __launch_bounds__(" + bounds(registers) + ") " + FUNCTION
                + "(const __grid_constant__ Arguments " + ArgumentStruct.NAME + ")");
        reductions.forEach(reduction -> reduction.declareTotals(body));
        if (form.blocks()) {
            blocks(body);
        } else if (form.pulls()) {
            operands.pull().targets(body, declaration -> lookUp(body, declaration), () -> {
                loadArguments(body, true);
                callAndStore(body);
                arguments.forEach(argument -> argument.apply(body));
            });
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
                if (arguments.get(a) instanceof RowCode row) {
                    text.append(row.pitch());
                }
                if (!"1".equals(arguments.get(a).stride())) {
                    text.append("#define STRIDE_").append(loop.signature(a).name()).append(' ')
                            .append(arguments.get(a).stride()).append('\n');
                }
            }
            rasters.forEach(raster -> text.append(raster.definition()));
            text.append(loop.kernel().cudaSource()).append('\n');
        }
        return text.append(operands.struct().text()).append(body).toString();
    }

    private void flat(SourceText out) {
        String count = operands.struct().number("count", () -> 0);
        int each = form.perThread();
        String step = each == 1 ? "THREADS" : "(THREADS * " + each + ")";
        out.open("for (unsigned at = blockIdx.x * " + step + " + threadIdx.x; at < (unsigned) " + count
                + "; at += gridDim.x * " + step + ")");
        if (form.listed()) {
            String order = operands.array("order", "const int", blocks.plan().order());
            out.line("const int " + LoopOperands.ELEMENT + " = " + order + "["
                    + operands.struct().number("first", () -> 0) + " + at];");
            oneElement(out);
        } else {
            // The same for all threads of a warp.
            out.open("if ((at | 31) + " + (each - 1) + " * THREADS < (unsigned) " + count + ")");
            severalElements(out, each);
            out.close();
            out.open("else for (int k = 0; k < " + each + " && at + k * THREADS < (unsigned) " + count + "; k++)");
            out.line("const int " + LoopOperands.ELEMENT + " = " + firstOfRange() + "at + k * THREADS;");
            oneElement(out);
            out.close();
        }
        out.close();
    }

    /** What is added to numbers of elements where not all are run. */
    private String firstOfRange() {
        return tables.range() == null ? "" : operands.struct().number("first", () -> 0) + " + ";
    }

    private void oneElement(SourceText out) {
        element(out, true);
        arguments.forEach(argument -> argument.apply(out));
    }

    /** Loads all elements of a thread first, so that many loads are under way. All threads of the warp take part. */
    private void severalElements(SourceText out, int each) {
        operands.wholeWarps(true);
        for (int k = 0; k < each; k++) {
            out.element("_" + k);
            out.line("const int " + LoopOperands.ELEMENT + " = " + firstOfRange() + "at + " + k + " * THREADS;");
            load(out, true);
        }
        for (int k = 0; k < each; k++) {
            out.element("_" + k);
            callAndStore(out);
            arguments.forEach(argument -> argument.apply(out));
        }
        out.element("");
        operands.wholeWarps(false);
    }

    private void blocks(SourceText out) {
        String first = operands.struct().number("firstBlock", () -> 0);
        if (!stages.isEmpty()) {
            out.line("extern __shared__ __align__(16) unsigned char pool[];");
        }
        String map = operands.array("blockMap", "const int", blocks.plan().blockMap());
        String offsets = operands.array("blockOffsets", "const int", blocks.plan().blockOffsets());
        out.line("const int block = " + map + "[" + first + " + blockIdx.x];");
        out.line("const int start = " + offsets + "[block];");
        out.line("const int size = " + offsets + "[block + 1] - start;");
        stages.stageIn(out);
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
            stages.stageOut(out);
        }
    }

    private void elementOfList(SourceText out) {
        out.line(form.listed()
                ? "const int " + LoopOperands.ELEMENT + " = " + operands.array("order", "const int", blocks.order())
                        + "[position];"
                : "const int " + LoopOperands.ELEMENT + " = position;");
    }

    private void colouredRound(SourceText out) {
        BlockTables.Colours colours = blocks.colours();
        String positions = operands.array("colours", colours.type(), colours.positions());
        String counts = operands.array("colourCounts", "const int", colours.counts());
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
        operands.indexColumns().keySet()
                .forEach(number -> out.line("int " + LoopOperands.elementName("i" + number) + " = 0;"));
        operands.placeColumns().keySet()
                .forEach(number -> out.line("int " + LoopOperands.elementName("p" + number) + " = 0;"));
        arguments.forEach(argument -> argument.declare(out));
        out.open("if (active)");
        elementOfList(out);
        element(out, false);
        out.close();
        openColours(out, positions, counts);
        out.open("if (colour == c)");
        if (arguments.stream().anyMatch(WideCode.class::isInstance)) {
            // Columns of tables are looked up again, where others have variables.
            elementOfList(out);
        }
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
        lookUp(out, declare ? "const int " : "");
        loadArguments(out, declare);
    }

    private void lookUp(SourceText out, String prefix) {
        operands.indexColumns().forEach((number, column) -> out
                .line(prefix + LoopOperands.elementName("i" + number) + " = " + operands.target(column) + ";"));
        operands.placeColumns()
                .forEach((number, column) -> out
                        .line(prefix + LoopOperands.elementName("p" + number) + " = " + operands.once(places(column),
                                "position") + ";"));
    }

    private void loadArguments(SourceText out, boolean declare) {
        if (declare) {
            arguments.forEach(argument -> argument.declare(out));
        }
        arguments.forEach(argument -> argument.load(out));
    }

    private void callAndStore(SourceText out) {
        if (!form.addsStored()) {
            List<String> passed = arguments.stream().map(ArgumentCode::pass).toList();
            out.line(loop.name().replaceAll("[^A-Za-z0-9_$]", "_") + "(" + String.join(", ", passed) + ");");
            arguments.forEach(argument -> argument.store(out));
        }
    }

    private String places(int[] column) {
        int number = tables.column(column);
        for (BlockTables.Numbering numbering : blocks.numberings().values()) {
            for (int c = 0; c < numbering.columns().size(); c++) {
                if (tables.column(numbering.columns().get(c)) == number) {
                    return numbering.local().isShort()
                            ? operands.array("l" + number, "const unsigned short", numbering.local().shortPlaces(c))
                            : operands.array("l" + number, "const int", numbering.local().intPlaces(c));
                }
            }
        }
        throw new IllegalStateException(loop + " stages a column that was not numbered");
    }

    private void finishReductions(SourceText out) {
        if (reductions.isEmpty()) {
            return;
        }
        String blockCount = operands.struct().number("blockCount", () -> 0);
        String first = operands.struct().number("firstBlock", () -> 0);
        String counter = operands.counter();
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
