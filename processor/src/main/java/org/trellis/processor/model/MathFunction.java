package org.trellis.processor.model;

import java.util.Optional;

/** The methods of {@code Math} that kernels may call. */
public enum MathFunction {
    /** Absolute value. */
    ABS("abs", 1, true, "ABS", "fabs"),
    /** Minimum. */
    MIN("min", 2, true, "MIN", "fmin"),
    /** Maximum. */
    MAX("max", 2, true, "MAX", "fmax"),
    /** Square root. */
    SQRT("sqrt", 1, false, "SQRT", "sqrt"),
    /** Fused multiply and add. */
    FMA("fma", 3, false, "FMA", "fma"),
    /** Cube root. */
    CBRT("cbrt", 1, false, "CBRT", "cbrt"),
    /** Sine. */
    SIN("sin", 1, false, "SIN", "sin"),
    /** Cosine. */
    COS("cos", 1, false, "COS", "cos"),
    /** Tangent. */
    TAN("tan", 1, false, "TAN", "tan"),
    /** Inverse sine. */
    ASIN("asin", 1, false, "ASIN", "asin"),
    /** Inverse cosine. */
    ACOS("acos", 1, false, "ACOS", "acos"),
    /** Inverse tangent. */
    ATAN("atan", 1, false, "ATAN", "atan"),
    /** Angle of a point. */
    ATAN2("atan2", 2, false, "ATAN2", "atan2"),
    /** Hyperbolic sine. */
    SINH("sinh", 1, false, "SINH", "sinh"),
    /** Hyperbolic cosine. */
    COSH("cosh", 1, false, "COSH", "cosh"),
    /** Hyperbolic tangent. */
    TANH("tanh", 1, false, "TANH", "tanh"),
    /** Exponential. */
    EXP("exp", 1, false, "EXP", "exp"),
    /** Exponential less one. */
    EXPM1("expm1", 1, false, "EXPM1", "expm1"),
    /** Natural logarithm. */
    LOG("log", 1, false, "LOG", "log"),
    /** Decimal logarithm. */
    LOG10("log10", 1, false, "LOG10", "log10"),
    /** Natural logarithm of one more. */
    LOG1P("log1p", 1, false, "LOG1P", "log1p"),
    /** Power. */
    POW("pow", 2, false, "POW", "pow"),
    /** Length of a vector in the plane. */
    HYPOT("hypot", 2, false, "HYPOT", "hypot"),
    /** Next lower integer. */
    FLOOR("floor", 1, false, "", "floor"),
    /** Next higher integer. */
    CEIL("ceil", 1, false, "", "ceil");

    private final String method;
    private final int arity;
    private final boolean integers;
    private final String lanes;
    private final String device;

    MathFunction(String method, int arity, boolean integers, String lanes, String device) {
        this.method = method;
        this.arity = arity;
        this.integers = integers;
        this.lanes = lanes;
        this.device = device;
    }

    /**
     * Finds a function.
     *
     * @param method the name of a method of {@code Math}
     * @return the function, if kernels may call it
     */
    public static Optional<MathFunction> of(String method) {
        for (MathFunction function : values()) {
            if (function.method.equals(method)) {
                return Optional.of(function);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the name of the method.
     *
     * @return as in {@code Math}
     */
    public String method() {
        return method;
    }

    /**
     * Returns the number of arguments.
     *
     * @return 1 to 3
     */
    public int arity() {
        return arity;
    }

    /**
     * Says whether there is a variant for integers.
     *
     * @return true for absolute value, minimum and maximum
     */
    public boolean integers() {
        return integers;
    }

    /**
     * Returns the operator of the Vector API.
     *
     * @return a constant of {@code VectorOperators}, or an empty string if there is none
     */
    public String lanes() {
        return lanes;
    }

    /**
     * Returns the function of CUDA C for reals.
     *
     * @return its name
     */
    public String device() {
        return device;
    }
}
