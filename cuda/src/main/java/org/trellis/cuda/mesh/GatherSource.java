package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshMap;

/**
 * The CUDA C that adds stored contributions to one dat: a thread for each target, which reads from the transpose of the
 * maps where its contributions are. Always in the same order.
 */
final class GatherSource {
    /** The name of the kernel. */
    static final String FUNCTION = "gather";

    private final LoopTables tables;
    private final LoopDeclaration loop;
    private final Contributions contributions;
    private final LoopOperands.Addresses addresses;
    private final int dat;
    private final int threads;
    private final ArgumentStruct struct = new ArgumentStruct();

    GatherSource(LoopTables tables, Contributions contributions, int dat, int threads,
            LoopOperands.Addresses addresses) {
        this.tables = tables;
        this.loop = tables.loop();
        this.contributions = contributions;
        this.addresses = addresses;
        this.dat = dat;
        this.threads = threads;
    }

    ArgumentStruct struct() {
        return struct;
    }

    /** Returns the numbers of the dats that a loop adds to through maps. */
    static int[] targets(LoopTables tables) {
        LoopDeclaration loop = tables.loop();
        return IntStream.range(0, loop.arity()).filter(loop::incrementsIndirectly).map(tables::dat).distinct()
                .toArray();
    }

    /** Returns the number of threads that have work. */
    long items() {
        Dat to = tables.dats().get(dat);
        if (tables.range() == null) {
            return to.set().size();
        }
        return part(groups().values().iterator().next()).targets().length;
    }

    KernelSource source() {
        Dat to = tables.dats().get(dat);
        String type = to.type().real() ? "REAL" : "int";
        String count = struct.number("targets", () -> to.set().size());
        String data = struct.pointer("data", type, () -> addresses.of(to));
        String stride = LoopTables.soa(to) ? count : "0";
        int components = to.components();
        String shape = components + ", " + LoopTables.soa(to);
        SourceText out = new SourceText();
        out.open("extern \"C\" __global__ void __launch_bounds__(THREADS) " + FUNCTION
                + "(const __grid_constant__ Arguments " + ArgumentStruct.NAME + ")");
        boolean all = tables.range() == null;
        openTarget(out, all, count);
        out.line(type + " sum[" + components + "];");
        boolean paired = all && !LoopTables.soa(to) && components * to.type().bytes() == LoopOperands.PAIRED_BYTES;
        if (paired) {
            out.line("const bool whole = (target | 31) < " + count + ";");
            out.line("if (whole) loadPair<" + components + ", 0>(sum, " + data + ", target); else");
        }
        out.line("loadElement<" + shape + ", 0>(sum, " + data + ", target, " + stride + ");");
        for (Map.Entry<Integer, List<Integer>> group : groups().entrySet()) {
            gather(out, group.getKey(), group.getValue(), type, components);
        }
        if (paired) {
            out.line("if (whole) storePair<" + components + ", 0>(" + data + ", sum, target); else");
        }
        out.line("storeElement<" + shape + ", 0>(" + data + ", sum, target, " + stride + ");");
        out.close();
        out.close();
        return new KernelSource("gather.cu",
                "#include \"" + LoopHeader.NAME + "\"\n" + struct.text() + out, LoopHeader.HEADERS, List.of())
                .define("REAL", loop.precision() == Precision.F64 ? "double" : "float")
                .define("THREADS", threads);
    }

    /** Returns the increments to the dat, together those that add what the same argument stored. */
    private Map<Integer, List<Integer>> groups() {
        Map<Integer, List<Integer>> groups = new LinkedHashMap<>();
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.incrementsIndirectly(a) && tables.dat(a) == dat) {
                groups.computeIfAbsent(contributions.base(a), base -> new ArrayList<>()).add(a);
            }
        }
        return groups;
    }

    /** Writes which target a thread has: all of them, or those of the elements that are run. */
    private void openTarget(SourceText out, boolean all, String count) {
        String thread = "blockIdx.x * THREADS + threadIdx.x;";
        if (all) {
            out.line("const int target = " + thread);
            out.line("const int at = target;");
            out.open("if (target < " + count + ")");
            return;
        }
        RangeInverse some = part(groups().values().iterator().next());
        out.line("const int at = " + thread);
        out.open("if (at < " + struct.number("listed", () -> some.targets().length) + ")");
        out.line("const int target = " + struct.pointer("list", "const int", () -> addresses.of(some.targets()))
                + "[at];");
    }

    private void gather(SourceText out, int base, List<Integer> arguments, String type, int components) {
        String stored = struct.pointer("s" + base, "const " + type, () -> addresses.contributions(base));
        boolean all = tables.range() == null;
        String offsets = struct.pointer("o" + base, "const int",
                () -> addresses.of(all ? inverse(arguments).offsets() : part(arguments).offsets()));
        String places = struct.pointer("q" + base, "const int",
                () -> addresses.of(all ? inverse(arguments).places() : part(arguments).places()));
        out.open("for (int p = " + offsets + "[at]; p < " + offsets + "[at + 1]; p++)");
        out.line("const int place = " + places + "[p];");
        out.line(type + " found[" + components + "];");
        boolean apart = contributions.transposed(base);
        String stride = apart ? struct.number("places" + base, () -> contributions.places(base)) : "0";
        out.line("loadElement<" + components + ", " + apart + ", 1>(found, " + stored
                + ", place < 0 ? ~place : place, " + stride + ");");
        for (int c = 0; c < components; c++) {
            out.line("sum[" + c + "] += place < 0 ? -found[" + c + "] : found[" + c + "];");
        }
        out.close();
    }

    /** Returns the places of some arguments' contributions, for the targets of all arguments of the dat. */
    private RangeInverse part(List<Integer> arguments) {
        List<RangeInverse.Column> all = new ArrayList<>();
        groups().values().forEach(group -> all.addAll(columns(group)));
        Dat to = tables.dats().get(dat);
        return RangeInverse.of(loop.set().mesh(), to.set().size(), all, columns(arguments));
    }

    private List<RangeInverse.Column> columns(List<Integer> arguments) {
        LoopRange range = tables.range();
        List<RangeInverse.Column> columns = new ArrayList<>();
        for (int a : arguments) {
            MeshMap map = loop.map(a);
            if (map.arity() == MeshMap.VARIABLE) {
                columns.add(new RangeInverse.Column(map.entries(), map.offsets()[range.from()],
                        map.offsets()[range.to()], 0, contributions.sign(a)));
                continue;
            }
            List<int[]> own = tables.columns(a);
            for (int k = 0; k < own.size(); k++) {
                columns.add(new RangeInverse.Column(own.get(k), range.from(), range.to(), k * loop.set().size(),
                        contributions.sign(a)));
            }
        }
        return columns;
    }

    private SignedInverse inverse(List<Integer> arguments) {
        MeshMap map = loop.map(arguments.getFirst());
        List<int[]> columns = new ArrayList<>();
        List<Integer> firsts = new ArrayList<>();
        List<Integer> signs = new ArrayList<>();
        for (int a : arguments) {
            List<int[]> own =
                    loop.map(a).arity() == MeshMap.VARIABLE ? List.of(loop.map(a).entries()) : tables.columns(a);
            for (int k = 0; k < own.size(); k++) {
                columns.add(own.get(k));
                firsts.add(k * loop.set().size());
                signs.add(contributions.sign(a));
            }
        }
        return SignedInverse.of(loop.set().mesh(), map.to().size(), columns, firsts, signs);
    }
}
