package org.trellis.kernel;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import org.trellis.common.Checks;

/**
 * Values on a regular grid in the plane or in space, interpolated linearly along each axis in between. Kernels take one
 * as a {@link Constant} parameter and call {@link #linear(int, double, double)} or
 * {@link #linear(int, double, double, double)}; CUDA devices may read one in the plane through a texture. Points
 * outside have the values of the nearest point of the grid. A raster in the plane is one in space whose values do not
 * depend on the third coordinate; where a raster in space is asked without that, its first layer answers. Immutable.
 */
public final class Raster {
    private final int components;
    private final int columns;
    private final int rows;
    private final int layers;
    private final double originX;
    private final double originY;
    private final double originZ;
    private final double perX;
    private final double perY;
    private final double perZ;
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
        this(components, new int[]{columns, rows}, origin, spacing, values);
    }

    /**
     * Makes a raster in the plane or in space.
     *
     * @param components values of each point, at least 1
     * @param points     points along each of two or three axes, at least 2
     * @param origin     the first point
     * @param spacing    distances of points along each axis, above 0
     * @param values     values of the points, the first axis running fastest and those of a point side by side; not
     *                   copied, and not to be changed any more
     * @throws IllegalArgumentException if there are not two or three axes, too few points, not the right number of
     *                                  values, or a distance is not positive
     */
    public Raster(int components, int[] points, double[] origin, double[] spacing, double[] values) {
        Checks.positive("number of components of the raster", components);
        if (points.length != 2 && points.length != 3) {
            throw new IllegalArgumentException("the raster has " + points.length + " axes, expected 2 or 3");
        }
        long count = components;
        for (int k = 0; k < points.length; k++) {
            if (points[k] < 2) {
                throw new IllegalArgumentException("the raster has " + times(points)
                        + " points, expected at least 2 along each axis");
            }
            if (!(spacing[k] > 0)) {
                throw new IllegalArgumentException("points of the raster are " + spacing[k] + " apart along axis " + k
                        + ", expected a distance above 0");
            }
            count *= points[k];
        }
        Checks.length("number of values of the raster", values.length, count);
        boolean space = points.length == 3;
        this.components = components;
        this.columns = points[0];
        this.rows = points[1];
        this.layers = space ? points[2] : 1;
        this.originX = origin[0];
        this.originY = origin[1];
        this.originZ = space ? origin[2] : 0;
        this.perX = 1 / spacing[0];
        this.perY = 1 / spacing[1];
        this.perZ = space ? 1 / spacing[2] : 0;
        this.values = Objects.requireNonNull(values);
    }

    private static String times(int[] points) {
        return Arrays.stream(points).mapToObj(Integer::toString).collect(Collectors.joining(" x "));
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
        return within(component, cell(x, y), across(x), along(y));
    }

    /**
     * Interpolates in space.
     *
     * @param component which of the values
     * @param x         first coordinate
     * @param y         second coordinate
     * @param z         third coordinate
     * @return the value there
     */
    public double linear(int component, double x, double y, double z) {
        return within(component, cell(x, y, z), across(x), along(y), through(z));
    }

    /**
     * Finds the four points around a place, for {@link #within(int, int, double, double)}: what several components
     * share, generated loops do once.
     *
     * @param x first coordinate
     * @param y second coordinate
     * @return where the values of the first of them are
     */
    public int cell(double x, double y) {
        int i = place((x - originX) * perX, columns);
        int j = place((y - originY) * perY, rows);
        return (j * columns + i) * components;
    }

    /**
     * Finds the eight points around a place in space, for {@link #within(int, int, double, double, double)}.
     *
     * @param x first coordinate
     * @param y second coordinate
     * @param z third coordinate
     * @return where the values of the first of them are
     */
    public int cell(double x, double y, double z) {
        int layer = layers == 1 ? 0 : place((z - originZ) * perZ, layers);
        return cell(x, y) + layer * (rows * columns * components);
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

    /**
     * Returns how far a place is from one point of the grid to the next along the third axis.
     *
     * @param z third coordinate
     * @return from 0 to 1; 0 in the plane
     */
    public double through(double z) {
        return layers == 1 ? 0 : fraction((z - originZ) * perZ, layers);
    }

    /*
     * Nearly all places are within the grid. There a comparison that always comes out the same is much cheaper than
     * clamping, and a rounded number, which is one instruction, than one that is converted to and fro.
     */

    private static int place(double place, int points) {
        int cell = (int) Math.floor(place);
        return cell >= 0 && cell <= points - 2 ? cell : Math.min(Math.max(cell, 0), points - 2);
    }

    private static double fraction(double place, int points) {
        double whole = Math.floor(place);
        return whole >= 0 && whole <= points - 2 ? place - whole : outside(place, points);
    }

    private static double outside(double place, int points) {
        double part = place - place(place, points);
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
    public double within(int component, int cell, double s, double t) {
        int at = cell + component;
        int above = at + columns * components;
        double first = values[at] + s * (values[at + components] - values[at]);
        double second = values[above] + s * (values[above + components] - values[above]);
        return first + t * (second - first);
    }

    /**
     * Interpolates within a cell in space.
     *
     * @param component which of the values
     * @param cell      the cell, as {@link #cell(double, double, double)} gives it
     * @param s         the share of the way along the first axis
     * @param t         the share along the second
     * @param u         the share along the third
     * @return the value there
     */
    public double within(int component, int cell, double s, double t, double u) {
        double lower = within(component, cell, s, t);
        if (layers == 1) {
            return lower;
        }
        return lower + u * (within(component, cell + rows * columns * components, s, t) - lower);
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
     * Returns the number of points along the third axis.
     *
     * @return at least 2, or 1 in the plane
     */
    public int layers() {
        return layers;
    }

    /**
     * Returns a coordinate of the first point.
     *
     * @param axis 0, 1 or 2
     * @return the coordinate; 0 along the third axis in the plane
     */
    public double origin(int axis) {
        return axis == 0 ? originX : axis == 1 ? originY : originZ;
    }

    /**
     * Returns how many points there are along an axis in a unit of length.
     *
     * @param axis 0, 1 or 2
     * @return one over the distance of points, above 0; 0 along the third axis in the plane
     */
    public double density(int axis) {
        return axis == 0 ? perX : axis == 1 ? perY : perZ;
    }

    /**
     * Returns a value of a point.
     *
     * @param component which
     * @param point     the point's number, the first axis running fastest
     * @return the value
     */
    public double get(int component, int point) {
        return values[point * components + component];
    }

    @Override
    public String toString() {
        return "raster of " + columns + " x " + rows + (layers == 1 ? "" : " x " + layers) + " points with "
                + components + " components";
    }
}
