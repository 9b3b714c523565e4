package org.trellis.processor.emit;

import java.util.List;
import java.util.function.BiConsumer;
import org.trellis.processor.lower.Lowered;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/**
 * Writes the loop that runs as many elements at once as a vector has lanes, in three steps: components are
 * gathered lane by lane into scratch that stays in the first-level cache; vectors compute; results are
 * scattered lane by lane, in the order of the elements, so that elements may share targets. How a parameter is
 * moved depends on its shape, which is constant to the JIT compiler: consecutive elements of a structure of
 * arrays are loaded from where they are, arrays of structures move the components of an element by one short
 * vector and are transposed in registers, everything else moves one component at a time. What remains is run by
 * the scalar loop.
 */
final class SimdLoop {
    static final int CONTIGUOUS = 0;
    static final int SINGLE = 1;
    /** Vectors of sums that are added to in turn, so that an addition need not wait for the one before. */
    private static final int CHAINS = 4;
    /** The most lines that are written out several times: the JIT compiler does not take methods of any size. */
    private static final int MAX_REPEATED_LINES = 90;

    private final LoopLayout layout;
    private final Lowered kernel;
    private final SimdStaging staging;
    private final SimdRows rows;
    private final SimdUniforms uniforms;
    private final RealType real;
    private final String vector;

    SimdLoop(LoopLayout layout) {
        this.layout = layout;
        kernel = layout.kernel();
        real = layout.real();
        staging = new SimdStaging(layout);
        rows = new SimdRows(layout, staging);
        uniforms = new SimdUniforms(layout);
        vector = real.label() + "Vector";
    }

    /** Writes the constants. */
    void fields(CodeWriter out) {
        String label = real.label();
        out.line("private static final VectorShape VECTORS = VectorShape.forBitSize(Math.min("
                + rows.lanes() * real.bytes() * Byte.SIZE + ", " + vector + ".SPECIES_PREFERRED.vectorBitSize()));");
        out.line("private static final VectorSpecies<" + label + "> S = VectorSpecies.of(" + real.keyword()
                + ".class, VECTORS);");
        out.line("private static final int L = S.length();");
        out.line("private static final VectorSpecies<Integer> SI = VectorSpecies.of(int.class, "
                + "VectorShape.forBitSize(L * Integer.SIZE));");
        out.line("private static final VectorSpecies<Double> SD = VectorSpecies.of(double.class, VECTORS);");
        out.line("private static final int FUNCTIONS = LoopRange.SCRATCH - 2 * L;");
        rows.fields(out);
        for (int p : layout.fixed()) {
            kind(p, out);
        }
        if (rows.any()) {
            out.line("private static final boolean ROWS = " + rows.condition() + ";");
        }
    }

    private void kind(int p, CodeWriter out) {
        Parameter parameter = kernel.parameters().get(p);
        boolean increment = parameter.access() == Access.INCREMENT;
        String contiguous = parameter.entries() == 1
                ? "D" + p + " && !ORDERED && E" + p + " == 1" + (increment ? " && !ADD_OWNED" + p : "")
                : "false";
        out.line("private static final int K" + p + " = " + contiguous + " ? " + CONTIGUOUS + " : " + SINGLE + ";");
        if (staging.twin(p) >= 0) {
            int q = staging.twin(p);
            out.line("private static final boolean TWIN" + p + " = K" + p + " == K" + q
                    + " && (ADD" + q + " || ADD_OWNED" + q + " || STORE" + q + ");");
        }
        if (increment) {
            out.line("private static final boolean LIVE" + p + " = ADD" + p + " || ADD_OWNED" + p + " || STORE" + p
                    + ";");
        }
    }

    /** Writes the method {@code run}, and others that it calls. */
    void methods(CodeWriter out) {
        out.line("@Override");
        out.line("public void run(LoopArguments arguments, LoopRange range) {");
        if (rows.any()) {
            out.line("if (ROWS) {");
            out.line("rows(arguments, range);");
            out.line("} else {");
            out.line("lanes(arguments, range);");
            out.line("}");
            out.line("}");
            out.line("");
            method("rows", true, out);
            out.line("");
        } else {
            out.line("lanes(arguments, range);");
            out.line("}");
            out.line("");
        }
        method("lanes", false, out);
    }

    private void method(String name, boolean byRows, CodeWriter out) {
        out.line("private static void " + name + "(LoopArguments arguments, LoopRange range) {");
        layout.arrays(out, "u");
        uniforms.declare(out);
        out.line("int[] order = range.order();");
        out.line(real.keyword() + "[] w = range." + real.keyword() + "Scratch();");
        out.line("int[] wi = range.intScratch();");
        int chains = byRows ? 1 : chains();
        reductions(chains, out);
        out.line("int g = range.from();");
        if (chains > 1) {
            out.line("for (int to = range.to() - " + chains + " * L; g <= to; g += " + chains + " * L) {");
            for (int chain = 0; chain < chains; chain++) {
                out.line("{");
                out.line("int n = g + " + chain + " * L;");
                elements(byRows, chain, out);
                out.line("}");
            }
            out.line("}");
        }
        out.line("for (int to = range.to() - L; g <= to; g += L) {");
        out.line("int n = g;");
        elements(byRows, 0, out);
        out.line("}");
        finish(chains, out);
        out.line("scalar(arguments, range, g);");
        out.line("}");
    }

    /** Returns how many vectors of elements are written out one after the other, each with reductions of its own. */
    private int chains() {
        CodeWriter once = new CodeWriter();
        elements(false, 0, once);
        return once.toString().lines().count() > MAX_REPEATED_LINES
                ? 1
                : Integer.highestOneBit(Math.max(1, CHAINS / Math.max(1, ScalarLoop.reals(kernel))));
    }

    /** Writes what is done for as many elements as a vector has lanes, from {@code n} on. */
    private void elements(boolean byRows, int chain, CodeWriter out) {
        List<Integer> single = layout.fixed().stream().filter(p -> !(byRows && inRows(p))).toList();
        if (byRows || single.stream().anyMatch(p -> SimdStaging.laneByLane(kernel.parameters().get(p)))) {
            rows.indices(out);
        }
        moving(out, single.stream()
                .filter(p -> loaded(p) && !SimdStaging.laneByLane(kernel.parameters().get(p))).toList(), this::gather);
        for (int p : layout.fixed()) {
            if (loaded(p)) {
                load(p, byRows, out);
            }
        }
        compute(chain, out);
        for (int p : storing()) {
            store(p, byRows, out);
        }
        if (byRows) {
            rows.scatter(storing(), out);
        }
        moving(out, single.stream().filter(storing()::contains).toList(), this::scatter);
    }

    private boolean inRows(int p) {
        return SimdStaging.chunkable(kernel.parameters().get(p), real);
    }

    private boolean loaded(int p) {
        Access access = kernel.parameters().get(p).access();
        return access == Access.READ_WRITE
                || (access == Access.READ && kernel.loads().stream().anyMatch(c -> c.parameter() == p));
    }

    private List<Integer> storing() {
        return layout.fixed().stream().filter(p -> kernel.parameters().get(p).access() != Access.READ).toList();
    }

    /** Writes a loop over the lanes of all vectors. */
    private void moving(CodeWriter out, List<Integer> parameters, BiConsumer<Integer, CodeWriter> move) {
        if (parameters.isEmpty()) {
            return;
        }
        String needed = String.join(" || ", parameters.stream()
                .map(p -> "K" + p + " == " + SINGLE
                        + (kernel.parameters().get(p).access() == Access.INCREMENT ? " && LIVE" + p : ""))
                .toList());
        out.line("if (" + needed + ") {");
        out.line("for (int l = 0; l < L; l++) {");
        out.line("int e = ORDERED ? order[n + l] : n + l;");
        layout.indices(out, "");
        parameters.forEach(p -> move.accept(p, out));
        out.line("}");
        out.line("}");
    }

    private String single(int p, String slot) {
        boolean reals = kernel.parameters().get(p).type() == ValueType.REAL;
        return (reals ? "w[" : "wi[") + slot + " * L + l]";
    }

    private void gather(int p, CodeWriter out) {
        out.line("if (K" + p + " == " + SINGLE + ") {");
        for (Lowered.Component c : layout.components(p)) {
            if (needed(c)) {
                out.line(single(p, Integer.toString(staging.slot(p, c.entry()) + c.component())) + " = "
                        + LoopLayout.place(c) + ";");
            }
        }
        out.line("}");
    }

    private boolean needed(Lowered.Component c) {
        return layout.parameter(c).access() == Access.READ_WRITE || kernel.loads().contains(c);
    }

    private void compute(int chain, CodeWriter out) {
        SimdExpressions expressions = new SimdExpressions(real, out, "FUNCTIONS");
        SimdStatements statements = new SimdStatements(real, out, expressions, chain);
        uniforms.broadcast(name -> true, out);
        for (Lowered.Component c : kernel.stores().keySet()) {
            if (layout.parameter(c).access() == Access.WRITE
                    && Statements.assigned(kernel.body()).contains(c.local())) {
                out.line(type(c.parameter()) + " " + c.local() + " = "
                        + expressions.zero(layout.parameter(c).type()) + ";");
            }
        }
        for (Lowered.Component c : kernel.accumulators().keySet()) {
            out.line(type(c.parameter()) + " " + c.local() + " = " + expressions.zero(layout.parameter(c).type())
                    + ";");
        }
        for (Statement statement : uniforms.rest()) {
            statements.write(statement, "");
        }
    }

    private String type(int p) {
        return kernel.parameters().get(p).type() == ValueType.REAL ? vector : "IntVector";
    }

    private String species(int p) {
        return kernel.parameters().get(p).type() == ValueType.REAL ? "S" : "SI";
    }

    private String slotPlace(int p, int slot) {
        return kernel.parameters().get(p).type() == ValueType.REAL
                ? "w, " + slot + " * L"
                : "wi, " + slot + " * L";
    }

    private static String direct(int p, int component) {
        return "a" + p + ", n" + (component == 0 ? "" : " + " + component + " * C" + p);
    }

    private void load(int p, boolean byRows, CodeWriter out) {
        Parameter parameter = kernel.parameters().get(p);
        for (Lowered.Component c : layout.components(p)) {
            out.line(type(p) + " " + c.local() + " = null;");
        }
        if (byRows && inRows(p)) {
            for (int entry = 0; entry < parameter.entries(); entry++) {
                rows.load(p, entry, rows.names(p, entry), out);
            }
            return;
        }
        if (parameter.entries() == 1) {
            out.line("if (K" + p + " == " + CONTIGUOUS + ") {");
            for (Lowered.Component c : layout.components(p)) {
                out.line(c.local() + " = " + type(p) + ".fromArray(" + species(p) + ", " + direct(p, c.component())
                        + ");");
            }
            out.line("}");
        }
        out.line("if (K" + p + " == " + SINGLE + ") {");
        for (Lowered.Component c : layout.components(p)) {
            if (needed(c) && SimdStaging.laneByLane(parameter)) {
                rows.loadLanes(c, out);
            } else if (needed(c)) {
                out.line(c.local() + " = " + type(p) + ".fromArray(" + species(p) + ", "
                        + slotPlace(p, staging.slot(p, c.entry()) + c.component()) + ");");
            }
        }
        out.line("}");
    }

    /** Returns the variable that holds a component at the end, or null. */
    private String result(Lowered.Component c) {
        if (layout.parameter(c).access() == Access.INCREMENT) {
            Lowered.Contribution contribution = layout.contribution(c);
            if (contribution == null) {
                return null;
            }
            return contribution.sign() == staging.sign(c.parameter())
                    ? contribution.local()
                    : contribution.local() + ".neg()";
        }
        return kernel.stores().getOrDefault(c, c.local());
    }

    private void store(int p, boolean byRows, CodeWriter out) {
        Parameter parameter = kernel.parameters().get(p);
        boolean increment = parameter.access() == Access.INCREMENT;
        for (Lowered.Component c : layout.components(p)) {
            String result = result(c);
            out.line(type(p) + " s" + c.local() + " = " + (result == null ? nothing(p) : result) + ";");
        }
        if (byRows && inRows(p)) {
            for (int entry = 0; entry < parameter.entries(); entry++) {
                rows.store(p, rows.names(p, entry).stream().map(name -> "s" + name).toList(), out);
            }
            return;
        }
        if (parameter.entries() == 1) {
            out.line("if (K" + p + " == " + CONTIGUOUS + ") {");
            for (Lowered.Component c : layout.components(p)) {
                String place = direct(p, c.component());
                if (increment) {
                    direct(p, c, place, out);
                } else {
                    out.line("s" + c.local() + ".intoArray(" + place + ");");
                }
            }
            out.line("}");
        }
        String live = increment ? " && LIVE" + p + (staging.twin(p) >= 0 ? " && !TWIN" + p : "") : "";
        out.line("if (K" + p + " == " + SINGLE + live + ") {");
        for (Lowered.Component c : layout.components(p)) {
            out.line("s" + c.local() + ".intoArray(" + slotPlace(p, staging.slot(p, c.entry()) + c.component()) + ");");
        }
        out.line("}");
    }

    /** Returns what a row has where nothing is added: the zero that, added or subtracted, leaves zeros their sign. */
    private String nothing(int p) {
        return kernel.parameters().get(p).type() == ValueType.INT
                ? "IntVector.zero(SI)"
                : vector + ".broadcast(S, STORE" + p + " == " + (staging.sign(p) < 0) + " ? -0.0f : 0.0f)";
    }

    private void direct(int p, Lowered.Component c, String place, CodeWriter out) {
        String result = result(c);
        boolean negative = staging.sign(p) < 0;
        out.line("if (STORE" + p + ") {");
        String value = result == null ? type(p) + ".zero(" + species(p) + ")" : result + (negative ? ".neg()" : "");
        out.line(value + ".intoArray(" + place + ");");
        if (result != null) {
            out.line("} else if (ADD" + p + ") {");
            out.line(type(p) + ".fromArray(" + species(p) + ", " + place + ")." + (negative ? "sub" : "add") + "("
                    + result + ").intoArray(" + place + ");");
        }
        out.line("}");
    }

    private void scatter(int p, CodeWriter out) {
        Parameter parameter = kernel.parameters().get(p);
        if (parameter.access() == Access.INCREMENT) {
            new SimdIncrements(layout, staging).scatter(p, out);
            return;
        }
        out.line("if (K" + p + " == " + SINGLE + ") {");
        for (Lowered.Component c : layout.components(p)) {
            out.line(LoopLayout.place(c) + " = "
                    + single(p, Integer.toString(staging.slot(p, c.entry()) + c.component())) + ";");
        }
        out.line("}");
    }

    private void reductions(int chains, CodeWriter out) {
        reduced((p, c) -> {
            Parameter parameter = kernel.parameters().get(p);
            boolean reals = parameter.type() == ValueType.REAL;
            String neutral = ScalarLoop.neutral(parameter.access(), reals);
            for (int chain = 0; chain < chains; chain++) {
                String name = ScalarLoop.own(ScalarLoop.accumulator(p, c), chain);
                if (!reals) {
                    out.line("IntVector " + name + "v = IntVector.broadcast(SI, " + neutral + ");");
                } else {
                    out.line("DoubleVector " + name + "v = DoubleVector.broadcast(SD, " + neutral + ");");
                    if (real == RealType.FLOAT) {
                        out.line("DoubleVector " + name + "u = " + name + "v;");
                    }
                }
            }
        });
    }

    private void reduced(BiConsumer<Integer, Integer> action) {
        for (int p = 0; p < kernel.parameters().size(); p++) {
            if (kernel.parameters().get(p).access().reduces()) {
                for (int c = 0; c < kernel.parameters().get(p).components(); c++) {
                    action.accept(p, c);
                }
            }
        }
    }

    /** Combines lanes in their order; the Vector API's own reduction may add them up in any. */
    private void finish(int chains, CodeWriter out) {
        if (kernel.parameters().stream().anyMatch(parameter -> parameter.access().reduces())) {
            out.line("double[] lanes = range.doubleScratch();");
        }
        reduced((p, c) -> {
            Parameter parameter = kernel.parameters().get(p);
            boolean reals = parameter.type() == ValueType.REAL;
            String name = ScalarLoop.accumulator(p, c);
            String place = (reals ? "range.reals(" : "range.ints(") + p + ")[" + c + "]";
            for (String half : reals && real == RealType.FLOAT ? List.of("v", "u") : List.of("v")) {
                for (int chain = 1; chain < chains; chain++) {
                    out.line(name + half + " = " + name + half + "."
                            + SimdStatements.operation(parameter.access()) + "(" + ScalarLoop.own(name, chain) + half
                            + ");");
                }
                out.line(name + half + ".intoArray(" + (reals ? "lanes" : "wi") + ", 0);");
                out.line("for (int lane = 0; lane < " + (reals ? "SD.length()" : "L") + "; lane++) {");
                out.line(ScalarLoop.combine(parameter.access(), place, (reals ? "lanes" : "wi") + "[lane]"));
                out.line("}");
            }
        });
    }

    /** Returns why there is no SIMD loop for a kernel, or an empty string. */
    static String objection(Lowered kernel) {
        if (kernel.variable()) {
            return "it takes rows of a map of variable arity, whose elements differ in the number of entries";
        }
        if (kernel.parameters().stream().anyMatch(Parameter::raster)) {
            return "it samples a raster, each element at another place";
        }
        SimdStaging staging = new SimdStaging(new LoopLayout(kernel, RealType.FLOAT));
        int most = 200;
        return Math.max(staging.realSlots(), staging.intSlots()) > most
                ? "its parameters have more than " + most + " components in all"
                : "";
    }

}
