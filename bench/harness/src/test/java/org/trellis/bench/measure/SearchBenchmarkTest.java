package org.trellis.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/** Contenders on the identity, of which each is closed before the next is prepared. */
class SearchBenchmarkTest {
    private static final CsrMatrix IDENTITY = CsrMatrix.identity(4, Precision.F64);

    private int open;
    private int mostOpen;

    private Outcome run(Contender... contenders) {
        return new SearchBenchmark(MeasureSettings.of(0.01), ProgressListener.NONE).run("identity", IDENTITY,
                List.of(contenders));
    }

    @Test
    void keepsOnlyOneContenderInMemory() {
        Outcome outcome = run(new Scaler("a", 1), new Scaler("b", 1), new Scaler("c", 1));
        assertEquals(List.of("a", "b", "c"), outcome.measurements().stream().map(Measurement::backend).toList());
        assertEquals(1, mostOpen);
        assertEquals(0, open);
        Measurement first = outcome.measurements().getFirst();
        assertEquals(3e-6, first.deviceStatistics().orElseThrow().median());
        assertTrue(first.samples().length >= 10);
    }

    @Test
    void leavesOutWhoIsWrongOrFailsAndClosesIt() {
        Outcome outcome = run(new Scaler("wrong", 2), new Scaler("fails", 0), new Scaler("good", 1));
        assertEquals(List.of("good"), outcome.measurements().stream().map(Measurement::backend).toList());
        assertTrue(outcome.failures().get(0).message().startsWith("wrong result: row 0"));
        assertEquals("no factor", outcome.failures().get(1).message());
        assertEquals(0, open);
    }

    /** Multiplies by a factor, which is right for 1; fails for 0. */
    private final class Scaler implements Contender {
        private final String name;
        private final double factor;

        Scaler(String name, double factor) {
            this.name = name;
            this.factor = factor;
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
            open++;
            mostOpen = Math.max(mostOpen, open);
            return new TimedProduct() {
                @Override
                public void run() {
                    if (factor == 0) {
                        throw new IllegalStateException("no factor");
                    }
                }

                @Override
                public double[] deviceSeconds(int repetitions) {
                    return HostVector.zeros(Precision.F64, repetitions).fill(3e-6).doubles();
                }

                @Override
                public HostVector result() {
                    return HostVector.of(Precision.F64, x.length(), i -> factor * x.get(i));
                }

                @Override
                public long preparedBytes() {
                    return 0;
                }

                @Override
                public void close() {
                    open--;
                }
            };
        }
    }
}
