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
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.solve.multigrid.AggregationKernels;

/**
 * Aggregates around a maximal independent set of distance 2 on a device (N. Bell, S. Dalton, L. Olson, SIAM J. Sci.
 * Comput. 34(4), 2012, section 3.2) in two phases (B. Kelley, S. Rajamanickam, IPDPS 2022, algorithm 3): the aggregate
 * of each node, and the nodes of each aggregate in their order.
 */
final class CudaGroups implements AggregationKernels.Groups {
    private static final int FREE = -2;
    private static final int NONE = -1;
    private static final int WARP = 32;
    /**
     * Up to so many neighbours on average one thread looks at those of a node, and a few at those of a listed one and
     * at theirs; beyond it a few and a warp.
     */
    private static final int SHORT = 16;
    private static final int FEW_LANES = 8;
    /** Up to so many nodes of many neighbours a warp looks at them, since there are threads enough. */
    private static final int FEW_NODES = 1 << 14;
    /** Beyond so many nodes one thread looks at the neighbours of each: there are more than threads anyway. */
    private static final int MANY_NODES = 1 << 20;
    /** Nodes are listed once fewer than one in so many are undecided, and later where they have many neighbours. */
    private static final int FEW = 8;
    private static final int VERY_FEW = 1 << 10;
    /** The counters of an independent set. */
    private static final int COUNTERS = 4;

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
        try (Work work = new Work(kernels, graph.rows())) {
            groups.begin(graph, work);
            groups.join(graph, work, FREE, null);
            groups.beginAmongFree(graph, work);
            groups.join(graph, work, FREE, null);
            if (oneSided != null) {
                groups.join(oneSided, work, NONE, null);
            }
            groups.of = groups.own(work.takeAggregates());
            groups.collect(work);
            return groups;
        } catch (RuntimeException | Error e) {
            groups.close();
            throw e;
        }
    }

    /** Memory that is needed meanwhile: aggregates of nodes before and after a step, and numbers of nodes. */
    private static final class Work implements AutoCloseable {
        /** Nodes in no aggregate, then aggregates. */
        private static final int TOTALS = 2;

        private final CudaAggregationKernels kernels;
        private final int nodes;
        private final List<CudaBuffer> owned = new ArrayList<>();
        private final CudaBuffer states;
        private final CudaBuffer begins;
        private final CudaBuffer totals;
        private CudaBuffer aggregates;
        private CudaBuffer next;
        /** Where on the device the number of aggregates of the first phase is. */
        private long begun;

        @SuppressWarnings("MustBeClosed") // closed with this
        Work(CudaAggregationKernels kernels, int nodes) {
            this.kernels = kernels;
            this.nodes = nodes;
            this.states = ints(nodes);
            this.begins = ints(nodes);
            this.aggregates = ints(nodes);
            this.next = ints(nodes);
            this.totals = own(kernels.context().zeros((long) TOTALS * Integer.BYTES));
        }

        @SuppressWarnings("MustBeClosed") // closed with this
        private CudaBuffer ints(int count) {
            return own(kernels.context().buffer((long) count * Integer.BYTES));
        }

        CudaBuffer own(CudaBuffer buffer) {
            owned.add(buffer);
            return buffer;
        }

        /** Lets what a step has stored be the aggregates; those of before are overwritten by the next one. */
        void turn() {
            CudaBuffer old = aggregates;
            aggregates = next;
            next = old;
        }

        /** Numbers what begins are marked in, in order. */
        CudaBuffer numbers() {
            return own(RowScan.send(kernels.algebra().launches(), begins, nodes).offsets());
        }

        CudaBuffer takeAggregates() {
            owned.remove(aggregates);
            return aggregates;
        }

        @Override
        public void close() {
            owned.forEach(CudaBuffer::close);
        }
    }

    private CudaBuffer own(CudaBuffer buffer) {
        owned.add(buffer);
        return buffer;
    }

    private Step step(String function) {
        return kernels.algebra().launches().aggregation(function, Precision.F64).set(Count.ROWS, nodes);
    }

    /** Leaves the states of nodes, of all or of those that are free. */
    private void independentSet(CudaMatrix graph, Work work, CudaBuffer free) {
        boolean isShort = graph.nonZeros() <= (long) SHORT * nodes;
        try (CudaBuffer keys = kernels.context().buffer((long) nodes * Long.BYTES);
                CudaBuffer lists = kernels.context().buffer(2L * nodes * Integer.BYTES);
                CudaBuffer counters = kernels.context().zeros((long) COUNTERS * Integer.BYTES)) {
            kernels.step("independentSet", graph).set(Pointer.LIST, work.states).set(Pointer.KEYS, keys)
                    .set(Pointer.LENGTHS, lists)
                    .set(Pointer.COLUMNS, lists.address() + (long) nodes * Integer.BYTES)
                    .set(Pointer.COUNTS, counters).set(Pointer.MORE, free == null ? 0 : free.address())
                    .set(Count.FIRST, isShort ? FEW_LANES : WARP)
                    .set(Count.LAST, isShort || nodes > MANY_NODES ? 1 : nodes > FEW_NODES ? FEW_LANES : WARP)
                    .set(Count.SIZE, isShort ? FEW : VERY_FEW)
                    .runTogether((long) nodes * (isShort ? FEW_LANES : WARP));
        }
    }

    /** Begins aggregates around an independent set, numbered in the order of the nodes that begin them. */
    private void begin(CudaMatrix graph, Work work) {
        independentSet(graph, work, null);
        kernels.step("beginners", graph).set(Pointer.LIST, work.states).set(Pointer.LENGTHS, work.begins).run(nodes);
        CudaBuffer numbers = work.numbers();
        kernels.step("firstMembers", graph).set(Pointer.LIST, work.states).set(Pointer.OFFSETS, numbers)
                .set(Pointer.MORE, work.next).run(nodes);
        work.turn();
        work.begun = numbers.address() + (long) nodes * Integer.BYTES;
    }

    /** Begins aggregates among the free nodes, around a second independent set, with their free neighbours. */
    private void beginAmongFree(CudaMatrix graph, Work work) {
        CudaBuffer before = work.aggregates;
        independentSet(graph, work, before);
        kernels.step("laterBeginners", graph).set(Pointer.LIST, work.states).set(Pointer.MORE, before)
                .set(Pointer.LENGTHS, work.begins).run(nodes);
        CudaBuffer numbers = work.numbers();
        CudaBuffer after = work.ints(nodes);
        step("laterMembers").set(Pointer.LIST, before).set(Pointer.LENGTHS, work.begins)
                .set(Pointer.OFFSETS, numbers).set(Pointer.MORE, after).set(Pointer.COUNTS, work.begun)
                .set(Pointer.COLUMNS, work.totals.address() + Integer.BYTES).run(nodes);
        work.aggregates = after;
        join(graph, work, FREE, before);
    }

    /** Lets free nodes, or those alone, join neighbours; only those that were free before, if that is given. */
    private void join(CudaMatrix couplings, Work work, int who, CudaBuffer before) {
        kernels.step("join", couplings).set(Pointer.LIST, work.aggregates).set(Pointer.MORE, work.next)
                .set(Pointer.LENGTHS, before == null ? 0 : before.address()).set(Count.SIZE, who).run(nodes);
        work.turn();
    }

    /** Sorts the nodes by aggregate, once it is known how many there are. */
    @SuppressWarnings("MustBeClosed") // closed with this
    private void collect(Work work) {
        CudaContext context = kernels.context();
        CudaBuffer lengths = work.begins;
        lengths.clear();
        step("countMembers").set(Pointer.LIST, of).set(Pointer.LENGTHS, lengths).set(Pointer.COUNTS, work.totals)
                .run(nodes);
        int[] totals = kernels.algebra().launches().fetch(work.totals, Work.TOTALS);
        alone = totals[0];
        count = totals[1];
        offsets = own(RowScan.send(kernels.algebra().launches(), lengths, count).offsets());
        members = own(context.buffer((long) (nodes - alone) * Integer.BYTES));
        context.copyOnDevice(lengths.address(), offsets.address(), (long) count * Integer.BYTES);
        step("scatterMembers").set(Pointer.LIST, of).set(Pointer.MORE, lengths).set(Pointer.COLUMNS, members)
                .run(nodes);
        kernels.algebra().sortRows(count, Precision.F64,
                step -> step.set(Pointer.OFFSETS, offsets).set(Pointer.COLUMNS, members));
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
