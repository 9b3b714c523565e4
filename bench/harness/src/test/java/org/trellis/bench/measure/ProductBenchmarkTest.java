package org.trellis.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/** Contenders that are right, wrong, late, or fail, on the identity of three rows. */
class ProductBenchmarkTest {
    private static final CsrMatrix IDENTITY = CsrMatrix.identity(3, Precision.F64);

    private static Outcome run(Contender... contenders) {
        MeasureSettings settings = new MeasureSettings(0.01, 3, 1e-5, MeasureSettings.Caches.WARM, 7, 1 << 20);
        return new ProductBenchmark(settings, ProgressListener.NONE).run("identity", IDENTITY, List.of(contenders));
    }

    @Test
    void measuresWhoIsRight() {
        Outcome outcome = run(new Copier("good", call -> true), new Copier("also", call -> true));
        assertEquals(List.of(), outcome.failures());
        assertEquals(List.of("good", "also"), outcome.measurements().stream().map(Measurement::backend).toList());
        Measurement first = outcome.measurements().getFirst();
        assertTrue(first.samples().length >= 3);
        assertTrue(first.batch() > 1);
        assertEquals(6 / first.statistics().median() * 1e-9, first.gflops());
        assertEquals(0, first.verdict().backwardError());
    }

    @Test
    void doesNotTimeAWrongResult() {
        Outcome outcome = run(new Copier("wrong", call -> false), new Copier("good", call -> true));
        assertEquals(List.of("good"), outcome.measurements().stream().map(Measurement::backend).toList());
        assertEquals("check", outcome.failures().getFirst().stage());
        assertTrue(outcome.failures().getFirst().message().startsWith("wrong result: row 0"));
    }

    @Test
    void findsAResultThatBecomesWrongLater() {
        Outcome outcome = run(new Copier("rots", call -> call < 5));
        assertEquals(List.of(), outcome.measurements());
        assertEquals("measure", outcome.failures().getFirst().stage());
    }

    @Test
    void goesOnWithoutAContenderThatFails() {
        Outcome outcome = run(new Copier("bad", call -> {
            throw new IllegalStateException("no " + call);
        }), new Copier("good", call -> true));
        assertEquals(1, outcome.measurements().size());
        assertEquals("no 1", outcome.failures().getFirst().message());
    }

    /** A product that takes its way after many calls is timed when it has, one that never does all the same. */
    @Test
    void warmsUpUntilAWayIsTaken() {
        AtomicInteger calls = new AtomicInteger();
        MeasureSettings settings = MeasureSettings.of(0.04);
        Outcome outcome = new ProductBenchmark(settings, ProgressListener.NONE).run("identity", IDENTITY,
                List.of(new Looking("looking", calls, 600), new Looking("never", new AtomicInteger(), 1 << 30)));
        assertEquals(List.of("looking", "never"),
                outcome.measurements().stream().map(Measurement::backend).toList());
        Measurement settled = outcome.measurements().getFirst();
        double median =
                Arrays.stream(settled.samples()).sorted().skip(settled.samples().length / 2).findFirst().orElseThrow();
        assertTrue(median < 0.8 * Looking.SLOW, "median " + median + " s");
        assertTrue(calls.get() > 600, calls + " products");
    }

    /** Takes {@value #SLOW} seconds and later, when it has settled, no time. */
    private static final class Looking extends Copier {
        static final double SLOW = 2e-4;
        private final AtomicInteger calls;
        private final int until;

        Looking(String name, AtomicInteger calls, int until) {
            super(name, call -> true);
            this.calls = calls;
            this.until = until;
        }

        @Override
        public TimedProduct prepare(CsrMatrix matrix, HostVector x) {
            TimedProduct copying = super.prepare(matrix, x);
            return new TimedProduct() {
                @Override
                public void run() {
                    if (calls.incrementAndGet() <= until) {
                        LockSupport.parkNanos((long) (1e9 * SLOW));
                    }
                    copying.run();
                }

                @Override
                public boolean isSettled() {
                    return calls.get() > until;
                }

                @Override
                public HostVector result() {
                    return copying.result();
                }

                @Override
                public long preparedBytes() {
                    return copying.preparedBytes();
                }

                @Override
                public void close() {
                    copying.close();
                }
            };
        }
    }

    @Test
    void measuresInGroupsWhereMemoryIsShort() {
        MeasureSettings tiny = new MeasureSettings(0.01, 3, 0, MeasureSettings.Caches.FLUSHED, 7, 1);
        Outcome outcome = new ProductBenchmark(tiny, ProgressListener.NONE).run("identity", IDENTITY,
                List.of(new Copier("a", call -> true), new Copier("b", call -> true), new Copier("c", call -> true)));
        assertEquals(List.of("a", "b", "c"), outcome.measurements().stream().map(Measurement::backend).toList());
    }

    @Test
    void refusesValuesThatSinglePrecisionDoesNotHave() {
        CsrMatrix large = IDENTITY.mapValues((row, column, value) -> 1e300);
        MeasureSettings settings = MeasureSettings.of(0.01);
        Contender single = new Copier("single", call -> true) {
            @Override
            public Precision precision() {
                return Precision.F32;
            }
        };
        Outcome outcome = new ProductBenchmark(settings, ProgressListener.NONE).run("large", large, List.of(single));
        assertTrue(outcome.failures().getFirst().message().contains("magnitude 1.0E300"));
    }

    /** Copies x, which is right for the identity, in the calls that a test chooses. */
    private static class Copier implements Contender {
        private final String name;
        private final IntPredicate right;

        Copier(String name, IntPredicate right) {
            this.name = name;
            this.right = right;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Map<String, Object> parameters() {
            return Map.of();
        }

        @Override
        public Precision precision() {
            return Precision.F64;
        }

        @Override
        public int threads() {
            return 1;
        }

        @Override
        public TimedProduct prepare(CsrMatrix matrix, HostVector x) {
            return new TimedProduct() {
                private int calls;
                private HostVector y = x.copy();

                @Override
                public void run() {
                    calls++;
                    y = right.test(calls) ? x : HostVector.zeros(x.precision(), x.length());
                }

                @Override
                public HostVector result() {
                    return y.copy();
                }

                @Override
                public long preparedBytes() {
                    return 0;
                }

                @Override
                public void close() {
                    y = null;
                }
            };
        }
    }
}
