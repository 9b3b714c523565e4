package org.trellis.bench.adapt;

import java.util.ArrayList;
import java.util.List;
import org.trellis.adapt.geometry.CircleShape;
import org.trellis.adapt.geometry.CurvedBoundary;
import org.trellis.adapt.geometry.CurvedSurface;
import org.trellis.adapt.geometry.CylinderShape;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SphereShape;
import org.trellis.adapt.geometry.SurfaceShape;
import picocli.CommandLine.Option;

/** The options that say which curves and surfaces a mesh stands for. */
final class ShapeArguments {
    @Option(names = "--curved", paramLabel = "DEGREES", defaultValue = "0", description = {
        "Sides or facets of the boundary that meet at less than this angle stand for a curve (a spline through their"
                + " ends) or a smooth surface (by their normals): vertices slide along it, and new ones are put on it."
                + " Default: 0, none."})
    private double curved;

    @Option(names = "--circle", paramLabel = "X,Y,R",
            description = "In the plane: sides with both ends on this circle stand for it. May be repeated.")
    private List<String> circles = List.of();

    @Option(names = "--sphere", paramLabel = "X,Y,Z,R",
            description = "In space: facets with all corners on this sphere stand for it. May be repeated.")
    private List<String> spheres = List.of();

    @Option(names = "--cylinder", paramLabel = "X,Y,Z,U,V,W,R", description = {
        "In space: the same of the cylinder of radius R around the line through X,Y,Z along U,V,W. May be repeated."})
    private List<String> cylinders = List.of();

    /** Gives a mesh the shapes that were named. */
    SimplexMesh apply(SimplexMesh mesh) {
        boolean plane = mesh.dimension() == 2;
        if (!(plane ? spheres.isEmpty() && cylinders.isEmpty() : circles.isEmpty())) {
            throw new IllegalArgumentException(plane
                    ? "--sphere and --cylinder are for meshes in space, expected --circle in the plane"
                    : "--circle is for meshes in the plane, expected --sphere or --cylinder in space");
        }
        if (curved == 0 && circles.isEmpty() && spheres.isEmpty() && cylinders.isEmpty()) {
            return mesh;
        }
        if (plane) {
            return CurvedBoundary.of(mesh, circles.stream().map(text -> numbers("--circle", text, "X,Y,R"))
                    .map(p -> new CircleShape(p[0], p[1], p[2])).toList(), curved);
        }
        List<SurfaceShape> surfaces = new ArrayList<>();
        for (String text : spheres) {
            double[] p = numbers("--sphere", text, "X,Y,Z,R");
            surfaces.add(new SphereShape(p[0], p[1], p[2], p[3]));
        }
        for (String text : cylinders) {
            double[] p = numbers("--cylinder", text, "X,Y,Z,U,V,W,R");
            surfaces.add(new CylinderShape(p[0], p[1], p[2], p[3], p[4], p[5], p[6]));
        }
        return CurvedSurface.of(mesh, surfaces, curved);
    }

    private static double[] numbers(String option, String text, String form) {
        String[] parts = text.split(",", -1);
        double[] numbers = new double[form.split(",", -1).length];
        try {
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = Double.parseDouble(parts[i]);
            }
            if (parts.length == numbers.length) {
                return numbers;
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IllegalArgumentException(message(option, text, form), e);
        }
        throw new IllegalArgumentException(message(option, text, form));
    }

    private static String message(String option, String text, String form) {
        return option + " is '" + text + "', expected numbers " + form;
    }
}
