package org.trellis.bench.peer.process;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.bench.measure.MeasureSettings;
import org.trellis.bench.measure.Outcome;
import org.trellis.bench.measure.ProductBenchmark;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.PeerContender;
import org.trellis.bench.peer.PeerVariant;
import org.trellis.bench.peer.Peers;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Peers in processes of their own compute what they compute in this one, and their ends are told. */
class SeparatePeerTest {
    private static final long LONG_ENOUGH = 10_000;

    @ParameterizedTest
    @ValueSource(strings = {"ejml", "ojalgo", "smile"})
    void computesWhatItComputesHere(String name) {
        SplittableRandom random = TestSeed.random("separate" + name);
        Peer peer = Peers.named(name);
        assertTrue(peer.runsInJava());
        try (SeparatePeer separate = new SeparatePeer(peer)) {
            for (Precision precision : Precision.values()) {
                for (CsrMatrix matrix : List.of(
                        AwkwardMatrices.random(1, 1, row -> 1, precision, random),
                        AwkwardMatrices.random(300, 170, row -> row % 9, precision, random))) {
                    HostVector x = HostVector.of(precision, matrix.columns(), i -> random.nextDouble(-1, 1));
                    for (PeerVariant variant : peer.variants(precision, 2)) {
                        String context = variant + ", " + matrix + ", seed " + TestSeed.value();
                        try (TimedProduct here = peer.prepare(variant, matrix, x);
                                TimedProduct there = separate.prepare(variant, matrix, x)) {
                            here.run();
                            there.run();
                            assertArrayEquals(here.result().toDoubleArray(), there.result().toDoubleArray(), context);
                            assertEquals(here.preparedBytes(), there.preparedBytes(), context);
                        }
                    }
                }
            }
        }
    }

    @Test
    void isTimedWhereItRuns() {
        CsrMatrix matrix = AwkwardMatrices.random(2000, 2000, row -> 9, Precision.F64, TestSeed.random("timed"));
        try (SeparatePeer separate = new SeparatePeer(Peers.named("ejml"))) {
            PeerContender contender =
                    new PeerContender(separate, separate.variants(Precision.F64, 1).getFirst(), Precision.F64);
            MeasureSettings settings = MeasureSettings.of(0.03).with(MeasureSettings.Caches.FLUSHED, 7);
            Outcome outcome = new ProductBenchmark(settings, (what, done, total) -> {}).run("random", matrix,
                    List.of(contender));
            assertEquals(List.of(), outcome.failures());
            double median = outcome.measurements().getFirst().statistics().median();
            assertTrue(median > 1e-7 && median < 1, () -> "a product took " + median + " s");
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // what cannot be prepared needs no closing
    void whatFailsThereIsTold() {
        CsrMatrix matrix = CsrMatrix.identity(3, Precision.F64);
        HostVector x = HostVector.of(new double[]{1, 2, 3});
        try (SeparatePeer separate = new SeparatePeer(Peers.named("ejml"))) {
            PeerVariant unknown = new PeerVariant("sideways", 1);
            String message = assertThrows(RuntimeException.class, () -> separate.prepare(unknown, matrix, x))
                    .getMessage();
            assertTrue(message.contains("sideways"), message);
            PeerVariant rows = new PeerVariant("rows", 1);
            try (TimedProduct product = separate.prepare(rows, matrix, x)) {
                product.run();
                assertArrayEquals(new double[]{1, 2, 3}, product.result().toDoubleArray());
            }
        }
    }

    @Test
    @SuppressWarnings("try") // the process is ended behind the product's back
    void aProcessThatDiesIsTold() throws Exception {
        CsrMatrix matrix = CsrMatrix.identity(3, Precision.F64);
        HostVector x = HostVector.of(new double[]{1, 2, 3});
        PeerVariant rows = new PeerVariant("rows", 1);
        try (SeparatePeer separate = new SeparatePeer(Peers.named("ejml"))) {
            ProcessHandle first;
            try (TimedProduct product = separate.prepare(rows, matrix, x)) {
                first = separate.process().handle();
                assertTrue(first.destroyForcibly());
                String message = assertThrows(IllegalStateException.class, () -> {
                    for (int i = 0; i < LONG_ENOUGH; i++) {
                        product.run();
                    }
                }).getMessage();
                assertTrue(message.contains("the process of peer ejml has ended with 137"), message);
            }
            try (TimedProduct product = separate.prepare(rows, matrix, x)) {
                product.run();
            }
            ProcessHandle second = separate.process().handle();
            separate.close();
            second.onExit().get();
            assertFalse(first.isAlive());
            assertFalse(second.isAlive());
        }
    }
}
