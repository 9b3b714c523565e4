package org.trellis.examples.fem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.file.CellMeshes;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.MeshHierarchy;
import org.trellis.fem.space.StructuredMeshes;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;

/** The mesh that the command line names: a file, or the unit square or cube. */
final class FemInput {
    static final String GENERATED = "quads:n=N, hexes:n=N, triangles:n=N, tets:n=N";

    private static final int COARSEST = 2;
    private static final Pattern UNIT = Pattern.compile("(quads|hexes|triangles|tets):n=(\\d{1,5})");

    private final String text;
    private final MeshData file;

    private FemInput(String text, MeshData file) {
        this.text = text;
        this.file = file;
    }

    /**
     * Takes a mesh.
     *
     * @param text what the command line says
     * @return the mesh, read if it is a file
     * @throws IOException              if the file cannot be read
     * @throws IllegalArgumentException if the text names neither a file of meshes nor a mesh that can be generated
     */
    static FemInput of(String text) throws IOException {
        Matcher matcher = UNIT.matcher(text);
        if (matcher.matches() && Integer.parseInt(matcher.group(2)) > 0) {
            return new FemInput(text, null);
        }
        Path path = Path.of(text);
        if (!MeshFiles.hasMeshName(path)) {
            throw new IllegalArgumentException("MESH is '" + text
                    + "', expected a file with the extension of a mesh format, or one of " + GENERATED);
        }
        return new FemInput(text, MeshFiles.read(path));
    }

    /** Says whether it can be made finer. */
    boolean isGenerated() {
        return file == null;
    }

    /** Returns the shape of a mesh that is generated. */
    private ElementShape shape(String word) {
        return switch (word) {
            case "quads" -> ElementShape.QUADRILATERAL;
            case "hexes" -> ElementShape.HEXAHEDRON;
            case "triangles" -> ElementShape.TRIANGLE;
            default -> ElementShape.TETRAHEDRON;
        };
    }

    /** Returns the cells in a direction of a mesh that is generated. */
    private int cells() {
        Matcher matcher = UNIT.matcher(text);
        return matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
    }

    /**
     * Makes the mesh.
     *
     * @param finer how often cells of a mesh that is generated are halved
     * @param move  moves its vertices
     * @return the mesh
     * @throws IllegalArgumentException if a file has cells of no or of several shapes, or finite elements cannot use it
     */
    CellMesh mesh(int finer, UnaryOperator<double[]> move) {
        if (isGenerated()) {
            return StructuredMeshes.unit(shape(text.substring(0, text.indexOf(':'))), cells() << finer, move);
        }
        return CellMeshes.of(file);
    }

    /**
     * Makes the mesh and those that it is a refinement of.
     *
     * @param finer  how often cells of a mesh that is generated are halved beyond that
     * @param refine how often cells are halved
     * @param coarse whether a mesh that is generated and not refined is a refinement of a coarser one
     * @param move   moves the vertices of all meshes
     * @return the meshes
     * @throws IllegalArgumentException if there is no such mesh, or none that is coarser
     */
    MeshHierarchy hierarchy(int finer, int refine, boolean coarse, UnaryOperator<double[]> move) {
        if (refine == 0 && !coarse) {
            return MeshHierarchy.of(mesh(finer, move), 0);
        }
        if (!isGenerated()) {
            if (refine == 0) {
                throw new IllegalArgumentException("geometric multigrid on " + text
                        + " alone, expected --refine N with at least one refinement");
            }
            return MeshHierarchy.of(mesh(0, move), refine);
        }
        int n = cells();
        int times = refine + finer;
        while (refine == 0 && n % 2 == 0 && n > COARSEST) {
            n /= 2;
            times++;
        }
        if (times == 0) {
            throw new IllegalArgumentException("geometric multigrid on " + text
                    + " alone, expected an even number of cells, or --refine N with at least one refinement");
        }
        return MeshHierarchy.of(StructuredMeshes.unit(shape(text.substring(0, text.indexOf(':'))), n, x -> x), times)
                .moved(move);
    }

    @Override
    public String toString() {
        return text;
    }

    /** Returns the shape of cells in files. */
    static CellShape shapeInFiles(ElementShape shape) {
        return CellShape.valueOf(shape.name());
    }
}
