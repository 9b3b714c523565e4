package org.trellis.distributed.multigrid;

import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.solve.multigrid.SmootherSpec;

/**
 * A level but the coarsest: its halo with as many rings as its smoother uses, the smoother, whose right-hand side and
 * iterate are those of the level, and the transfers. On a device if the rank is. Vectors of Krylov cycles are made if
 * there are such cycles.
 */
final class RankLevel implements AutoCloseable {
    private final HaloPlan plan;
    private final RankSmoother smoother;
    private final RingProduct product;
    private final RingVector residual;
    private final RankTransfer prolongation;
    private final RankTransfer restriction;
    private final long ranks;
    private final VisitTuner tuner;
    private RingVector[] spares;

    /**
     * Prepares a level. Collective.
     *
     * @param hierarchy the hierarchy
     * @param number    which level
     * @param spec      its smoother
     * @param rings     how many rings it exchanges
     * @param place     where it is
     * @param before    a level of other values, whose transfers and number of rings are taken and which is closed then,
     *                  or null
     */
    static RankLevel of(RankHierarchy hierarchy, int number, SmootherSpec spec, RingChoice rings, RankDevices place,
            RankLevel before) {
        RankTimeline timeline = hierarchy.communicator().timeline();
        timeline.naming("level " + number);
        try {
            return new RankLevel(hierarchy, number, spec, rings, place, before);
        } finally {
            timeline.naming("");
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private RankLevel(RankHierarchy hierarchy, int number, SmootherSpec spec, RingChoice rings, RankDevices place,
            RankLevel before) {
        RankHierarchy.Level level = hierarchy.level(number);
        PartitionedMatrix matrix = level.matrix();
        this.ranks = hierarchy.communicator().sum(matrix.ownedRows() > 0 ? 1 : 0);
        int degree = RankSmoother.degree(spec);
        this.plan = HaloPlan.of(matrix, ranks == 1 ? 1 : rings.most(number, degree), place.backend());
        double radius = level.radius();
        if (spec.needsRadius() && Double.isNaN(radius)) {
            LocalMatrix local = level.local() == null
                    ? LocalMatrix.of(matrix, hierarchy.communicator(), hierarchy.tags().next())
                    : level.local();
            radius = RankRadius.of(local, hierarchy.communicator(), matrix.globalRows(),
                    RankCoarsening.inverseDiagonal(local), hierarchy.isSymmetric());
        }
        this.smoother = RankSmoother.of(spec.with(radius), plan);
        this.product = new RingProduct(plan);
        this.residual = plan.vector();
        if (before == null) {
            this.tuner = new VisitTuner(plan, rings.contest(number, plan, degree));
            PartitionedMatrix next = hierarchy.level(number + 1).matrix();
            this.prolongation = new RankTransfer(level.prolongation(), next, hierarchy.communicator(),
                    hierarchy.tags().next(), place);
            this.restriction = new RankTransfer(level.restriction(), matrix, hierarchy.communicator(),
                    hierarchy.tags().next(), place);
        } else {
            this.tuner = new VisitTuner(plan, before.tuner.contest());
            this.prolongation = before.prolongation;
            this.restriction = before.restriction;
            prolongation.refresh(level.prolongation());
            restriction.refresh(level.restriction());
            before.plan.close();
        }
    }

    HaloPlan plan() {
        return plan;
    }

    /** Returns what chooses the number of rings. */
    VisitTuner tuner() {
        return tuner;
    }

    /** Returns how many ranks have rows. */
    long ranks() {
        return ranks;
    }

    RankSmoother smoother() {
        return smoother;
    }

    RingVector b() {
        return smoother.smoother().rightHandSide();
    }

    RingVector x() {
        return smoother.smoother().solution();
    }

    RankTransfer prolongation() {
        return prolongation;
    }

    RankTransfer restriction() {
        return restriction;
    }

    /** Returns the residual. */
    RingVector residual() {
        return residual;
    }

    /** Computes the residual of the owned rows. */
    void computeResidual() {
        product.combine(-1, x(), 0, b(), 1, residual);
    }

    /** Computes y = A x of the owned rows. */
    void multiply(RingVector x, RingVector y) {
        product.multiply(x, y);
    }

    /** Returns three vectors for Krylov cycles. */
    RingVector[] spares() {
        if (spares == null) {
            spares = new RingVector[]{plan.vector(), plan.vector(), plan.vector()};
        }
        return spares;
    }

    /** Returns the bytes that this rank has of matrices and vectors. */
    long bytes() {
        long vectors = 8L + (spares == null ? 0 : spares.length);
        long entries = plan.localRows().offsets()[plan.localRows().rows()];
        int element = plan.precision().bytes();
        return entries * (Integer.BYTES + element) + vectors * plan.localElements() * element
                + (long) (prolongation.nonZeros() + restriction.nonZeros()) * (Integer.BYTES + element);
    }

    @Override
    public void close() {
        prolongation.close();
        restriction.close();
        plan.close();
    }
}
