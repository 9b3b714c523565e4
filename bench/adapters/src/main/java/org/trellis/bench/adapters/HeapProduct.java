package org.trellis.bench.adapters;

import java.util.function.Supplier;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.memory.HostVector;

/**
 * A product of a library on the Java heap.
 *
 * @param product computes it once
 * @param y       gives a copy of the result
 * @param bytes   memory of the library's matrix
 */
public record HeapProduct(Runnable product, Supplier<HostVector> y, long bytes) implements TimedProduct {
    @Override
    public void run() {
        product.run();
    }

    @Override
    public HostVector result() {
        return y.get();
    }

    @Override
    public long preparedBytes() {
        return bytes;
    }

    @Override
    public void close() {
        // The garbage collector frees what the product refers to.
    }
}
