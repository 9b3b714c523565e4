package org.trellis.solve.smooth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

/**
 * By how much sweeps reduce the modes that a coarser grid does not see, max |θ| ≥ π/2, against the values of local
 * Fourier analysis.
 */
class SmoothingFactorsTest {
    private static final int SIDE = 16;
    private static final double ALLOWED = 0.02;

    /** A stencil of ones and its centre on a periodic grid (or one with walls) of a number of dimensions. */
    private static CsrMatrix stencil(int dimensions, boolean corners, int side, boolean periodic) {
        int size = (int) Math.pow(side, dimensions);
        CsrBuilder builder = new CsrBuilder(size, Precision.F64, 0);
        int neighbours = corners ? (int) Math.pow(3, dimensions) - 1 : 2 * dimensions;
        for (int row = 0; row < size; row++) {
            double[] values = new double[size];
            values[row] = neighbours;
            for (int code = 0; code < Math.pow(3, dimensions); code++) {
                int column = neighbour(row, code, dimensions, side, periodic);
                int moved = (int) Integer.toString(code, 3).chars().filter(c -> c != '1').count()
                        + dimensions - Integer.toString(code, 3).length();
                if (column >= 0 && moved > 0 && (corners || moved == 1)) {
                    values[column] -= 1;
                }
            }
            for (int column = 0; column < size; column++) {
                if (values[column] != 0) {
                    builder.add(column, values[column]);
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    /** Digits of the code are offsets plus one; -1 outside of a grid with walls. */
    private static int neighbour(int row, int code, int dimensions, int side, boolean periodic) {
        int column = 0;
        int stride = 1;
        int place = row;
        int digits = code;
        for (int d = 0; d < dimensions; d++) {
            int at = place % side + digits % 3 - 1;
            if (!periodic && (at < 0 || at >= side)) {
                return -1;
            }
            column += Math.floorMod(at, side) * stride;
            stride *= side;
            place /= side;
            digits /= 3;
        }
        return column;
    }

    private static double angle(int row, int mode, int dimensions, int side) {
        double sum = 0;
        for (int d = 0, r = row, m = mode; d < dimensions; d++, r /= side, m /= side) {
            sum += 2 * Math.PI / side * (m % side) * (r % side);
        }
        return sum;
    }

    private static boolean high(int mode, int dimensions, int side) {
        for (int d = 0, m = mode; d < dimensions; d++, m /= side) {
            if (Math.min(m % side, side - m % side) * 4 >= side) {
                return true;
            }
        }
        return false;
    }

    private static Map<String, String> options(String text) {
        return Stream.of(text.split(" ")).map(o -> o.split("=")).collect(Collectors.toMap(o -> o[0], o -> o[1]));
    }

    /** Modes are eigenvectors of polynomials in the matrix. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "2 | false | jacobi | omega=0.5 | 0.75",
        "2 | false | jacobi | omega=0.6666666666666666 | 0.666667",
        "2 | false | jacobi | omega=0.8 | 0.6",
        "2 | false | jacobi | omega=1 | 1.0",
        "2 | true | jacobi | omega=0.8888888888888888 | 0.333333",
        "3 | false | jacobi | omega=0.8571428571428571 | 0.714286",
        "3 | true | jacobi | omega=0.9629629629629629 | 0.333333",
        "2 | false | chebyshev | degree=1 lambda-min=0.5 lambda-max=2 | 0.6",
        "2 | false | chebyshev | degree=2 lambda-min=0.5 lambda-max=2 | 0.219512",
        "2 | false | chebyshev | degree=3 lambda-min=0.5 lambda-max=2 | 0.0739726",
        "2 | false | chebyshev | degree=4 lambda-min=0.5 lambda-max=2 | 0.0246876",
        "2 | false | chebyshev | degree=2 lambda-min=0.06666666666666667 lambda-max=2.2 | 0.795031",
        "2 | false | chebyshev | degree=3 lambda-min=0.2 lambda-max=2.2 | 0.301932",
        "2 | false | chebyshev | degree=2 lambda-min=0.6 lambda-max=2 | 0.273356",
        "2 | false | chebyshev | degree=3 ratio=20 lambda-max=2.2 | 0.479617",
        "2 | false | chebyshev | kind=4 degree=1 lambda-max=2 | 0.666667",
        "2 | false | chebyshev | kind=4 degree=2 lambda-max=2 | 0.25",
        "2 | false | chebyshev | kind=4 degree=3 lambda-max=2 | 0.233019",
        "2 | false | chebyshev | kind=4 degree=4 lambda-max=2 | 0.222222"})
    void ofPolynomials(int dimensions, boolean corners, String name, String options, double expected) {
        int side = dimensions == 3 ? 8 : SIDE;
        CsrMatrix matrix = stencil(dimensions, corners, side, true);
        int size = matrix.rows();
        double factor = 0;
        try (Backend backend = Backends.open("threads", Configuration.load());
                Smoother smoother = Preconditioners.smoother(name, matrix, null, backend, options(options))) {
            HostVector zero = HostVector.zeros(Precision.F64, size);
            for (int mode = 0; mode < size; mode++) {
                if (high(mode, dimensions, side)) {
                    int m = mode;
                    HostVector x = HostVector.of(Precision.F64, size, i -> Math.cos(angle(i, m, dimensions, side)));
                    smoother.sweep(zero, x, SweepDirection.FORWARD);
                    // Element 0 was 1.
                    factor = Math.max(factor, Math.abs(x.get(0)));
                }
            }
        }
        // The modes of a small grid come close to the worst one, not all the way.
        assertEquals(expected, factor, 0.002);
    }

    /** Far from the walls a sweep in the order of the rows multiplies a mode by a complex number. */
    @Test
    void ofGaussSeidelInTheOrderOfTheRows() {
        assertEquals(0.5, lexicographic("forward"), ALLOWED);
        assertEquals(0.5, lexicographic("backward"), ALLOWED);
        assertEquals(0.25, lexicographic("symmetric"), ALLOWED);
    }

    private static double lexicographic(String direction) {
        int side = 48;
        CsrMatrix matrix = stencil(2, false, side, false);
        int centre = side / 2 * side + side / 2;
        SweepDirection wanted = Arrays.stream(SweepDirection.values()).filter(d -> d.label().equals(direction))
                .findFirst().orElseThrow();
        double factor = 0;
        try (Backend backend = Backends.open("threads", Configuration.load());
                Smoother smoother =
                        Preconditioners.smoother("gauss-seidel", matrix, null, backend, Map.of("order", "natural"))) {
            HostVector zero = HostVector.zeros(Precision.F64, side * side);
            for (int a = -24; a < 24; a++) {
                for (int b = 0; b <= 24; b++) {
                    if (Math.abs(a) < 12 && b < 12) {
                        continue;
                    }
                    double square = 0;
                    for (double phase : new double[]{0, Math.PI / 2}) {
                        int p = a;
                        int q = b;
                        HostVector x = HostVector.of(Precision.F64, side * side, i -> Math.cos(phase
                                + Math.PI / 24 * (p * (i % side - side / 2) + q * (i / side - side / 2))));
                        smoother.sweep(zero, x, wanted);
                        square += x.get(centre) * x.get(centre);
                    }
                    factor = Math.max(factor, Math.sqrt(square));
                }
            }
        }
        return factor;
    }

    /** Colours mix modes: the greatest eigenvalue of a sweep followed by the removal of low modes. */
    @Test
    void ofRedBlackGaussSeidel() {
        CsrMatrix matrix = stencil(2, false, SIDE, true);
        int size = SIDE * SIDE;
        double[][] keep = new double[size][size];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                for (int mode = 0; mode < size; mode++) {
                    if (high(mode, 2, SIDE)) {
                        keep[i][j] += Math.cos(angle(i, mode, 2, SIDE) - angle(j, mode, 2, SIDE)) / size;
                    }
                }
            }
        }
        HostVector zero = HostVector.zeros(Precision.F64, size);
        HostVector x = HostVector.of(Precision.F64, size, i -> (7919 * i + 13) % 1009 / 1009.0);
        double factor = 0;
        try (Backend backend = Backends.open("threads", Configuration.load());
                Smoother smoother = Preconditioners.smoother("gauss-seidel", matrix, null, backend, Map.of())) {
            for (int step = 0; step < 60; step++) {
                smoother.sweep(zero, x, SweepDirection.FORWARD);
                double[] swept = x.toDoubleArray();
                double norm = 0;
                for (int i = 0; i < size; i++) {
                    double sum = 0;
                    for (int j = 0; j < size; j++) {
                        sum += keep[i][j] * swept[j];
                    }
                    x.set(i, sum);
                    norm += sum * sum;
                }
                factor = Math.sqrt(norm);
                for (int i = 0; i < size; i++) {
                    x.set(i, x.get(i) / factor);
                }
            }
        }
        assertEquals(0.25, factor, ALLOWED);
    }
}
