package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.distributed.partitioned.RowDirectory;
import org.trellis.memory.HostVector;

/**
 * Makes the next level of a level from its tentative prolongator, again for other values: {@code P = (I − ω D⁻¹ A) T}
 * and {@code R A P}, by exchange of rows of T, of P and of A P. Terms are added in the order in which one rank adds
 * them, so levels have the same bits.
 */
final class RankCoarsening {
    private final Communicator communicator;
    private final RankTentative tentative;
    private final RowDirectory coarse;
    private final long coarseRows;
    private final double damping;
    /** The couplings that smooth prolongators, with the near null space of all local elements; or null for all. */
    private final LocalMatrix strong;
    private final double[] space;

    /**
     * Prepares a level. Collective.
     *
     * @param communicator the ranks
     * @param tentative    T
     * @param coarseRows   rows of the next level
     * @param damping      ω in units of {@code 1 / ρ(D⁻¹A)}; with 0 the prolongator is T
     * @param strong       what smooths T, with the whole diagonal; null for the level's own matrix
     * @param space        the first vector of the near null space where T is smoothed by strong couplings
     */
    RankCoarsening(Communicator communicator, RankTentative tentative, long coarseRows, double damping,
            LocalMatrix strong, double[] space) {
        this.communicator = communicator;
        this.tentative = tentative;
        this.coarseRows = coarseRows;
        this.damping = damping;
        this.strong = strong;
        this.space = strong == null ? null : strong.bring(Arrays.copyOf(space, strong.elements()));
        this.coarse = RowDirectory.of(communicator, coarseRows, tentative.owned());
    }

    /**
     * What a level hands to the next one.
     *
     * @param prolongation rows of P, in the order of the level's rows
     * @param restriction  rows of R, in the order of the next level's rows
     * @param matrix       the next level
     * @param space        its near null space
     * @param radius       ρ(D⁻¹A) of the level if it was needed, else not a number
     */
    record Made(RowBlock prolongation, RowBlock restriction, PartitionedMatrix matrix, RankSpace space,
            double radius) {}

    /** A prolongator, and the radius of the level's matrix if it was found on the way. */
    private record Smoothed(RowBlock rows, double radius) {}

    /**
     * Makes the next level. Collective.
     *
     * @param a         the level's matrix
     * @param rows      its rows on all ranks
     * @param symmetric whether it is symmetric
     * @param times     where the time goes
     */
    Made make(LocalMatrix a, long rows, boolean symmetric, PhaseTimes times) {
        long began = System.nanoTime();
        Smoothed smoothed = prolongator(a, rows, symmetric);
        RowBlock p = smoothed.rows();
        RowBlock others = a.halo().rows(p);
        ColumnNumbers columns = ColumnNumbers.of(p, others);
        RowDirectory.Locations where = coarse.find(columns.globals());
        RowBlock r = Transposition.of(communicator, p, columns.of(0), where, tentative.owned());
        began = times.prolongator(began);
        RowBlock product = product(a, p, new Operand(columns, p, others), columns);
        product = galerkin(product, r, sendToOwners(product, p, columns.of(0), where.owners()));
        if (symmetric) {
            RowBlock transposed = Rows.transpose(communicator, product, coarse, tentative.owned());
            product = Rows.combine(product, transposed, (left, right) -> 0.5 * left + 0.5 * right);
        }
        PartitionedMatrix next = PartitionedMatrix.ofRows(communicator, coarseRows, product);
        int[] order = order(next);
        double[][] vectors = new double[tentative.coarse().length][order.length];
        for (int v = 0; v < vectors.length; v++) {
            for (int row = 0; row < order.length; row++) {
                vectors[v][row] = tentative.coarse()[v][order[row]];
            }
        }
        RowBlock ordered = r.select(order);
        times.galerkin(began);
        return new Made(p, ordered, next, RankSpace.coarse(vectors), smoothed.radius());
    }

    /** Returns where the rows of the next level are among those that the tentative prolongator has. */
    private int[] order(PartitionedMatrix next) {
        IndexMap places = Rows.places(tentative.owned());
        int[] order = new int[next.ownedRows()];
        for (int row = 0; row < order.length; row++) {
            order[row] = places.get(next.rows().indices()[row]);
        }
        return order;
    }

    private Smoothed prolongator(LocalMatrix matrix, long rows, boolean symmetric) {
        RowBlock t = tentative.rows();
        if (damping == 0) {
            return new Smoothed(t, Double.NaN);
        }
        LocalMatrix a = strong == null ? matrix : filtered(matrix);
        double[] factors = inverseDiagonal(a);
        double radius = RankRadius.of(a, communicator, rows, factors, symmetric && strong == null);
        double known = strong == null ? radius : Double.NaN;
        if (radius == 0) {
            return new Smoothed(t, known);
        }
        double omega = damping / radius;
        boolean simple = true;
        for (int row = 0; row < factors.length; row++) {
            factors[row] *= omega;
            simple &= t.offsets()[row + 1] - t.offsets()[row] <= 1;
        }
        RowBlock others = a.halo().rows(t);
        boolean allSimple = communicator.sum(simple ? 0 : 1) == 0;
        return new Smoothed(allSimple ? simple(a, factors, others) : general(a, factors, others), known);
    }

    /** Returns the inverses of the diagonal, 0 for what has none. */
    static double[] inverseDiagonal(LocalMatrix a) {
        double[] inverse = Arrays.copyOf(a.diagonal(), a.owned());
        for (int row = 0; row < inverse.length; row++) {
            double element = 1 / inverse[row];
            inverse[row] = Double.isFinite(element) ? element : 0;
        }
        return inverse;
    }

    /** Smooths where a row of T has one entry at most: nothing is rounded on the way. */
    private RowBlock simple(LocalMatrix a, double[] factors, RowBlock others) {
        RowBlock t = tentative.rows();
        RowBlockBuilder builder = new RowBlockBuilder(t.precision(), t.rows());
        ColumnNumbers columns = ColumnNumbers.of(t, others);
        Operand operand = new Operand(columns, t, others);
        RowSums sums = new RowSums(columns);
        for (int row = 0; row < t.rows(); row++) {
            operand.add(sums, 1, row);
            double factor = -factors[row];
            for (int k = a.start(row); k < a.end(row); k++) {
                operand.add(sums, factor * a.values()[k], a.columns()[k]);
            }
            sums.endRow(builder, t.indices()[row]);
        }
        return builder.build();
    }

    /** Smooths as products of matrices do, which round A T and ω D⁻¹ A T. */
    private RowBlock general(LocalMatrix a, double[] factors, RowBlock others) {
        RowBlock t = tentative.rows();
        ColumnNumbers columns = ColumnNumbers.of(t, others);
        RowBlock product = product(a, t, new Operand(columns, t, others), columns);
        HostVector rounded = HostVector.of(factors).convert(t.precision());
        HostVector scaled = HostVector.zeros(t.precision(), product.nonZeros());
        for (int row = 0; row < t.rows(); row++) {
            for (int k = product.offsets()[row]; k < product.offsets()[row + 1]; k++) {
                scaled.set(k, rounded.get(row) * product.values().get(k));
            }
        }
        // T has no zeros, so 0 stands for no entry there; what is left is −0 where the product is 0, as on one rank.
        return Rows.combine(t, new RowBlock(product.indices(), product.offsets(), product.columns(), scaled),
                (left, right) -> left == 0 ? -right : left - right);
    }

    /** Multiplies a matrix by rows of another, of which some came from other ranks. */
    private static RowBlock product(LocalMatrix a, RowBlock own, Operand operand, ColumnNumbers columns) {
        RowBlockBuilder builder = new RowBlockBuilder(own.precision(), own.rows());
        RowSums sums = new RowSums(columns);
        for (int row = 0; row < own.rows(); row++) {
            for (int k = a.start(row); k < a.end(row); k++) {
                operand.add(sums, a.values()[k], a.columns()[k]);
            }
            sums.endRow(builder, own.indices()[row]);
        }
        return builder.build();
    }

    /**
     * Keeps the strong couplings of a matrix, and adds the others to the diagonal (P. Vaněk, J. Mandel, M. Brezina,
     * Computing 56, 1996, equation 4.3), as one rank does.
     */
    private LocalMatrix filtered(LocalMatrix a) {
        double[] values = new double[strong.columns().length];
        HostVector rounded = HostVector.zeros(a.rows().precision(), values.length);
        for (int row = 0; row < a.owned(); row++) {
            filter(a, row, values);
        }
        for (int k = 0; k < values.length; k++) {
            rounded.set(k, values[k]);
            values[k] = rounded.get(k);
        }
        RowBlock rows = new RowBlock(strong.rows().indices(), strong.rows().offsets(), strong.rows().columns(),
                rounded);
        return new LocalMatrix(rows, strong.columns(), values, a.halo(), a.globals());
    }

    private void filter(LocalMatrix a, int row, double[] values) {
        int next = strong.start(row);
        int diagonalAt = -1;
        double diagonal = 0;
        double sum = 0;
        double kept = 0;
        for (int k = a.start(row); k < a.end(row); k++) {
            int column = a.columns()[k];
            double value = a.values()[k];
            double product = value * space[column];
            sum += product;
            if (next < strong.end(row) && strong.columns()[next] == column) {
                if (column == row) {
                    diagonalAt = next;
                    diagonal = value;
                } else {
                    kept += product;
                }
                values[next++] = value;
            }
        }
        double here = space[row];
        if (diagonalAt >= 0 && kept != 0 && here != 0) {
            values[diagonalAt] = ((sum / here * diagonal > 0 ? sum : 0) - kept) / here;
        }
    }

    /** Multiplies R (A P); rows of A P are those of this rank and what came from others. */
    private RowBlock galerkin(RowBlock ap, RowBlock r, RowBlock others) {
        ColumnNumbers columns = ColumnNumbers.with(r.indices(), ap, others);
        Operand operand = new Operand(columns, ap, others);
        IndexMap places = Rows.places(ap.indices());
        for (long index : others.indices()) {
            places.add(index);
        }
        double[] factors = LocalMatrix.doubles(r);
        RowBlockBuilder builder = new RowBlockBuilder(ap.precision(), r.rows());
        RowSums sums = new RowSums(columns);
        for (int row = 0; row < r.rows(); row++) {
            for (int k = r.offsets()[row]; k < r.offsets()[row + 1]; k++) {
                operand.add(sums, factors[k], places.get(r.columns()[k]));
            }
            if (sums.isEmpty()) {
                // Its column of P is empty: the unknown is coupled to nothing and stays 0.
                sums.add(columns.number(r.indices()[row]), 1);
            }
            sums.endRow(builder, r.indices()[row]);
        }
        return builder.build();
    }

    /** Sends rows of A P to the other ranks whose rows of R need them; returns those that came. */
    private RowBlock sendToOwners(RowBlock ap, RowBlock p, int[] columns, int[] owners) {
        Packet[] packets = new Packet[communicator.size()];
        int[] sent = new int[packets.length];
        for (int row = 0; row < p.rows(); row++) {
            for (int k = p.offsets()[row]; k < p.offsets()[row + 1]; k++) {
                int owner = owners[columns[k]];
                if (owner != communicator.rank() && sent[owner] <= row) {
                    sent[owner] = row + 1;
                    ap.write(row, RowDirectory.packetFor(packets, owner));
                }
            }
        }
        RowBlockBuilder builder = new RowBlockBuilder(p.precision(), 0);
        for (byte[] message : communicator.exchange(RowDirectory.bytes(packets))) {
            builder.addAll(Packet.of(message));
        }
        return builder.build();
    }

    /** Refuses a matrix of another structure. Collective. */
    static void requireSame(PartitionedMatrix before, PartitionedMatrix matrix) {
        RowBlock was = before.rows();
        RowBlock is = matrix.rows();
        boolean same = before.globalRows() == matrix.globalRows() && before.precision() == matrix.precision()
                && Arrays.equals(was.indices(), is.indices()) && Arrays.equals(was.offsets(), is.offsets())
                && Arrays.equals(was.columns(), 0, was.nonZeros(), is.columns(), 0, is.nonZeros());
        double[] different = {same ? 0 : 1};
        before.communicator().allReduce(Reduction.MAX, different);
        if (different[0] > 0) {
            throw new IllegalArgumentException("refresh of multigrid over ranks of " + before + " with " + matrix
                    + ", expected the same rows with the same structure on each rank");
        }
    }
}
