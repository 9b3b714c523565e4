package org.trellis.common;

/**
 * A sum without rounding: components that do not overlap, smallest first (J. R. Shewchuk, "Adaptive precision
 * floating-point arithmetic and fast robust geometric predicates", 1997, section 2). Exact unless something overflows
 * or is below the smallest normal number.
 */
final class ExactSum {
    private final double[] components;
    private int count;

    ExactSum(int terms) {
        components = new double[terms];
    }

    /** Adds a number; the sum grows by one component. */
    void add(double term) {
        double carry = term;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            double sum = carry + components[i];
            double part = sum - carry;
            double error = (carry - (sum - part)) + (components[i] - part);
            if (error != 0) {
                components[kept++] = error;
            }
            carry = sum;
        }
        if (carry != 0) {
            components[kept++] = carry;
        }
        count = kept;
    }

    /** Adds a product of two numbers. */
    void addProduct(double a, double b) {
        double product = a * b;
        add(Math.fma(a, b, -product));
        add(product);
    }

    /** Adds a product of three numbers. */
    void addProduct(double a, double b, double c) {
        double product = a * b;
        addProduct(Math.fma(a, b, -product), c);
        addProduct(product, c);
    }

    /** Returns -1, 0 or 1: the last component outweighs all others together. */
    int sign() {
        return count == 0 ? 0 : (int) Math.signum(components[count - 1]);
    }
}
