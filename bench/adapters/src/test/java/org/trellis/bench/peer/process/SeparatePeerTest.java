package org.trellis.bench.peer.process;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.bench.measure.MeasureSettings;
import org.trellis.bench.measure.Outcome;
import org.trellis.bench.measure.ProductBenchmark;
import org.trellis.bench.measure.Reading;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.PeerContender;
import org.trellis.bench.peer.PeerVariant;
import org.trellis.bench.peer.Peers;
import org.trellis.common.Precision;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.MatrixNorms;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Peers in processes of their own compute what they compute in this one, and their ends are reported. */
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
    void multipliesMatricesAsHere() {
        SplittableRandom random = TestSeed.random("separate matrices");
        Peer peer = Peers.named("ejml");
        CsrMatrix left = AwkwardMatrices.random(90, 70, row -> row % 7, Precision.F64, random);
        CsrMatrix right = AwkwardMatrices.random(70, 110, row -> row % 5, Precision.F64, random);
        try (SeparatePeer separate = new SeparatePeer(peer);
                TimedMatrixProduct here = peer.prepareMatrixProduct(List.of(left, right), 1);
                TimedMatrixProduct there = separate.prepareMatrixProduct(List.of(left, right), 1)) {
            here.run();
            double seconds = there.seconds();
            assertTrue(seconds > 0 && seconds < 10, () -> "a product took " + seconds + " s");
            CsrMatrix expected = here.result();
            assertEquals(0, MatrixNorms.max(expected.combine(1, there.result(), -1)), "seed " + TestSeed.value());
            assertEquals(expected.nonZeros(), there.result().nonZeros());
            assertEquals(here.lingerMilliseconds(), there.lingerMilliseconds());
        }
    }

    @Test
    void readsFilesAsHere(@TempDir Path folder) throws IOException {
        CsrMatrix matrix =
                AwkwardMatrices.random(300, 200, row -> row % 9, Precision.F64, TestSeed.random("separate file"));
        Path file = folder.resolve("matrix.mtx");
        MatrixFiles.write(file, matrix, WriteOptions.DEFAULT);
        Path none = folder.resolve("none.mtx");
        Path broken = Files.writeString(folder.resolve("broken.mtx"), "%%MatrixMarket matrix\nno numbers\n");
        for (String name : List.of("ejml", "smile")) {
            Peer peer = Peers.named(name);
            try (SeparatePeer separate = new SeparatePeer(peer)) {
                Reading reading = separate.timeReading(file);
                assertEquals(peer.read(file), reading.entries(), name);
                assertTrue(reading.seconds() > 0 && reading.seconds() < 10, () -> "it took " + reading.seconds());
                assertThrows(IOException.class, () -> separate.read(none), name);
                assertThrows(IOException.class, () -> separate.read(broken), name);
                assertEquals(reading.entries(), separate.read(file), name);
            }
        }
    }

    @Test
    void onlyPeersInJavaAreSetApart() {
        List<Peer> peers = List.of(Peers.named("ejml"), Peers.named("mkl"));
        List<Peer> apart = SeparatePeer.apart(peers);
        assertEquals(List.of("ejml"), SeparatePeer.names(apart));
        assertSame(peers.getLast(), apart.getLast());
        SeparatePeer.closeAll(apart);
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
