package org.trellis.fem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.fem.integrate.FormKernels;
import org.trellis.fem.integrate.Formulation;
import org.trellis.kernel.LoopKernel;
import org.trellis.memory.DenseVector;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/** The forms whose product is loops over the mesh: padded rows, local matrices, stored factors, nothing. */
final class StoredLoops implements StoredForm {
    private final FormMesh form;
    private final List<ParallelLoop> assembly = new ArrayList<>();
    private final Dat operand;
    private final Dat result;
    private final ParallelLoop clearing;
    private final FormOperator operator;
    private Supplier<FrozenRows> kept;
    private long bytes;
    private long model;

    StoredLoops(FormMesh form, FacetTerms facets) {
        this.form = form;
        Mesh mesh = form.mesh();
        operand = mesh.dat("operand", form.all(), 1, form.options().precision());
        LoopSequence.Builder product = mesh.sequence("product");
        ParallelLoop diagonal = diagonal();
        // Facets add to unknowns of any kind; rows of a structure have their terms already.
        boolean apart = facets.isMatrix() && form.options().storage() != Storage.ELLPACK;
        boolean padded = form.options().storage() == Storage.ELLPACK
                || (form.options().storage() == Storage.LAZY_ELLPACK && !apart);
        MeshSet rows = padded ? mesh.set("rows", form.unknowns().free()) : form.all();
        result = mesh.dat("result", rows, 1, form.options().precision());
        Supplier<double[]> diagonalValues = null;
        Dat store = null;
        switch (form.options().storage()) {
            case ELLPACK -> {
                EntryPositions places = form.places(rows.size());
                store = ellpack(rows, places, facets, product);
                int[] diagonals = diagonals(places);
                Dat values = store;
                diagonalValues = () -> {
                    double[] all = values.toArray();
                    return Arrays.stream(diagonals).mapToDouble(place -> all[place]).toArray();
                };
            }
            case LAZY_ELLPACK -> store = lazy(rows, product);
            case LOCAL_MATRICES -> localMatrices(product);
            case MATRIX_FREE -> elementwise(product, form.kernels().apply(form.options().formulation()), null);
            default -> factors(product);
        }
        // Terms of facets belong to no row of an element.
        kept = apart ? null : kept;
        clearing = store == null ? null : form.mesh().loop(FormUpdatesLoops.CLEAR, store.set(), store);
        if (apart) {
            addFacets(facets, product);
        }
        operator = new FormOperator(form.options().storage().label() + " form of " + form.unknowns().free()
                + " unknowns", operand, result, form.unknowns().free(), product.build(),
                diagonalValues != null ? diagonalValues : () -> {
                    Dat d = diagonalDat;
                    d.fill(0);
                    diagonal.run();
                    facets.addDiagonal(d);
                    return d.toArray();
                });
    }

    private Dat diagonalDat;

    private ParallelLoop diagonal() {
        if (form.kernels() == null) {
            return null;
        }
        Dat dat = form.mesh().dat("diagonal", form.all(), 1, form.options().precision());
        diagonalDat = dat;
        return form.loop(form.kernels().diagonal(), dat.at(form.ofCells()));
    }

    private int[] diagonals(EntryPositions places) {
        int width = places.width();
        int[] diagonals = new int[form.unknowns().free()];
        Arrays.setAll(diagonals,
                row -> row * width + places.find(row, row) - places.pattern().rowOffsets()[row]);
        return diagonals;
    }

    /** Rows padded to the longest, one after the other; what is padded points to the row itself and is zero. */
    private Dat ellpack(MeshSet rows, EntryPositions places, FacetTerms facets, LoopSequence.Builder product) {
        Mesh mesh = form.mesh();
        int width = places.width();
        int perCell = form.unknowns().perCell();
        int[] ofCells = places.places(form.unknowns().ofCells(), perCell, width);
        int pairs = facets.perFacet() * facets.perFacet();
        int[] ofFacets = facets.isMatrix() ? places.places(facets.unknowns(), facets.perFacet(), width) : null;
        int size = rows.size() * width;
        MeshSet entries = mesh.set("entries", size + places.dropped());
        Dat values = mesh.dat("values", entries, 1, form.options().precision());
        MeshMap map = mesh.map("places of cells", form.cells(), entries, perCell * perCell, ofCells);
        assembly.add(form.loop(form.assembleKernel(), values.at(map)));
        if (ofFacets != null) {
            assembly.add(form.plain(FormKernels.addTo(pairs), facets.set(), facets.matrices(),
                    values.at(mesh.map("places of facets", facets.set(), entries, pairs, ofFacets))));
        }
        paddedProduct(rows, places, values, product);
        return values;
    }

    /** The product of padded rows, whose columns are those of a structure. */
    private void paddedProduct(MeshSet rows, EntryPositions places, Dat values, LoopSequence.Builder product) {
        Mesh mesh = form.mesh();
        int width = places.width();
        int size = rows.size() * width;
        int[] own = new int[size];
        int[] columns = new int[size];
        int[] offsets = places.pattern().rowOffsets();
        for (int k = 0; k < size; k++) {
            int row = k / width;
            int at = offsets[row] + k % width;
            own[k] = k;
            columns[k] = at < offsets[row + 1] ? places.pattern().columnIndices()[at] : row;
        }
        product.run(form.plain(FormKernels.paddedRow(width, 1), rows,
                values.at(mesh.map("entries of rows", rows, values.set(), width, own)),
                operand.at(mesh.map("columns of rows", rows, form.all(), width, columns)), result));
        kept = () -> padded(values, columns, width);
        bytes = (long) size * (form.options().precision().bytes() + 2 * Integer.BYTES);
        model = padded(size, rows.size());
    }

    /** Adds up entries of one place after rows have been appended, into padded rows without repetitions. */
    private void merge(MeshSet rows, Dat appended, int[] pieces, LoopSequence.Builder product) {
        Mesh mesh = form.mesh();
        int perCell = form.unknowns().perCell();
        EntryPositions places = form.places(rows.size());
        int width = places.width();
        int[] table = places.places(form.unknowns().ofCells(), perCell, width);
        int size = Checks.arrayLength("padded rows", (long) rows.size() * width + places.dropped());
        MeshSet each = mesh.set("rows of elements", pieces.length);
        MeshSet entries = mesh.set("entries", size);
        Dat values = mesh.dat("merged values", entries, 1, form.options().precision());
        assembly.add(mesh.loop(FormUpdatesLoops.CLEAR, entries, values));
        assembly.add(form.plain(FormKernels.addTo(perCell), each,
                appended.at(mesh.map("pieces of rows of elements", each, appended.set(), 1, pieces), 0),
                values.at(mesh.map("places of rows of elements", each, entries, perCell, table))));
        paddedProduct(rows, places, values, product);
    }

    /**
     * Each row has a piece for each element that touches it, in the order of the elements: nothing conflicts. The
     * product has them as they are, unless they are to be merged.
     */
    private Dat lazy(MeshSet rows, LoopSequence.Builder product) {
        Mesh mesh = form.mesh();
        int perCell = form.unknowns().perCell();
        int[] ofCells = form.unknowns().ofCells();
        int free = rows.size();
        int[] lengths = new int[free];
        for (int unknown : ofCells) {
            if (unknown < free) {
                lengths[unknown]++;
            }
        }
        int most = Math.max(1, Arrays.stream(lengths).max().orElse(1));
        int size = Checks.arrayLength("pieces of rows", (long) free * most);
        int[] pieces = new int[ofCells.length];
        int[] cells = new int[size];
        Arrays.fill(cells, -1);
        Arrays.fill(lengths, 0);
        int dropped = 0;
        for (int k = 0; k < ofCells.length; k++) {
            int row = ofCells[k];
            if (row < free) {
                pieces[k] = row * most + lengths[row]++;
                cells[pieces[k]] = k / perCell;
            } else {
                pieces[k] = size + dropped++;
            }
        }
        MeshSet all = mesh.set("pieces", size + dropped);
        Dat values = mesh.dat("values", all, perCell, form.options().precision());
        assembly.add(form.loop(form.kernels().appendRows(form.options().formulation()),
                values.at(mesh.map("pieces of cells", form.cells(), all, perCell, pieces))));
        if (form.options().merged()) {
            merge(rows, values, pieces, product);
            return null;
        }
        int[] own = new int[size];
        int[] columns = new int[Checks.arrayLength("columns of rows", (long) size * perCell)];
        for (int piece = 0; piece < size; piece++) {
            own[piece] = piece;
            for (int j = 0; j < perCell; j++) {
                columns[piece * perCell + j] =
                        cells[piece] < 0 ? piece / most : ofCells[cells[piece] * perCell + j];
            }
        }
        product.run(form.plain(FormKernels.paddedRow(most, perCell), rows,
                values.at(mesh.map("pieces of rows", rows, all, most, own)),
                operand.at(mesh.map("columns of rows", rows, form.all(), most * perCell, columns)), result));
        kept = () -> piecesOf(values, pieces);
        bytes = (long) columns.length * (form.options().precision().bytes() + Integer.BYTES)
                + (long) size * Integer.BYTES;
        model = padded(columns.length, free);
        return null;
    }

    private void localMatrices(LoopSequence.Builder product) {
        int perCell = form.unknowns().perCell();
        Dat values = form.mesh().dat("local matrices", form.cells(), perCell * perCell, form.options().precision());
        assembly.add(form.loop(form.kernels().localMatrices(form.options().formulation()), values));
        elementwise(product, FormKernels.product(perCell), values);
        kept = () -> piecesOf(values, null);
        bytes += (long) form.cells().size() * perCell * perCell * form.options().precision().bytes();
    }

    private void factors(LoopSequence.Builder product) {
        int perCell = form.kernels().tables().points() * form.kernels().factorSize();
        Dat values = form.mesh().dat("factors", form.cells(), perCell, form.options().precision());
        assembly.add(form.loop(form.kernels().factors(), values));
        Formulation formulation = form.kernels().objection(Formulation.SUM_FACTORISED) == null
                ? form.options().formulation()
                : Formulation.GLOBAL_REUSE;
        elementwise(product, form.kernels().applyStored(formulation), values);
        bytes += (long) form.cells().size() * perCell * form.options().precision().bytes();
    }

    /** The product is zero, and then what each element adds. */
    private void elementwise(LoopSequence.Builder product, LoopKernel kernel, Dat values) {
        product.run(form.mesh().loop(FormUpdatesLoops.CLEAR, form.all(), result));
        product.run(values == null
                ? form.loop(kernel, operand.at(form.ofCells()), result.at(form.ofCells()))
                : form.plain(kernel, form.cells(), values, operand.at(form.ofCells()), result.at(form.ofCells())));
        long cells = form.cells().size();
        int b = form.options().precision().bytes();
        int read = values == null
                ? form.kernels().tables().map().functions() * form.kernels().tables().dimension()
                : values.components();
        bytes += cells * form.unknowns().perCell() * Integer.BYTES;
        model = cells * read * b + cells * form.unknowns().perCell() * (2 * b + Integer.BYTES);
    }

    /** Values, columns and x for each place, and y. */
    private long padded(long places, int rows) {
        int b = form.options().precision().bytes();
        return places * (2 * b + Integer.BYTES) + (long) rows * b;
    }

    private void addFacets(FacetTerms facets, LoopSequence.Builder product) {
        MeshMap map = facets.map();
        product.run(form.plain(FormKernels.product(facets.perFacet()), facets.set(), facets.matrices(),
                operand.at(map), result.at(map)));
    }

    @Override
    public void assemble() {
        if (clearing != null) {
            clearing.run();
        }
        assembly.forEach(ParallelLoop::run);
    }

    /** Sweeps over a copy of what is kept, on the host. */
    @Override
    @SuppressWarnings("MustBeClosed") // the caller closes them
    public Optional<ColourSweeps> sweeps(RowColours colours, DenseVector inverse) {
        Backend backend = form.mesh().backend();
        if (kept == null || backend.device().space() != MemorySpace.HOST) {
            return Optional.empty();
        }
        return Optional.of(new RowSweeps(kept.get(), form.unknowns().total(), colours, inverse, backend));
    }

    private static FrozenRows padded(Dat dat, int[] table, int width) {
        double[] all = dat.toArray();
        return new FrozenRows() {
            @Override
            public int length(int row) {
                return width;
            }

            @Override
            public void copy(int row, double[] values, int[] columns, int at) {
                System.arraycopy(all, row * width, values, at, width);
                System.arraycopy(table, row * width, columns, at, width);
            }
        };
    }

    /** Rows of matrices of elements, which lie at the slots of the row or where a table says. */
    private FrozenRows piecesOf(Dat dat, int[] places) {
        int perCell = form.unknowns().perCell();
        int[] ofCells = form.unknowns().ofCells();
        RowElements elements = RowElements.of(ofCells, form.unknowns().free());
        double[] all = dat.toArray();
        return new FrozenRows() {
            @Override
            public int length(int row) {
                return (elements.offsets()[row + 1] - elements.offsets()[row]) * perCell;
            }

            @Override
            public void copy(int row, double[] values, int[] columns, int at) {
                int to = at;
                for (int k = elements.offsets()[row]; k < elements.offsets()[row + 1]; k++) {
                    int slot = elements.slots()[k];
                    int piece = places == null ? slot : places[slot];
                    System.arraycopy(all, piece * perCell, values, to, perCell);
                    System.arraycopy(ofCells, slot / perCell * perCell, columns, to, perCell);
                    to += perCell;
                }
            }
        };
    }

    @Override
    public LinearOperator operator() {
        return operator;
    }

    @Override
    public Optional<CsrMatrix> matrix() {
        return Optional.empty();
    }

    @Override
    public long storedBytes() {
        return bytes;
    }

    @Override
    public long modelBytes() {
        return model;
    }

    @Override
    public void close() {
        operator.close();
    }
}
