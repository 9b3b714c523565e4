package org.trellis.fem;

/**
 * A product of sines and the load that makes it the solution: with κ = 1 scaled so that the load is the product itself,
 * with κ = 1 + x + 2 y + 3 z as it is.
 */
record ManufacturedSine(int dimension, boolean linear) {
    double kappa(double[] x) {
        double kappa = 1;
        for (int d = 0; linear && d < dimension; d++) {
            kappa += (d + 1) * x[d];
        }
        return kappa;
    }

    private double scale() {
        return linear ? 1 : 1 / (dimension * Math.PI * Math.PI);
    }

    private double product(double[] x, int cosine) {
        double product = scale();
        for (int d = 0; d < dimension; d++) {
            product *= d == cosine ? Math.PI * Math.cos(Math.PI * x[d]) : Math.sin(Math.PI * x[d]);
        }
        return product;
    }

    void value(double[] x, double[] u) {
        u[0] = product(x, -1);
    }

    void gradient(double[] x, double[] g) {
        for (int d = 0; d < dimension; d++) {
            g[d] = product(x, d);
        }
    }

    void load(double[] x, double[] f) {
        f[0] = kappa(x) * dimension * Math.PI * Math.PI * product(x, -1);
        for (int d = 0; linear && d < dimension; d++) {
            f[0] -= (d + 1) * product(x, d);
        }
    }
}
