package org.trellis.kernel;

import java.util.Objects;
import org.trellis.common.Checks;

/**
 * Values on a regular grid in the plane, interpolated linearly along both axes in between. Kernels take one as a
 * {@link Constant} parameter and call {@link #linear}; CUDA devices may read it through a texture. Points outside have
 * the values of the nearest point of the grid. Immutable.
 */
public final class Raster {
    private final int components;
    private final int columns;
    private final int rows;
    private final double originX;
    private final double originY;
    private final double perX;
    private final double perY;
    private final double[] values;

    /**
     * Makes a raster.
     *
     * @param components values of each point, at least 1
     * @param columns    points along the first axis, at least 2
     * @param rows       points along the second axis, at least 2
     * @param origin     the first point
     * @param spacing    distances of points along both axes, above 0
     * @param values     values of the points, the first axis running fastest and those of a point side by side; not
     *                   copied, and not to be changed any more
     * @throws IllegalArgumentException if there are too few points or not the right number of values, or a distance is
     *                                  not positive
     */
    public Raster(int components, int columns, int rows, double[] origin, double[] spacing, double[] values) {
        Checks.positive("number of components of the raster", components);
        if (columns < 2 || rows < 2) {
            throw new IllegalArgumentException("the raster has " + columns + " times " + rows
                    + " points, expected at least 2 along each axis");
        }
        if (!(spacing[0] > 0) || !(spacing[1] > 0)) {
            throw new IllegalArgumentException("points of the raster are " + spacing[0] + " and " + spacing[1]
                    + " apart, expected distances above 0");
        }
        Checks.length("number of values of the raster", values.length, (long) components * columns * rows);
        this.components = components;
        this.columns = columns;
        this.rows = rows;
        this.originX = origin[0];
        this.originY = origin[1];
        this.perX = 1 / spacing[0];
        this.perY = 1 / spacing[1];
        this.values = Objects.requireNonNull(values);
    }

    /**
     * Interpolates.
     *
     * @param component which of the values
     * @param x         first coordinate
     * @param y         second coordinate
     * @return the value there
     */
    public double linear(int component, double x, double y) {
        return linear(component, cell(x, y), across(x), along(y));
    }

    /**
     * Finds the four points around a place, for {@link #linear(int, int, double, double)}: what several components
     * share, generated loops do once.
     *
     * @param x first coordinate
     * @param y second coordinate
     * @return where the values of the first of them are
     */
    public int cell(double x, double y) {
        int i = inside((int) ((x - originX) * perX), columns);
        int j = inside((int) ((y - originY) * perY), rows);
        return (j * columns + i) * components;
    }

    /**
     * Returns how far a place is from one point of the grid to the next along the first axis.
     *
     * @param x first coordinate
     * @return from 0 to 1
     */
    public double across(double x) {
        return fraction((x - originX) * perX, columns);
    }

    /**
     * Returns how far a place is from one point of the grid to the next along the second axis.
     *
     * @param y second coordinate
     * @return from 0 to 1
     */
    public double along(double y) {
        return fraction((y - originY) * perY, rows);
    }

    private static int inside(int cell, int points) {
        return Math.min(Math.max(cell, 0), points - 2);
    }

    private static double fraction(double place, int points) {
        double part = place - inside((int) place, points);
        return part < 0 ? 0 : part > 1 ? 1 : part;
    }

    /**
     * Interpolates within a cell.
     *
     * @param component which of the values
     * @param cell      the cell, as {@link #cell} gives it
     * @param s         the share of the way along the first axis
     * @param t         the share along the second
     * @return the value there
     */
    public double linear(int component, int cell, double s, double t) {
        int at = cell + component;
        int above = at + columns * components;
        double first = values[at] + s * (values[at + components] - values[at]);
        double second = values[above] + s * (values[above + components] - values[above]);
        return first + t * (second - first);
    }

    /**
     * Returns the number of values of each point.
     *
     * @return at least 1
     */
    public int components() {
        return components;
    }

    /**
     * Returns the number of points along the first axis.
     *
     * @return at least 2
     */
    public int columns() {
        return columns;
    }

    /**
     * Returns the number of points along the second axis.
     *
     * @return at least 2
     */
    public int rows() {
        return rows;
    }

    /**
     * Returns a coordinate of the first point.
     *
     * @param axis 0 or 1
     * @return the coordinate
     */
    public double origin(int axis) {
        return axis == 0 ? originX : originY;
    }

    /**
     * Returns how many points there are along an axis in a unit of length.
     *
     * @param axis 0 or 1
     * @return one over the distance of points, above 0
     */
    public double density(int axis) {
        return axis == 0 ? perX : perY;
    }

    /**
     * Returns a value of a point.
     *
     * @param component which
     * @param column    the point's place along the first axis
     * @param row       along the second
     * @return the value
     */
    public double get(int component, int column, int row) {
        return values[(row * columns + column) * components + component];
    }

    @Override
    public String toString() {
        return "raster of " + columns + " x " + rows + " points with " + components + " components";
    }
}
