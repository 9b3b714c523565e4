package org.trellis.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The source of a class with one random kernel, and with the same method in single precision. Text holds marks where
 * the two differ: {@code §R} is the real type, {@code §C} the cast of what {@code Math} returns, {@code §L} ends a
 * literal, {@code §F} ends the names of functions.
 */
final class RandomKernel {
    private static final List<String> UNARY = List.of("sqrt", "abs", "sin", "cos", "exp", "tanh", "floor", "ceil",
            "cbrt", "atan", "log");
    private static final int MOST_STATEMENTS = 7;

    private final SplittableRandom random;
    private final String name;
    private final boolean contract;
    private final List<String> lines = new ArrayList<>();
    private final List<String> parameters = new ArrayList<>();
    private final List<String> casts = new ArrayList<>();
    private final List<Target> reals = new ArrayList<>();
    private final List<Target> integers = new ArrayList<>();
    private final List<String> increments = new ArrayList<>();
    private final List<String> integerIncrements = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private final List<RandomFunction> functions = new ArrayList<>();
    private int counter;
    private int depth;

    /** Something that can be read, and perhaps assigned. */
    private record Target(String text, boolean assignable) {}

    /** A kernel function that was written. */
    record RandomFunction(String name, int reals, String text) {}

    RandomKernel(String name, SplittableRandom random) {
        this.name = name;
        this.random = random;
        contract = random.nextInt(4) == 0;
    }

    /** Says whether scalar loops have to give the method's bits. */
    boolean exact() {
        return !contract;
    }

    /** Writes the class. */
    String source() {
        functions();
        bindings();
        statements(2 + random.nextInt(MOST_STATEMENTS));
        lines.addAll(ends);
        StringBuilder kernel = new StringBuilder();
        lines.forEach(line -> kernel.append("        ").append(line).append('\n'));
        StringBuilder out = new StringBuilder();
        out.append("package fuzz;\n\nimport org.trellis.kernel.*;\n\n@SuppressWarnings(\"cast\")\npublic final class ")
                .append(name).append(" {\n");
        out.append("    private ").append(name).append("() {}\n\n");
        out.append("    public static String check(int settings, long seed) {\n        return Runner.check(")
                .append(name)
                .append("Loops.RUN, ").append(name).append("::single, ").append(exact())
                .append(", settings, seed);\n    }\n\n");
        out.append("    @MeshKernel").append(contract ? "(contract = true)" : "").append("\n    static void run(")
                .append(wide(String.join(", ", parameters))).append(") {\n").append(wide(kernel.toString()))
                .append("    }\n\n");
        out.append("    static void single(Object[] a) {\n        narrow(")
                .append(narrow(String.join(", ", casts))).append(");\n    }\n\n");
        out.append("    static void narrow(").append(narrow(plain(parameters))).append(") {\n")
                .append(narrow(kernel.toString())).append("    }\n\n");
        for (RandomFunction function : functions) {
            out.append("    @KernelFunction\n    ").append(wide(function.text())).append("\n    ")
                    .append(narrow(function.text())).append('\n');
        }
        return out.append("}\n").toString();
    }

    private static String wide(String text) {
        return text.replace("§R", "double").replace("§C", "").replace("§L", "").replace("§F", "");
    }

    private static String narrow(String text) {
        return text.replace("§R", "float").replace("§C", "(float) ").replace("§L", "f").replace("§F", "Narrow");
    }

    private static String plain(List<String> parameters) {
        return String.join(", ", parameters.stream().map(p -> p.replaceAll("@\\w+(\\([^)]*\\))? ", "")).toList());
    }

    private String fresh(String stem) {
        counter++;
        return stem + counter;
    }

    private String one(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private void functions() {
        for (int i = random.nextInt(3); i > 0; i--) {
            String function = "helper" + functions.size();
            int count = 1 + random.nextInt(3);
            List<String> heads = new ArrayList<>();
            for (int p = 0; p < count; p++) {
                reals.add(new Target("h" + p, false));
                heads.add("§R h" + p);
            }
            integers.add(new Target("k", false));
            String text = "static §R " + function + "§F(" + String.join(", ", heads) + ", int k) { §R t = " + real(2)
                    + "; if (" + truth(1) + ") { t = " + real(1) + "; } return t * h0; }";
            reals.clear();
            integers.clear();
            functions.add(new RandomFunction(function, count, text));
        }
    }

    private void bindings() {
        read(true);
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            switch (random.nextInt(9)) {
                case 0, 1 -> read(random.nextInt(4) != 0);
                case 2 -> write();
                case 3 -> readWrite();
                case 4, 5 -> increment();
                case 6 -> uniform();
                case 7 -> reduction();
                default -> repeated();
            }
        }
        if (random.nextInt(8) == 0) {
            rows();
        }
        if (increments.isEmpty() && integerIncrements.isEmpty() && ends.isEmpty()) {
            write();
        }
    }

    private void parameter(String annotation, String type, String parameter) {
        casts.add("(" + boxed(annotation, type) + ") a[" + parameters.size() + "]");
        parameters.add(annotation + " " + type + " " + parameter);
    }

    private static String boxed(String annotation, String type) {
        return annotation.startsWith("@Constant") && "§R".equals(type) ? "§R" : type;
    }

    private void read(boolean real) {
        String parameter = fresh("a");
        int size = List.of(1, 2, 3, 4, 4, 8).get(random.nextInt(6));
        int entries = random.nextInt(4) == 0 ? 2 + random.nextInt(2) : 1;
        String type = (real ? "§R" : "int") + (entries > 1 ? "[][]" : "[]");
        parameter("@Read(value = " + size + ", entries = " + entries + ")", type, parameter);
        for (int k = 0; k < entries; k++) {
            for (int c = 0; c < size; c++) {
                (real ? reals : integers)
                        .add(new Target(parameter + (entries > 1 ? "[" + k + "]" : "") + "[" + c + "]", false));
            }
        }
    }

    private void write() {
        String parameter = fresh("w");
        boolean real = random.nextInt(4) != 0;
        int size = 1 + random.nextInt(4);
        parameter("@Write(" + size + ")", real ? "§R[]" : "int[]", parameter);
        for (int c = 0; c < size; c++) {
            String target = parameter + "[" + c + "]";
            String branches = random.nextInt(3) == 0 ? "if" : "";
            ends.add(branches.isEmpty()
                    ? "§W" + (real ? "r" : "i") + target
                    : "§B" + (real ? "r" : "i") + target);
        }
    }

    private void readWrite() {
        String parameter = fresh("b");
        boolean real = random.nextInt(4) != 0;
        int size = 1 + random.nextInt(4);
        parameter("@ReadWrite(" + size + ")", real ? "§R[]" : "int[]", parameter);
        for (int c = 0; c < size; c++) {
            (real ? reals : integers).add(new Target(parameter + "[" + c + "]", true));
        }
    }

    private void increment() {
        String parameter = fresh("i");
        boolean real = random.nextInt(5) != 0;
        int size = 1 + random.nextInt(4);
        int entries = random.nextInt(4) == 0 ? 2 : 1;
        parameter("@Increment(value = " + size + ", entries = " + entries + ")",
                (real ? "§R" : "int") + (entries > 1 ? "[][]" : "[]"), parameter);
        for (int k = 0; k < entries; k++) {
            for (int c = 0; c < size; c++) {
                (real ? increments : integerIncrements)
                        .add(parameter + (entries > 1 ? "[" + k + "]" : "") + "[" + c + "]");
            }
        }
        ends.add("§I" + (real ? "r" : "i") + parameter + (entries > 1 ? "[1]" : "") + "[" + (size - 1) + "]");
    }

    /** Two parameters that get the same increments, as across an edge of a mesh. */
    private void repeated() {
        String first = fresh("i");
        String second = fresh("i");
        int size = 1 + random.nextInt(4);
        int sign = random.nextBoolean() ? 1 : -1;
        parameter("@Increment(" + size + ")", "§R[]", first);
        parameter("@Increment(value = " + size + ", repeats = \"" + first + "\", sign = " + sign + ")", "§R[]",
                second);
        for (int c = 0; c < size; c++) {
            ends.add("§P" + first + "[" + c + "] += §V; " + second + "[" + c + "] " + (sign > 0 ? "+" : "-")
                    + "= §V;");
        }
    }

    private void uniform() {
        String parameter = fresh("u");
        boolean real = random.nextBoolean();
        String type = real ? "§R" : "int";
        switch (random.nextInt(3)) {
            case 0 -> {
                parameter("@GlobalRead(2)", type + "[]", parameter);
                (real ? reals : integers).add(new Target(parameter + "[1]", false));
            }
            case 1 -> {
                parameter("@Constant(3)", type + "[]", parameter);
                (real ? reals : integers).add(new Target(parameter + "[2]", false));
            }
            default -> {
                parameter("@Constant", type, parameter);
                (real ? reals : integers).add(new Target(parameter, false));
            }
        }
    }

    private void reduction() {
        String parameter = fresh("r");
        boolean real = random.nextInt(3) != 0;
        String kind = one(List.of("Sum", "Min", "Max"));
        // Reductions are in double precision in every loop.
        parameter("@" + kind + "(2)", real ? "double[]" : "int[]", parameter);
        String target = parameter + "[" + random.nextInt(2) + "]";
        String head = (random.nextInt(3) == 0 ? "§T" : "§N") + (real ? "r" : "i");
        ends.add("Sum".equals(kind)
                ? head + target + " " + one(List.of("+", "-")) + "= §V;"
                : head + target + " = Math." + ("Min".equals(kind) ? "min" : "max") + "(" + target + ", §V);");
    }

    /** A row of a map of variable arity, which only scalar loops have. */
    private void rows() {
        String parameter = fresh("v");
        String sum = fresh("s");
        parameter("@Read(value = 2, entries = ArgumentSignature.VARIABLE)", "§R[][]", parameter);
        String k = fresh("k");
        lines.add("§R " + sum + " = 0;");
        lines.add("for (int " + k + " = 0; " + k + " < " + parameter + ".length; " + k + "++) {");
        lines.add("    " + sum + " += " + parameter + "[" + k + "][0] * " + real(1) + " - " + parameter + "[" + k
                + "][1];");
        lines.add("}");
        reals.add(new Target(sum, true));
    }

    private void statements(int count) {
        for (int i = 0; i < count; i++) {
            statement();
        }
        if (depth == 0) {
            for (int i = 0; i < ends.size(); i++) {
                ends.set(i, end(ends.get(i)));
            }
        }
    }

    /** Fills in what the marks of a last statement stand for, now that all variables are known. */
    private String end(String mark) {
        String kind = mark.substring(0, 2);
        boolean real = "§P".equals(kind) || mark.charAt(2) == 'r';
        String text = mark.substring("§P".equals(kind) ? 2 : 3);
        return switch (kind) {
            case "§W" -> text + " = " + value(real) + ";";
            case "§B" -> "if (" + truth(2) + ") { " + text + " = " + value(real) + "; } else { " + text + " = "
                    + value(real) + "; }";
            case "§I" -> text + " " + one(List.of("+", "-")) + "= " + value(real) + ";";
            case "§P" -> {
                String local = fresh("f");
                yield "§R " + local + " = " + real(2) + "; " + text.replace("§V", local);
            }
            case "§T" -> "if (" + truth(1) + ") { " + text.replace("§V", value(real)) + " }";
            default -> text.replace("§V", value(real));
        };
    }

    private String value(boolean real) {
        return real ? real(3) : integer(2);
    }

    private void statement() {
        switch (random.nextInt(9)) {
            case 0, 1 -> {
                String local = fresh("x");
                lines.add("§R " + local + " = " + real(3) + ";");
                reals.add(new Target(local, true));
            }
            case 2 -> {
                String local = fresh("n");
                lines.add("int " + local + " = " + integer(2) + ";");
                integers.add(new Target(local, true));
            }
            case 3, 4 -> assign();
            case 5 -> branch();
            case 6 -> loop();
            case 7 -> array();
            default -> add();
        }
    }

    private void assign() {
        boolean real = random.nextInt(3) != 0;
        List<String> places = (real ? reals : integers).stream().filter(Target::assignable).map(Target::text).toList();
        if (places.isEmpty()) {
            return;
        }
        String operator = one(real ? List.of("", "+", "-", "*", "/") : List.of("", "+", "-", "*", "&", "|", "^"));
        lines.add(one(places) + " " + operator + "= " + (real ? real(2) : integer(2)) + ";");
    }

    private void add() {
        boolean real = random.nextInt(3) != 0;
        List<String> places = real ? increments : integerIncrements;
        if (!places.isEmpty()) {
            lines.add(one(places) + " " + one(List.of("+", "-")) + "= " + (real ? real(2) : integer(2)) + ";");
        }
    }

    /** What is declared within is not known after. */
    private void inner(int count) {
        int realCount = reals.size();
        int integerCount = integers.size();
        depth++;
        statements(count);
        depth--;
        reals.subList(realCount, reals.size()).clear();
        integers.subList(integerCount, integers.size()).clear();
    }

    private void branch() {
        if (depth > 1) {
            return;
        }
        lines.add("if (" + truth(2) + ") {");
        inner(1 + random.nextInt(2));
        if (random.nextBoolean()) {
            lines.add("} else {");
            inner(1 + random.nextInt(2));
        }
        lines.add("}");
    }

    private void loop() {
        if (depth > 1) {
            return;
        }
        String k = fresh("k");
        lines.add(random.nextBoolean()
                ? "for (int " + k + " = 0; " + k + " < " + (1 + random.nextInt(6)) + "; " + k + "++) {"
                : "for (int " + k + " = 5; " + k + " >= 0; " + k + " -= 2) {");
        integers.add(new Target(k, false));
        inner(1 + random.nextInt(2));
        integers.removeLast();
        lines.add("}");
    }

    private void array() {
        if (depth > 0) {
            return;
        }
        String local = fresh("y");
        int size = 2 + random.nextInt(3);
        List<String> values = new ArrayList<>();
        for (int c = 0; c < size; c++) {
            values.add(real(1));
        }
        lines.add("§R[] " + local + " = " + (random.nextBoolean()
                ? "new §R[" + size + "]"
                : "{" + String.join(", ", values) + "}") + ";");
        String k = fresh("k");
        String other = real(1);
        lines.add("for (int " + k + " = 0; " + k + " < " + size + "; " + k + "++) {");
        lines.add("    " + local + "[" + k + "] " + one(List.of("+", "-", "*")) + "= " + other + " + " + k + ";");
        lines.add("}");
        for (int c = 0; c < size; c++) {
            reals.add(new Target(local + "[" + c + "]", true));
        }
    }

    private String literal() {
        double value = random.nextInt(-40, 60) / 8.0;
        return value < 0 ? "(" + value + "§L)" : value + "§L";
    }

    private String real(int deep) {
        if (deep == 0 || random.nextInt(6) == 0) {
            return reals.isEmpty() || random.nextInt(4) == 0
                    ? literal()
                    : reals.get(random.nextInt(reals.size())).text();
        }
        return switch (random.nextInt(12)) {
            case 0, 1, 2, 3, 4, 5 -> operation(deep);
            case 6 -> "(-" + real(deep - 1) + ")";
            case 7 -> "(" + truth(deep - 1) + " ? " + real(deep - 1) + " : " + real(deep - 1) + ")";
            case 8 -> "((§R) " + integer(deep - 1) + ")";
            case 9 -> functions.isEmpty() ? real(deep - 1) : call(deep);
            case 10 -> "Math." + one(List.of("min", "max")) + "(" + real(deep - 1) + ", " + real(deep - 1) + ")";
            default -> math(deep);
        };
    }

    /** Constants are computed in double precision and rounded once, which Java's floats are not: none is made here. */
    private String operation(int deep) {
        String left = real(deep - 1);
        String right = real(deep - 1);
        if (constant(left) && constant(right)) {
            right = reals.get(random.nextInt(reals.size())).text();
        }
        return "(" + left + " " + one(List.of("+", "-", "*", "*", "/")) + " " + right + ")";
    }

    private static boolean constant(String text) {
        return !text.matches(".*\\b([a-z]\\d.*|k\\b.*)");
    }

    private String call(int deep) {
        RandomFunction function = functions.get(random.nextInt(functions.size()));
        List<String> arguments = new ArrayList<>();
        for (int p = 0; p < function.reals(); p++) {
            arguments.add(real(deep - 1));
        }
        arguments.add(integer(deep - 1));
        return function.name() + "§F(" + String.join(", ", arguments) + ")";
    }

    private String math(int deep) {
        if (random.nextInt(5) == 0) {
            return "Math.fma(" + real(deep - 1) + ", " + real(deep - 1) + ", " + real(deep - 1) + ")";
        }
        if (random.nextInt(6) == 0) {
            return "(§CMath." + one(List.of("pow", "hypot", "atan2")) + "(" + real(deep - 1) + ", " + real(deep - 1)
                    + "))";
        }
        return "(§CMath." + one(UNARY) + "(" + real(deep - 1) + "))";
    }

    private String integer(int deep) {
        if (deep <= 0 || random.nextInt(5) == 0) {
            return integers.isEmpty() || random.nextInt(3) == 0
                    ? "(" + random.nextInt(-5, 20) + ")"
                    : integers.get(random.nextInt(integers.size())).text();
        }
        return switch (random.nextInt(9)) {
            case 0, 1, 2 -> "(" + integer(deep - 1) + " " + one(List.of("+", "-", "*", "&", "|", "^")) + " "
                    + integer(deep - 1) + ")";
            case 3 -> "(" + integer(deep - 1) + " " + one(List.of("<<", ">>", ">>>")) + " " + integer(deep - 1) + ")";
            case 4 -> "(" + integer(deep - 1) + " " + one(List.of("/", "%")) + " "
                    + one(List.of("3", "7", "(-2)", "16")) + ")";
            case 5 -> "((int) " + real(deep - 1) + ")";
            case 6 -> "(" + truth(deep - 1) + " ? " + integer(deep - 1) + " : " + integer(deep - 1) + ")";
            case 7 -> "Math." + one(List.of("min", "max")) + "(" + integer(deep - 1) + ", " + integer(deep - 1) + ")";
            default -> one(List.of("(~", "(-", "Math.abs(")) + integer(deep - 1) + ")";
        };
    }

    private String truth(int deep) {
        String comparison = one(List.of("<", "<=", ">", ">=", "==", "!="));
        return switch (deep <= 0 ? random.nextInt(2) : random.nextInt(5)) {
            case 0 -> "(" + real(Math.max(0, deep)) + " " + comparison + " " + real(Math.max(0, deep)) + ")";
            case 1 -> "(" + integer(deep) + " " + comparison + " " + integer(deep) + ")";
            case 2 -> "(!" + truth(deep - 1) + ")";
            default -> "(" + truth(deep - 1) + " " + one(List.of("&&", "||", "^", "&", "|", "==", "!=")) + " "
                    + truth(deep - 1) + ")";
        };
    }
}
