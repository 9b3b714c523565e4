package org.trellis.fem.integrate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/**
 * The CUDA C of integrals over elements, one element for each thread. It says what the tasks of this package say, with
 * loops of constant bounds that the CUDA compiler unrolls where that pays; tables of bases are constants of the code.
 * Parameters of the one function are those of the kernel: {@code REAL*} for what lies at the element itself,
 * {@code REAL* const*} for what comes through a map.
 */
final class ElementSource {
    private final IntegralSpec spec;
    private final String name;

    /**
     * Creates a writer.
     *
     * @param spec what is integrated
     * @param name of the kernel
     */
    ElementSource(IntegralSpec spec, String name) {
        this.spec = spec;
        this.name = function(name);
    }

    /** Returns the name of the device function of a kernel. */
    static String function(String kernel) {
        return kernel.replaceAll("[^A-Za-z0-9]", "_");
    }

    /** Wraps what one kernel needs in a namespace, and its function outside of it. */
    private String whole(String parts, String parameters, String body) {
        return "namespace of_" + name + " {\n" + parts + "}\n"
                + declared(name, parameters) + " {\n    using namespace of_" + name + ";\n" + body + "}\n";
    }

    /**
     * Declares a function. What comes through maps is of any type that is indexed like {@code REAL* const*}: of many
     * rows there need be no addresses.
     */
    private static String declared(String function, String parameters) {
        List<String> types = new ArrayList<>();
        List<String> each = new ArrayList<>();
        for (String parameter : parameters.split(", ")) {
            String last = parameter.substring(parameter.lastIndexOf(' ') + 1);
            boolean rows = parameter.startsWith("REAL* const* ") && !last.equals("x");
            if (rows) {
                types.add("class ROWS_" + last);
            }
            each.add(rows ? "const ROWS_" + last + "& " + last : parameter);
        }
        return (types.isEmpty() ? "" : "template <" + String.join(", ", types) + ">\n")
                + "__device__ __forceinline__ void " + function + "(" + String.join(", ", each) + ")";
    }

    private static String table(String name, int size, IntFunction<Double> value) {
        StringBuilder text = new StringBuilder(32 * size).append("static __device__ const REAL ").append(name)
                .append('[').append(size).append("] = {");
        for (int k = 0; k < size; k++) {
            text.append(k == 0 ? "" : k % 6 == 0 ? ",\n    " : ", ").append("(REAL) ").append(value.apply(k));
        }
        return text.append("};\n").toString();
    }

    private static String constant(String name, int value) {
        return "enum { " + name + " = " + value + " };\n";
    }

    /** Sizes, the tables of both bases and the weights. */
    private String tables() {
        ElementTables t = spec.tables();
        int d = t.dimension();
        int n = t.functions();
        int slots = d + 1;
        return constant("D", d) + constant("N", n) + constant("Q", t.points()) + constant("M", t.map().functions())
                + constant("F", spec.fields()) + constant("V", slots) + constant("S", spec.slots())
                + constant("U", spec.unknowns()) + constant("P", spec.pointSize())
                + constant("LOW", spec.scalar() && spec.reaction() == null ? 1 : 0)
                + constant("HIGH", spec.scalar() && spec.diffusion() == null ? 1 : slots)
                + table("MAP", t.map().gradients().length, k -> t.map().gradients()[k])
                + table("WEIGHTS", t.points(), k -> t.quadrature().weights()[k])
                + table("BASIS", t.points() * slots * n, k -> {
                    int q = k / (slots * n);
                    int slot = k / n % slots;
                    return slot == 0
                            ? t.basis().values()[q * n + k % n]
                            : t.basis().gradients()[(q * d + slot - 1) * n + k % n];
                });
    }

    /** What a thread is given for a coefficient at a point; constants are tables. */
    private static String coefficient(CoefficientPort port, String constant) {
        return port.constant() != null
                ? constant
                : "c" + port.input() + (port.points() == 1 ? "" : " + q * " + port.components());
    }

    private static String constants(String name, CoefficientPort port) {
        return port == null || port.constant() == null
                ? ""
                : table(name, port.components(), k -> port.constant()[k]);
    }

    /** The further parameters of all kernels that compute points: coefficients that are no constants. */
    private String inputs(boolean declared) {
        StringBuilder text = new StringBuilder();
        for (CoefficientPort port : new CoefficientPort[]{spec.diffusion(), spec.reaction(), spec.matrix()}) {
            if (port != null && port.constant() == null) {
                text.append(", ").append(declared ? "const REAL* " : "").append('c').append(port.input());
            }
        }
        return text.toString();
    }

    /** The factors of a point, as {@link DoublePoints} computes them; points of the map are any rows of coordinates. */
    private String point() {
        StringBuilder text = new StringBuilder(tables())
                .append(constants("KAPPA", spec.diffusion())).append(constants("REACTION", spec.reaction()))
                .append(constants("MATRIX", spec.matrix()))
                .append(spec.tables().dimension() == 2 && spec.tables().map().functions() == 4 ? BILINEAR : JACOBIAN)
                .append(RECIPROCAL)
                .append("template <class POINTS>\n__device__ __forceinline__ void point(int q, const POINTS& x")
                .append(inputs(true)).append(", REAL* out) {\n    REAL j[D * D];\n    jacobian(q, x, j);\n")
                .append(spec.tables().dimension() == 2 ? """
                            const REAL adj[4] = {j[3], -j[1], -j[2], j[0]};
                            const REAL det = j[0] * j[3] - j[1] * j[2];
                        """ : """
                            const REAL adj[9] = {j[4] * j[8] - j[5] * j[7], j[2] * j[7] - j[1] * j[8],
                                j[1] * j[5] - j[2] * j[4], j[5] * j[6] - j[3] * j[8], j[0] * j[8] - j[2] * j[6],
                                j[2] * j[3] - j[0] * j[5], j[3] * j[7] - j[4] * j[6], j[1] * j[6] - j[0] * j[7],
                                j[0] * j[4] - j[1] * j[3]};
                            const REAL det = j[0] * adj[0] + j[1] * adj[3] + j[2] * adj[6];
                        """);
        if (!spec.scalar()) {
            return text.append("    const REAL* m = ").append(coefficient(spec.matrix(), "MATRIX")).append(";\n")
                    .append(PULL).toString();
        }
        if (spec.diffusion() != null) {
            text.append("    const REAL* kappa = ").append(coefficient(spec.diffusion(), "KAPPA")).append(";\n")
                    .append(spec.diffusion().components() == 1 ? ISOTROPIC : TENSOR);
        }
        if (spec.reaction() != null) {
            text.append("    const REAL* c = ").append(coefficient(spec.reaction(), "REACTION"))
                    .append(";\n    out[P - 1] = WEIGHTS[q] * det * c[0];\n");
        }
        return text.append("}\n").toString();
    }

    /**
     * One over a determinant: the device's estimate of 20 bits and two of Newton's steps, within a unit in the last
     * place. A division has as many operations again, for numbers that no determinant of a mesh is.
     */
    private static final String RECIPROCAL = """
            __device__ __forceinline__ float reciprocal(float x) {
                return 1 / x;
            }
            __device__ __forceinline__ double reciprocal(double x) {
            #ifdef __CUDA_ARCH__
                double y;
                asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
                double error = fma(-x, y, 1.0);
                y = fma(y, fma(error, error, error), y);
                error = fma(-x, y, 1.0);
                return fma(y, error, y);
            #else
                return 1 / x;
            #endif
            }
            """;

    private static final String JACOBIAN = """
            template <class POINTS>
            __device__ __forceinline__ void jacobian(int q, const POINTS& x, REAL* j) {
                for (int k = 0; k < D * D; k++) {
                    j[k] = 0;
                }
                for (int k = 0; k < M; k++) {
                    for (int a = 0; a < D; a++) {
                        for (int d = 0; d < D; d++) {
                            j[a * D + d] += MAP[(q * D + d) * M + k] * x[k][a];
                        }
                    }
                }
            }
            """;

    /**
     * The same of four corners, by their differences: those are the same at all points, and of what is near to each
     * other, exact. The last function is the product of both coordinates, and so its derivatives are the coordinates.
     */
    private static final String BILINEAR = """
            template <class POINTS>
            __device__ __forceinline__ void jacobian(int q, const POINTS& x, REAL* j) {
                for (int a = 0; a < D; a++) {
                    const REAL low = x[1][a] - x[0][a];
                    const REAL left = x[2][a] - x[0][a];
                    const REAL twist = x[3][a] - x[2][a] - low;
                    j[a * D] = low + MAP[q * D * M + 3] * twist;
                    j[a * D + 1] = left + MAP[(q * D + 1) * M + 3] * twist;
                }
            }
            """;

    /** The weight of a point times the determinant of the map. */
    private String measure() {
        return """
                template <class POINTS>
                __device__ __forceinline__ REAL measure(int q, const POINTS& x) {
                    REAL j[D * D];
                    jacobian(q, x, j);
                    return WEIGHTS[q] * (DETERMINANT);
                }
                """.replace("DETERMINANT", spec.tables().dimension() == 2
                ? "j[0] * j[3] - j[1] * j[2]"
                : "j[0] * (j[4] * j[8] - j[5] * j[7]) + j[1] * (j[5] * j[6] - j[3] * j[8])"
                        + " + j[2] * (j[3] * j[7] - j[4] * j[6])");
    }

    private static final String ISOTROPIC = """
                const REAL scale = WEIGHTS[q] * kappa[0] * reciprocal(det);
                int at = 0;
                for (int d = 0; d < D; d++) {
                    for (int e = d; e < D; e++) {
                        REAL sum = 0;
                        for (int a = 0; a < D; a++) {
                            sum += adj[d * D + a] * adj[e * D + a];
                        }
                        out[at++] = scale * sum;
                    }
                }
            """;

    private static final String TENSOR =
            """
                        int at = 0;
                        for (int d = 0; d < D; d++) {
                            for (int e = d; e < D; e++) {
                                REAL sum = 0;
                                for (int a = 0; a < D; a++) {
                                    for (int b = 0; b < D; b++) {
                                        const int low = a < b ? a : b;
                                        const int high = a < b ? b : a;
                                        const REAL k = kappa[low * D - low * (low - 1) / 2 + high - low];
                                sum += adj[d * D + a] * k * adj[e * D + b];
                                    }
                                }
                                out[at++] = WEIGHTS[q] / det * sum;
                            }
                        }
                    """;

    /** w |J| Rᵀ M R: columns first, then rows. */
    private static final String PULL = """
                REAL half[S * S];
                for (int r = 0; r < S; r++) {
                    for (int f = 0; f < F; f++) {
                        half[r * S + f * V] = m[r * S + f * V];
                        for (int d = 0; d < D; d++) {
                            REAL sum = 0;
                            for (int a = 0; a < D; a++) {
                                sum += adj[d * D + a] * m[r * S + f * V + 1 + a];
                            }
                            half[r * S + f * V + 1 + d] = sum / det;
                        }
                    }
                }
                for (int s = 0; s < S; s++) {
                    for (int f = 0; f < F; f++) {
                        out[f * V * S + s] = WEIGHTS[q] * det * half[f * V * S + s];
                        for (int d = 0; d < D; d++) {
                            REAL sum = 0;
                            for (int a = 0; a < D; a++) {
                                sum += adj[d * D + a] * half[(f * V + 1 + a) * S + s];
                            }
                            out[(f * V + 1 + d) * S + s] = WEIGHTS[q] * sum;
                        }
                    }
                }
            }
            """;

    /** How factors act on values and derivatives, and what functions have of these. */
    private String action() {
        StringBuilder act = new StringBuilder(
                "__device__ __forceinline__ void act(const REAL* p, const REAL* g, REAL* h) {\n");
        if (spec.scalar()) {
            int d = spec.tables().dimension();
            IntUnaryOperator start = row -> row * d - row * (row - 1) / 2;
            act.append("    h[0] = ").append(spec.reaction() == null ? "0" : "p[P - 1] * g[0]").append(";\n");
            for (int row = 0; row < d; row++) {
                act.append("    h[").append(row + 1).append("] = ");
                for (int column = 0; column < d; column++) {
                    int low = Math.min(row, column);
                    int at = start.applyAsInt(low) + Math.max(row, column) - low;
                    act.append(column == 0 ? "" : " + ").append(spec.diffusion() == null
                            ? "0"
                            : "p[" + at + "] * g[" + (column + 1) + "]");
                }
                act.append(";\n");
            }
        } else {
            act.append("""
                        for (int r = 0; r < S; r++) {
                            h[r] = 0;
                            for (int s = 0; s < S; s++) {
                                h[r] += p[r * S + s] * g[s];
                            }
                        }
                    """);
        }
        return act.append("}\n").append("""
                __device__ __forceinline__ void column(int q, int u, const REAL* p, REAL* h) {
                    REAL g[S] = {};
                    for (int s = LOW; s < HIGH; s++) {
                        g[u % F * V + s] = BASIS[(q * V + s) * N + u / F];
                    }
                    act(p, g, h);
                }
                __device__ __forceinline__ REAL rowAnd(REAL before, int q, int u, const REAL* h) {
                    REAL sum = before;
                    for (int s = LOW; s < HIGH; s++) {
                        sum += BASIS[(q * V + s) * N + u / F] * h[u % F * V + s];
                    }
                    return sum;
                }
                __device__ __forceinline__ REAL row(int q, int u, const REAL* h) {
                    return rowAnd(0, q, u, h);
                }
                """).toString();
    }

    /** Fills {@code M(i, j)} with the element matrix; the macro is the place of an entry. */
    private String matrix(Formulation formulation) {
        String point = "point(q, x" + inputs(false) + ", ";
        String mirror = spec.scalar() ? """
                    for (int i = 1; i < U; i++) {
                        for (int j = 0; j < i; j++) {
                            ENTRY(i, j) = ENTRY(j, i);
                        }
                    }
                """ : "";
        String rows = spec.scalar() ? "i <= j" : "i < U";
        String entries = """
                    for (int j = 0; j < U; j++) {
                        for (int i = 0; ROWS; i++) {
                            REAL sum = 0;
                            for (int q = 0; q < Q; q++) {
                                REAL h[S];
                                POINT
                                sum += row(q, i, h);
                            }
                            ENTRY(i, j) = sum;
                        }
                    }
                """.replace("ROWS", rows);
        return switch (formulation) {
            case GLOBAL_REUSE -> """
                        for (int i = 0; i < U; i++) {
                            for (int j = 0; j < U; j++) {
                                ENTRY(i, j) = 0;
                            }
                        }
                        for (int q = 0; q < Q; q++) {
                            REAL p[P], h[S];
                            POINT
                            for (int j = 0; j < U; j++) {
                                column(q, j, p, h);
                                for (int i = 0; ROWS; i++) {
                                    ENTRY(i, j) += row(q, i, h);
                                }
                            }
                        }
                    """.replace("POINT", point + "p);").replace("ROWS", rows) + mirror;
            case LOCAL_STORAGE -> "    REAL points[Q * P];\n    for (int q = 0; q < Q; q++) {\n        " + point
                    + "points + q * P);\n    }\n" + entries.replace("POINT", "column(q, j, points + q * P, h);")
                    + mirror;
            case REDUNDANT_COMPUTE -> entries.replace("POINT", "REAL p[P];\n                " + point
                    + "p);\n                column(q, j, p, h);") + mirror;
            case SUM_FACTORISED -> throw new IllegalArgumentException(
                    "an element matrix by one thread with factorised sums, expected another formulation");
        };
    }

    private String parts() {
        return point() + action();
    }

    /**
     * Writes what kernels of a device's own are made of: {@code point}, {@code measure}, {@code act}, {@code column},
     * {@code row} and {@code rowAnd}, which adds to a sum, with sizes and tables; {@code INPUTS}, the coefficients of
     * element {@code e} in {@code a.c1}, {@code a.c2}; of squares and cubes the number of points of a direction, L, and
     * the bases LINE and SLOPES of the interval.
     */
    String integrals() {
        StringBuilder text = new StringBuilder(parts()).append(measure()).append("#define INPUTS ");
        for (CoefficientPort port : new CoefficientPort[]{spec.diffusion(), spec.reaction()}) {
            if (port != null && port.constant() == null) {
                text.append(", a.c").append(port.input()).append(" + (long long) e * ").append(port.size());
            }
        }
        text.append('\n').append("#define REACTIVE ").append(spec.reaction() == null ? 0 : 1)
                .append("\n#define DIFFUSIVE ").append(spec.diffusion() == null ? 0 : 1)
                .append("\n#define SQUARES ").append(bilinearSquares() ? 1 : 0).append('\n');
        if (spec.tables().factorises()) {
            int n = spec.tables().lineSize();
            double[] values = spec.tables().lineValues();
            double[] slopes = spec.tables().collocation();
            text.append("#define L ").append(n).append('\n').append(table("LINE", n * n, k -> values[k]))
                    .append(table("SLOPES", n * n, k -> slopes[k]));
        }
        return text.toString();
    }

    /** Says whether elements are squares of degree 1, and their maps too. */
    private boolean bilinearSquares() {
        ElementTables tables = spec.tables();
        return tables.factorises() && tables.dimension() == 2 && tables.lineSize() == 2
                && tables.map().functions() == tables.functions();
    }

    private String parameters(String last) {
        return "REAL* const* x" + inputs(true) + ", " + last;
    }

    /** Writes the kernel that adds a matrix to entries through a map. */
    String assemble(Formulation formulation) {
        return whole(parts(), parameters("REAL* const* k"),
                entries("k[(i) * U + (j)][0]", matrix(formulation)));
    }

    /** Writes the kernel that stores a matrix. */
    String localMatrices(Formulation formulation) {
        return whole(parts(), parameters("REAL* k"), entries("k[(i) * U + (j)]", matrix(formulation)));
    }

    /** Writes the kernel that stores the rows of a matrix through a map. */
    String appendRows(Formulation formulation) {
        return whole(parts(), parameters("REAL* const* k"), entries("k[i][j]", matrix(formulation)));
    }

    private static String entries(String place, String body) {
        return "#define ENTRY(i, j) " + place + "\n" + body + "#undef ENTRY\n";
    }

    /** Writes the kernel that adds the product of the element matrix and an operand. */
    String apply(Formulation formulation) {
        if (formulation != Formulation.GLOBAL_REUSE) {
            return whole(parts(), parameters("REAL* const* u, REAL* const* y"),
                    "    REAL k[U * U];\n" + entries("k[(i) * U + (j)]", matrix(formulation)) + """
                                for (int i = 0; i < U; i++) {
                                    REAL sum = 0;
                                    for (int j = 0; j < U; j++) {
                                        sum += k[i * U + j] * u[j][0];
                                    }
                                    y[i][0] += sum;
                                }
                            """);
        }
        return whole(parts(), parameters("REAL* const* u, REAL* const* y"),
                "    for (int q = 0; q < Q; q++) {\n        REAL p[P];\n        point(q, x" + inputs(false) + ", p);\n"
                        + PRODUCT + "    }\n");
    }

    private static final String PRODUCT = """
                    REAL g[S] = {}, h[S];
                    for (int i = 0; i < U; i++) {
                        for (int s = LOW; s < HIGH; s++) {
                            g[i % F * V + s] += BASIS[(q * V + s) * N + i / F] * u[i][0];
                        }
                    }
                    act(p, g, h);
                    for (int i = 0; i < U; i++) {
                        y[i][0] += row(q, i, h);
                    }
            """;

    /** Writes the kernel that stores factors. */
    String factors() {
        return whole(parts(), parameters("REAL* factors"), "    for (int q = 0; q < Q; q++) {\n        point(q, x"
                + inputs(false) + ", factors + q * P);\n    }\n");
    }

    /** Writes the kernel that adds the product from stored factors, point by point. */
    String applyStored() {
        return whole(parts(), "const REAL* factors, REAL* const* u, REAL* const* y",
                "    for (int q = 0; q < Q; q++) {\n        const REAL* p = factors + q * P;\n" + PRODUCT + "    }\n");
    }

    /** Writes the kernel that adds up the diagonal, or the blocks of fields on it. */
    String diagonal(boolean blocks) {
        return whole(parts(), parameters("REAL* const* d"),
                "    for (int q = 0; q < Q; q++) {\n        REAL p[P], h[S];\n        point(q, x" + inputs(false)
                        + ", p);\n        for (int i = 0; i < U; i++) {\n            column(q, i, p, h);\n"
                        + (blocks
                                ? "            for (int f = 0; f < F; f++) {\n"
                                        + "                d[(i / F * F + f) * F + i % F][0] += "
                                        + "row(q, i / F * F + f, h);\n            }\n"
                                : "            d[i][0] += row(q, i, h);\n")
                        + "        }\n    }\n");
    }

    /** Writes the kernel that adds up loads; the form is that of a mass with density 1. */
    String load(int fields) {
        return whole(parts() + constant("FIELDS", fields), "REAL* const* x, const REAL* f, REAL* const* b", """
                    for (int q = 0; q < Q; q++) {
                        REAL p[P];
                        point(q, x, p);
                        for (int i = 0; i < N; i++) {
                            for (int a = 0; a < FIELDS; a++) {
                                b[i * FIELDS + a][0] += BASIS[q * V * N + i] * p[0] * f[q * FIELDS + a];
                            }
                        }
                    }
                """);
    }

    /** Writes the kernel that adds the product of a stored matrix. */
    static String product(String kernel, int unknowns) {
        return declared(function(kernel), "const REAL* k, REAL* const* u, REAL* const* y") + " {\n" + """
                    for (int i = 0; i < U; i++) {
                        for (int j = 0; j < U; j++) {
                            y[i][0] += k[i * U + j] * u[j][0];
                        }
                    }
                }
                """.replace("U", Integer.toString(unknowns));
    }

    /** Writes the kernel that adds a stored matrix to entries. */
    static String addTo(String kernel, int size) {
        return declared(function(kernel), "const REAL* k, REAL* const* entries") + " {\n"
                + "    for (int i = 0; i < " + size + "; i++) {\n        entries[i][0] += k[i];\n    }\n}\n";
    }

    /** Writes the kernel of a padded row. */
    static String paddedRow(String kernel, int pieces, int length) {
        return declared(function(kernel), (pieces == 1 ? "REAL*" : "REAL* const*") + " values, "
                + (pieces * length == 1 ? "REAL*" : "REAL* const*") + " operand, REAL* y") + " {\n    REAL sum = 0;\n"
                + "    for (int k = 0; k < " + pieces * length + "; k++) {\n        sum += "
                + (pieces == 1
                        ? "values[k]"
                        : "values[k / " + length + "][k % " + length + "]")
                + " * operand" + (pieces * length == 1 ? "[0]" : "[k][0]") + ";\n    }\n    y[0] = sum;\n}\n";
    }
}
