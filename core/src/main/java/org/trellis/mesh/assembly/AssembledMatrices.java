package org.trellis.mesh.assembly;

import org.trellis.common.Checks;
import org.trellis.memory.HostVector;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.Dat;
import org.trellis.mesh.device.HostStorage;
import org.trellis.sparse.CsrMatrix;

/**
 * Matrices of an {@link AssemblyPattern} and a dat of values, in the current numbering of rows and columns: row r is
 * the row of what {@link Dat#vector} of a dat on the rows has at r.
 */
public final class AssembledMatrices {
    private AssembledMatrices() {}

    /**
     * Returns the matrix whose values are those of a dat, now and after it has been assembled again. A renumbering or
     * change of the mesh ends that: the matrix then is what it was at that time, or anything. An operator that was
     * prepared from it is given new values by {@code operator.refill(values.vector())}. Costs a check of the structure.
     *
     * @param pattern the pattern
     * @param values  a dat of one real component on its entries, in host memory
     * @return a matrix that shares structure and values; nothing is copied
     * @throws IllegalArgumentException if the dat is on another set, has more components or whole numbers
     * @throws IllegalStateException    if the dat is on a device or of a mesh with checkpoints, where {@link #copy} is
     *                                  needed, or closed
     */
    public static CsrMatrix view(AssemblyPattern pattern, Dat values) {
        requireValues(pattern, values);
        if (values.set().mesh().options().checkpoints().isPresent()) {
            throw new IllegalStateException("a matrix that shares the values of " + values + " of a mesh with "
                    + "checkpoints, which would not see what reads them; expected copy(pattern, values)");
        }
        if (values.storage() instanceof HostStorage storage) {
            values.vector(); // informs the dat that its values can be seen without asking it
            return matrix(pattern, (HostVector) storage.vector().orElseThrow());
        }
        throw new IllegalStateException(values + " is in " + values.storage().space()
                + ", expected host memory for a matrix that shares it; copy(pattern, values) copies");
    }

    /**
     * Copies the values of a dat, from a device if that is where they are.
     *
     * @param pattern the pattern
     * @param values  a dat of one real component on its entries
     * @return a matrix with values of its own; it shares the structure, which never changes
     * @throws IllegalArgumentException if the dat is on another set, has more components or whole numbers
     * @throws IllegalStateException    if the dat is closed
     */
    public static CsrMatrix copy(AssemblyPattern pattern, Dat values) {
        requireValues(pattern, values);
        HostStorage copy = HostStorage.zeros(values.type(), values.storage().length());
        if (values.set().mesh().options().checkpoints().isPresent()) {
            values.toArray(); // informs checkpoints, which bring the values if the program starts again
        }
        copy.copyFrom(values.storage().toHost());
        return matrix(pattern, (HostVector) copy.vector().orElseThrow());
    }

    private static void requireValues(AssemblyPattern pattern, Dat values) {
        if (pattern.onRank().isPresent()) {
            throw new IllegalStateException("the matrix of " + pattern + " over ranks, none of which has all rows; "
                    + "expected AssembledSystem.of(pattern, values)");
        }
        if (values.set() != pattern.entries() || !values.type().real()) {
            throw new IllegalArgumentException(values + " for " + pattern + ", expected real numbers on "
                    + pattern.entries());
        }
        Checks.length("components of " + values + " as values of a matrix", values.components(), 1);
    }

    private static CsrMatrix matrix(AssemblyPattern pattern, HostVector values) {
        return CsrMatrix.of(pattern.rows().size(), pattern.columns().size(), pattern.rowOffsets(),
                pattern.columnIndices(), values);
    }
}
