package org.trellis.cuda.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.algebra.AlgebraLaunch.Step;
import org.trellis.cuda.algebra.CudaMatrix;
import org.trellis.cuda.algebra.RowScan;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.solve.multigrid.AggregationKernels;

/**
 * Aggregates around a maximal independent set of distance 2 on a device (N. Bell, S. Dalton, L. Olson, SIAM J. Sci.
 * Comput. 34(4), 2012, section 3.2) in two phases (B. Kelley, S. Rajamanickam, IPDPS 2022, algorithm 3): the aggregate
 * of each node, and the nodes of each aggregate in their order.
 */
final class CudaGroups implements AggregationKernels.Groups {
    private static final int UNDECIDED = 1;
    private static final int FREE = -2;
    private static final int NONE = -1;
    /** The filter of {@code algebra.cu} that keeps couplings of free nodes. */
    private static final int BOTH_FREE = 4;
    /** Nodes are listed once fewer than one in so many are undecided. */
    private static final int FEW = 8;
    private static final int WARP = 32;
    /** Up to so many neighbours on average a few threads look at those of a listed node, beyond it a warp. */
    private static final int SHORT = 16;
    private static final int FEW_LANES = 8;

    private final CudaAggregationKernels kernels;
    private final int nodes;
    private final List<CudaBuffer> owned = new ArrayList<>();
    private CudaBuffer of;
    private CudaBuffer members;
    private CudaBuffer offsets;
    private int count;
    private int alone;

    private CudaGroups(CudaAggregationKernels kernels, int nodes) {
        this.kernels = kernels;
        this.nodes = nodes;
    }

    /** Aggregates the nodes of a graph whose pattern is symmetric; those alone may join others of further couplings. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned, or closed here
    static CudaGroups of(CudaAggregationKernels kernels, CudaMatrix graph, CudaMatrix oneSided) {
        CudaGroups groups = new CudaGroups(kernels, graph.rows());
        try (Pair pair = new Pair(kernels, graph.rows())) {
            groups.independentSet(graph, pair);
            groups.number(graph, pair);
            groups.join(graph, pair, FREE);
            groups.beginAmongFree(graph, pair);
            groups.join(graph, pair, FREE);
            if (oneSided != null) {
                groups.join(oneSided, pair, NONE);
            }
            groups.of = groups.own(pair.takeFirst());
            groups.collect();
            return groups;
        } catch (RuntimeException | Error e) {
            groups.close();
            throw e;
        }
    }

    /** Two arrays of integers that change places. */
    private static final class Pair implements AutoCloseable {
        private CudaBuffer first;
        private CudaBuffer second;

        @SuppressWarnings("MustBeClosed") // closed with this
        Pair(CudaAggregationKernels kernels, int nodes) {
            first = kernels.context().buffer((long) nodes * Integer.BYTES);
            second = kernels.context().buffer((long) nodes * Integer.BYTES);
        }

        void turn() {
            CudaBuffer old = first;
            first = second;
            second = old;
        }

        CudaBuffer takeFirst() {
            CudaBuffer taken = first;
            first = null;
            return taken;
        }

        @Override
        public void close() {
            if (first != null) {
                first.close();
            }
            second.close();
        }
    }

    private CudaBuffer own(CudaBuffer buffer) {
        owned.add(buffer);
        return buffer;
    }

    private Step step(String function) {
        return kernels.algebra().launches().aggregation(function, Precision.F64).set(Count.ROWS, nodes);
    }

    /** Leaves the states of the nodes in the first array. */
    private void independentSet(CudaMatrix graph, Pair states) {
        step("fillIntegers").set(Pointer.LIST, states.first).set(Count.SIZE, UNDECIDED).run(nodes);
        try (CudaBuffer keys = kernels.context().buffer((long) nodes * Long.BYTES);
                CudaBuffer left = kernels.context().zeros(Integer.BYTES)) {
            int undecided = nodes;
            while (undecided > nodes / FEW) {
                kernels.step("spreadOnce", graph).set(Pointer.LIST, states.first).set(Pointer.KEYS, keys).run(nodes);
                left.clear();
                kernels.step("decide", graph).set(Pointer.LIST, states.first).set(Pointer.MORE, states.second)
                        .set(Pointer.KEYS, keys).set(Pointer.COUNTS, left).run(nodes);
                states.turn();
                undecided = number(left);
            }
            if (undecided > 0) {
                decideListed(graph, states.first, undecided, left);
            }
        }
    }

    /** Goes on with a list of the undecided nodes, where a pass over all nodes would mostly be in vain. */
    @SuppressWarnings("MustBeClosed") // closed here
    private void decideListed(CudaMatrix graph, CudaBuffer states, int count, CudaBuffer left) {
        long bytes = (long) count * Integer.BYTES;
        try (Pair lists = new Pair(kernels, count); CudaBuffer next = kernels.context().buffer(bytes)) {
            left.clear();
            step("listUndecided").set(Pointer.LIST, states).set(Pointer.COLUMNS, lists.first)
                    .set(Pointer.COUNTS, left).run(nodes);
            int lanes = graph.nonZeros() <= (long) SHORT * nodes ? FEW_LANES : WARP;
            int undecided = count;
            while (undecided > 0) {
                kernels.step("decideListed", graph).set(Count.FIRST, lanes).set(Pointer.LIST, states)
                        .set(Pointer.LENGTHS, lists.first)
                        .set(Pointer.MORE, next).set(Count.SIZE, undecided).run((long) undecided * lanes);
                left.clear();
                step("settleListed").set(Pointer.LIST, states).set(Pointer.LENGTHS, lists.first)
                        .set(Pointer.MORE, next).set(Pointer.COLUMNS, lists.second).set(Pointer.COUNTS, left)
                        .set(Count.SIZE, undecided).run(undecided);
                lists.turn();
                undecided = number(left);
            }
        }
    }

    private static int number(CudaBuffer buffer) {
        int[] value = new int[1];
        buffer.copyTo(MemorySegment.ofArray(value));
        return value[0];
    }

    /** Numbers the aggregates in the order of the nodes that begin them. */
    @SuppressWarnings("MustBeClosed") // closed here
    private void number(CudaMatrix graph, Pair states) {
        try (CudaBuffer begins = kernels.context().buffer((long) nodes * Integer.BYTES)) {
            kernels.step("beginners", graph).set(Pointer.LIST, states.first).set(Pointer.LENGTHS, begins).run(nodes);
            RowScan numbers = RowScan.of(kernels.algebra().launches(), begins, nodes);
            try (CudaBuffer places = numbers.offsets()) {
                count = numbers.total();
                kernels.step("firstMembers", graph).set(Pointer.LIST, states.first).set(Pointer.OFFSETS, places)
                        .set(Pointer.MORE, states.second).run(nodes);
                states.turn();
            }
        }
    }

    /** Begins aggregates among the free nodes, around a second independent set, with their free neighbours. */
    @SuppressWarnings("MustBeClosed") // closed here
    private void beginAmongFree(CudaMatrix graph, Pair aggregates) {
        try (CudaMatrix left = kernels.algebra().filter(graph, BOTH_FREE,
                step -> step.set(Pointer.LIST, aggregates.first));
                Pair states = new Pair(kernels, nodes);
                CudaBuffer begins = kernels.context().buffer((long) nodes * Integer.BYTES)) {
            independentSet(left, states);
            kernels.step("laterBeginners", left).set(Pointer.LIST, states.first).set(Pointer.MORE, aggregates.first)
                    .set(Pointer.LENGTHS, begins).run(nodes);
            RowScan numbers = RowScan.of(kernels.algebra().launches(), begins, nodes);
            try (CudaBuffer places = numbers.offsets()) {
                step("laterMembers").set(Pointer.LIST, aggregates.first).set(Pointer.LENGTHS, begins)
                        .set(Pointer.OFFSETS, places).set(Pointer.MORE, aggregates.second).set(Count.SIZE, count)
                        .run(nodes);
            }
            count += numbers.total();
            aggregates.turn();
            join(left, aggregates, FREE);
        }
    }

    private void join(CudaMatrix couplings, Pair aggregates, int who) {
        kernels.step("join", couplings).set(Pointer.LIST, aggregates.first).set(Pointer.MORE, aggregates.second)
                .set(Count.SIZE, who).run(nodes);
        aggregates.turn();
    }

    /** Sorts the nodes by aggregate. */
    @SuppressWarnings("MustBeClosed") // closed with this
    private void collect() {
        try (CudaBuffer lengths = kernels.context().zeros((long) count * Integer.BYTES);
                CudaBuffer none = kernels.context().zeros(Integer.BYTES);
                CudaBuffer cursors = kernels.context().buffer((long) count * Integer.BYTES)) {
            step("countMembers").set(Pointer.LIST, of).set(Pointer.LENGTHS, lengths).set(Pointer.COUNTS, none)
                    .run(nodes);
            RowScan scan = RowScan.of(kernels.algebra().launches(), lengths, count);
            offsets = own(scan.offsets());
            alone = number(none);
            members = own(kernels.context().buffer((long) scan.total() * Integer.BYTES));
            kernels.context().copyOnDevice(cursors.address(), offsets.address(), (long) count * Integer.BYTES);
            step("scatterMembers").set(Pointer.LIST, of).set(Pointer.MORE, cursors).set(Pointer.COLUMNS, members)
                    .run(nodes);
            kernels.algebra().sortRows(count, Precision.F64,
                    step -> step.set(Pointer.OFFSETS, offsets).set(Pointer.COLUMNS, members));
        }
    }

    int nodes() {
        return nodes;
    }

    /** Returns the aggregate of each node. */
    CudaBuffer ofNodes() {
        return of;
    }

    CudaBuffer members() {
        return members;
    }

    CudaBuffer offsets() {
        return offsets;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public int alone() {
        return alone;
    }

    @Override
    public int[] toHost() {
        int[] aggregates = new int[nodes];
        of.copyTo(MemorySegment.ofArray(aggregates));
        return aggregates;
    }

    @Override
    public void close() {
        owned.forEach(CudaBuffer::close);
    }
}
