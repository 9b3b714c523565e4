package org.trellis.processor.diagnostic;

import java.util.Locale;

/** What the processor objects to. Codes never change their meaning; {@code docs/reference/kernels.md} lists them. */
public enum Code {
    /** The method's modifiers, type parameters or place do not suit a kernel. */
    METHOD(1),
    /** The result type does not suit. */
    RESULT(2),
    /** A parameter of a kernel has no access descriptor. */
    NO_DESCRIPTOR(3),
    /** A parameter has several access descriptors. */
    SEVERAL_DESCRIPTORS(4),
    /** The type of a parameter does not suit its descriptor. */
    PARAMETER_TYPE(5),
    /** A descriptor's number is out of its range. */
    DESCRIPTOR_VALUE(6),
    /** A parameter that is read only is assigned. */
    READ_ONLY(7),
    /** An increment or a sum is used for something else than adding to it. */
    INCREMENT_ONLY(8),
    /** A minimum or maximum is used otherwise than in its one form. */
    REDUCTION_FORM(9),
    /** A component is not assigned on every path, or read before. */
    NOT_ASSIGNED(10),
    /** An index is out of bounds. */
    INDEX_BOUNDS(11),
    /** An index is not known at compile time. */
    INDEX_UNKNOWN(12),
    /** A type that the kernel language lacks. */
    TYPE(13),
    /** A local variable without a type. */
    VAR(14),
    /** A statement that the kernel language lacks. */
    STATEMENT(15),
    /** A loop without constant bounds. */
    LOOP_BOUNDS(16),
    /** An expression that the kernel language lacks. */
    EXPRESSION(17),
    /** A call of a method that is no kernel function. */
    CALL(18),
    /** A kernel function that calls itself. */
    RECURSION(19),
    /** An array that is not of fixed size. */
    ARRAY(20),
    /** A return before the end. */
    RETURN(21),
    /** A name that is neither a local variable nor a constant. */
    NAME(22),
    /** Types that do not fit together. */
    MISMATCH(23),
    /** {@code repeats} that names no increment, or one of another form. */
    REPEATS_TARGET(24),
    /** {@code repeats} that cannot be shown to hold. */
    REPEATS_PROOF(25),
    /** A division of integers that could be one by zero, or a remainder of reals. */
    DIVISION(26),
    /** A second name for an array. */
    ALIAS(27),
    /** A kernel that grows too large. */
    SIZE(28),
    /** Two kernels with one name. */
    DUPLICATE(29),
    /** An assignment used as a value. */
    ASSIGNMENT_VALUE(30),
    /** A loop variable that the body assigns. */
    LOOP_VARIABLE(31);

    private final int number;

    Code(int number) {
        this.number = number;
    }

    /**
     * Returns the stable code.
     *
     * @return {@code TRL001} and so on
     */
    public String label() {
        return String.format(Locale.ROOT, "TRL%03d", number);
    }
}
