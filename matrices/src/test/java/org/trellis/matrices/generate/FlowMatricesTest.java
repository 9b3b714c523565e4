package org.trellis.matrices.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.solve.direct.SparseLdlt;
import org.trellis.solve.direct.SparseLu;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.GraphComponents;
import org.trellis.sparse.algebra.Reductions;

/** Convection, waves, saddle points and graphs of models. */
final class FlowMatricesTest {
    private static CsrMatrix of(String spec) {
        return MatrixSpec.parse(spec).generate(Precision.F64, ProgressListener.NONE);
    }

    @Test
    void withoutWindThisIsDiffusion() {
        CsrMatrix diffusion = of("jump2d:nx=7,ny=7,contrast=1").scaled(0.25);
        assertTrue(of("convection2d:nx=7,wind=none,epsilon=0.25").closeTo(diffusion, 1e-13, 0));
        CsrMatrix solid = of("jump3d:nx=4,contrast=1").scaled(0.25);
        assertTrue(of("convection3d:nx=4,wind=none,epsilon=1").closeTo(solid, 1e-13, 0));
        CsrMatrix stretched = of("convection2d:nx=9,ny=6,wind=none,grid=stretched,ratio=100");
        assertTrue(stretched.closeTo(stretched.transpose(), 1e-13, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"convection2d:nx=9,ny=7", "convection2d:nx=9,wind=constant,angle=200",
        "convection2d:nx=9,ny=5,wind=shear,scheme=exponential", "convection3d:nx=5,ny=6,nz=4,wind=constant",
        "convection3d:nx=5,scheme=exponential", "convection2d:nx=8,epsilon=1e-9,scheme=exponential"})
    void upwindMatricesAreMMatricesThatConserve(String spec) {
        CsrMatrix a = of(spec);
        a.forEachEntry((i, j, value) -> assertTrue(i == j ? value > 0 : value <= 0, spec + " " + i + ", " + j));
        double[] columnSums = Reductions.columnSums(a).doubles();
        double[] rowSums = Reductions.rowSums(a).doubles();
        double scale = Reductions.maximum(a);
        for (int i = 0; i < a.rows(); i++) {
            // What leaves a cell enters another, and a constant is carried along unchanged, but at the boundary.
            assertTrue(columnSums[i] > -1e-13 * scale && rowSums[i] > -1e-13 * scale, spec + " row " + i);
            if (a.rowLength(i) == Arrays.stream(a.rowLengths()).max().orElseThrow()) {
                assertEquals(0, columnSums[i], 1e-13 * scale);
                assertEquals(0, rowSums[i], 1e-13 * scale);
            }
        }
    }

    /** The greatest error for u = sin πx sin πy with a constant wind along x. */
    private static double error(int n, String scheme, String grid) {
        double epsilon = 0.5;
        GridLines lines = new GridLines(GridLines.Spacing.valueOf(grid), 2, 1);
        double[] hx = lines.widths(0, n);
        double[] hy = lines.widths(1, n);
        CsrMatrix a = of("convection2d:nx=" + n + ",wind=constant,angle=0,epsilon=0.5,ratio=2,scheme=" + scheme
                + ",grid=" + grid.toLowerCase(Locale.ROOT));
        double[] b = new double[n * n];
        double[] expected = new double[n * n];
        double y = 0;
        for (int j = 0; j < n; j++) {
            double x = 0;
            for (int i = 0; i < n; i++) {
                double px = Math.PI * (x + hx[i] / 2);
                double py = Math.PI * (y + hy[j] / 2);
                expected[j * n + i] = Math.sin(px) * Math.sin(py);
                b[j * n + i] = hx[i] * hy[j] * (2 * epsilon * Math.PI * Math.PI * Math.sin(px) * Math.sin(py)
                        + Math.PI * Math.cos(px) * Math.sin(py));
                x += hx[i];
            }
            y += hy[j];
        }
        double[] u = SparseLu.of(a).solve(b);
        double worst = 0;
        for (int i = 0; i < u.length; i++) {
            worst = Math.max(worst, Math.abs(u[i] - expected[i]));
        }
        return worst;
    }

    @ParameterizedTest
    @EnumSource(ConvectionDiffusion.Scheme.class)
    void solutionsConverge(ConvectionDiffusion.Scheme scheme) {
        String name = scheme.name().toLowerCase(Locale.ROOT);
        for (String grid : new String[]{"UNIFORM", "STRETCHED"}) {
            double coarse = error(16, name, grid);
            double fine = error(32, name, grid);
            double order = Math.log(coarse / fine) / Math.log(2);
            assertTrue(order > (scheme == ConvectionDiffusion.Scheme.UPWIND ? 0.8 : 1.7),
                    name + " " + grid + " " + order);
            assertTrue(fine < 0.06, name + " " + grid + " " + fine);
        }
    }

    @Test
    void linesAddUpAndKeepTheirRatio() {
        for (GridLines.Spacing spacing : GridLines.Spacing.values()) {
            double[] widths = new GridLines(spacing, 50, 3).widths(1, 40);
            assertEquals(1, Arrays.stream(widths).sum(), 1e-14);
            double ratio = Arrays.stream(widths).max().orElseThrow() / Arrays.stream(widths).min().orElseThrow();
            assertTrue(ratio <= 50 * (1 + 1e-12), spacing + " " + ratio);
            assertTrue(spacing == GridLines.Spacing.UNIFORM ? ratio == 1 : ratio > 20, spacing + " " + ratio);
        }
        assertThrows(IllegalArgumentException.class, () -> new GridLines(GridLines.Spacing.UNIFORM, 0.5, 1));
    }

    @Test
    void wavesAreDiffusionLessASquare() {
        double k = 2 * Math.PI / 8;
        CsrMatrix poisson = of("poisson2d:nx=9,ny=6");
        CsrMatrix identity = CsrMatrix.identity(54, Precision.F64);
        CsrMatrix waves = of("helmholtz2d:nx=9,ny=6,wavelength=8");
        assertTrue(waves.closeTo(poisson.combine(1, identity, -k * k), 1e-15, 0));
        // Eigenvalues are 4 - 2 cos(pi i / 10) - 2 cos(pi j / 7), of which some are below k².
        int below = 0;
        for (int i = 1; i <= 9; i++) {
            for (int j = 1; j <= 6; j++) {
                below += 4 - 2 * Math.cos(Math.PI * i / 10) - 2 * Math.cos(Math.PI * j / 7) < k * k ? 1 : 0;
            }
        }
        assertEquals(below, SparseLdlt.of(waves).inertia().negative());
        assertTrue(below > 0);
        CsrMatrix solid = of("helmholtz3d:nx=3,wavelength=8");
        assertEquals(6 - k * k, solid.get(13, 13), 1e-14);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stokes2d:nx=6,ny=4", "stokes3d:nx=3,ny=4,nz=2"})
    void stokesIsASaddlePoint(String spec) {
        StokesFlow flow = (StokesFlow) MatrixSpec.parse(spec).kind().generator(MatrixSpec.parse(spec).arguments());
        CsrMatrix a = flow.generate(Precision.F64);
        assertTrue(a.sameAs(a.transpose()));
        double[] constant = new double[a.rows()];
        Arrays.fill(constant, flow.velocities(), a.rows(), 1);
        assertArrayEquals(new double[a.rows()], a.multiply(constant));
        CsrMatrix regular = of(spec + ",compressibility=0.01,viscosity=2");
        SparseLdlt.Inertia inertia = SparseLdlt.of(regular).inertia();
        assertEquals(flow.velocities(), inertia.positive());
        assertEquals(a.rows() - flow.velocities(), inertia.negative());
        assertEquals(-0.01, regular.get(a.rows() - 1, a.rows() - 1));
    }

    /** Four cells: one velocity in the middle of each of four inner faces. */
    @Test
    void smallestStokesFlowIsByHand() {
        CsrMatrix a = of("stokes2d:nx=2");
        assertEquals(8, a.rows());
        // The upper neighbour, two walls half a cell away and two that are a whole cell away: 1 + 2 + 1 + 1.
        assertEquals(5, a.get(0, 0));
        assertEquals(-1, a.get(0, 1));
        assertEquals(-1, a.get(0, 4));
        assertEquals(1, a.get(0, 5));
        assertEquals(0, a.get(0, 2));
        assertEquals(-1, a.get(2, 4));
        assertEquals(1, a.get(2, 6));
    }

    @Test
    void mixedDiffusionSolvesPoissonsEquation() {
        double coarse = mixedError(8);
        double fine = mixedError(16);
        assertTrue(Math.log(coarse / fine) / Math.log(2) > 1.8, coarse + " " + fine);
        CsrMatrix a = of("mixed2d:nx=5,ny=3");
        assertTrue(a.sameAs(a.transpose()));
        SparseLdlt.Inertia inertia = SparseLdlt.of(a).inertia();
        assertEquals(15, inertia.negative());
        assertEquals(6 * 3 + 5 * 4, inertia.positive());
    }

    private static double mixedError(int n) {
        CsrMatrix a = of("mixed2d:nx=" + n);
        MixedDiffusion mixed = new MixedDiffusion(n, n);
        double[] b = new double[a.rows()];
        double h = 1.0 / n;
        for (int cell = 0; cell < n * n; cell++) {
            b[mixed.fluxes() + cell] = -2 * Math.PI * Math.PI * h * h * sines(cell, n);
        }
        double[] x = SparseLdlt.of(a).solve(b);
        double worst = 0;
        for (int cell = 0; cell < n * n; cell++) {
            worst = Math.max(worst, Math.abs(x[mixed.fluxes() + cell] - sines(cell, n)));
        }
        return worst;
    }

    private static double sines(int cell, int n) {
        int y = cell / n;
        return Math.sin(Math.PI * (cell % n + 0.5) / n) * Math.sin(Math.PI * (y + 0.5) / n);
    }

    @Test
    void graphsAreWhatTheirNamesSay() {
        CsrMatrix ring = of("graph:model=ring,vertices=12,degree=4,form=adjacency");
        assertEquals(48, ring.nonZeros());
        assertEquals(1, ring.get(0, 10));
        CsrMatrix star = of("graph:model=star,vertices=6");
        assertEquals(5, star.get(0, 0));
        assertEquals(-1, star.get(3, 0));
        CsrMatrix path = of("graph:model=path,vertices=5,form=signless,shift=0.5");
        assertEquals(2.5, path.get(2, 2));
        assertEquals(1, path.get(0, 1));
        for (String model : new String[]{"ring", "path", "star", "smallworld", "preferential", "random"}) {
            CsrMatrix laplacian = of("graph:vertices=300,model=" + model);
            assertTrue(laplacian.sameAs(laplacian.transpose()), model);
            double[] constant = new double[300];
            Arrays.fill(constant, 1);
            assertArrayEquals(new double[300], laplacian.multiply(constant), 1e-12, model);
            assertTrue(laplacian.sameAs(of("graph:vertices=300,model=" + model)));
            assertEquals(0, of("graph:vertices=0,model=" + model).rows());
            assertEquals(1, of("graph:vertices=1,model=" + model).rows());
        }
        assertEquals(1, GraphComponents.connected(of("graph:vertices=300,model=preferential")).count());
        CsrMatrix normalised = of("graph:vertices=300,form=normalised");
        assertEquals(1, normalised.get(7, 7));
        int hub = Arrays.stream(of("graph:vertices=2000,model=preferential").rowLengths()).max().orElseThrow();
        assertTrue(hub > 40, "the greatest degree is " + hub);
        assertThrows(IllegalArgumentException.class, () -> of("graph:degree=3"));
    }
}
