package org.trellis.processor.emit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.processor.diagnostic.Position;
import org.trellis.processor.lower.Lowered;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/**
 * Writes the vector loop of a kernel that would be too large as one method. A batch of elements is run at a time: one
 * method for each parameter loads it into scratch, component by component, further methods compute from scratch to
 * scratch, each a piece of the kernel's statements for all elements of the batch, and one method adds or stores the
 * results, element by element. Scratch stays in the first-level cache, and a batch is long enough for what is stored
 * to have arrived there before it is loaded in vectors of another length. What remains is run by the scalar loop.
 */
final class SegmentedLoop {
    /** Values of scratch. */
    private static final int SCRATCH = 4096;
    /** The most elements of a batch. */
    private static final int MAX_BATCH = 32;
    /** The least elements of a batch: those of the longest vector. */
    private static final int MIN_BATCH = 16;

    private final LoopLayout layout;
    private final Lowered kernel;
    private final RealType real;
    private final String vector;
    private final SimdStaging staging;
    private final SimdUniforms uniforms;
    private final SegmentedRows rows;
    private final Map<String, Integer> realSlots = new LinkedHashMap<>();
    private final Map<String, Integer> intSlots = new LinkedHashMap<>();
    private final Map<Lowered.Component, String> results = new HashMap<>();
    private final SegmentDivision division;
    private final List<SegmentDivision.Piece> pieces;

    SegmentedLoop(LoopLayout layout) {
        this.layout = layout;
        kernel = layout.kernel();
        real = layout.real();
        vector = real.label() + "Vector";
        staging = new SimdStaging(layout);
        uniforms = new SimdUniforms(layout);
        List<Statement> statements = new ArrayList<>(zeros());
        statements.addAll(uniforms.rest());
        Set<String> shared = new HashSet<>();
        uniforms.values().forEach(value -> shared.add(value.name()));
        statements.addAll(results(shared));
        division = new SegmentDivision(statements);
        pieces = division.pieces(shared, new HashSet<>(results.values()));
        slots();
        rows = new SegmentedRows(layout, staging, this::slot, results);
    }

    /** What is assigned in branches only starts at zero. */
    private List<Statement> zeros() {
        List<Statement> zeros = new ArrayList<>();
        Set<String> assigned = Statements.assigned(kernel.body());
        for (Lowered.Component c : kernel.stores().keySet()) {
            if (layout.parameter(c).access() == Access.WRITE && assigned.contains(c.local())) {
                zeros.add(new Statement.Declare(c.local(), layout.parameter(c).type(), null, Position.NONE));
            }
        }
        for (Lowered.Component c : kernel.accumulators().keySet()) {
            zeros.add(new Statement.Declare(c.local(), layout.parameter(c).type(), null, Position.NONE));
        }
        return zeros;
    }

    /** Finds the variables that hold results; those that are shared or have another sign than staged are copied. */
    private List<Statement> results(Set<String> shared) {
        List<Statement> copies = new ArrayList<>();
        for (int p : storing()) {
            for (Lowered.Component c : layout.components(p)) {
                Lowered.Contribution contribution = layout.contribution(c);
                boolean increment = layout.parameter(c).access() == Access.INCREMENT;
                if (staging.twin(p) >= 0 || (increment && contribution == null)) {
                    continue;
                }
                String name = increment ? contribution.local() : kernel.stores().getOrDefault(c, c.local());
                boolean negated = increment && contribution.sign() != staging.sign(p);
                if (negated || shared.contains(name)) {
                    ValueType type = layout.parameter(c).type();
                    Expression value = new Expression.Local(name, type);
                    name = "out" + c.local();
                    copies.add(new Statement.Declare(name, type,
                            negated ? new Expression.Unary("-", value) : value, Position.NONE));
                }
                results.put(c, name);
            }
        }
        return copies;
    }

    private List<Integer> storing() {
        return layout.fixed().stream().filter(p -> kernel.parameters().get(p).access() != Access.READ).toList();
    }

    private List<Integer> loading() {
        return layout.fixed().stream()
                .filter(p -> kernel.parameters().get(p).access() == Access.READ_WRITE
                        || (kernel.parameters().get(p).access() == Access.READ
                                && kernel.loads().stream().anyMatch(c -> c.parameter() == p)))
                .toList();
    }

    private void slots() {
        for (int p : loading()) {
            for (Lowered.Component c : layout.components(p)) {
                slotsOf(layout.parameter(c).type()).put(c.local(), slotsOf(layout.parameter(c).type()).size());
            }
        }
        for (SegmentDivision.Piece piece : pieces) {
            for (String name : piece.out()) {
                Map<String, Integer> slots = slotsOf(type(name));
                slots.putIfAbsent(name, slots.size());
            }
        }
    }

    private Map<String, Integer> slotsOf(ValueType type) {
        return type == ValueType.REAL ? realSlots : intSlots;
    }

    private ValueType type(String name) {
        return realSlots.containsKey(name)
                ? ValueType.REAL
                : intSlots.containsKey(name) ? ValueType.INT : division.type(name);
    }

    /** Returns where a variable is kept, in batches. */
    private int slot(String name) {
        Integer slot = slotsOf(type(name)).get(name);
        if (slot == null) {
            throw new IllegalStateException("kernel " + kernel.name() + ": '" + name + "' has no place");
        }
        return slot;
    }

    /** Returns the elements of a batch, or 0 if there is no room for the least. */
    private int batch() {
        int slots = Math.max(realSlots.size(), intSlots.size());
        int room = SCRATCH - 2 * MIN_BATCH;
        for (int batch = MAX_BATCH; batch >= MIN_BATCH; batch /= 2) {
            if (slots * batch <= room) {
                return batch;
            }
        }
        return 0;
    }

    /** Writes the constants. */
    void fields(CodeWriter out) {
        String label = real.label();
        out.line("private static final int B = " + batch() + ";");
        out.line("private static final VectorShape VECTORS = VectorShape.forBitSize(Math.min("
                + MIN_BATCH * real.bytes() * Byte.SIZE + ", Math.min(512, " + vector
                + ".SPECIES_PREFERRED.vectorBitSize())));");
        out.line("private static final VectorSpecies<" + label + "> S = VectorSpecies.of(" + real.keyword()
                + ".class, VECTORS);");
        out.line("private static final int L = S.length();");
        out.line("private static final VectorSpecies<Integer> SI = VectorSpecies.of(int.class, "
                + "VectorShape.forBitSize(L * Integer.SIZE));");
        out.line("private static final int FUNCTIONS = LoopRange.SCRATCH - 2 * L;");
        rows.fields(out);
    }

    /** Writes the method {@code run}, and others that it calls. */
    void methods(CodeWriter out) {
        run(out);
        for (int p : loading()) {
            out.line("");
            rows.load(p, out);
        }
        for (int i = 0; i < pieces.size(); i++) {
            out.line("");
            compute(i, out);
        }
        for (int i = 0; i < rows.stores(storing()).size(); i++) {
            out.line("");
            rows.store(storing(), i, out);
        }
    }

    private void run(CodeWriter out) {
        out.line("@Override");
        out.line("public void run(LoopArguments arguments, LoopRange range) {");
        layout.arrays(out, "u");
        uniforms.declare(out);
        out.line("int[] order = range.order();");
        out.line(real.keyword() + "[] w = range." + real.keyword() + "Scratch();");
        out.line("int[] wi = range.intScratch();");
        out.line("int n = range.from();");
        out.line("for (int to = range.to() - B; n <= to; n += B) {");
        for (int p : loading()) {
            out.line(rows.loadCall(p));
        }
        for (int i = 0; i < pieces.size(); i++) {
            out.line(head(i, false) + ";");
        }
        for (int i = 0; i < rows.stores(storing()).size(); i++) {
            out.line(rows.storeCall(storing(), i));
        }
        out.line("}");
        out.line("scalar(arguments, range, n);");
        out.line("}");
    }

    private List<SimdUniforms.Value> shared(int i) {
        Set<String> used = SegmentDivision.used(pieces.get(i).statements());
        return uniforms.values().stream().filter(value -> used.contains(value.name())).toList();
    }

    private String head(int i, boolean typed) {
        StringBuilder head = new StringBuilder("piece" + i + "(" + (typed ? real.keyword() + "[] " : "") + "w, "
                + (typed ? "int[] " : "") + "wi");
        for (SimdUniforms.Value value : shared(i)) {
            head.append(", ").append(typed ? value.type() == ValueType.REAL ? real.keyword() + " " : "int " : "")
                    .append(value.name()).append('u');
        }
        return head.append(')').toString();
    }

    private void compute(int i, CodeWriter out) {
        SegmentDivision.Piece piece = pieces.get(i);
        out.line("private static void " + head(i, true) + " {");
        List<String> shared = shared(i).stream().map(SimdUniforms.Value::name).toList();
        uniforms.broadcast(shared::contains, out);
        out.line("for (int l = 0; l < B; l += L) {");
        SimdExpressions expressions = new SimdExpressions(real, out, "FUNCTIONS");
        SimdStatements statements = new SimdStatements(real, out, expressions, 0);
        Set<String> waiting = new LinkedHashSet<>(piece.in());
        for (Statement statement : piece.statements()) {
            for (String name : SegmentDivision.used(List.of(statement))) {
                if (waiting.remove(name)) {
                    load(name, out);
                }
            }
            statements.write(statement, "");
        }
        for (String name : piece.out()) {
            out.line(name + ".intoArray(" + (type(name) == ValueType.REAL ? "w, " : "wi, ") + slot(name)
                    + " * B + l);");
        }
        out.line("}");
        out.line("}");
    }

    /** Loads a variable where it is first used, so that few values wait in registers. */
    private void load(String name, CodeWriter out) {
        boolean reals = type(name) == ValueType.REAL;
        String type = reals ? vector : "IntVector";
        out.line(type + " " + name + " = " + type + ".fromArray(" + (reals ? "S, w, " : "SI, wi, ") + slot(name)
                + " * B + l);");
    }

    /** Returns why a kernel is not divided, or an empty string. */
    static String objection(Lowered kernel) {
        if (kernel.parameters().stream().anyMatch(parameter -> parameter.access().reduces())) {
            return "it has reductions";
        }
        return new SegmentedLoop(new LoopLayout(kernel, RealType.FLOAT)).batch() == 0
                ? "it has too many components and variables for the loop's scratch"
                : "";
    }
}
