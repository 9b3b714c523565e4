package org.trellis.examples.fem;

import java.util.Arrays;
import java.util.List;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.Coefficient;
import org.trellis.fem.Constraints;
import org.trellis.fem.DegreeMultigrid;

/** Scalar problems whose solutions are known. On the boundary the solution is given, so any domain will do. */
enum PoissonProblems {
    /** The thesis's: −Δu = Π sin πx (equation 4.1); u is the load over dπ². */
    SINE("sine", "-div grad u = prod sin(pi x)"),
    /** κ = 1 + x + 2y (+ 3z), u = Π sin πx. */
    VARIABLE("variable", "-div(kappa grad u) = f, kappa = 1 + x + 2y (+ 3z), u = prod sin(pi x)"),
    /** A reaction and an oblique tensor, u = Π sin πx. */
    TENSOR("tensor", "-div(K grad u) + u = f, K oblique, u = prod sin(pi x)");

    private final String label;
    private final String text;

    PoissonProblems(String label, String text) {
        this.label = label;
        this.text = text;
    }

    static PoissonProblems of(String label) {
        return Arrays.stream(values()).filter(problem -> problem.label.equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--form is '" + label + "', expected one of "
                        + Arrays.stream(values()).map(problem -> problem.label).toList()));
    }

    String text() {
        return text;
    }

    private double scale(int dimension) {
        return this == SINE ? 1 / (dimension * Math.PI * Math.PI) : 1;
    }

    private static double kappa(double[] x) {
        double kappa = 1;
        for (int d = 0; d < x.length; d++) {
            kappa += (d + 1) * x[d];
        }
        return kappa;
    }

    /** Returns the product of sines. */
    private double value(double... x) {
        double product = scale(x.length);
        for (double coordinate : x) {
            product *= Math.sin(Math.PI * coordinate);
        }
        return product;
    }

    void value(double[] x, double[] u) {
        u[0] = value(x);
    }

    void gradient(double[] x, double[] g) {
        Arrays.fill(g, Math.PI * scale(x.length));
        for (int d = 0; d < x.length; d++) {
            double sine = Math.sin(Math.PI * x[d]);
            double cosine = Math.cos(Math.PI * x[d]);
            for (int e = 0; e < g.length; e++) {
                g[e] *= e == d ? cosine : sine;
            }
        }
    }

    void load(double[] x, double[] f) {
        double u = value(x);
        double minusLaplacian = x.length * Math.PI * Math.PI * u;
        f[0] = switch (this) {
            case SINE -> minusLaplacian;
            case VARIABLE -> kappa(x) * minusLaplacian - alongKappa(x);
            default -> 2 * minusLaplacian + u - mixed(x);
        };
    }

    /** Returns grad kappa · grad u. */
    private double alongKappa(double... x) {
        double[] slopes = new double[x.length];
        gradient(x, slopes);
        double sum = 0;
        for (int d = 0; d < x.length; d++) {
            sum += (d + 1) * slopes[d];
        }
        return sum;
    }

    /** Returns the derivative in the first two directions, which the tensor has 0.5 of twice. */
    private double mixed(double... x) {
        double product = Math.PI * Math.PI * scale(x.length);
        for (int d = 0; d < x.length; d++) {
            product *= d < 2 ? Math.cos(Math.PI * x[d]) : Math.sin(Math.PI * x[d]);
        }
        return product;
    }

    /** Returns the problem for all spaces on a mesh. */
    DegreeMultigrid.Problem problem(int dimension) {
        BilinearForm form = switch (this) {
            case SINE -> BilinearForm.diffusion(Coefficient.constant(1));
            case VARIABLE -> BilinearForm.diffusion(Coefficient.of(1, (x, k) -> k[0] = kappa(x)));
            default -> BilinearForm.diffusion(dimension == 2
                    ? Coefficient.constant(2, 0.5, 2)
                    : Coefficient.constant(2, 0.5, 0, 2, 0, 2)).plusReaction(Coefficient.constant(1));
        };
        return new DegreeMultigrid.Problem(form,
                space -> Constraints.onBoundary(space, this::value), List.of());
    }
}
