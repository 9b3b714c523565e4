package org.trellis.convert.cgns;

import io.jhdf.HdfFile;
import io.jhdf.exceptions.HdfException;
import java.io.IOException;
import java.nio.file.Path;
import org.trellis.common.MatrixFormatException;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.MeshFormat;

/**
 * Reads CGNS files ("The CFD General Notation System, Standard Interface Data Structures", AIAA R-101A-2005; mapping to
 * HDF5 of CGNS 3 and 4): one base with one unstructured zone, of points, lines, triangles, quadrilaterals, tetrahedra,
 * pyramids, prisms and hexahedra of first order, in sections of one kind or mixed. Cells are numbered by the file's
 * element numbers. Boundary conditions that list faces become groups, named after their family if they have one, with
 * tags from 1 in the order of their names; cells in none have tag 0. Solutions at vertices and cell centres become
 * data. Everything else is skipped. Structured zones, several zones, polygons, polyhedra, and elements of higher order
 * are refused.
 *
 * <p>Memory is some three times that of the file. Found as a service by {@link MeshFiles}.
 */
public final class CgnsFormat implements MeshFormat {
    /** Creates the format; services need a constructor. */
    public CgnsFormat() {
        // Has nothing to keep.
    }

    @Override
    public String ending() {
        return ".cgns";
    }

    @Override
    public MeshData read(Path file) throws IOException {
        try (HdfFile open = new HdfFile(file)) {
            return new CgnsReader(file.toString(), open).read();
        } catch (HdfException e) {
            MatrixFormatException failure = new MatrixFormatException(file.toString(), 0, 0,
                    "this is no HDF5 file that can be read: " + e.getMessage(),
                    "CGNS in HDF5; older files in ADF are changed by the CGNS tool adf2hdf");
            failure.initCause(e);
            throw failure;
        } catch (MatrixFormatException e) {
            throw e;
        } catch (RuntimeException | OutOfMemoryError e) {
            // The library that reads HDF5 trusts the sizes in a file, and fails in many places where they are damaged.
            MatrixFormatException failure = new MatrixFormatException(file.toString(), 0, 0,
                    e instanceof OutOfMemoryError
                            ? "sizes in the file ask for more memory than the heap of this JVM has"
                            : "the file is damaged: " + e,
                    "a CGNS file in HDF5 that fits");
            failure.initCause(e);
            throw failure;
        }
    }
}
