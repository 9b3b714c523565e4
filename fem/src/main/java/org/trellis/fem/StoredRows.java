package org.trellis.fem;

import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.fem.integrate.FormKernels;
import org.trellis.fem.integrate.RowTable;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparsityPattern;
import org.trellis.sparse.SpmvOperator;

/** The values in compressed rows, whose places are known or are looked for. */
final class StoredRows implements StoredForm {
    private final FormMesh form;
    private final SparsityPattern pattern;
    private final Dat values;
    private final ParallelLoop assembly;
    /** A backend's own kernels in the place of the loop, or null. */
    private final DeviceForms.DeviceForm device;
    private final ParallelLoop boundary;
    private final ParallelLoop clearing;
    private final boolean byRows;
    private SpmvOperator product;

    @SuppressWarnings("MustBeClosed") // closed with this
    StoredRows(FormMesh form, FacetTerms facets) {
        this.form = form;
        Unknowns unknowns = form.unknowns();
        byRows = form.options().dirichlet() == DirichletMethod.ROWS;
        int rows = byRows ? unknowns.total() : unknowns.free();
        EntryPositions places = form.places(rows);
        pattern = places.pattern();
        Mesh mesh = form.mesh();
        boolean search = form.options().storage() == Storage.CSR_SEARCH;
        int perCell = unknowns.perCell();
        DeviceForms.Kept kept = search ? DeviceForms.Kept.SEARCHED_ROWS : DeviceForms.Kept.ROWS;
        Optional<DeviceForms> own = form.atomics() ? Optional.empty() : form.device(kept);
        int[] ofCells = search || own.isPresent() ? null : places.places(unknowns.ofCells(), perCell, 0);
        int[] ofFacets = facets.isMatrix() ? places.places(facets.unknowns(), facets.perFacet(), 0) : null;
        MeshSet entries = mesh.set("entries", pattern.nonZeros() + places.dropped());
        values = mesh.dat("values", entries, 1, form.options().precision());
        if (own.isPresent()) {
            device = own.get().prepare(form.elements(rows), kept, pattern, false);
            assembly = null;
        } else if (search) {
            device = null;
            RowTable table = new RowTable(pattern.rowOffsets(), pattern.columnIndices(), this::array);
            Dat touched = mesh.dat("elements of rows", form.all(), 1, form.options().precision());
            assembly = form.loop(form.kernels().search(form.options().formulation(), table),
                    touched.at(form.ofCells()));
        } else {
            device = null;
            MeshMap map = mesh.map("places of cells", form.cells(), entries, perCell * perCell, ofCells);
            assembly = form.loop(form.assembleKernel(), values.at(map));
        }
        clearing = mesh.loop(FormUpdatesLoops.CLEAR, entries, values);
        boundary = ofFacets == null
                ? null
                : form.plain(FormKernels.addTo(facets.perFacet() * facets.perFacet()), facets.set(),
                        facets.matrices(),
                        values.at(mesh.map("places of facets", facets.set(), entries,
                                facets.perFacet() * facets.perFacet(), ofFacets)));
    }

    private Object array() {
        HostVector host = host();
        return host.precision() == Precision.F64 ? host.doubles() : (Object) host.floats();
    }

    private HostVector host() {
        if (values.vector() instanceof HostVector host) {
            return host;
        }
        HostVector copy = HostVector.zeros(values.precision(), values.vector().length());
        values.vector().copyTo(copy);
        return copy;
    }

    @Override
    public void assemble() {
        if (device != null) {
            device.assemble(entries());
        } else {
            clearing.run();
            assembly.run();
        }
        if (boundary != null) {
            boundary.run();
        }
        if (byRows) {
            replaceRows();
        }
        if (product != null) {
            product.refill(entries());
        }
    }

    private DenseVector entries() {
        return values.vector().part(0, pattern.nonZeros());
    }

    /** Makes rows and columns of constrained unknowns, which come last, those of the unit matrix. */
    private void replaceRows() {
        int free = form.unknowns().free();
        double[] all = values.toArray();
        for (int row = 0; row < pattern.rows(); row++) {
            for (int k = pattern.rowOffsets()[row]; k < pattern.rowOffsets()[row + 1]; k++) {
                int column = pattern.columnIndices()[k];
                if (row >= free || column >= free) {
                    all[k] = row == column ? 1 : 0;
                }
            }
        }
        values.setAll(all);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public LinearOperator operator() {
        if (product == null) {
            product = form.mesh().backend().kernels(SparseKernels.class).prepare(matrix().orElseThrow());
        }
        return product;
    }

    @Override
    public boolean keepsRows() {
        return true;
    }

    /** Returns the matrix with the values of now, a copy. */
    @Override
    public Optional<CsrMatrix> matrix() {
        HostVector copy = HostVector.zeros(values.precision(), pattern.nonZeros());
        entries().copyTo(copy);
        return Optional.of(pattern.matrix(copy));
    }

    @Override
    @SuppressWarnings("MustBeClosed") // the caller closes it
    public Optional<BackendMatrix> backendMatrix() {
        return device == null ? Optional.empty() : Optional.of(device.matrix(entries()));
    }

    @Override
    public Optional<DeviceForms.DeviceForm> device() {
        return Optional.ofNullable(device);
    }

    @Override
    public long storedBytes() {
        return (long) pattern.nonZeros() * (values.precision().bytes() + Integer.BYTES)
                + Integer.BYTES * (pattern.rows() + 1L);
    }

    @Override
    public long modelBytes() {
        int b = values.precision().bytes();
        return (long) pattern.nonZeros() * (2 * b + Integer.BYTES) + (long) pattern.rows() * (b + Integer.BYTES);
    }

    @Override
    public void close() {
        if (product != null) {
            product.close();
        }
        if (device != null) {
            device.close();
        }
    }
}
