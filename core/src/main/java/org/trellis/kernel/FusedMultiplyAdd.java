package org.trellis.kernel;

/** Finds out once whether {@code Math.fma} is an instruction. The JDK does not say, but the other way is far slower. */
final class FusedMultiplyAdd {
    /** Whether it is. */
    static final boolean AVAILABLE = probe();

    private static final int ROUNDS = 50;
    private static final int CALLS = 200;
    /** An instruction takes about as long as a square root; arithmetic with decimals of any length over 20 times. */
    private static final long MUCH = 6;

    private FusedMultiplyAdd() {}

    /** Disturbances only lengthen times, so one round in which it is fast decides. */
    private static boolean probe() {
        double value = 1.0 / 3.0;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                value = Math.sqrt(value);
            }
            long between = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                value = Math.fma(value, 0.7, 0.1);
            }
            long end = System.nanoTime();
            if (end - between < MUCH * Math.max(1, between - start)) {
                return value > 0;
            }
        }
        return value < 0;
    }
}
