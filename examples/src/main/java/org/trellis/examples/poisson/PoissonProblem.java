package org.trellis.examples.poisson;

import java.util.ArrayList;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.ParallelLoop;

/** The problem on a hierarchy of meshes: the levels, and on the finest the right-hand side, solution and errors. */
public final class PoissonProblem {
    private final List<PlaneMesh> planes;
    private final List<PoissonLevel> levels = new ArrayList<>();
    private final List<Transfer> transfers = new ArrayList<>();
    private final Global growth;
    private final Dat volume;
    private final Dat exact;
    private final Dat rightHandSide;
    private final Dat solution;
    private final Global square;
    private final Global most;
    private final LoopSequence geometry;
    private final LoopSequence system;
    private final ParallelLoop complete;
    private final ParallelLoop error;

    /**
     * How far a solution is from the exact one.
     *
     * @param mean    √(∫ e² / ∫ 1), with the volumes of nodes
     * @param largest the largest |e| of a node
     */
    public record Errors(double mean, double largest) {}

    /** Meshes, the coarsest first, and for each but the first the parents of its nodes in the one before. */
    record Meshes(List<PlaneMesh> planes, List<int[]> parents) {
        /** Refines a mesh. */
        static Meshes of(PlaneMesh coarsest, int times) {
            List<PlaneMesh> planes = new ArrayList<>(List.of(coarsest));
            List<int[]> parents = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                Refinement next = Refinement.of(planes.getLast());
                planes.add(next.fine());
                parents.add(next.parents());
            }
            return new Meshes(planes, parents);
        }

        PlaneMesh finest() {
            return planes.getLast();
        }
    }

    /**
     * Declares the problem.
     *
     * @param mesh      an empty mesh
     * @param meshes    the triangles
     * @param hierarchy whether coarser levels are requested, or the finest only
     * @param precision of all data
     * @throws IllegalArgumentException if no node of the finest mesh is inside
     */
    PoissonProblem(Mesh mesh, Meshes meshes, boolean hierarchy, Precision precision) {
        PlaneMesh finest = meshes.finest();
        if (finest.interiorNodes() == 0) {
            throw new IllegalArgumentException("mesh of " + finest.cells() + " triangles has all its " + finest.nodes()
                    + " nodes on the boundary, expected one inside; --refine cuts triangles into four");
        }
        planes = hierarchy ? meshes.planes().reversed() : List.of(finest);
        double[] box = finest.frame();
        MeshConstant frame = mesh.constant("frame", box[0], box[1], 1 / box[2]);
        growth = mesh.global("growth", 0.0);
        for (int l = 0; l < planes.size(); l++) {
            levels.add(new PoissonLevel(mesh, planes.get(l), l, precision, frame, growth));
            if (l > 0) {
                transfers.add(Transfer.of(levels.get(l), levels.get(l - 1),
                        meshes.parents().get(meshes.parents().size() - l)));
            }
        }
        PoissonLevel fine = finest();
        volume = fine.onNodes("volume");
        exact = fine.onNodes("exact solution");
        rightHandSide = fine.onNodes("right-hand side");
        solution = fine.onNodes("solution");
        square = mesh.global("square of the error", 0.0);
        most = mesh.global("largest error", 0.0);
        geometry = mesh.sequence("geometry")
                .run(mesh.loop(PoissonLoops.CLEAR, fine.nodes(), volume))
                .run(mesh.loop(PoissonLoops.VOLUMES, fine.cellNodes().from(), fine.position().at(fine.cellNodes(), 0),
                        fine.position().at(fine.cellNodes(), 1), fine.position().at(fine.cellNodes(), 2),
                        volume.at(fine.cellNodes(), 0), volume.at(fine.cellNodes(), 1),
                        volume.at(fine.cellNodes(), 2)))
                .run(mesh.loop(PoissonLoops.EXACT, fine.nodes(), fine.position(), frame, exact)).build();
        system = mesh.sequence("right-hand side")
                .run(mesh.loop(PoissonLoops.SOURCES, fine.nodes(), fine.position(), volume, fine.free(), frame, growth,
                        rightHandSide))
                .run(mesh.loop(PoissonLoops.INFLOW, fine.edges(), fine.weight(), fine.free().at(fine.edgeNodes(), 0),
                        fine.free().at(fine.edgeNodes(), 1), exact.at(fine.edgeNodes(), 0),
                        exact.at(fine.edgeNodes(), 1), rightHandSide.at(fine.edgeNodes(), 0),
                        rightHandSide.at(fine.edgeNodes(), 1)))
                .build();
        complete = mesh.loop(PoissonLoops.COMPLETE, fine.nodes(), fine.free(), exact, solution);
        error = mesh.loop(PoissonLoops.ERROR, fine.nodes(), solution, exact, volume, square, most);
        transfers.forEach(transfer -> transfer.shares().run());
        geometry.run();
    }

    /**
     * Computes everything that depends on the coefficient: weights of all levels, factors of smoothers, the right-hand
     * side.
     *
     * @param contrast κ at the right end over κ at the left end, more than 0
     * @throws IllegalArgumentException if the contrast is not more than 0, or a diagonal element comes out as not
     *                                  positive, as a triangle without height makes it in rounding
     */
    void contrast(double contrast) {
        if (!(contrast > 0) || contrast == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("contrast is " + contrast + ", expected a number of more than 0");
        }
        growth.set(Math.log(contrast));
        for (PoissonLevel level : levels) {
            level.computeCoefficients();
        }
        double[] diagonal = finest().diagonal().toArray();
        for (int node = 0; node < diagonal.length; node++) {
            if (!(diagonal[node] > 0) || diagonal[node] == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException("diagonal element of node " + node + " is " + diagonal[node] + " in "
                        + finest().precision().label() + ", expected a positive number; the triangles around it are "
                        + "too flat for this precision");
            }
        }
        system.run();
    }

    /** Puts boundary values into the solution, which is zero there, and measures it. */
    Errors complete() {
        complete.run();
        square.set(0);
        most.set(0);
        error.run();
        return new Errors(Math.sqrt(square.get() / finestPlane().area()), most.get());
    }

    PoissonLevel finest() {
        return levels.getFirst();
    }

    PlaneMesh finestPlane() {
        return planes.getFirst();
    }

    /** Returns the levels, finest first. */
    List<PoissonLevel> levels() {
        return levels;
    }

    /** Returns the transfers, those between the two finest levels first. */
    List<Transfer> transfers() {
        return transfers;
    }

    /** Returns the meshes of the levels, finest first. */
    List<PlaneMesh> planes() {
        return planes;
    }

    Dat rightHandSide() {
        return rightHandSide;
    }

    Dat solution() {
        return solution;
    }

    Dat exact() {
        return exact;
    }
}
