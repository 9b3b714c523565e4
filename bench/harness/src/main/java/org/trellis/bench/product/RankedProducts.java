package org.trellis.bench.product;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.ranks.RankMatrices;
import org.trellis.common.Checks;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.InteriorRows;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Products on several ranks that rank 0 asks for one by one: the others {@link #follow} its orders, each a message to
 * all. Rank 0's methods are to be called on rank 0 only, from the thread of its communicator. As a listener it lets the
 * other ranks know now and then that rank 0 is at work.
 */
final class RankedProducts implements ProgressListener {
    private static final int LONGEST_SILENCE_SECONDS = 5;

    private final Communicator communicator;
    private final RankJob job;
    private final Backend backend;
    private final long interval;
    private final Thread owner = Thread.currentThread();
    private final List<Slot> slots = new ArrayList<>();
    private long lastOrder = System.nanoTime();

    /** What rank 0 may order. */
    private enum Order {
        WAIT, PREPARE, MULTIPLY, RESULT, DROP, END
    }

    /** A prepared product. */
    private record Slot(PartitionedMatrix matrix, HaloPlan plan, RingProduct product, RingVector x, RingVector y,
            long nonZeros) {}

    /**
     * Prepares a rank.
     *
     * @param communicator the ranks
     * @param job          says how rows are divided
     * @param backend      of this rank, where vectors are and whose products multiply interior rows
     */
    RankedProducts(Communicator communicator, RankJob job, Backend backend) {
        this.communicator = communicator;
        this.backend = backend;
        this.job = job;
        this.interval = Math.min(LONGEST_SILENCE_SECONDS * 1_000_000_000L, communicator.patience().toNanos() / 4);
    }

    private void order(Order what, int slot, int number) {
        lastOrder = System.nanoTime();
        byte[] name = what.name().getBytes(StandardCharsets.US_ASCII);
        communicator.broadcast(0, ByteBuffer.allocate(2 * Integer.BYTES + name.length).putInt(slot).putInt(number)
                .put(name).array());
    }

    @Override
    public void progress(String stage, long done, long total) {
        if (Thread.currentThread() == owner && System.nanoTime() - lastOrder > interval) {
            order(Order.WAIT, 0, 0);
        }
    }

    /** Prepares a product and returns its number. */
    int prepare(CsrMatrix whole, HostVector operand) {
        // A complaint of rank 0 alone must come before the others are informed.
        Checks.length("columns of a matrix to divide", whole.columns(), whole.rows());
        order(Order.PREPARE, slots.size(), 0);
        doPrepare(whole, operand);
        return slots.size() - 1;
    }

    void multiply(int slot, int times) {
        order(Order.MULTIPLY, slot, times);
        doMultiply(slots.get(slot), times);
    }

    HostVector result(int slot) {
        order(Order.RESULT, slot, 0);
        return slots.get(slot).y.gather(0);
    }

    void drop(int slot) {
        order(Order.DROP, slot, 0);
        doDrop(slot);
    }

    /** Lets the other ranks go. */
    void end() {
        order(Order.END, 0, 0);
    }

    /** Says how messages travel between devices, as far as there are any. */
    Optional<String> transport() {
        return slots.stream().filter(Objects::nonNull).flatMap(slot -> slot.plan.transport().stream()).findFirst();
    }

    /** Says how ranks multiply the rows that they own. */
    String mode() {
        return slots.stream().filter(Objects::nonNull).findFirst()
                .map(slot -> slot.plan.productMode().name().toLowerCase(Locale.ROOT)).orElse("");
    }

    /** Returns the memory of all ranks' rows. */
    long bytes(int slot) {
        Slot found = slots.get(slot);
        return found.nonZeros * (Integer.BYTES + found.matrix.precision().bytes())
                + (found.matrix.globalRows() + communicator.size()) * Integer.BYTES;
    }

    @SuppressWarnings("MustBeClosed") // closed with the plan
    private void doPrepare(CsrMatrix whole, HostVector operand) {
        PartitionedMatrix matrix = RankMatrices.divide(communicator, whole, job);
        HaloPlan plan = HaloPlan.of(matrix, 1, backend);
        RingVector x = plan.vector();
        x.setOwned(matrix.spread(0, operand));
        RingProduct product = new RingProduct(plan);
        if (plan.isOnDevice()) {
            SpmvOperator interior = backend.kernels(SparseKernels.class).prepare(InteriorRows.of(plan));
            plan.whenClosed(interior::close);
            product.interiorBy(interior);
        }
        slots.add(new Slot(matrix, plan, product, x, plan.vector(),
                communicator.sum(matrix.rows().nonZeros())));
    }

    private void doMultiply(Slot slot, int times) {
        for (int i = 0; i < times; i++) {
            // As if x had been written: each product has its exchange.
            slot.x.changed();
            slot.product.multiply(slot.x, slot.y);
        }
        slot.plan.synchronize();
        communicator.barrier();
    }

    private void doDrop(int slot) {
        slots.get(slot).plan.close();
        slots.set(slot, null);
    }

    /** Does what rank 0 orders until it has no more orders; on the other ranks. */
    void follow() {
        while (true) {
            ByteBuffer message = ByteBuffer.wrap(communicator.broadcast(0, null));
            int slot = message.getInt();
            int number = message.getInt();
            switch (Order.valueOf(StandardCharsets.US_ASCII.decode(message).toString())) {
                case WAIT -> {
                    // Rank 0 is at work.
                }
                case PREPARE -> doPrepare(null, null);
                case MULTIPLY -> doMultiply(slots.get(slot), number);
                case RESULT -> slots.get(slot).y.gather(0);
                case DROP -> doDrop(slot);
                case END -> {
                    return;
                }
            }
        }
    }
}
