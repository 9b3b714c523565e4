package org.trellis.fem;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.ParallelRanges;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.integrate.Formulation;
import org.trellis.fem.space.CellMesh;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.LoopKernel;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.algebra.MatrixGraphs;

/**
 * A system of equations of finite elements: a form on a space, with constraints and boundary conditions, whose values
 * are stored as the options say. {@link #assemble} computes the values, as often as coefficients change;
 * {@link #operator} multiplies with the ones of now. Vectors have the free unknowns.
 *
 * <pre>{@code
 * FunctionSpace space = FunctionSpace.of(StructuredMeshes.unit(ElementShape.QUADRILATERAL, 32, x -> x), 2);
 * Constraints zero = Constraints.onBoundary(space, x -> 0);
 * BilinearForm form = BilinearForm.diffusion(Coefficient.constant(1));
 * try (FormSystem system = FormSystem.of(form, zero, List.of(), options, backend)) {
 *     system.assemble();
 *     HostVector b = system.rightHandSide((x, f) -> f[0] = 1);
 *     ...
 * }
 * }</pre>
 */
public final class FormSystem implements AutoCloseable {
    private static final int ROWS_PER_TASK = 1 << 15;
    private static final int CELLS_PER_TASK = 16;

    private final BilinearForm bilinear;
    private final Constraints constraints;
    private final FormMesh form;
    private final FacetTerms facets;
    private final StoredForm stored;
    private final Backend backend;
    /** What this rank has, whose constraints the others here are; null on one rank. */
    private final LocalFormSpace share;
    private DiagonalBlocks blocks;
    private LoadTerms loads;

    private FormSystem(BilinearForm bilinear, Constraints constraints, List<BoundaryCondition> conditions,
            FormOptions options, FormMesh form, LocalFormSpace share, Backend backend) {
        this.bilinear = bilinear;
        this.constraints = constraints;
        this.form = form;
        this.share = share;
        this.backend = backend;
        check(bilinear, options);
        this.facets =
                new FacetTerms(form, constraints, conditions, share == null ? null : share.boundary(conditions));
        StoredForm own = stored(options);
        this.stored = share == null ? own : new LocalStoredForm(own, share, options.precision(), backend);
    }

    private StoredForm stored(FormOptions options) {
        if (options.storage().hasRows()) {
            return new StoredRows(form, facets);
        }
        DeviceForms.Kept kept = FormMesh.kept(options.storage());
        Optional<DeviceForms> forms = kept == null || facets.isMatrix() ? Optional.empty() : form.device(kept);
        return forms.isPresent() ? new StoredDevice(form, forms.get(), kept) : new StoredLoops(form, facets);
    }

    /**
     * Begins with code that a system will need, while its nodes are numbered and its constraints are found; returns at
     * once. Does nothing on backends that compile no code of their own for forms, or for this one.
     *
     * @param bilinear the form
     * @param mesh     the mesh of the space that the system will have
     * @param element  the element of the space
     * @param options  those that it will have
     * @param backend  where it will run
     */
    public static void compileAhead(BilinearForm bilinear, CellMesh mesh, LagrangeElement element, FormOptions options,
            Backend backend) {
        FormMesh.compileAhead(bilinear, mesh, element, options, backend);
    }

    /**
     * Makes a system. Values are computed by {@link #assemble}.
     *
     * @param bilinear    the form
     * @param constraints the space and what is fixed
     * @param conditions  of other parts of the boundary
     * @param options     how values are computed and kept
     * @param backend     where loops run
     * @return the system, which the caller closes
     * @throws IllegalArgumentException   if the numbers of fields differ, κ is not positive somewhere, nothing is fixed
     *                                    where something must be, or the options do not fit; says where
     * @throws UnsupportedKernelException if this form has no such formulation
     */
    public static FormSystem of(BilinearForm bilinear, Constraints constraints, List<BoundaryCondition> conditions,
            FormOptions options, Backend backend) {
        return of(bilinear, constraints, conditions, options, backend,
                MeshOptions.of(Configuration.load()));
    }

    /**
     * Makes a system on a mesh with options.
     *
     * @param bilinear    the form
     * @param constraints the space and what is fixed
     * @param conditions  of other parts of the boundary
     * @param options     how values are computed and kept
     * @param backend     where loops run
     * @param meshOptions of the mesh on which they run
     * @return the system, which the caller closes
     * @throws IllegalArgumentException   if the numbers of fields differ, κ is not positive somewhere, nothing is fixed
     *                                    where something must be, or the options do not fit; says where
     * @throws UnsupportedKernelException if this form has no such formulation
     */
    public static FormSystem of(BilinearForm bilinear, Constraints constraints, List<BoundaryCondition> conditions,
            FormOptions options, Backend backend, MeshOptions meshOptions) {
        if (bilinear.fields() != constraints.fields()) {
            throw new IllegalArgumentException("a form of " + bilinear.fields() + " fields with constraints of "
                    + constraints.fields() + ", expected equally many");
        }
        requireHeld(bilinear, constraints, conditions);
        return make(bilinear, constraints, conditions, options, backend, meshOptions);
    }

    /**
     * Refuses diffusion alone with nothing that holds it.
     *
     * @param bilinear    the form
     * @param constraints what is fixed
     * @param conditions  of other parts of the boundary
     * @throws IllegalArgumentException if solutions would be known up to a constant only
     */
    public static void requireHeld(BilinearForm bilinear, Constraints constraints,
            List<BoundaryCondition> conditions) {
        boolean held = constraints.any() || conditions.stream().anyMatch(condition -> condition.alpha() > 0);
        if (bilinear.needsBoundary() && !held) {
            throw new IllegalArgumentException("diffusion alone on " + constraints.space().mesh()
                    + " with nothing fixed and no Robin condition, expected boundary data: "
                    + "the solution would be known up to a constant only");
        }
    }

    /**
     * Makes a system even if its matrix is singular, for eigenvalues and for the matrix over all nodes.
     *
     * @param bilinear    the form
     * @param constraints the space and what is fixed
     * @param options     how values are computed and kept
     * @param backend     where loops run
     * @return the system, which the caller closes
     * @throws IllegalArgumentException if something does not fit
     */
    public static FormSystem singular(BilinearForm bilinear, Constraints constraints, FormOptions options,
            Backend backend) {
        return make(bilinear, constraints, List.of(), options, backend,
                MeshOptions.of(Configuration.load()));
    }

    private static FormSystem make(BilinearForm bilinear, Constraints constraints, List<BoundaryCondition> conditions,
            FormOptions options, Backend backend, MeshOptions meshOptions) {
        FormRanks ranks = backend.optionalKernels(FormRanks.class).orElse(null);
        if (ranks == null) {
            return make(bilinear, constraints, conditions, options, backend,
                    new FormMesh(bilinear, constraints, new Unknowns(constraints), options, backend, meshOptions),
                    null);
        }
        if (options.dirichlet() == DirichletMethod.ROWS) {
            throw new IllegalArgumentException("Dirichlet conditions by rows on several ranks, expected constraints "
                    + "eliminated: the vectors of ranks have free unknowns only");
        }
        LocalFormSpace share = new LocalFormSpace(constraints, ranks);
        BilinearForm own = bilinear.onCells(share.cells());
        return make(bilinear, share.constraints(), conditions, options, backend,
                new FormMesh(own, share.constraints(), share.unknowns(), options, ranks.own(), meshOptions), share);
    }

    @SuppressWarnings("TooManyParameters")
    private static FormSystem make(BilinearForm bilinear, Constraints constraints, List<BoundaryCondition> conditions,
            FormOptions options, Backend backend, FormMesh form, LocalFormSpace share) {
        try {
            return new FormSystem(bilinear, constraints, conditions, options, form, share, backend);
        } catch (RuntimeException | Error e) {
            form.close();
            throw e;
        }
    }

    private void check(BilinearForm bilinear, FormOptions options) {
        if (unknowns().free() == 0) {
            throw new IllegalArgumentException("all " + unknowns().total()
                    + " unknowns are fixed, expected some that are free");
        }
        if (options.dirichlet() == DirichletMethod.ROWS && !options.storage().hasRows()) {
            throw new IllegalArgumentException("storage is " + options.storage().label()
                    + " with Dirichlet conditions by rows, expected csr or csr-search: others have no rows to replace");
        }
        if (bilinear.kernel() != null && options.storage() != Storage.CSR && options.storage() != Storage.ELLPACK) {
            throw new IllegalArgumentException("storage is " + options.storage().label()
                    + " of a form by a kernel of element matrices, expected csr or ellpack");
        }
        String objection = form.kernels() == null ? null : form.kernels().objection(options.formulation());
        if (objection != null) {
            throw new UnsupportedKernelException("formulation " + options.formulation().label() + " of "
                    + constraints.space(), form.mesh().backend().name(), objection);
        }
    }

    /** Computes the values, those of coefficients by loops included. After the first time it allocates little. */
    public void assemble() {
        form.refresh();
        stored.assemble();
    }

    /**
     * Returns what multiplies vectors of the free unknowns. It belongs to the system.
     *
     * @return the operator; it knows its diagonal
     */
    public LinearOperator operator() {
        return stored.operator();
    }

    /**
     * Returns the matrix. Over ranks these are the rows that the rank owns, with a column for each unknown that its
     * cells have.
     *
     * @return a copy with the values of now, if they are kept in compressed rows
     */
    public Optional<CsrMatrix> matrix() {
        return stored.matrix();
    }

    /**
     * Returns the matrix in the memory of the backend, for set-ups that run there.
     *
     * @return a copy with the values of now, which the caller closes; empty if no compressed rows are kept, or they are
     *         on the host
     */
    public Optional<BackendMatrix> backendMatrix() {
        return stored.backendMatrix();
    }

    /** Returns the matrix where it is: one in the memory of the backend is the caller's to close. */
    Optional<? extends SparseMatrix> sparse() {
        Optional<BackendMatrix> there = backendMatrix();
        return there.isPresent() ? there : matrix();
    }

    /** Makes sweeps over colours of rows with the values of now, if they cost less than products do. */
    Optional<ColourSweeps> sweeps(RowColours colours, DenseVector inverse) {
        return stored.sweeps(colours, inverse);
    }

    /**
     * Returns what algebraic multigrid is to keep on coarse levels.
     *
     * @return vectors over the free unknowns of all ranks, see {@link FormPreconditioners#nearNullSpace}; empty for
     *         scalar forms and where constraints are rows
     */
    public Optional<NearNullSpace> nearNullSpace() {
        return hasRowsOfConstraints()
                ? Optional.empty()
                : FormPreconditioners.nearNullSpace(bilinear, share == null ? constraints : share.all());
    }

    /**
     * Computes the blocks on the diagonal: what couples the fields of a node with each other, of scalar forms the
     * diagonal. Integrated with the coefficients of now, whatever the storage; taken from the matrix where its rows are
     * replaced, or a kernel of the user's computes it.
     *
     * @return a matrix of the system's size with these entries alone, {@link #blockSizes} rows at a time
     * @throws UnsupportedOperationException if a kernel of the user's computes element matrices that are not kept in
     *         compressed rows
     */
    public CsrMatrix diagonalBlocks() {
        if (form.kernels() != null && form.options().dirichlet() != DirichletMethod.ROWS) {
            if (blocks == null) {
                blocks = new DiagonalBlocks(form, facets);
            }
            return blocks.integrate(size());
        }
        CsrMatrix matrix = matrix().orElseThrow(() -> new UnsupportedOperationException("blocks on the diagonal of "
                + operator() + ", whose element matrices a kernel computes as a whole; expected storage csr"));
        int[] sizes = blockSizes();
        int[] offsets = new int[sizes.length + 1];
        System.arraycopy(sizes, 0, offsets, 1, sizes.length);
        Arrays.parallelPrefix(offsets, Integer::sum);
        return MatrixGraphs.diagonalBlocks(matrix, offsets);
    }

    /**
     * Returns the sizes of the blocks on the diagonal, one after the other.
     *
     * @return the free unknowns of each node that has some; 1 for each constrained unknown that is a row
     */
    public int[] blockSizes() {
        if (share != null) {
            return share.blockSizes();
        }
        int fields = constraints.fields();
        int[] sizes = new int[constraints.space().nodes() + size() - form.unknowns().free()];
        int count = 0;
        for (int node = 0; node < constraints.space().nodes(); node++) {
            int free = 0;
            for (int a = 0; a < fields; a++) {
                free += constraints.isFixed(node * fields + a) ? 0 : 1;
            }
            if (free > 0) {
                sizes[count++] = free;
            }
        }
        int rows = count + size() - form.unknowns().free();
        Arrays.fill(sizes, count, rows, 1);
        return Arrays.copyOf(sizes, rows);
    }

    /**
     * Returns the order of unknowns in vectors.
     *
     * @return free ones first; over ranks, those of the whole
     */
    public Unknowns unknowns() {
        return share == null ? form.unknowns() : share.whole();
    }

    /**
     * Returns the number of equations, which is the length of vectors.
     *
     * @return the free unknowns, or all if constraints are rows; over ranks those that this rank owns
     */
    public int size() {
        return share != null ? share.owned() : hasRowsOfConstraints() ? unknowns().total() : unknowns().free();
    }

    /** Returns the constraints of the cells that are computed here. */
    Constraints constraints() {
        return constraints;
    }

    /** Says whether constrained unknowns are rows. */
    boolean hasRowsOfConstraints() {
        return form.options().dirichlet() == DirichletMethod.ROWS;
    }

    /** Says whether values are kept in compressed rows. */
    boolean hasRows() {
        return stored.keepsRows();
    }

    /** Returns what this rank has of the system; null on one rank. */
    LocalFormSpace share() {
        return share;
    }

    /** Returns the rows over all ranks; empty on one rank and for storages without rows. */
    Optional<FormRanks.Rows> rows() {
        return stored.rows();
    }

    /**
     * Returns the backend with which solvers of the system are made.
     *
     * @return as given
     */
    public Backend backend() {
        return backend;
    }

    /**
     * Returns the number of cells that are computed here.
     *
     * @return those of the mesh; over ranks those of this rank, some of which others compute, too
     */
    public int cells() {
        return form.cells().size();
    }

    /**
     * Returns the mesh on which loops run, for reports.
     *
     * @return the mesh, closed with this
     */
    public Mesh mesh() {
        return form.mesh();
    }

    /**
     * Returns the values and indices that a product reads.
     *
     * @return bytes
     */
    public long storedBytes() {
        return stored.storedBytes();
    }

    /**
     * Returns what a product moves by the model of the thesis (section 3.3.4), which loads an element of the operand
     * for each entry: of compressed and padded rows {@code (2 b + 4)} bytes an entry, of local matrices
     * {@code n² b + n (2 b + 4)} bytes an element of n unknowns, of factors and of nothing what an element reads in the
     * place of its matrix.
     *
     * @return bytes
     */
    public long modelBytes() {
        return stored.modelBytes();
    }

    /**
     * Computes the right-hand side: the load, what boundary conditions add, less what constrained unknowns take.
     *
     * @param load f, evaluated at the quadrature points; as many numbers as there are fields
     * @return a vector of the system, on the host
     * @throws IllegalArgumentException if f is not finite somewhere
     */
    public HostVector rightHandSide(PointFunction load) {
        if (loads == null) {
            loads = new LoadTerms(form, constraints, stored.device().orElse(null));
        }
        int free = form.unknowns().free();
        HostVector b = loads.of(load, share == null ? size() : free);
        if (form.unknowns().anyGiven()) {
            double[] given = form.unknowns().given();
            double[] taken = lifted(given);
            ParallelRanges.strips(free, ROWS_PER_TASK, (from, to) -> add(taken, -1, from, to, b));
            for (int k = free; k < b.length(); k++) {
                b.set(k, given[k]);
            }
        } else if (b.length() > free) {
            b.part(free, b.length() - free).fill(0);
        }
        facets.load().ifPresent(boundary -> ParallelRanges.strips(free, ROWS_PER_TASK,
                (from, to) -> add(boundary, 1, from, to, b)));
        return share == null ? b : share.own(b);
    }

    private static void add(double[] terms, double sign, int from, int to, HostVector b) {
        for (int k = from; k < to; k++) {
            if (terms[k] != 0) { // few are
                b.set(k, b.get(k) + sign * terms[k]);
            }
        }
    }

    /** The product of the matrix over all unknowns and the given values, from the cells that have some. */
    private double[] lifted(double... given) {
        double[] y = new double[given.length];
        liftCells(given, y);
        facets.apply(given, y);
        return y;
    }

    private void liftCells(double[] given, double[] y) {
        int n = form.unknowns().perCell();
        int[] ofCells = form.unknowns().ofCells();
        int[] touched = IntStream.range(0, constraints.space().mesh().cells()).parallel()
                .filter(cell -> IntStream.range(cell * n, (cell + 1) * n).anyMatch(k -> given[ofCells[k]] != 0))
                .toArray();
        double[] taken = new double[Checks.arrayLength("what cells with given values take", (long) touched.length * n)];
        LoopKernel kernel = cellKernel();
        double[][] coefficients = form.coefficientValues();
        ParallelRanges.run(touched.length, CELLS_PER_TASK, () -> new CellMatrices(kernel, coefficients),
                (from, to, matrices) -> {
                    for (int t = from; t < to; t++) {
                        int first = touched[t] * n;
                        double[] k = matrices.of(touched[t]);
                        for (int i = 0; i < n * n; i++) {
                            taken[t * n + i / n] += k[i] * given[ofCells[first + i % n]];
                        }
                    }
                });
        // Cells share unknowns: their parts are added in the order of the cells, on one thread.
        for (int t = 0; t < touched.length; t++) {
            for (int i = 0; i < n; i++) {
                y[ofCells[touched[t] * n + i]] += taken[t * n + i];
            }
        }
    }

    private LoopKernel cellKernel() {
        return form.kernels() == null ? form.assembleKernel() : form.kernels().assemble(Formulation.GLOBAL_REUSE);
    }

    /** Matrices of single cells, by calling the kernel; for one thread. */
    private final class CellMatrices {
        private final LoopKernel kernel;
        private final double[][] coefficients;
        private final double[] points = new double[constraints.space().mesh().geometry().nodes()
                * constraints.space().mesh().dimension()];

        CellMatrices(LoopKernel kernel, double[]... coefficients) {
            this.kernel = kernel;
            this.coefficients = coefficients;
        }

        double[] of(int cell) {
            CellMesh mesh = constraints.space().mesh();
            List<ArgumentSignature> signature = kernel.signature().arguments();
            Object[] arguments = new Object[signature.size()];
            int dimension = mesh.dimension();
            mesh.gather(cell, points);
            double[][] x = new double[points.length / dimension][];
            Arrays.setAll(x, k -> Arrays.copyOfRange(points, k * dimension, (k + 1) * dimension));
            arguments[0] = x;
            for (int a = 1; a < arguments.length - 1; a++) {
                int size = signature.get(a).components();
                arguments[a] = Arrays.copyOfRange(coefficients[a - 1], cell * size, (cell + 1) * size);
            }
            double[][] k = new double[signature.getLast().entries()][1];
            arguments[arguments.length - 1] = k;
            kernel.call(arguments);
            return Arrays.stream(k).mapToDouble(entry -> entry[0]).toArray();
        }
    }

    /**
     * Computes the matrix of one cell, for tests and for looking at it.
     *
     * @param cell which cell
     * @return the matrix row by row, a new array
     * @throws IndexOutOfBoundsException if there is no such cell
     */
    public double[] cellMatrix(int cell) {
        Checks.index("cell", cell, constraints.space().mesh().cells());
        return new CellMatrices(cellKernel(), form.coefficientValues()).of(cell);
    }

    /** Closes the operator and the mesh on which loops run. */
    @Override
    public void close() {
        stored.close();
        form.close();
    }
}
