package org.trellis.examples.poisson;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.matrix.LoopOperator;
import org.trellis.solve.eigen.EigenPairs;
import org.trellis.solve.eigen.Eigenvalues;
import org.trellis.solve.smooth.LoopSmoother;
import org.trellis.sparse.LinearOperator;

/**
 * The discretisation on one mesh: sets, maps, data, and the loops that compute coefficients, multiply and smooth. The
 * operator is {@code A x = s x + Σ c (x_i − x_j)} over the edges of each node.
 */
public final class PoissonLevel {
    private static final int LANCZOS_STEPS = 12;
    private static final double LOOSE = 0.01;
    /** What Ritz values are multiplied by, since they lie below the eigenvalue. */
    private static final double SAFETY = 1.1;

    private final Mesh mesh;
    private final int index;
    private final Precision precision;
    private final MeshSet nodes;
    private final MeshSet edges;
    private final MeshMap edgeNodes;
    private final MeshMap cellNodes;
    private final MeshMap nodeItself;
    private final Dat position;
    private final Dat free;
    private final Dat weight;
    private final Dat coupling;
    private final Dat shift;
    private final Dat diagonal;
    private final Dat inverse;
    private final Dat operand;
    private final Dat result;
    private final LoopSequence coefficients;
    private final LoopSequence product;
    private final LoopOperator operator;
    private final List<Polynomial> polynomials = new ArrayList<>();

    /** A smoother and the factors of its steps. */
    private record Polynomial(Smoothing smoothing, List<Global> factors) {}

    /**
     * Declares everything on one mesh.
     *
     * @param mesh      where sets and loops belong
     * @param plane     the triangles
     * @param index     the number of the level, for names
     * @param precision of all data
     * @param frame     how coordinates are scaled, for the kernels
     * @param growth    g of κ = exp(gs)
     */
    PoissonLevel(Mesh mesh, PlaneMesh plane, int index, Precision precision, MeshConstant frame, Global growth) {
        this.mesh = mesh;
        this.index = index;
        this.precision = precision;
        nodes = mesh.set(named("nodes"), plane.nodes());
        edges = mesh.set(named("edges"), plane.edges());
        MeshSet cells = mesh.set(named("cells"), plane.cells());
        edgeNodes = mesh.map(named("edge to nodes"), edges, nodes, 2, plane.edgeNodes());
        cellNodes = mesh.map(named("cell to nodes"), cells, nodes, PlaneMesh.CORNERS, plane.cellNodes());
        MeshMap cellEdges = mesh.map(named("cell to edges"), cells, edges, PlaneMesh.CORNERS, plane.cellEdges());
        int[] self = new int[plane.nodes()];
        Arrays.setAll(self, node -> node);
        nodeItself = mesh.map(named("node"), nodes, nodes, 1, self);
        double[] inside = new double[plane.nodes()];
        for (int node = 0; node < inside.length; node++) {
            inside[node] = plane.onBoundary(node) ? 0 : 1;
        }
        position = mesh.dat(named("position"), nodes, 2, precision, plane.coordinates());
        free = mesh.dat(named("free"), nodes, 1, precision, inside);
        weight = mesh.dat(named("weight"), edges, 1, precision);
        coupling = mesh.dat(named("coupling"), edges, 1, precision);
        shift = onNodes("shift");
        diagonal = onNodes("diagonal");
        inverse = onNodes("inverse diagonal");
        operand = onNodes("operand");
        result = onNodes("result");
        coefficients = mesh.sequence(named("coefficients"))
                .run(mesh.loop(PoissonLoops.CLEAR, edges, weight))
                .run(mesh.loop(PoissonLoops.WEIGHTS, cells, position.at(cellNodes, 0), position.at(cellNodes, 1),
                        position.at(cellNodes, 2), frame, growth, weight.at(cellEdges, 0), weight.at(cellEdges, 1),
                        weight.at(cellEdges, 2)))
                .run(mesh.loop(PoissonLoops.CLEAR, nodes, diagonal))
                .run(mesh.loop(PoissonLoops.CLEAR, nodes, shift))
                .run(mesh.loop(PoissonLoops.COUPLINGS, edges, weight, free.at(edgeNodes, 0), free.at(edgeNodes, 1),
                        coupling, diagonal.at(edgeNodes, 0), diagonal.at(edgeNodes, 1), shift.at(edgeNodes, 0),
                        shift.at(edgeNodes, 1)))
                .run(mesh.loop(PoissonLoops.INVERT, nodes, diagonal, inverse)).build();
        product = mesh.sequence(named("product"))
                .run(mesh.loop(PoissonLoops.BEGIN, nodes, shift, operand, result))
                .run(mesh.loop(PoissonLoops.FLUX, edges, coupling, operand.at(edgeNodes, 0), operand.at(edgeNodes, 1),
                        result.at(edgeNodes, 0), result.at(edgeNodes, 1)))
                .build();
        operator = LoopOperator.of(operand, result, product).withDiagonal(diagonal);
    }

    private String named(String what) {
        return what + " of level " + index;
    }

    /** Declares a dat of one number for each node. */
    Dat onNodes(String what) {
        return mesh.dat(named(what), nodes, 1, precision);
    }

    /** Computes weights, couplings and diagonal for the coefficient as it is now, and the factors of smoothers. */
    void computeCoefficients() {
        coefficients.run();
        if (polynomials.isEmpty()) {
            return;
        }
        double largest = largestEigenvalue();
        for (Polynomial polynomial : polynomials) {
            double[][] factors = polynomial.smoothing().factors(largest);
            for (int step = 0; step < factors.length; step++) {
                polynomial.factors().get(step).set(factors[step]);
            }
        }
    }

    /** Estimates the largest eigenvalue of D⁻¹A by a few Lanczos steps, with vectors on the host. */
    double largestEigenvalue() {
        double[] roots = inverse.toArray();
        for (int i = 0; i < roots.length; i++) {
            roots[i] = Math.sqrt(roots[i]);
        }
        LinearOperator scaled = LinearOperator.of(roots.length, roots.length, Precision.F64, MemorySpace.HOST,
                (alpha, x, beta, y) -> {
                    operand.setAll(times(roots, ((HostVector) x).toDoubleArray()));
                    product.run();
                    y.copyFrom(HostVector.of(times(roots, result.toArray())));
                });
        try (Backend host = Backends.open("cpu", Configuration.load())) {
            EigenPairs found = Eigenvalues.of(scaled, host).largest().basis(LANCZOS_STEPS).tolerance(LOOSE)
                    .maximumProducts(LANCZOS_STEPS).find();
            return SAFETY * found.values()[0];
        }
    }

    private static double[] times(double[] roots, double[] x) {
        double[] y = new double[x.length];
        for (int i = 0; i < y.length; i++) {
            y[i] = roots[i] * x[i];
        }
        return y;
    }

    /**
     * Declares a smoother. Its factors are computed with the coefficients, so those are to be computed afterwards.
     *
     * @param smoothing which polynomial
     * @return a smoother on dats of its own
     */
    LoopSmoother smoother(Smoothing smoothing) {
        int number = polynomials.size();
        List<Global> factors = new ArrayList<>();
        for (int step = 0; step < smoothing.degree(); step++) {
            factors.add(mesh.global(named("factors " + step + " of smoother " + number), 1, 0));
        }
        polynomials.add(new Polynomial(smoothing, factors));
        Dat b = onNodes("right-hand side of smoother " + number);
        Dat x = onNodes("iterate of smoother " + number);
        Dat r = onNodes("residual of smoother " + number);
        Dat d = onNodes("correction of smoother " + number);
        LoopSequence.Builder fromZero = mesh.sequence(named("application of smoother " + number))
                .run(mesh.loop(PoissonLoops.CORRECT_ZERO, nodes, factors.getFirst(), inverse, b, r, d, x));
        LoopSequence.Builder sweep = mesh.sequence(named("sweep of smoother " + number))
                .run(mesh.loop(PoissonLoops.BEGIN_RESIDUAL, nodes, b, shift, x, r))
                .run(mesh.loop(PoissonLoops.DRAIN, edges, coupling, x.at(edgeNodes, 0), x.at(edgeNodes, 1),
                        r.at(edgeNodes, 0), r.at(edgeNodes, 1)))
                .run(mesh.loop(PoissonLoops.CORRECT_FIRST, nodes, factors.getFirst(), inverse, r, d, x));
        for (int step = 1; step < smoothing.degree(); step++) {
            for (LoopSequence.Builder steps : List.of(fromZero, sweep)) {
                steps.run(mesh.loop(PoissonLoops.NEXT_RESIDUAL, nodes, shift, d, r))
                        .run(mesh.loop(PoissonLoops.DRAIN, edges, coupling, d.at(edgeNodes, 0), d.at(edgeNodes, 1),
                                r.at(edgeNodes, 0), r.at(edgeNodes, 1)))
                        .run(mesh.loop(PoissonLoops.CORRECT_NEXT, nodes, factors.get(step), inverse, r, d, x));
            }
        }
        LoopSequence forward = sweep.build();
        return LoopSmoother.of(b, x, new LoopSmoother.Sweeps(fromZero.build(), forward, forward), true,
                smoothing.toString());
    }

    /**
     * Returns the operator.
     *
     * @return {@code y = A x} by two loops
     */
    public LoopOperator operator() {
        return operator;
    }

    Mesh mesh() {
        return mesh;
    }

    int index() {
        return index;
    }

    Precision precision() {
        return precision;
    }

    MeshSet nodes() {
        return nodes;
    }

    MeshSet edges() {
        return edges;
    }

    MeshMap edgeNodes() {
        return edgeNodes;
    }

    MeshMap cellNodes() {
        return cellNodes;
    }

    /** Returns the map from each node to itself, for diagonal elements. */
    MeshMap nodeItself() {
        return nodeItself;
    }

    Dat position() {
        return position;
    }

    /** Returns 1 for nodes inside, 0 for those on the boundary. */
    Dat free() {
        return free;
    }

    Dat weight() {
        return weight;
    }

    /** Returns the weights of edges between nodes inside, 0 for the others. */
    Dat coupling() {
        return coupling;
    }

    /** Returns what of the diagonal is not the sum of the couplings. */
    Dat shift() {
        return shift;
    }

    Dat diagonal() {
        return diagonal;
    }
}
