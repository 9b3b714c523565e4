package org.trellis.convert.cgns;

import java.util.Arrays;
import java.util.Optional;
import org.trellis.matrices.mesh.CellShape;

/** The kinds of elements that are read; their corners are in the order of the model. */
enum CgnsElement {
    NODE(2, CellShape.VERTEX), BAR_2(3, CellShape.LINE), TRI_3(5, CellShape.TRIANGLE), QUAD_4(7,
            CellShape.QUADRILATERAL), TETRA_4(10, CellShape.TETRAHEDRON), PYRA_5(12, CellShape.PYRAMID), PENTA_6(14,
                    CellShape.WEDGE), HEXA_8(17, CellShape.HEXAHEDRON);

    /** Stands for sections whose elements each begin with their kind. */
    static final long MIXED = 20;
    private static final long NGON = 22;
    private static final long NFACE = 23;

    private final int code;
    private final CellShape shape;

    CgnsElement(int code, CellShape shape) {
        this.code = code;
        this.shape = shape;
    }

    CellShape shape() {
        return shape;
    }

    static Optional<CgnsElement> of(long code) {
        return Arrays.stream(values()).filter(element -> element.code == code).findFirst();
    }

    /** Says what a kind is that is not read. */
    static String refusal(long code) {
        return code == NGON || code == NFACE
                ? "elements are polygons or polyhedra (" + (code == NGON ? "NGON_n" : "NFACE_n") + ")"
                : "the kind of elements is number " + code + ", of higher order or unknown";
    }
}
