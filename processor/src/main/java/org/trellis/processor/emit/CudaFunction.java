package org.trellis.processor.emit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.processor.lower.Expressions;
import org.trellis.processor.lower.Inliner;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.KernelClass;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.Statement;
import org.trellis.processor.model.ValueType;

/**
 * Writes the CUDA C of a kernel: a device function whose real type and whose parameters' strides are macros. Functions
 * that take scalars only are device functions too; those that take arrays are inlined, since the strides of an array
 * are those of the parameter that it comes from.
 */
public final class CudaFunction {
    private static final String EXPLANATION = """
            // Device function of the mesh kernel NAME, generated from Java. A caller defines before it, or
            // takes the defaults:
            //   REAL          the real type, float or double (default double)
            //   TRELLIS_SUM   the type of real sums (default REAL)
            //   TRELLIS_ADD(place, value)   how an increment is added (default place += value)
            //   STRIDE_NAME   for each array parameter NAME: the distance between its components (default 1: an
            //                 array of structures, or registers; for a structure of arrays the size of the set)
            //   PITCH_NAME    for each parameter with rows of a map of variable arity: the distance between the
            //                 entries of a row (default 1)
            //   TRELLIS_ENTRY(to, from, components, stride)   how an entry that is read is loaded (default one by one)
            //   RASTER_NAME   for each raster NAME: its type; a caller with rasters declares a template function
            //                 linear<component>(raster, x, y)
            // Parameters, in order; ROW_NAME and LENGTH_NAME stand for the row of a map of variable arity:
            """;

    private final KernelClass owner;
    private final Method kernel;
    private final CodeWriter out = new CodeWriter();
    private final Map<String, Parameter> arrays = new HashMap<>();
    /** The variable of the innermost loop over rows, or an empty string. */
    private String row = "";

    private CudaFunction(KernelClass owner, Method kernel) {
        this.owner = owner;
        this.kernel = new Inliner(owner.functions(), CudaFunction::scalarsOnly).inline(kernel);
        for (Parameter parameter : kernel.parameters()) {
            if (parameter.rank() > 0) {
                arrays.put(parameter.name(), parameter);
            }
        }
    }

    /**
     * Writes a kernel's device function and those that it calls.
     *
     * @param owner  the class that holds the kernel
     * @param kernel the kernel as it is written
     * @return CUDA C++
     */
    public static String write(KernelClass owner, Method kernel) {
        return new CudaFunction(owner, kernel).write();
    }

    /**
     * Returns the name of a kernel's device function.
     *
     * @param owner  the class that holds the kernel
     * @param kernel the kernel's name
     * @return for example {@code Airfoil_resCalc}
     */
    public static String name(KernelClass owner, String kernel) {
        return owner.stem() + "_" + kernel;
    }

    private static boolean scalarsOnly(Method function) {
        return function.result() != ValueType.VOID
                && function.parameters().stream().allMatch(parameter -> parameter.rank() == 0);
    }

    private String write() {
        out.lines(EXPLANATION.replace("kernel NAME", "kernel " + owner.name() + "." + kernel.name()));
        kernel.parameters()
                .forEach(parameter -> out.line("//   " + declaration(parameter) + ": " + meaning(parameter)));
        macro("REAL", "double");
        macro("TRELLIS_SUM", "REAL");
        macro("TRELLIS_ADD(place, value)", "((place) += (value))");
        for (Parameter parameter : kernel.parameters()) {
            if (parameter.rank() > 0 && !parameter.raster()) {
                macro("STRIDE_" + parameter.name(), "1");
            }
            if (parameter.variable()) {
                macro("PITCH_" + parameter.name(), "1");
            }
        }
        if (kernel.parameters().stream().anyMatch(CudaFunction::readInRows)) {
            macro("TRELLIS_ENTRY(to, from, components, stride)",
                    "for (int c = 0; c < (components); c++) (to)[c] = (from)[c * (stride)]");
        }
        Set<String> functions = new LinkedHashSet<>();
        called(kernel, functions);
        functions.forEach(function -> function(owner.functions().get(function)));
        List<String> parameters = new ArrayList<>();
        kernel.parameters().forEach(parameter -> parameters.add(declaration(parameter)));
        out.line("__device__ __forceinline__ void " + name(owner, kernel.name()) + "("
                + String.join(", ", parameters) + ") {");
        kernel.body().forEach(this::statement);
        out.line("}");
        return out.toString();
    }

    private void macro(String name, String value) {
        out.line("#ifndef " + name.replaceAll("\\(.*", ""));
        out.line("#define " + name + " " + value);
        out.line("#endif");
    }

    /** Collects the functions that are called, each after those that it calls itself. */
    private void called(Method method, Set<String> names) {
        Statements.visit(method.body(), statement -> Statements.read(statement, part -> {
            if (part instanceof Expression.Call call && !names.contains(call.function())) {
                called(inlined(owner.functions().get(call.function())), names);
                names.add(call.function());
            }
        }));
    }

    private Method inlined(Method function) {
        return new Inliner(owner.functions(), CudaFunction::scalarsOnly).inline(function);
    }

    private void function(Method function) {
        Method body = inlined(function);
        List<String> parameters = new ArrayList<>();
        body.parameters().forEach(p -> parameters.add(type(p.type()) + " " + local(p.name())));
        String name = name(owner, function.name());
        out.line("#ifndef FUNCTION_" + name);
        out.line("#define FUNCTION_" + name);
        out.line("__device__ __forceinline__ " + type(function.result()) + " " + name + "("
                + String.join(", ", parameters) + ") {");
        body.body().forEach(this::statement);
        out.line("}");
        out.line("#endif");
    }

    private static String type(ValueType type) {
        return switch (type) {
            case REAL -> "REAL";
            case BOOLEAN -> "bool";
            default -> type.source();
        };
    }

    private static boolean readInRows(Parameter p) {
        return p.variable() && p.access() == Access.READ;
    }

    private static String meaning(Parameter p) {
        String components = p.components() + " component" + (p.components() == 1 ? "" : "s");
        String entries = p.variable()
                ? ", of the entry k at " + p.name() + "[ROW_" + p.name() + "[k * PITCH_" + p.name() + "] * ELEMENT_"
                        + p.name() + "]"
                : p.rank() == 2 ? ", of " + p.entries() + " entries" : "";
        return "@" + p.access().annotation() + ", " + components + entries;
    }

    private static String declaration(Parameter p) {
        String constant = p.access().readOnly() ? "const " : "";
        String base = p.access() == Access.SUM && p.type() == ValueType.REAL ? "TRELLIS_SUM" : type(p.type());
        if (p.rank() == 0) {
            return base + " " + local(p.name());
        }
        if (p.raster()) {
            return "const RASTER_" + p.name() + " " + local(p.name());
        }
        if (p.variable()) {
            return constant + base + "* " + local(p.name()) + ", int ELEMENT_" + p.name() + ", const int* ROW_"
                    + p.name() + ", int LENGTH_" + p.name();
        }
        return constant + base + "* " + (p.rank() == 2 ? "const* " : "") + local(p.name());
    }

    /** Names of Java may be words of C++ or macros; these are not. */
    private static String local(String name) {
        return "v_" + name;
    }

    private void statement(Statement statement) {
        switch (statement) {
            case Statement.Declare d ->
                out.line(type(d.type()) + " " + local(d.name()) + (d.value() == null ? "" : " = " + text(d.value()))
                        + ";");
            case Statement.DeclareArray d -> array(d);
            case Statement.Assign a -> assign(a);
            case Statement.If i -> {
                out.line("if (" + text(i.condition()) + ") {");
                i.whenTrue().forEach(this::statement);
                if (!i.whenFalse().isEmpty()) {
                    out.line("} else {");
                    i.whenFalse().forEach(this::statement);
                }
                out.line("}");
            }
            case Statement.Loop l -> loop(l);
            case Statement.Block b -> {
                out.line("{");
                b.body().forEach(this::statement);
                out.line("}");
            }
            case Statement.Return r -> out.line("return" + (r.value() == null ? "" : " " + text(r.value())) + ";");
            case Statement.Evaluate _,Statement.Reduce _ ->
                throw new IllegalArgumentException("not in an inlined kernel: " + statement);
        }
    }

    private void loop(Statement.Loop l) {
        String variable = local(l.variable());
        String count = l.rows().isEmpty() ? Integer.toString(l.count()) : "LENGTH_" + l.rows();
        if (l.rows().isEmpty()) {
            out.line("#pragma unroll");
        }
        out.line("for (int run" + variable + " = 0; run" + variable + " < " + count + "; run" + variable + "++) {");
        out.line("const int " + variable + " = " + l.first() + " + run" + variable + " * " + l.step() + ";");
        String outer = row;
        if (!l.rows().isEmpty()) {
            row = l.variable();
            entries(l);
        }
        l.body().forEach(this::statement);
        row = outer;
        out.line("}");
    }

    /** Loads what the body of a loop over rows reads of its entry, as a whole. */
    private void entries(Statement.Loop l) {
        Set<String> read = new LinkedHashSet<>();
        Statements.visit(l.body(), statement -> Statements.read(statement, part -> Expressions.visit(part, inner -> {
            if (inner instanceof Expression.Element e && ofEntry(e)) {
                read.add(e.array());
            }
        })));
        for (String name : read) {
            Parameter p = arrays.get(name);
            out.line(type(p.type()) + " " + entry(name) + "[" + p.components() + "];");
            out.line("TRELLIS_ENTRY(" + entry(name) + ", " + address(name, local(l.variable())) + ", " + p.components()
                    + ", STRIDE_" + name + ");");
        }
    }

    private boolean ofEntry(Expression.Element e) {
        return arrays.containsKey(e.array()) && readInRows(arrays.get(e.array()))
                && e.indices().getFirst() instanceof Expression.Local index && index.name().equals(row);
    }

    private String entry(String array) {
        return "entry_" + array + "_" + row;
    }

    private static String address(String array, String index) {
        return local(array) + " + ROW_" + array + "[" + index + " * PITCH_" + array + "] * ELEMENT_" + array;
    }

    private void array(Statement.DeclareArray d) {
        List<String> values = new ArrayList<>();
        d.values().forEach(value -> values.add(text(value)));
        StringBuilder lengths = new StringBuilder();
        d.lengths().forEach(length -> lengths.append('[').append(length).append(']'));
        out.line(type(d.type()) + " " + local(d.name()) + lengths + " = {"
                + (values.isEmpty() ? "0" : String.join(", ", values)) + "};");
    }

    private void assign(Statement.Assign a) {
        String target = text(a.target());
        String value = text(a.value());
        Parameter parameter = a.target() instanceof Expression.Element e ? arrays.get(e.array()) : null;
        if (parameter != null && parameter.access() == Access.INCREMENT) {
            out.line("TRELLIS_ADD(" + target + ", " + ("-".equals(a.operator()) ? "-(" + value + ")" : value) + ");");
        } else if (">>>".equals(a.operator())) {
            out.line(target + " = (int) ((unsigned int) " + target + " >> (" + value + "));");
        } else {
            out.line(target + " " + a.operator() + "= " + value + ";");
        }
    }

    private String text(Expression expression) {
        return switch (expression) {
            case Expression.Real r -> real(r.value());
            case Expression.Int i -> i.value() == Integer.MIN_VALUE
                    ? "(-2147483647 - 1)"
                    : i.value() < 0 ? "(" + i.value() + ")" : Integer.toString(i.value());
            case Expression.Bool b -> Boolean.toString(b.value());
            case Expression.Local l -> local(l.name());
            case Expression.Length l -> "LENGTH_" + l.array();
            case Expression.Element e -> element(e);
            case Expression.Unary u -> "(" + u.operator() + text(u.operand()) + ")";
            case Expression.Binary b -> binary(b);
            case Expression.Conditional c ->
                "(" + text(c.condition()) + " ? " + text(c.whenTrue()) + " : " + text(c.whenFalse()) + ")";
            case Expression.Cast c -> "((" + type(c.type()) + ") " + text(c.operand()) + ")";
            case Expression.MathCall m -> math(m);
            case Expression.Sample s ->
                "linear<" + s.component() + ">(" + local(s.raster()) + ", " + arguments(s.arguments()) + ")";
            case Expression.Call c -> name(owner, c.function()) + "(" + arguments(c.arguments()) + ")";
            case Expression.View _,Expression.Contracted _ ->
                throw new IllegalArgumentException("not in an inlined kernel: " + expression);
        };
    }

    private static String real(double value) {
        if (Double.isNaN(value)) {
            return "((REAL) nan(\"\"))";
        }
        if (Double.isInfinite(value)) {
            return "((REAL) " + (value < 0 ? "-" : "") + "__longlong_as_double(0x7ff0000000000000LL))";
        }
        return "((REAL) " + value + ")";
    }

    private String binary(Expression.Binary b) {
        if (">>>".equals(b.operator())) {
            return "((int) ((unsigned int) " + text(b.left()) + " >> " + text(b.right()) + "))";
        }
        return "(" + text(b.left()) + " " + b.operator() + " " + text(b.right()) + ")";
    }

    private String element(Expression.Element e) {
        Parameter parameter = arrays.get(e.array());
        List<String> indices = new ArrayList<>();
        e.indices().forEach(index -> indices.add(text(index)));
        String name = local(e.array());
        if (parameter == null) {
            return name + "[" + String.join("][", indices) + "]";
        }
        if (ofEntry(e)) {
            return entry(e.array()) + "[" + indices.getLast() + "]";
        }
        String component = indices.getLast() + " * STRIDE_" + e.array();
        if (parameter.variable()) {
            return "(" + address(e.array(), indices.getFirst()) + ")[" + component + "]";
        }
        return name + (parameter.rank() == 2 ? "[" + indices.getFirst() + "]" : "") + "[" + component + "]";
    }

    private String math(Expression.MathCall call) {
        if (call.type() == ValueType.INT) {
            return call.function().method() + "(" + arguments(call.arguments()) + ")";
        }
        // Arguments are of type REAL, for which CUDA overloads the functions.
        List<String> arguments = new ArrayList<>();
        call.arguments().forEach(argument -> arguments.add("(REAL) (" + text(argument) + ")"));
        return call.function().device() + "(" + String.join(", ", arguments) + ")";
    }

    private String arguments(List<Expression> expressions) {
        List<String> texts = new ArrayList<>();
        expressions.forEach(expression -> texts.add(text(expression)));
        return String.join(", ", texts);
    }
}
