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

    /** A product of sines, of which up to two are replaced by their derivatives. */
    private double product(double[] x, int first, int second) {
        double product = scale(x.length);
        for (int d = 0; d < x.length; d++) {
            int times = (d == first ? 1 : 0) + (d == second ? 1 : 0);
            double angle = Math.PI * x[d];
            product *= times == 0
                    ? Math.sin(angle)
                    : times == 1 ? Math.PI * Math.cos(angle) : -Math.PI * Math.PI * Math.sin(angle);
        }
        return product;
    }

    void value(double[] x, double[] u) {
        u[0] = product(x, -1, -1);
    }

    void gradient(double[] x, double[] g) {
        for (int d = 0; d < g.length; d++) {
            g[d] = product(x, d, -1);
        }
    }

    void load(double[] x, double[] f) {
        f[0] = 0;
        for (int d = 0; d < x.length; d++) {
            switch (this) {
                case SINE -> f[0] -= product(x, d, d);
                case VARIABLE -> f[0] -= kappa(x) * product(x, d, d) + (d + 1) * product(x, d, -1);
                default -> f[0] -= 2 * product(x, d, d);
            }
        }
        if (this == TENSOR) {
            f[0] += product(x, -1, -1) - product(x, 0, 1); // 0.5 off the diagonal, twice
        }
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
                space -> Constraints.onBoundary(space, x -> product(x, -1, -1)), List.of());
    }
}
