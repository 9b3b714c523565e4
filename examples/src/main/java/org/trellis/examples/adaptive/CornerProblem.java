package org.trellis.examples.adaptive;

import java.util.Arrays;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CooMatrix;
import org.trellis.systems.LinearSystems;

/**
 * Poisson's equation on an L-shaped domain, the square from -1 to 1 without its lower right quarter: the solution is
 * the singular function of the re-entrant corner, r^(2/3) sin(2 t / 3), and a layer exp(-(1 + x) / w) on the left side.
 * Linear elements; the solution is given on the boundary.
 */
final class CornerProblem {
    /**
     * Barycentric points and weight of a rule that is exact for quartics, three of each kind (Dunavant 1985, degree
     * 4).
     */
    private static final double[][] RULE = {{0.445948490915965, 0.223381589678011},
        {0.091576213509771, 0.109951743655322}};

    private final double width;

    CornerProblem(double width) {
        this.width = width;
    }

    /** Makes the coarsest mesh: squares of side 1 / n, each cut in two. */
    static SimplexMesh mesh(int n) {
        int row = 2 * n + 1;
        int[] numbers = new int[row * row];
        Arrays.fill(numbers, -1);
        double[] x = new double[2 * row * row];
        int vertices = 0;
        for (int j = 0; j < row; j++) {
            for (int i = 0; i < row; i++) {
                if (i <= n || j >= n) {
                    numbers[j * row + i] = vertices;
                    x[2 * vertices] = (i - n) / (double) n;
                    x[2 * vertices + 1] = (j - n) / (double) n;
                    vertices++;
                }
            }
        }
        int[] corners = new int[18 * n * n];
        int filled = 0;
        for (int j = 0; j + 1 < row; j++) {
            for (int i = 0; i + 1 < row; i++) {
                if (i < n || j >= n) {
                    int a = numbers[j * row + i];
                    int b = numbers[j * row + i + 1];
                    int c = numbers[(j + 1) * row + i + 1];
                    int d = numbers[(j + 1) * row + i];
                    int[] pair = {a, b, c, a, c, d};
                    System.arraycopy(pair, 0, corners, filled, pair.length);
                    filled += pair.length;
                }
            }
        }
        return SimplexMesh.of(2, Arrays.copyOf(x, 2 * vertices), corners);
    }

    /**
     * The solution. The angle runs from 0 on the side that goes right from the corner to 3/2 pi on the one that goes
     * down.
     */
    double solution(double x, double y) {
        double angle = Math.atan2(y, x);
        double turned = angle < -1e-12 ? angle + 2 * Math.PI : angle;
        return Math.pow(Math.hypot(x, y), 2.0 / 3) * Math.sin(2.0 / 3 * turned) + Math.exp(-(1 + x) / width);
    }

    private double source(double x) {
        return -Math.exp(-(1 + x) / width) / (width * width);
    }

    /** Solves on a mesh; returns the values at its vertices. */
    double[] solve(SimplexMesh mesh) {
        int n = mesh.vertices();
        boolean[] known = new boolean[n];
        int[] facet = new int[2];
        for (int i = 0; i < mesh.patches().length; i++) {
            if (mesh.patches()[i] != 0) {
                mesh.facet(i / 3, i % 3, facet);
                known[facet[0]] = true;
                known[facet[1]] = true;
            }
        }
        double[] u = new double[n];
        int[] unknowns = new int[n];
        int count = 0;
        for (int v = 0; v < n; v++) {
            u[v] = known[v] ? solution(mesh.coordinates()[2 * v], mesh.coordinates()[2 * v + 1]) : 0;
            unknowns[v] = known[v] ? -1 : count++;
        }
        double[] b = new double[count];
        int[] rows = new int[9 * mesh.elements()];
        int[] columns = new int[rows.length];
        double[] values = new double[rows.length];
        int entries = 0;
        double[] local = new double[9];
        for (int e = 0; e < mesh.elements(); e++) {
            stiffness(mesh, e, local);
            load(mesh, e, unknowns, b);
            for (int k = 0; k < 9; k++) {
                int i = unknowns[mesh.corners()[3 * e + k / 3]];
                int column = mesh.corners()[3 * e + k % 3];
                if (i >= 0 && unknowns[column] < 0) {
                    b[i] -= local[k] * u[column];
                } else if (i >= 0) {
                    rows[entries] = i;
                    columns[entries] = unknowns[column];
                    values[entries++] = local[k];
                }
            }
        }
        double[] inside = LinearSystems.solve(CooMatrix.of(count, count, Arrays.copyOf(rows, entries),
                Arrays.copyOf(columns, entries), HostVector.of(Arrays.copyOf(values, entries))).toCsr(), b);
        for (int v = 0; v < n; v++) {
            u[v] = known[v] ? u[v] : inside[unknowns[v]];
        }
        return u;
    }

    private static void stiffness(SimplexMesh mesh, int element, double[] local) {
        double area = SimplexQuality.measure(2, mesh.coordinates(), mesh.corners(), 3 * element);
        double[] g = new double[6];
        for (int k = 0; k < 3; k++) {
            int p = 2 * mesh.corners()[3 * element + (k + 1) % 3];
            int q = 2 * mesh.corners()[3 * element + (k + 2) % 3];
            g[2 * k] = mesh.coordinates()[p + 1] - mesh.coordinates()[q + 1];
            g[2 * k + 1] = mesh.coordinates()[q] - mesh.coordinates()[p];
        }
        for (int i = 0; i < 3; i++) {
            for (int j = i; j < 3; j++) {
                double entry = (g[2 * i] * g[2 * j] + g[2 * i + 1] * g[2 * j + 1]) / (4 * area);
                local[3 * i + j] = entry;
                local[3 * j + i] = entry;
            }
        }
    }

    /** What is integrated over an element: gets the weights of the corners, the point and the measure it stands for. */
    private interface Integrand {
        void at(double[] weights, double x, double y, double measure);
    }

    private static void integrate(SimplexMesh mesh, int element, Integrand integrand) {
        double area = SimplexQuality.measure(2, mesh.coordinates(), mesh.corners(), 3 * element);
        double[] weights = new double[3];
        for (double[] kind : RULE) {
            for (int k = 0; k < 3; k++) {
                Arrays.fill(weights, kind[0]);
                weights[k] = 1 - 2 * kind[0];
                double x = 0;
                double y = 0;
                for (int c = 0; c < 3; c++) {
                    int v = mesh.corners()[3 * element + c];
                    x += weights[c] * mesh.coordinates()[2 * v];
                    y += weights[c] * mesh.coordinates()[2 * v + 1];
                }
                integrand.at(weights, x, y, kind[1] * area);
            }
        }
    }

    private void load(SimplexMesh mesh, int element, int[] unknowns, double[] b) {
        integrate(mesh, element, (weights, x, y, measure) -> {
            for (int c = 0; c < 3; c++) {
                int row = unknowns[mesh.corners()[3 * element + c]];
                if (row >= 0) {
                    b[row] += measure * weights[c] * source(x);
                }
            }
        });
    }

    /** Returns the norm of the difference to the solution, in the square mean over the domain. */
    double error(SimplexMesh mesh, double[] u) {
        double[] sum = new double[1];
        for (int e = 0; e < mesh.elements(); e++) {
            int element = e;
            integrate(mesh, e, (weights, x, y, measure) -> {
                double difference = -solution(x, y);
                for (int c = 0; c < 3; c++) {
                    difference += weights[c] * u[mesh.corners()[3 * element + c]];
                }
                sum[0] += measure * difference * difference;
            });
        }
        return Math.sqrt(sum[0]);
    }
}
