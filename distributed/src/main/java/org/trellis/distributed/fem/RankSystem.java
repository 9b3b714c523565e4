package org.trellis.distributed.fem;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ParallelPartitioner;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.fem.BilinearForm;
import org.trellis.fem.BoundaryCondition;
import org.trellis.fem.Constraints;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.DirichletMethod;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormPreconditioners;
import org.trellis.fem.FormSystem;
import org.trellis.fem.PointFunction;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.partition.Partitioner;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;
import org.trellis.sparse.LinearOperator;

/**
 * A finite element system on several ranks. Each rank owns the unknowns of some nodes and has all cells that touch
 * them, so some cells are run by several ranks; assembly then needs no message, and a product one from each neighbour,
 * before it begins. Whatever the storage, the system of a rank's cells is a {@link FormSystem} of its own. Vectors have
 * the rank's own free unknowns; with a {@link RankBackend} the solvers of one rank solve the whole.
 *
 * <p>Every rank calls the same, with the same whole mesh and constraints. Making it, products and {@link #gather} are
 * collective.
 */
public final class RankSystem implements AutoCloseable {
    private final Communicator communicator;
    /** What matrices and preconditioners talk over, apart from products. */
    private final Communicator others;
    private final FormDivision division;
    private final BilinearForm form;
    private final Constraints constraints;
    private final int[] rankOfCell;
    private final Part part;
    private final FormSystem system;
    private final RankFormOperator operator;
    private final int cells;
    private final int neighbours;

    /**
     * Makes the system.
     *
     * @param form        the form on the whole mesh
     * @param constraints the whole space and what is fixed
     * @param conditions  of other parts of the boundary
     * @param options     how values are computed and kept
     * @param backend     what this rank computes with, on the host; not closed with this
     * @param ranks       the ranks; the system has a group of its own
     * @param rankOfCell  the rank of each cell, see {@link #divide}
     * @throws IllegalArgumentException if the options or numbers do not fit, a rank would own no unknown, or the
     *                                  backend's vectors are not on the host
     */
    public RankSystem(BilinearForm form, Constraints constraints, List<BoundaryCondition> conditions,
            FormOptions options, RankBackend backend, Communicator ranks, int... rankOfCell) {
        this(new DegreeMultigrid.Problem(form, space -> constraints, conditions), constraints.space(), options,
                backend, ranks, null, rankOfCell);
    }

    /** Makes the system on a space, with the cells of another division or those that touch a rank's nodes. */
    @SuppressWarnings("MustBeClosed") // closed with this
    private RankSystem(DegreeMultigrid.Problem problem, FunctionSpace space, FormOptions options,
            RankBackend backend, Communicator ranks, FormDivision like, int... rankOfCell) {
        this.form = problem.form();
        this.constraints = problem.constraints().apply(space);
        this.rankOfCell = rankOfCell;
        if (!backend.device().space().equals(MemorySpace.HOST)) {
            throw new IllegalArgumentException("ranks of finite elements compute on " + backend.device().space()
                    + ", expected a backend on the host");
        }
        if (options.dirichlet() == DirichletMethod.ROWS) {
            throw new IllegalArgumentException(
                    "Dirichlet conditions by rows on several ranks, expected constraints eliminated");
        }
        FormSystem.requireHeld(form, constraints, problem.conditions());
        this.division = new FormDivision(constraints, ranks.size(), like, rankOfCell);
        for (int rank = 0; rank < ranks.size(); rank++) {
            if (division.owned(rank).length == 0) {
                throw new IllegalArgumentException("rank " + rank + " of " + ranks.size() + " owns none of "
                        + division.freeCount() + " free unknowns, expected fewer ranks or a finer mesh");
            }
        }
        this.communicator = ranks.split(0, ranks.rank());
        this.others = ranks.split(0, ranks.rank());
        int[] some = division.cells(ranks.rank());
        this.cells = some.length;
        this.part = new Part(constraints, some);
        this.system = FormSystem.ofPart(form.onCells(some), part.constraints,
                part.conditions(problem.conditions()), options, backend.own(), MeshOptions.of(Configuration.load()));
        int me = ranks.rank();
        int[][] outgoing = new int[ranks.size()][];
        int[][] incoming = new int[ranks.size()][];
        for (int rank = 0; rank < ranks.size(); rank++) {
            outgoing[rank] = part.places(system, division.needed(me, rank));
            incoming[rank] = part.places(system, division.needed(rank, me));
        }
        UnknownExchange exchange = new UnknownExchange(communicator, options.precision(), outgoing, incoming);
        this.neighbours = exchange.neighbours();
        this.operator = new RankFormOperator(system.operator(), exchange, backend,
                part.places(system, division.owned(me)));
    }

    /**
     * Makes the system of the same problem on a space of lower degree, on the same cells. Collective.
     *
     * @param problem what is solved
     * @param coarse  the space
     * @param options how values are computed and kept
     * @param backend what this rank computes with
     * @return the system, which the caller closes before this
     */
    RankSystem coarser(DegreeMultigrid.Problem problem, FunctionSpace coarse, FormOptions options,
            RankBackend backend) {
        return new RankSystem(problem, coarse, options, backend, others, division, rankOfCell);
    }

    /** The space on a rank's cells, and how its nodes are found in the whole one. */
    private static final class Part {
        private final FunctionSpace whole;
        private final Constraints constraints;
        private final int fields;
        /** The node of the part for each of the whole, or -1. */
        private final int[] local;

        Part(Constraints all, int... some) {
            whole = all.space();
            fields = all.fields();
            CellMesh mesh = whole.mesh().part(some);
            FunctionSpace space = FunctionSpace.of(mesh, whole.element());
            int n = whole.element().nodes();
            local = new int[whole.nodes()];
            Arrays.fill(local, -1);
            constraints = Constraints.none(space, fields);
            for (int k = 0; k < space.cellNodes().length; k++) {
                int node = whole.cellNodes()[some[k / n] * n + k % n];
                if (local[node] < 0) {
                    local[node] = space.cellNodes()[k];
                    fix(all, node);
                }
            }
        }

        private void fix(Constraints all, int node) {
            for (int a = 0; a < fields; a++) {
                int unknown = node * fields + a;
                if (all.isFixed(unknown)) {
                    constraints.fix(new int[]{local[node]}, a, x -> all.value(unknown));
                }
            }
        }

        /** Where unknowns of the whole are in vectors of the part. */
        int[] places(FormSystem system, int... unknowns) {
            return IntStream.of(unknowns).map(u -> system.unknowns().place(local[u / fields] * fields + u % fields))
                    .toArray();
        }

        /** Returns the number in the whole of each free unknown in vectors of the part. */
        int[] numbers(FormSystem system, FormDivision division) {
            int[] numbers = new int[system.unknowns().free()];
            for (int u = 0; u < local.length * fields; u++) {
                if (local[u / fields] >= 0 && division.number(u) >= 0) {
                    numbers[system.unknowns().place(local[u / fields] * fields + u % fields)] = division.number(u);
                }
            }
            return numbers;
        }

        /**
         * The boundary of a part has facets that are inside of the whole, where conditions do not hold; and of a
         * condition it may have no facet.
         *
         * @throws IllegalArgumentException if a condition holds on no facet of the whole
         */
        List<BoundaryCondition> conditions(List<BoundaryCondition> conditions) {
            if (conditions.isEmpty()) {
                return conditions;
            }
            Set<List<Double>> centres = new HashSet<>();
            for (int facet : whole.mesh().boundaryFacets()) {
                centres.add(key(whole.centre(facet)));
            }
            FunctionSpace own = constraints.space();
            List<BoundaryCondition> here = new ArrayList<>();
            for (BoundaryCondition condition : conditions) {
                if (IntStream.of(whole.mesh().boundaryFacets())
                        .noneMatch(f -> condition.where().test(whole.centre(f)))) {
                    throw new IllegalArgumentException("a boundary condition holds on no facet of " + whole.mesh()
                            + ", expected some: it is asked for the centres of facets");
                }
                Predicate<double[]> where = centre -> centres.contains(key(centre)) && condition.where().test(centre);
                if (IntStream.of(own.mesh().boundaryFacets()).anyMatch(f -> where.test(own.centre(f)))) {
                    here.add(new BoundaryCondition(where, condition.flux(), condition.alpha()));
                }
            }
            return here;
        }

        private static List<Double> key(double[] point) {
            return Arrays.stream(point).boxed().toList();
        }
    }

    /**
     * Divides the cells of a mesh. Collective: rank 0 divides.
     *
     * @param ranks       the ranks
     * @param mesh        the whole mesh
     * @param partitioner divides the graph of cells that share corners, or null for consecutive cells
     * @param tolerance   the largest share of a rank by the mean, at least 1
     * @return the rank of each cell, the same on all ranks
     */
    public static int[] divide(Communicator ranks, CellMesh mesh, Partitioner partitioner, double tolerance) {
        return FormDivision.divide(ranks, mesh, partitioner, tolerance);
    }

    /**
     * Divides the cells of a mesh by a parallel partitioner. Collective: all ranks divide together.
     *
     * @param ranks       the ranks, processes of MPI
     * @param mesh        the whole mesh
     * @param partitioner one that is installed
     * @param tolerance   the largest share of a rank by the mean, at least 1
     * @return the rank of each cell, the same on all ranks
     * @throws org.trellis.common.BackendUnavailableException if these ranks cannot use it; says why
     */
    public static int[] divideTogether(Communicator ranks, CellMesh mesh, ParallelPartitioner partitioner,
            double tolerance) {
        return FormDivision.divide(ranks, mesh, partitioner, tolerance);
    }

    /** Computes the values of this rank's cells. Needs no message. */
    public void assemble() {
        system.assemble();
    }

    /**
     * Returns what multiplies vectors of the rank's own free unknowns. It belongs to the system.
     *
     * @return the operator; it knows its diagonal; products are collective
     */
    public LinearOperator operator() {
        return operator;
    }

    /**
     * Returns the number of the rank's own free unknowns.
     *
     * @return at least 1
     */
    public int owned() {
        return operator.rows();
    }

    /**
     * Returns the number of free unknowns of all ranks.
     *
     * @return as on one rank
     */
    public int unknowns() {
        return division.freeCount();
    }

    /**
     * Returns the number of cells that this rank runs, some of which others run too.
     *
     * @return at least 1
     */
    public int cells() {
        return cells;
    }

    /**
     * Returns the number of ranks that send to this one in each product.
     *
     * @return 0 on one rank
     */
    public int neighbours() {
        return neighbours;
    }

    /**
     * Returns the system of this rank's cells, for reports: its rows of other ranks' unknowns are not complete.
     *
     * @return closed with this
     */
    public FormSystem part() {
        return system;
    }

    /**
     * Computes the right-hand side of the rank's own unknowns. Needs no message.
     *
     * @param load f, evaluated at the quadrature points
     * @return a vector of the operator
     * @throws IllegalArgumentException if f is not finite somewhere
     */
    public HostVector rightHandSide(PointFunction load) {
        return operator.own(system.rightHandSide(load));
    }

    /**
     * Returns the matrix over all ranks, if the values are kept in compressed rows. Collective: its rows are numbered
     * as the unknowns of one rank are, and lie in the order of the operator's vectors. Needs messages for its directory
     * only.
     *
     * @return a copy with the values of now, to be used before this is closed; empty for other storages
     */
    public Optional<PartitionedMatrix> matrix() {
        return system.matrix().map(local -> {
            PartitionedMatrix matrix = PartitionedMatrix.ofRows(others, division.freeCount(), rows(local));
            int[] owned = division.owned(communicator.rank());
            for (int k = 0; k < owned.length; k++) {
                if (matrix.rows().indices()[k] != division.number(owned[k])) {
                    throw new IllegalStateException("row " + k + " of " + matrix + " is that of unknown "
                            + matrix.rows().indices()[k] + ", expected " + division.number(owned[k]));
                }
            }
            return matrix;
        });
    }

    /** Picks the rank's own rows, with columns numbered as on one rank. */
    private RowBlock rows(CsrMatrix local) {
        int[] owned = division.owned(communicator.rank());
        int[] places = part.places(system, owned);
        int[] numbers = part.numbers(system, division);
        RowBlockBuilder builder = new RowBlockBuilder(local.precision(), owned.length);
        CsrRowCursor cursor = new CsrRowCursor(local);
        for (int k = 0; k < owned.length; k++) {
            cursor.moveTo(places[k]);
            int start = cursor.start();
            int[] columns = cursor.columns();
            long[] sorted = new long[cursor.end() - start];
            Arrays.setAll(sorted, j -> (long) numbers[columns[start + j]] << Integer.SIZE | j);
            Arrays.sort(sorted);
            for (long one : sorted) {
                builder.add(one >> Integer.SIZE, cursor.value(start + (int) one));
            }
            builder.endRow(division.number(owned[k]));
        }
        return builder.build();
    }

    /**
     * Makes a preconditioner. Collective. Those of a matrix need storage {@code csr} or {@code csr-search}; call this
     * after {@link #assemble}.
     *
     * @param name    {@code none}; {@code jacobi}; {@code block-jacobi}, whose blocks are the unknowns of a node;
     *                {@code chebyshev}; {@code amg} (needs a matrix), with rigid body motions or constants of each
     *                field as near null space
     * @param backend the one that the system was made with
     * @return the preconditioner, which the caller closes before this; empty for {@code none}
     * @throws IllegalArgumentException if ranks do not have it, or there is no matrix; says what there is
     */
    public Optional<Preconditioner> preconditioner(String name, RankBackend backend) {
        return new RankPreconditioners(this, backend).of(name);
    }

    /**
     * Computes the blocks of nodes on the diagonal, in the order of the operator's vectors. Each node is one rank's,
     * and all cells that touch it are there, so that needs no message.
     */
    CsrMatrix diagonalBlocks() {
        int[] places = part.places(system, division.owned(communicator.rank()));
        int[] own = new int[system.unknowns().free()];
        Arrays.fill(own, -1);
        for (int k = 0; k < places.length; k++) {
            own[places[k]] = k;
        }
        CsrMatrix blocks = system.diagonalBlocks();
        CsrRowCursor cursor = new CsrRowCursor(blocks);
        RowBlockBuilder builder = new RowBlockBuilder(blocks.precision(), places.length);
        for (int k = 0; k < places.length; k++) {
            cursor.moveTo(places[k]);
            for (int j = cursor.start(); j < cursor.end(); j++) {
                builder.add(own[cursor.columns()[j]], cursor.value(j));
            }
            builder.endRow(k);
        }
        RowBlock rows = builder.build();
        return CsrMatrix.of(places.length, places.length, rows.offsets(),
                Arrays.stream(rows.columns()).mapToInt(Math::toIntExact).toArray(), rows.values());
    }

    /** Returns the sizes of these blocks: the free fields of each of the rank's nodes. */
    int[] blockSizes() {
        int[] owned = division.owned(communicator.rank());
        IntStream.Builder sizes = IntStream.builder();
        for (int k = 0, size = 0; k < owned.length; k++) {
            size++;
            if (k + 1 == owned.length || owned[k + 1] / fields() != owned[k] / fields()) {
                sizes.add(size);
                size = 0;
            }
        }
        return sizes.build().toArray();
    }

    /** Returns the near null space over all unknowns, as one rank has it. */
    Optional<NearNullSpace> nearNullSpace() {
        return FormPreconditioners.nearNullSpace(form, constraints);
    }

    /** Returns the number among all free unknowns of each of the rank's own. */
    int[] numbers() {
        return IntStream.of(division.owned(communicator.rank())).map(division::number).toArray();
    }

    RankFormOperator product() {
        return operator;
    }

    int fields() {
        return constraints.fields();
    }

    /** Returns the whole space. */
    FunctionSpace space() {
        return constraints.space();
    }

    /** Returns the space on the rank's cells. */
    FunctionSpace spaceOfPart() {
        return part.constraints.space();
    }

    /**
     * Brings a vector to all ranks. Collective.
     *
     * @param own the rank's own elements
     * @return all of them, numbered as on one rank
     */
    double[] all(HostVector own) {
        double[] nodes = gather(own);
        double[] all = new double[division.freeCount()];
        for (int u = 0; u < nodes.length; u++) {
            if (division.number(u) >= 0) {
                all[division.number(u)] = nodes[u];
            }
        }
        return all;
    }

    /**
     * Brings a solution to all ranks. Collective.
     *
     * @param own the rank's own free unknowns
     * @return the values at all nodes of the whole space, fields of a node side by side, given values where they are
     *         given
     */
    public double[] gather(HostVector own) {
        byte[] message = new byte[own.length() * Double.BYTES];
        for (int k = 0; k < own.length(); k++) {
            ByteBuffer.wrap(message).putDouble(k * Double.BYTES, own.get(k));
        }
        byte[][] messages = new byte[communicator.size()][];
        Arrays.fill(messages, message);
        byte[][] all = communicator.exchange(messages);
        int total = constraints.space().nodes() * constraints.fields();
        double[] values = IntStream.range(0, total).mapToDouble(constraints::value).toArray();
        for (int rank = 0; rank < division.ranks(); rank++) {
            int[] owned = division.owned(rank);
            ByteBuffer buffer = ByteBuffer.wrap(all[rank]);
            for (int unknown : owned) {
                values[unknown] = buffer.getDouble();
            }
        }
        return values;
    }

    /** Returns what preconditioners talk over, apart from products. */
    Communicator others() {
        return others;
    }

    /** Closes the system of the rank's cells and the group of ranks. */
    @Override
    public void close() {
        operator.close();
        system.close();
        others.close();
        communicator.close();
    }

    @Override
    public String toString() {
        Precision precision = operator.precision();
        return "finite elements of " + unknowns() + " unknowns on " + division.ranks() + " ranks, "
                + precision.label();
    }
}
