package org.trellis.bench.prediction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.common.Precision;
import org.trellis.mesh.partition.Partition;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

/** Networks and predictions by hand, and kernel times that make sense. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RankModelTest {
    private static final double TINY = 1e-12;
    /** Entries take 1 s in products and 2 s in sweeps, elements of messages 1/10 s, an iteration 7 s beside. */
    private static final KernelTimes TIMES = KernelTimes.ofProcessor(4, 10, 1, 2, 7, 0.1);

    private static CsrMatrix line(int n) {
        CsrBuilder builder = new CsrBuilder(n, Precision.F64, 3L * n);
        for (int row = 0; row < n; row++) {
            if (row > 0) {
                builder.add(row - 1, -1);
            }
            builder.add(row, 2);
            if (row < n - 1) {
                builder.add(row + 1, -1);
            }
            builder.endRow();
        }
        return builder.build();
    }

    private static PartHalos halos(int n, int parts, int rings) {
        int[] partOf = new int[n];
        Arrays.setAll(partOf, i -> i * parts / n);
        return PartHalos.of(line(n), new Partition(partOf, parts), rings);
    }

    @Test
    void networksAreRead() {
        assertEquals(new Network(2e-6, 25e9, 25e9, Network.DEFAULT_OVERHEAD, 1, 2e-6, 25e9),
                Network.parse("latency=2us,bandwidth=25GB/s"));
        assertEquals(new Network(1e-4, 1e9, Double.POSITIVE_INFINITY, 0, 8, 5e-7, 1e9),
                Network.parse("bandwidth=1e9B/s,latency=100us,overhead=0s,injection=none,node=8:latency=500ns"));
        assertEquals(new Network(1e-3, 1.5e6, 3e3, Network.DEFAULT_OVERHEAD, 2, 1e-3, 1.5e6),
                Network.parse("latency=1ms,bandwidth=1.5MB/s,injection=3kB/s,node=2"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "bandwidth=1GB/s | has no latency",
        "latency=1us | has no bandwidth",
        "latency=1,bandwidth=1GB/s | latency is '1', expected a number with ns, us, ms or s",
        "latency=1us,bandwidth=1 | bandwidth is '1', expected a number with B/s",
        "latency=1us,latency=2us,bandwidth=1GB/s | latency is said twice",
        "latency=1us,speed=1GB/s | 'speed=1GB/s' in a network, expected one of latency=, bandwidth=",
        "latency=1us,bandwidth=0GB/s | bandwidth is 0.0 bytes a second, expected more than 0",
        "latency=1us,bandwidth=1GB/s,node=4:injection=1GB/s | 'injection=1GB/s' in a network"
    })
    void wrongNetworksAreRefused(String text, String message) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Network.parse(text));
        assertTrue(e.getMessage().contains(message), e::getMessage);
    }

    @Test
    void messagesTravelWithinNodesAndBetween() {
        Network network = new Network(10, 2, 5, 1, 4, 3, 8);
        assertTrue(network.sameNode(4, 7));
        assertFalse(network.sameNode(3, 4));
        assertEquals(10 + 8 / 2.0, network.travel(3, 4, 8), TINY);
        assertEquals(3 + 8 / 8.0, network.travel(4, 7, 8), TINY);
        // Two stages within nodes of four, three between five nodes.
        assertEquals(2 * (3 + 2) + 3 * (10 + 2), network.allReduce(20), TINY);
        assertEquals(0, network.allReduce(1), TINY);
        assertEquals(2, Network.flat(1, 1, 0).allReduce(3), TINY);
    }

    /** A line of eight in two parts of four rows: eleven entries each, eight in interior rows, three in a ring. */
    @Test
    void stepsByHand() {
        RankModel slow = new RankModel(halos(8, 2, 2), Network.flat(20, 8, 0.5), TIMES, Precision.F64);
        StepTimes one = slow.product(1);
        // Packed at 0.6, there at 21.6, of which 8 are the interior's; taken out 0.6, and 3 of the boundary.
        assertEquals(21.6 + 0.6 + 3, one.seconds(), TINY);
        assertEquals(8, one.interior(), TINY);
        assertEquals(13, one.waiting(), TINY);
        assertEquals(1.2, one.packing(), TINY);
        assertEquals(1, one.messages(), TINY);
        assertEquals(8, one.bytes(), TINY);
        assertEquals(1, one.balance(), TINY);
        // Two elements: packed at 0.7, there at 22.7, taken out 0.7, 3 + 11 of owned rows, and one row of the ring.
        assertEquals((22.7 + 0.7 + 14 + 3) / 2, slow.product(2).seconds(), TINY);
        assertEquals(1.5, slow.product(2).redundant(), TINY);
        // Sweeps take twice as long: 16 of the interior are hidden, 28 are left of two steps, and 6 of the ring.
        assertEquals((22.7 + 0.7 + 28 + 6) / 2, slow.sweep(2).seconds(), TINY);
        // Two all-reduces of one stage each, and vectors.
        assertEquals(one.seconds() + 2 * 21 + 7, slow.iteration().seconds(), TINY);
        assertThrows(IllegalArgumentException.class, () -> slow.product(3));
    }

    /** The same line on devices, which take 5 s to begin a step and compute nothing while messages travel. */
    @Test
    void stepsOfDevicesByHand() {
        KernelTimes device = new KernelTimes(4, 10, 5, 1, 2, 7, 0, false);
        RankModel model = new RankModel(halos(8, 2, 2), Network.flat(20, 8, 0), device, Precision.F64);
        StepTimes one = model.product(1);
        assertEquals(5 + 11 + 21, one.seconds(), TINY);
        assertEquals(21, one.waiting(), TINY);
        assertEquals(13, one.interior(), TINY);
        assertEquals(3, one.boundary(), TINY);
        // Two steps to begin, two of eleven entries, three of the ring, one exchange of two elements.
        assertEquals((2 * 5 + 22 + 3 + 22) / 2.0, model.product(2).seconds(), TINY);
        assertEquals(2 * 5, device.shared(2).step(), TINY);
        assertFalse(device.shared(2).hides());
    }

    /** Where the interior takes longer than messages, nothing is waited for; one rank has no messages. */
    @Test
    void shortMessagesHide() {
        StepTimes hidden = new RankModel(halos(8, 2, 1), Network.flat(1, 8, 0), TIMES, Precision.F64).product(1);
        assertEquals(0, hidden.waiting(), TINY);
        assertEquals(11 + 0.2, hidden.seconds(), TINY);
        StepTimes alone = new RankModel(halos(8, 1, 1), Network.flat(1, 8, 1), TIMES, Precision.F64).iteration();
        assertEquals(22 + 7, alone.seconds(), TINY);
        assertEquals(0, alone.reduction(), TINY);
    }

    /** Four parts on two nodes whose links let little pass: what crosses waits for all that leaves the node. */
    @Test
    void nodesShareTheirLink() {
        PartHalos halos = halos(16, 4, 1);
        double free = new RankModel(halos, new Network(1, 8, Double.POSITIVE_INFINITY, 0, 2, 0, 1e9), TIMES,
                Precision.F64).product(1).waiting();
        assertEquals(0, free, TINY);
        StepTimes crowded = new RankModel(halos, new Network(1, 8, 0.5, 0, 2, 0, 1e9), TIMES, Precision.F64)
                .product(1);
        // Eight bytes at half a byte a second, and a second; packing 0.2 and the interior of two rows before.
        assertEquals(1 + 16 + 0.2 - 0.2 - 6, crowded.waiting(), TINY);
        assertTrue(crowded.balance() < 1);
    }

    @Test
    void kernelTimesAreMeasured() {
        KernelTimes times = KernelClock.measure(line(3000), 1);
        assertEquals(3000, times.rows());
        assertEquals(8998, times.nonZeros());
        for (double seconds : new double[]{times.product(), times.sweep(), times.element()}) {
            assertTrue(seconds > 1e-11 && seconds < 1e-6, times::toString);
        }
        // A difference of two times, which other work on the machine can leave nothing of.
        assertTrue(times.iteration() >= 0 && times.iteration() < 1e-2, times::toString);
        assertEquals(2 * times.sweep(), times.shared(2).sweep(), TINY);
        assertEquals(KernelTimes.ofProcessor(2, 0, 0, 0, 0, 0),
                KernelClock.measure(CsrMatrix.of(2, 2, new int[3], new int[0], new double[0]), 2));
    }
}
