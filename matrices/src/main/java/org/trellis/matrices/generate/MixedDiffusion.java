package org.trellis.matrices.generate;

import org.trellis.common.Checks;

/**
 * Diffusion in mixed form on a rectangle of square cells, where pressures are 0 on the boundary: lowest-order
 * elements of
 * Raviart and Thomas, fluxes through edges and pressures in cells. A regular symmetric indefinite saddle point
 *
 * <pre>
 *   ( M   Bᵀ )      M the mass matrix of fluxes, positive definite
 *   ( B   0  )      B minus the divergence: what leaves a cell through its right or upper edge counts −1
 * </pre>
 *
 * <p>Unknowns are the fluxes through vertical edges, those through horizontal ones, then the pressures, x fastest.
 *
 * @see <a href="https://doi.org/10.1007/978-3-642-36519-5">D. Boffi, F. Brezzi, M. Fortin, Mixed Finite Element Methods
 *      and Applications, 2013, section 2.4</a>
 */
public final class MixedDiffusion implements RowSource {
    private static final double OWN = 1.0 / 3;
    private static final double OPPOSITE = 1.0 / 6;

    private final Grid cells;
    private final Grid vertical;
    private final Grid horizontal;

    /**
     * Makes the matrix.
     *
     * @param nx cells in x, at least 1
     * @param ny cells in y, at least 1
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public MixedDiffusion(int nx, int ny) {
        this.cells = new Grid(nx, ny, 1);
        this.vertical = new Grid(Math.addExact(nx, 1), ny, 1);
        this.horizontal = new Grid(nx, Math.addExact(ny, 1), 1);
        Checks.arrayLength("unknowns of mixed diffusion", 1L + vertical.size() + horizontal.size() + cells.size());
    }

    /**
     * Returns the number of fluxes.
     *
     * @return the first row of the pressures
     */
    public int fluxes() {
        return vertical.size() + horizontal.size();
    }

    @Override
    public int rows() {
        return fluxes() + cells.size();
    }

    @Override
    public int columns() {
        return rows();
    }

    @Override
    public long leastNonZeros() {
        // Each cell joins its opposite edges and has four of them, which know it in turn.
        return fluxes() + 12L * cells.size();
    }

    @Override
    public int length(int row) {
        if (row >= fluxes()) {
            return 4;
        }
        boolean upright = row < vertical.size();
        int along = upright ? vertical.x(row) : horizontal.y(row - vertical.size());
        boolean atBoundary = along == 0 || along == (upright ? cells.nx() : cells.ny());
        return atBoundary ? 3 : 5;
    }

    @Override
    public void fill(int row, RowBuffer buffer) {
        if (row >= fluxes()) {
            int cell = row - fluxes();
            int left = vertical.point(cells.x(cell), cells.y(cell), 0);
            buffer.add(left, 1);
            buffer.add(left + 1, -1);
            buffer.add(vertical.size() + cell, 1);
            buffer.add(vertical.size() + cell + cells.nx(), -1);
        } else if (row < vertical.size()) {
            int x = vertical.x(row);
            fillFlux(row, 1, x > 0, x < cells.nx(), cells.point(x, vertical.y(row), 0), buffer);
        } else {
            int edge = row - vertical.size();
            int y = horizontal.y(edge);
            fillFlux(row, cells.nx(), y > 0, y < cells.ny(), edge, buffer);
        }
    }

    /** The cell after an edge has its number; the cell before is a stride less. */
    private void fillFlux(int row, int stride, boolean before, boolean after, int cell, RowBuffer buffer) {
        if (before) {
            buffer.add(row - stride, OPPOSITE);
        }
        buffer.add(row, before && after ? 2 * OWN : OWN);
        if (after) {
            buffer.add(row + stride, OPPOSITE);
        }
        if (before) {
            buffer.add(fluxes() + cell - stride, -1);
        }
        if (after) {
            buffer.add(fluxes() + cell, 1);
        }
    }
}
