package org.trellis.bench.picture;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.Path2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.IntStream;
import org.trellis.bench.chart.Scale;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;

/**
 * A mesh and numbers on it. Cells of a plane mesh are coloured by their value, or the mean of their corners' values; of
 * a mesh in space the outer faces are seen obliquely from above, darker where they turn away from the light. Values of
 * both signs have a map that is pale at zero and reaches as far on both sides. Sides are drawn where they are some
 * pixels long, and more faintly and later where colours are to be read between them.
 */
public final class MeshPicture {
    private static final int WIDTH = 1000;
    private static final int LEAST_HEIGHT = 220;
    private static final int MOST_HEIGHT = 1000;
    private static final int RIGHT = 150;
    private static final int BAR_WIDTH = 22;
    private static final double LEAST_SIDE_PIXELS = 3.5;
    private static final double LEAST_SIDE_PIXELS_OF_FIELDS = 10;
    /** The smaller of both signs' extents counts as noise below this share of the larger. */
    private static final double LEAST_SIGNED = 0.02;
    private static final double DARKEST = 0.55;
    private static final double[] LIGHT = {0.36, -0.48, 0.8};
    private static final double MARGIN = 0.02;
    private static final Color PLAIN = new Color(0xdde5ee);
    private static final Color MISSING = new Color(0xb0b0b0);
    private static final Color SIDES = new Color(0x33, 0x33, 0x33, 150);
    private static final Color SIDES_OF_FIELDS = new Color(0x33, 0x33, 0x33, 60);
    private static final double AZIMUTH = Math.toRadians(-60);
    private static final double ELEVATION = Math.toRadians(28);

    private final MeshData mesh;
    private final MeshFaces faces;
    private final double[] u;
    private final double[] v;
    private final double[] depth;
    private final double[] values;
    private final boolean inSpace;
    private boolean signed;
    private Window window;
    private Range given;
    private Figure figure;

    /**
     * A part of the plane.
     *
     * @param left   least x
     * @param right  greatest x, more than {@code left}
     * @param bottom least y
     * @param top    greatest y, more than {@code bottom}
     */
    public record Window(double left, double right, double bottom, double top) {

        /**
         * Checks the order.
         *
         * @throws IllegalArgumentException if a range is empty
         */
        public Window {
            if (!(left < right) || !(bottom < top)) {
                throw new IllegalArgumentException("window from " + left + " to " + right + " and from " + bottom
                        + " to " + top + ", expected ranges");
            }
        }
    }

    /**
     * What the ends of a range of colours stand for. Values beyond have the colours of the ends.
     *
     * @param least    the lower end
     * @param greatest the upper one
     */
    public record Range(double least, double greatest) {

        /**
         * Checks the order.
         *
         * @throws IllegalArgumentException if the range is empty
         */
        public Range {
            if (!(least < greatest)) {
                throw new IllegalArgumentException(
                        "range of colours from " + least + " to " + greatest + ", expected the first below the second");
            }
        }
    }

    /**
     * What colours the cells.
     *
     * @param array     the numbers
     * @param onCells   whether they are the cells', else the points'
     * @param component which of several to take, from 0
     */
    public record Field(DataArray array, boolean onCells, int component) {

        /**
         * Checks the component.
         *
         * @throws IllegalArgumentException if the array has no such component
         */
        public Field {
            if (component < 0 || component >= array.components()) {
                throw new IllegalArgumentException("component of " + array.name() + " is " + component
                        + ", expected 0 to " + (array.components() - 1));
            }
        }

        private double at(int index) {
            return array.values()[index * array.components() + component];
        }

        private String label() {
            return array.components() == 1 ? array.name() : array.name() + " [" + component + "]";
        }
    }

    private MeshPicture(MeshData given, Field field, Window window) {
        mesh = given.flattened();
        inSpace = mesh.dimensions() == 3;
        faces = MeshFaces.of(mesh);
        int count = mesh.pointCount();
        u = new double[count];
        v = new double[count];
        depth = new double[inSpace ? count : 0];
        project();
        values = field == null ? null : faceValues(field);
        this.window = window;
    }

    /**
     * Draws a mesh.
     *
     * @param mesh   the mesh
     * @param field  what colours the cells, or null for no colours
     * @param window the part to show, or null for all; of meshes in space, of the projection
     * @param name   what it is, for the title
     * @param file   where to write the picture, as PNG; overwritten
     * @throws IOException if it cannot be written
     */
    public static void write(MeshData mesh, Field field, Window window, String name, Path file) throws IOException {
        write(mesh, field, window, null, name, file);
    }

    /**
     * Draws a mesh with a given range of colours, so that the pictures of a series have the same ones.
     *
     * @param mesh   the mesh
     * @param field  what colours the cells, or null for no colours
     * @param window the part to show, or null for all; of meshes in space, of the projection
     * @param range  what the ends of the colours stand for, or null for the least and greatest value shown
     * @param name   what it is, for the title
     * @param file   where to write the picture, as PNG; overwritten
     * @throws IOException if it cannot be written
     */
    public static void write(MeshData mesh, Field field, Window window, Range range, String name, Path file)
            throws IOException {
        MeshPicture picture = new MeshPicture(mesh, field, window);
        picture.given = range;
        picture.draw(name, field);
        picture.figure.write(file);
    }

    private void project() {
        double[] x = mesh.points();
        int dimensions = mesh.dimensions();
        for (int i = 0; i < u.length; i++) {
            double px = x[i * dimensions];
            double py = dimensions > 1 ? x[i * dimensions + 1] : 0;
            u[i] = px;
            v[i] = py;
            if (inSpace) {
                double along = px * Math.cos(AZIMUTH) - py * Math.sin(AZIMUTH);
                double away = px * Math.sin(AZIMUTH) + py * Math.cos(AZIMUTH);
                u[i] = along;
                v[i] = x[3 * i + 2] * Math.cos(ELEVATION) + away * Math.sin(ELEVATION);
                depth[i] = away * Math.cos(ELEVATION) - x[3 * i + 2] * Math.sin(ELEVATION);
            }
        }
    }

    private double[] faceValues(Field field) {
        double[] result = new double[faces.count()];
        for (int face = 0; face < result.length; face++) {
            if (field.onCells) {
                result[face] = field.at(faces.cell(face));
                continue;
            }
            double sum = 0;
            for (int k = 0; k < faces.size(face); k++) {
                sum += field.at(faces.node(face, k));
            }
            result[face] = sum / faces.size(face);
        }
        return result;
    }

    private void draw(String name, Field field) {
        if (window == null) {
            window = whole();
        }
        double aspect = (window.top - window.bottom) / (window.right - window.left);
        int height = (int) Math.clamp(WIDTH * aspect, LEAST_HEIGHT, MOST_HEIGHT);
        int width = (int) Math.clamp(height / aspect, LEAST_HEIGHT, WIDTH);
        figure = new Figure(width, height, RIGHT);
        figure.title(name, String.format(Locale.ROOT, "%,d points, %,d cells%s", mesh.pointCount(), faces.drawnCells(),
                field == null ? "" : ", coloured by " + field.label()));
        double[] range = range();
        paint(range);
        figure.horizontalAxis(Scale.linear(window.left, window.right), inSpace ? "oblique view" : "x", false);
        figure.verticalAxis(Scale.linear(window.bottom, window.top), inSpace ? "" : "y", false, false);
        figure.frame();
        if (field != null && range[0] <= range[1]) {
            bar(field.label(), range);
        }
    }

    private Window whole() {
        double left = Double.POSITIVE_INFINITY;
        double right = Double.NEGATIVE_INFINITY;
        double bottom = Double.POSITIVE_INFINITY;
        double top = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < u.length; i++) {
            left = Math.min(left, u[i]);
            right = Math.max(right, u[i]);
            bottom = Math.min(bottom, v[i]);
            top = Math.max(top, v[i]);
        }
        double extent = Math.max(right - left, top - bottom);
        if (!(extent >= 0 && extent < Double.POSITIVE_INFINITY)) {
            return new Window(0, 1, 0, 1);
        }
        double margin = extent > 0 ? MARGIN * extent : 1;
        return new Window(left - margin, right + margin, bottom - margin, top + margin);
    }

    /** The least and greatest value of what is in the window; the first is greater if nothing is. */
    private double[] range() {
        double[] range = given == null
                ? new double[]{Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}
                : new double[]{given.least, given.greatest};
        for (int face = 0; given == null && values != null && face < values.length; face++) {
            if (Double.isFinite(values[face]) && isVisible(face)) {
                range[0] = Math.min(range[0], values[face]);
                range[1] = Math.max(range[1], values[face]);
            }
        }
        signed = Math.min(-range[0], range[1]) > LEAST_SIGNED * Math.max(-range[0], range[1]);
        if (signed) {
            range[1] = Math.max(-range[0], range[1]);
            range[0] = -range[1];
        }
        return range;
    }

    private boolean isVisible(int face) {
        double left = Double.POSITIVE_INFINITY;
        double right = Double.NEGATIVE_INFINITY;
        double bottom = Double.POSITIVE_INFINITY;
        double top = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < faces.size(face); k++) {
            int node = faces.node(face, k);
            left = Math.min(left, u[node]);
            right = Math.max(right, u[node]);
            bottom = Math.min(bottom, v[node]);
            top = Math.max(top, v[node]);
        }
        return left <= window.right && right >= window.left && bottom <= window.top && top >= window.bottom;
    }

    private void paint(double[] range) {
        Graphics2D graphics = figure.graphics();
        Shape before = graphics.getClip();
        graphics.clipRect(figure.left(), figure.top(), figure.width(), figure.height());
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.setStroke(new BasicStroke(1));
        boolean sides = sidesAreLong();
        int[] order = IntStream.range(0, faces.count()).filter(this::isVisible).toArray();
        if (inSpace) {
            order = IntStream.of(order).boxed().sorted(Comparator.comparingDouble(this::depth).reversed())
                    .mapToInt(face -> face).toArray();
        }
        for (int face : order) {
            Path2D outline = outline(face);
            if (faces.size(face) > 2) {
                // Without smoothing, neighbours share each pixel out and leave no seam.
                graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_OFF);
                graphics.setColor(colour(face, range));
                graphics.fill(outline);
            }
            if (sides || faces.size(face) <= 2) {
                graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
                graphics.setColor(faces.size(face) <= 2
                        ? colour(face, range).darker()
                        : values == null ? SIDES : SIDES_OF_FIELDS);
                graphics.draw(outline);
            }
        }
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setClip(before);
    }

    private double depth(int face) {
        double sum = 0;
        for (int k = 0; k < faces.size(face); k++) {
            sum += depth[faces.node(face, k)];
        }
        return sum / faces.size(face);
    }

    /** Whether the sides of the cells in the window are long enough, on the average, to be distinguished. */
    private boolean sidesAreLong() {
        double sum = 0;
        long count = 0;
        double scale = figure.width() / (window.right - window.left);
        for (int face = 0; face < faces.count(); face++) {
            if (isVisible(face)) {
                int first = faces.node(face, 0);
                int next = faces.node(face, 1);
                sum += Math.hypot(u[next] - u[first], v[next] - v[first]) * scale;
                count++;
            }
        }
        return sum >= (values == null ? LEAST_SIDE_PIXELS : LEAST_SIDE_PIXELS_OF_FIELDS) * count;
    }

    private Path2D outline(int face) {
        Path2D outline = new Path2D.Double();
        for (int k = 0; k < faces.size(face); k++) {
            int node = faces.node(face, k);
            double x = figure.left() + (u[node] - window.left) / (window.right - window.left) * figure.width();
            double y = figure.top() + (window.top - v[node]) / (window.top - window.bottom) * figure.height();
            if (k == 0) {
                outline.moveTo(x, y);
            } else {
                outline.lineTo(x, y);
            }
        }
        if (faces.size(face) > 2) {
            outline.closePath();
        }
        return outline;
    }

    private Color colour(int face, double[] range) {
        Color flat = flatColour(face, range);
        if (!inSpace || faces.size(face) < 3) {
            return flat;
        }
        double light = light(face);
        return new Color((int) (flat.getRed() * light), (int) (flat.getGreen() * light),
                (int) (flat.getBlue() * light));
    }

    private Color flatColour(int face, double[] range) {
        if (values == null) {
            return PLAIN;
        }
        if (!Double.isFinite(values[face])) {
            return MISSING;
        }
        double share = range[1] > range[0] ? Math.clamp((values[face] - range[0]) / (range[1] - range[0]), 0, 1) : 0.5;
        return signed ? Shades.signed(2 * share - 1) : Shades.of(share);
    }

    /** How bright a face in space is: by the angle between its normal, of whichever side, and the light. */
    private double light(int face) {
        double[] x = mesh.points();
        int a = 3 * faces.node(face, 0);
        int b = 3 * faces.node(face, 1);
        int c = 3 * faces.node(face, 2);
        double[] normal = new double[3];
        for (int k = 0; k < 3; k++) {
            int next = (k + 1) % 3;
            int last = (k + 2) % 3;
            normal[k] = (x[b + next] - x[a + next]) * (x[c + last] - x[a + last])
                    - (x[b + last] - x[a + last]) * (x[c + next] - x[a + next]);
        }
        double length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        double cosine = normal[0] * LIGHT[0] + normal[1] * LIGHT[1] + normal[2] * LIGHT[2];
        return length > 0 && Double.isFinite(length) ? DARKEST + (1 - DARKEST) * Math.abs(cosine) / length : 1;
    }

    private void bar(String label, double[] range) {
        Graphics2D graphics = figure.graphics();
        int x = figure.left() + figure.width() + 28;
        int height = Math.min(320, figure.height());
        int bottom = figure.top() + height;
        Scale scale = Scale.linear(range[0], range[1]);
        for (int y = 0; y < height; y++) {
            double share = (double) y / height;
            graphics.setColor(signed ? Shades.signed(2 * share - 1) : Shades.of(share));
            graphics.fillRect(x, bottom - y - 1, BAR_WIDTH, 1);
        }
        graphics.setColor(Figure.INK);
        graphics.setStroke(new BasicStroke(1));
        graphics.drawRect(x, figure.top(), BAR_WIDTH, height);
        for (double tick : scale.ticks(6)) {
            double y = bottom - scale.position(tick) * height;
            figure.text(scale.label(tick), Figure.INK, 13, x + BAR_WIDTH + 6, y + 5);
        }
        figure.text(label.length() > 18 ? label.substring(0, 17) + "…" : label, Figure.FAINT, 13, x, bottom + 22);
    }
}
