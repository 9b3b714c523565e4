package org.trellis.bench.product;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.LinkedHashMap;
import java.util.Map;
import org.trellis.bench.measure.Contender;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.bench.ranks.RankJob;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * The product on several ranks as a contender of rank 0, which informs the others what to do. A sample is as many
 * products as make it long enough, for which they are instructed once, and ends when all ranks have ended.
 */
final class RankedContender implements Contender {
    private final RankedProducts products;
    private final Communicator communicator;
    private final RankJob job;
    private final Precision precision;

    RankedContender(RankedProducts products, Communicator communicator, RankJob job, Precision precision) {
        this.products = products;
        this.communicator = communicator;
        this.job = job;
        this.precision = precision;
    }

    @Override
    public String name() {
        return "ranks";
    }

    @Override
    public Map<String, Object> parameters() {
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("ranks", communicator.size());
        parameters.put("transport", job.describe(communicator, products.transport()));
        parameters.put("partitioner", job.partitioner());
        parameters.put("rings", 1);
        parameters.put("product", products.mode());
        return parameters;
    }

    @Override
    public Precision precision() {
        return precision;
    }

    @Override
    public int threads() {
        return communicator.size();
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public TimedProduct prepare(CsrMatrix matrix, HostVector x) {
        return new Product(products.prepare(matrix, x));
    }

    /** A product that the ranks have prepared. */
    private final class Product implements TimedProduct {
        private final int slot;

        Product(int slot) {
            this.slot = slot;
        }

        @Override
        public void run() {
            products.multiply(slot, 1);
        }

        /** Sends the other ranks once how often. */
        @Override
        public double seconds(int times) {
            long start = System.nanoTime();
            products.multiply(slot, times);
            return (System.nanoTime() - start) * 1e-9;
        }

        @Override
        public HostVector result() {
            return products.result(slot);
        }

        /** A sum over ranks, rings left out. */
        @Override
        public long preparedBytes() {
            return products.bytes(slot);
        }

        @Override
        public void close() {
            products.drop(slot);
        }
    }
}
