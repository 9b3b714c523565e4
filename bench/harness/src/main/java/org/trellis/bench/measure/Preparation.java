package org.trellis.bench.measure;

import java.util.function.Supplier;

/**
 * A prepared product and how long that took.
 *
 * @param product the product; its owner closes it
 * @param seconds the shortest of some attempts
 */
public record Preparation(TimedProduct product, double seconds) {
    private static final double PREPARATION_SECONDS = 0.5;
    private static final int PREPARATIONS = 3;

    /**
     * Prepares a product. The first preparation also loads and compiles code, so a short one is repeated, unless the
     * product knows how long its own preparation took.
     *
     * @param prepares makes a product
     * @return the last one that was made; the others are closed
     */
    public static Preparation of(Supplier<TimedProduct> prepares) {
        double shortest = Double.POSITIVE_INFINITY;
        double spent = 0;
        for (int attempt = 1;; attempt++) {
            long start = System.nanoTime();
            TimedProduct product = prepares.get();
            double seconds = (System.nanoTime() - start) * 1e-9;
            if (product.preparationSeconds().isPresent()) {
                return new Preparation(product, product.preparationSeconds().getAsDouble());
            }
            shortest = Math.min(shortest, seconds);
            spent += seconds;
            if (attempt == PREPARATIONS || spent > PREPARATION_SECONDS) {
                return new Preparation(product, shortest);
            }
            product.close();
        }
    }
}
