package org.trellis.fem.integrate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;

/**
 * The kernels of one form on one element. All but those that read what is stored begin with the points of the map
 * (through a map of the mesh) and the coefficients that are not constant (directly, in the order of {@link #inputs});
 * then comes the operand, if there is one, and last the result, both through the map to the unknowns. Unknowns of an
 * element are numbered node by node, the fields of a node side by side.
 */
public final class FormKernels {
    private static final int SMALL_ELEMENT = 9;
    private static final int MEDIUM_ELEMENT = 27;
    private static final int ROW_LANES = 16;

    private final IntegralSpec spec;
    private final List<Field> inputs = new ArrayList<>();

    /**
     * A coefficient.
     *
     * @param constant   its components, or null if it differs from element to element
     * @param components how many there are
     * @param atPoints   whether it has values at each quadrature point and not only for each element
     */
    public record Field(double[] constant, int components, boolean atPoints) {}

    /**
     * Creates the kernels of a form.
     *
     * @param tables    the element
     * @param fields    components of the unknown function
     * @param diffusion κ with 1 component or those of the upper triangle of a symmetric tensor, or null
     * @param reaction  c, or null
     * @param matrix    instead of both, the matrix of a form of several fields, row by row, or null
     * @throws IllegalArgumentException if there is neither one of the first two nor the last, or both
     */
    public FormKernels(ElementTables tables, int fields, Field diffusion, Field reaction, Field matrix) {
        this(tables, fields, diffusion, reaction, matrix, RowKernels.PLAIN);
    }

    /**
     * Creates the kernels of a form.
     *
     * @param tables    the element
     * @param fields    components of the unknown function
     * @param diffusion κ with 1 component or those of the upper triangle of a symmetric tensor, or null
     * @param reaction  c, or null
     * @param matrix    instead of both, the matrix of a form of several fields, row by row, or null
     * @param rows      what inner loops are done with
     * @throws IllegalArgumentException if there is neither one of the first two nor the last, or both
     */
    public FormKernels(ElementTables tables, int fields, Field diffusion, Field reaction, Field matrix,
            RowKernels rows) {
        this.spec = new IntegralSpec(tables, fields, port(diffusion, tables), port(reaction, tables),
                port(matrix, tables), rows);
    }

    private CoefficientPort port(Field field, ElementTables tables) {
        if (field == null) {
            return null;
        }
        int points = field.atPoints() ? tables.points() : 1;
        if (field.constant() != null) {
            return new CoefficientPort(field.constant().clone(), field.components(), points, -1);
        }
        inputs.add(field);
        return new CoefficientPort(null, field.components(), points, inputs.size());
    }

    /**
     * Returns the coefficients that kernels read.
     *
     * @return those that are not constant
     */
    public List<Field> inputs() {
        return List.copyOf(inputs);
    }

    /**
     * Returns the tables.
     *
     * @return as given
     */
    public ElementTables tables() {
        return spec.tables();
    }

    /**
     * Returns the number of fields.
     *
     * @return components of the unknown function
     */
    public int fields() {
        return spec.fields();
    }

    /**
     * Returns the unknowns of an element.
     *
     * @return nodes times fields
     */
    public int unknowns() {
        return spec.unknowns();
    }

    /**
     * Returns the CUDA C of integrals, for backends with kernels of their own: functions that compute the factors of a
     * point and let them act, and tables. The element type is the macro {@code REAL}.
     *
     * @return the text of a header
     * @throws UnsupportedKernelException if the form is no scalar one
     */
    public String integralSource() {
        if (!spec.scalar()) {
            throw new UnsupportedKernelException("element integrals of " + spec.fields() + " fields", "cuda",
                    "kernels of its own are for scalar forms; others are loops");
        }
        return new ElementSource(spec, "integrals").integrals();
    }

    /**
     * Says whether a form has one field and is symmetric.
     *
     * @return true for diffusion, reaction and both
     */
    public boolean scalar() {
        return spec.scalar();
    }

    /**
     * Returns how many factors a quadrature point has when they are stored.
     *
     * @return numbers at each point
     */
    public int factorSize() {
        return spec.pointSize();
    }

    /**
     * Says why a formulation is not available, for messages.
     *
     * @param formulation the formulation
     * @return the reason, or null if it can
     */
    public String objection(Formulation formulation) {
        if (formulation != Formulation.SUM_FACTORISED) {
            return null;
        }
        if (!spec.tables().element().shape().isTensor()) {
            return "sums are factorised on quadrilaterals and hexahedra only, whose bases are products";
        }
        if (!spec.scalar()) {
            return "sums are factorised for scalar forms only";
        }
        return spec.tables().factorises()
                ? null
                : "sums are factorised with one point for each node of a direction, and the quadrature has others";
    }

    private void require(Formulation formulation) {
        String objection = objection(formulation);
        if (objection != null) {
            throw new UnsupportedKernelException("element integrals, " + formulation.label(), "any", objection);
        }
    }

    private List<ElementKernel.Port> begin() {
        List<ElementKernel.Port> ports = new ArrayList<>();
        ports.add(new ElementKernel.Port("x", Access.READ, spec.tables().dimension(), spec.tables().map().functions()));
        for (Field field : inputs) {
            ports.add(new ElementKernel.Port("coefficient " + ports.size(), Access.READ,
                    field.components() * (field.atPoints() ? spec.tables().points() : 1), 1));
        }
        return ports;
    }

    private String title(String name) {
        return "Fem." + name + "(" + spec.tables().element() + ")";
    }

    private ElementKernel kernel(String name, List<ElementKernel.Port> ports, int lanes,
            IntFunction<DoubleTask> doubles, IntFunction<FloatTask> floats, Function<ElementSource, String> cuda) {
        String title = title(name);
        // Rows of lanes are whole vectors, whichever the precision.
        int doubleWidth = spec.rows().doubles().width();
        int floatWidth = spec.rows().floats().width();
        return new ElementKernel(title, ports, lanes,
                some -> doubles.apply(some == 1 ? 1 : Math.max(some, doubleWidth)),
                some -> floats.apply(some == 1 ? 1 : Math.max(some, floatWidth)),
                () -> cuda.apply(new ElementSource(spec, title)));
    }

    private static String matrixSource(ElementSource source, Formulation formulation,
            BiFunction<ElementSource, Formulation, String> kernel) {
        if (formulation == Formulation.SUM_FACTORISED) {
            throw new UnsupportedKernelException("loops over elements, " + formulation.label(), "cuda",
                    "a thread has an element, and intermediate sums are larger than its registers; expected "
                            + "another formulation, or storage matrix-free or matrix-free-factored without a scheme");
        }
        return kernel.apply(source, formulation);
    }

    private DoubleTask doubles(Formulation formulation, int lanes) {
        if (formulation == Formulation.SUM_FACTORISED) {
            return new DoubleFactorisedMatrixTask(spec, lanes);
        }
        return spec.scalar()
                ? new DoubleScalarTask(spec, formulation, lanes)
                : new DoubleFieldsTask(spec, formulation, lanes);
    }

    private FloatTask floats(Formulation formulation, int lanes) {
        if (formulation == Formulation.SUM_FACTORISED) {
            return new FloatFactorisedMatrixTask(spec, lanes);
        }
        return spec.scalar()
                ? new FloatScalarTask(spec, formulation, lanes)
                : new FloatFieldsTask(spec, formulation, lanes);
    }

    /** Rows as long as a few vectors, matrices that fit the cache. */
    private int matrixLanes(Formulation formulation) {
        int unknowns = unknowns();
        if (formulation == Formulation.LOCAL_STORAGE || formulation == Formulation.REDUNDANT_COMPUTE) {
            return unknowns <= MEDIUM_ELEMENT ? 32 : 16;
        }
        return unknowns <= SMALL_ELEMENT ? 32 : unknowns <= MEDIUM_ELEMENT ? 16 : 4;
    }

    private int vectorLanes() {
        return unknowns() <= MEDIUM_ELEMENT ? 32 : 16;
    }

    /**
     * Returns the kernel that adds element matrices to the entries of a global one.
     *
     * @param formulation how matrices are computed
     * @return its last parameter is an increment of as many entries as an element matrix has, row by row
     * @throws UnsupportedKernelException if the formulation is not available here; says why
     */
    public LoopKernel assemble(Formulation formulation) {
        require(formulation);
        List<ElementKernel.Port> ports = begin();
        ports.add(new ElementKernel.Port("k", Access.INCREMENT, 1, unknowns() * unknowns()));
        return kernel("assemble." + formulation.label(), ports, matrixLanes(formulation),
                lanes -> doubles(formulation, lanes), lanes -> floats(formulation, lanes),
                source -> matrixSource(source, formulation, ElementSource::assemble));
    }

    /**
     * Returns the kernel that stores element matrices.
     *
     * @param formulation how matrices are computed
     * @return its last parameter is written directly, the matrix row by row
     * @throws UnsupportedKernelException if the formulation is not available here; says why
     */
    public LoopKernel localMatrices(Formulation formulation) {
        require(formulation);
        List<ElementKernel.Port> ports = begin();
        ports.add(new ElementKernel.Port("k", Access.WRITE, unknowns() * unknowns(), 1));
        return kernel("localMatrices." + formulation.label(), ports, matrixLanes(formulation),
                lanes -> doubles(formulation, lanes), lanes -> floats(formulation, lanes),
                source -> matrixSource(source, formulation, ElementSource::localMatrices));
    }

    /**
     * Returns the kernel that appends rows of element matrices to rows of a global one.
     *
     * @param formulation how matrices are computed
     * @return its last parameter is written through a map to places for the rows, each as long as a row
     * @throws UnsupportedKernelException if the formulation is not available here; says why
     */
    public LoopKernel appendRows(Formulation formulation) {
        require(formulation);
        List<ElementKernel.Port> ports = begin();
        ports.add(new ElementKernel.Port("rows", Access.WRITE, unknowns(), unknowns()));
        return kernel("appendRows." + formulation.label(), ports, matrixLanes(formulation),
                lanes -> doubles(formulation, lanes), lanes -> floats(formulation, lanes),
                source -> matrixSource(source, formulation, ElementSource::appendRows));
    }

    /**
     * Returns the kernel that finds the place of each entry in its row by bisection. The last parameter counts how
     * often elements have touched a row; it is what keeps elements with common rows apart, so only schemes that add in
     * place will do.
     *
     * @param formulation how matrices are computed
     * @param table       where the values are; {@code places} of the kernel are unknowns of the element, directly
     * @return a kernel for CPU backends
     * @throws UnsupportedKernelException if the formulation is not available here; says why
     */
    public LoopKernel search(Formulation formulation, RowTable table) {
        require(formulation);
        List<ElementKernel.Port> ports = begin();
        return new SearchKernel("Fem.search." + formulation.label() + "(" + spec.tables().element() + ")", ports,
                unknowns(), matrixLanes(formulation), lanes -> doubles(formulation, lanes),
                lanes -> floats(formulation, lanes), table);
    }

    /**
     * Returns the kernel that adds the product of an element's matrix and an operand.
     *
     * @param formulation point by point for global reuse, by sum factorisation, or by computing the matrix as the
     *                    others do
     * @return its last two parameters are read and incremented through the map to the unknowns
     * @throws UnsupportedKernelException if the formulation is not available here; says why
     */
    public LoopKernel apply(Formulation formulation) {
        require(formulation);
        List<ElementKernel.Port> ports = begin();
        addVectors(ports);
        String name = "apply." + formulation.label();
        return switch (formulation) {
            case GLOBAL_REUSE -> kernel(name, ports, vectorLanes(), lanes -> new DoubleApplyTask(spec, false, lanes),
                    lanes -> new FloatApplyTask(spec, false, lanes), source -> source.apply(formulation));
            case SUM_FACTORISED -> kernel(name, ports, vectorLanes(),
                    lanes -> new DoubleFactorisedApplyTask(spec, false, lanes),
                    lanes -> new FloatFactorisedApplyTask(spec, false, lanes),
                    source -> matrixSource(source, formulation, ElementSource::apply));
            default -> kernel(name, ports, matrixLanes(formulation),
                    lanes -> new DoubleComposedTask(doubles(formulation, lanes), unknowns()),
                    lanes -> new FloatComposedTask(floats(formulation, lanes), unknowns()),
                    source -> source.apply(formulation));
        };
    }

    private void addVectors(List<ElementKernel.Port> ports) {
        ports.add(new ElementKernel.Port("u", Access.READ, 1, unknowns()));
        ports.add(new ElementKernel.Port("y", Access.INCREMENT, 1, unknowns()));
    }

    private ElementKernel.Port stored() {
        return new ElementKernel.Port("factors", Access.READ, spec.tables().points() * factorSize(), 1);
    }

    /**
     * Returns the kernel that stores the factors of all quadrature points.
     *
     * @return its last parameter is written directly, {@link #factorSize} numbers for each point
     */
    public LoopKernel factors() {
        List<ElementKernel.Port> ports = begin();
        ports.add(new ElementKernel.Port("factors", Access.WRITE, spec.tables().points() * factorSize(), 1));
        return kernel("factors", ports, vectorLanes(), lanes -> new DoubleFactorsTask(spec, lanes),
                lanes -> new FloatFactorsTask(spec, lanes), ElementSource::factors);
    }

    /**
     * Returns the kernel that adds the product of an element's matrix and an operand from stored factors, its first
     * parameter.
     *
     * @param formulation sum factorisation, or point by point for all others
     * @return its last two parameters are read and incremented through the map to the unknowns
     * @throws UnsupportedKernelException if the formulation is not available here; says why
     */
    public LoopKernel applyStored(Formulation formulation) {
        require(formulation);
        List<ElementKernel.Port> ports = new ArrayList<>(List.of(stored()));
        addVectors(ports);
        boolean factorised = formulation == Formulation.SUM_FACTORISED;
        return kernel("applyStored." + formulation.label(), ports, vectorLanes(),
                lanes -> factorised
                        ? new DoubleFactorisedApplyTask(spec, true, lanes)
                        : new DoubleApplyTask(spec, true, lanes),
                lanes -> factorised
                        ? new FloatFactorisedApplyTask(spec, true, lanes)
                        : new FloatApplyTask(spec, true, lanes),
                source -> matrixSource(source, formulation, (writer, ignored) -> writer.applyStored()));
    }

    /**
     * Returns the kernel that adds up the diagonal.
     *
     * @return its last parameter is incremented through the map to the unknowns
     */
    public LoopKernel diagonal() {
        List<ElementKernel.Port> ports = begin();
        ports.add(new ElementKernel.Port("d", Access.INCREMENT, 1, unknowns()));
        return kernel("diagonal", ports, vectorLanes(), lanes -> new DoubleDiagonalTask(spec, false, false, lanes),
                lanes -> new FloatDiagonalTask(spec, false, false, lanes), source -> source.diagonal(false));
    }

    /**
     * Returns the kernel that adds up the blocks of the fields on the diagonal.
     *
     * @return its last parameter is incremented through a map to the entries of the blocks of the nodes, row by row
     */
    public LoopKernel diagonalBlocks() {
        List<ElementKernel.Port> ports = begin();
        ports.add(new ElementKernel.Port("d", Access.INCREMENT, 1, unknowns() * spec.fields()));
        return kernel("diagonalBlocks", ports, vectorLanes(), lanes -> new DoubleDiagonalTask(spec, false, true, lanes),
                lanes -> new FloatDiagonalTask(spec, false, true, lanes), source -> source.diagonal(true));
    }

    /**
     * Returns the kernel that adds up loads: integrals of given values times test functions.
     *
     * @return its parameters are the points of the map, the values at quadrature points (directly, the fields of a
     *         point side by side), and an increment through the map to the unknowns
     */
    public LoopKernel load() {
        List<ElementKernel.Port> ports = new ArrayList<>(List.of(begin().getFirst()));
        ports.add(new ElementKernel.Port("f", Access.READ, spec.tables().points() * spec.fields(), 1));
        ports.add(new ElementKernel.Port("b", Access.INCREMENT, 1, unknowns()));
        ElementTables tables = spec.tables();
        int fields = spec.fields();
        CoefficientPort one = new CoefficientPort(new double[]{1}, 1, 1, -1);
        IntegralSpec mass = new IntegralSpec(tables, 1, null, one, null, spec.rows());
        return kernel("load", ports, vectorLanes(), lanes -> new DoubleLoadTask(tables, fields, spec.rows(), lanes),
                lanes -> new FloatLoadTask(tables, fields, spec.rows(), lanes),
                source -> new ElementSource(mass, title("load")).load(fields));
    }

    /**
     * Returns the kernel that adds the product of a stored matrix and an operand, for matrices of any size.
     *
     * @param unknowns rows of the matrix
     * @return its parameters are the matrix (directly, row by row), the operand and an increment, both through a map
     */
    public static LoopKernel product(int unknowns) {
        List<ElementKernel.Port> ports = List.of(
                new ElementKernel.Port("k", Access.READ, unknowns * unknowns, 1),
                new ElementKernel.Port("u", Access.READ, 1, unknowns),
                new ElementKernel.Port("y", Access.INCREMENT, 1, unknowns));
        String title = "Fem.product(" + unknowns + ")";
        return new ElementKernel(title, ports, 1, lanes -> new DoubleProductTask(unknowns, lanes),
                lanes -> new FloatProductTask(unknowns, lanes), () -> ElementSource.product(title, unknowns));
    }

    /**
     * Returns the kernel that adds a stored matrix to entries of another.
     *
     * @param size numbers of the matrix
     * @return its parameters are the matrix (directly) and an increment through a map to entries
     */
    public static LoopKernel addTo(int size) {
        List<ElementKernel.Port> ports = List.of(new ElementKernel.Port("k", Access.READ, size, 1),
                new ElementKernel.Port("entries", Access.INCREMENT, 1, size));
        String title = "Fem.addTo(" + size + ")";
        return new ElementKernel(title, ports, 1, DoubleCopyTask::new, FloatCopyTask::new,
                () -> ElementSource.addTo(title, size));
    }

    /**
     * Returns the kernel that multiplies a row of padded storage: the sum of the products of its values and what its
     * columns hold.
     *
     * @param pieces of a row
     * @param length values of a piece
     * @return its parameters are the values (pieces through a map), the operand (each value's through a map), and the
     *         result, written directly
     */
    public static LoopKernel paddedRow(int pieces, int length) {
        List<ElementKernel.Port> ports = List.of(new ElementKernel.Port("values", Access.READ, length, pieces),
                new ElementKernel.Port("x", Access.READ, 1, pieces * length),
                new ElementKernel.Port("y", Access.WRITE, 1, 1));
        String title = "Fem.paddedRow(" + pieces + " x " + length + ")";
        return new ElementKernel(title, ports, ROW_LANES, lanes -> new DoubleRowTask(pieces * length, lanes),
                lanes -> new FloatRowTask(pieces * length, lanes),
                () -> ElementSource.paddedRow(title, pieces, length));
    }
}
