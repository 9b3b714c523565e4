package org.trellis.bench.prediction;

import java.util.List;
import org.trellis.common.Precision;

/**
 * Predicts what steps take on as many ranks as there are parts. All begin at the same time; a rank packs its messages,
 * computes its interior rows, waits for what others have sent, takes it out, and computes the rest: its boundary, then
 * k − 1 further steps with ever fewer rings. So from one exchange to the next it takes
 *
 * <pre>{@code max(P + I, arrival) + U + (k W − I) + R(k)}</pre>
 *
 * seconds, where P and U are the times to pack and unpack, I and W those of interior and owned rows, and R(k) that of
 * redundant ones. Each of the k steps also takes {@link KernelTimes#step} to begin; and where kernels do not hide
 * messages, what is waited for is all of their journey. A message arrives when its sender has packed all, and it has
 * travelled; between nodes not before all that leave its node or come to the other could have passed. The slowest rank
 * counts for all. Left out is what real networks have beyond: routes that messages share, and noise.
 */
public final class RankModel {
    private static final int REDUCTIONS_OF_CG = 2;

    private final PartHalos halos;
    private final Network network;
    private final KernelTimes times;
    private final int bytesOfElement;
    private final double reduction;

    /**
     * Prepares predictions.
     *
     * @param halos     the halos of the parts
     * @param network   what is between them
     * @param times     what computations take at the size of these parts
     * @param precision the type of vectors
     */
    public RankModel(PartHalos halos, Network network, KernelTimes times, Precision precision) {
        this(halos, network, times, precision, ReductionTimes.of(network, halos.parts().size()));
    }

    /**
     * Prepares predictions where all-reduces were measured.
     *
     * @param halos      the halos of the parts
     * @param network    what is between them
     * @param times      what computations take at the size of these parts
     * @param precision  the type of vectors
     * @param reductions what all-reduces take
     */
    public RankModel(PartHalos halos, Network network, KernelTimes times, Precision precision,
            ReductionTimes reductions) {
        this.reduction = reductions.blocking();
        this.halos = halos;
        this.network = network;
        this.times = times;
        this.bytesOfElement = precision.bytes();
    }

    /**
     * Predicts a product among several in a row.
     *
     * @param rings the number of rings, 1 to those of the halos
     * @return the times of one product
     * @throws IllegalArgumentException if there are not as many rings
     */
    public StepTimes product(int rings) {
        return step(rings, times.product());
    }

    /**
     * Predicts a sweep of Jacobi's method among several in a row, the right-hand side known on the rings.
     *
     * @param rings the number of rings, 1 to those of the halos
     * @return the times of one sweep
     * @throws IllegalArgumentException if there are not as many rings
     */
    public StepTimes sweep(int rings) {
        return step(rings, times.sweep());
    }

    /**
     * Predicts an iteration of conjugate gradients with Jacobi's preconditioner: a product with one ring, two
     * all-reduces, and what it does to vectors. More rings do not help it.
     *
     * @return the times of one iteration
     */
    public StepTimes iteration() {
        return product(1).with(REDUCTIONS_OF_CG * reduction, times.iteration());
    }

    private StepTimes step(int rings, double nonZero) {
        if (rings < 1 || rings > halos.rings()) {
            throw new IllegalArgumentException("number of rings is " + rings + ", expected 1 to " + halos.rings()
                    + ", which were analysed");
        }
        List<PartHalos.Part> parts = halos.parts();
        Traffic traffic = new Traffic(rings);
        StepTimes slowest = null;
        double sum = 0;
        for (int rank = 0; rank < parts.size(); rank++) {
            StepTimes step = stepOf(rank, rings, nonZero, traffic);
            sum += step.seconds();
            if (slowest == null || step.seconds() > slowest.seconds()) {
                slowest = step;
            }
        }
        double balance = slowest.seconds() == 0 ? 1 : sum / parts.size() / slowest.seconds();
        return new StepTimes(rings, slowest.seconds(), slowest.interior(), slowest.boundary(), slowest.redundant(),
                slowest.packing(), slowest.waiting(), 0, 0, balance, slowest.messages(), slowest.bytes());
    }

    private StepTimes stepOf(int rank, int rings, double nonZero, Traffic traffic) {
        PartHalos.Part part = halos.parts().get(rank);
        double owned = part.ownedNonZeros() * nonZero;
        double interior = times.step() + part.interiorNonZeros() * nonZero;
        double redundant = 0;
        for (int r = 1; r < rings; r++) {
            redundant += (rings - r) * part.ringNonZeros()[r - 1] * nonZero;
        }
        double hidden = times.hides() ? interior : 0;
        double waiting = Math.max(0, traffic.arrival(rank) - traffic.packed[rank] - hidden);
        double packing = traffic.packed[rank] + traffic.unpacking(rank);
        double boundary = rings * (times.step() + owned) - interior;
        double all = interior + boundary + redundant + packing + waiting;
        return new StepTimes(rings, all / rings, interior / rings, boundary / rings, redundant / rings,
                packing / rings, waiting / rings, 0, 0, 1, (double) part.sources().length / rings,
                (double) traffic.receivedElements(rank) * bytesOfElement / rings);
    }

    /**
     * Returns the part that stands for all: of the parts with the most entries, the first.
     *
     * @param halos the halos
     * @return its number
     */
    public static int largest(PartHalos halos) {
        int largest = 0;
        for (int part = 1; part < halos.parts().size(); part++) {
            if (halos.parts().get(part).ownedNonZeros() > halos.parts().get(largest).ownedNonZeros()) {
                largest = part;
            }
        }
        return largest;
    }

    /** The messages of one exchange. */
    private final class Traffic {
        private final int rings;
        /** When each rank has packed its messages. */
        private final double[] packed;
        /** Bytes that leave each node for others, and that come. */
        private final double[] leaving;
        private final double[] coming;

        Traffic(int rings) {
            this.rings = rings;
            int ranks = halos.parts().size();
            this.packed = new double[ranks];
            this.leaving = new double[Math.ceilDiv(ranks, network.ranksOfNode())];
            this.coming = new double[leaving.length];
            for (int to = 0; to < ranks; to++) {
                PartHalos.Part part = halos.parts().get(to);
                for (int s = 0; s < part.sources().length; s++) {
                    int from = part.sources()[s];
                    long elements = part.received(s, rings);
                    packed[from] += network.overhead() + elements * times.element();
                    if (!network.sameNode(from, to)) {
                        leaving[from / network.ranksOfNode()] += (double) elements * bytesOfElement;
                        coming[to / network.ranksOfNode()] += (double) elements * bytesOfElement;
                    }
                }
            }
        }

        /** When the last message for a rank is there. */
        double arrival(int to) {
            PartHalos.Part part = halos.parts().get(to);
            double last = 0;
            for (int s = 0; s < part.sources().length; s++) {
                int from = part.sources()[s];
                double travel = network.travel(from, to, (double) part.received(s, rings) * bytesOfElement);
                if (!network.sameNode(from, to)) {
                    double crowd = Math.max(leaving[from / network.ranksOfNode()], coming[to / network.ranksOfNode()]);
                    travel = Math.max(travel, network.latency() + crowd / network.injection());
                }
                last = Math.max(last, packed[from] + travel);
            }
            return last;
        }

        long receivedElements(int rank) {
            PartHalos.Part part = halos.parts().get(rank);
            long sum = 0;
            for (int s = 0; s < part.sources().length; s++) {
                sum += part.received(s, rings);
            }
            return sum;
        }

        double unpacking(int rank) {
            return halos.parts().get(rank).sources().length * network.overhead()
                    + receivedElements(rank) * times.element();
        }
    }
}
