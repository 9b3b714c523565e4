package org.trellis.distributed.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.LongToDoubleFunction;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.ReverseExchange;
import org.trellis.distributed.halo.RingVector;
import org.trellis.memory.HostVector;

/** Sums at the owners of what all ranks have for elements of their rings. */
final class RingSums {
    private RingSums() {}

    /** Adds up numbers that differ from rank to rank, twice. */
    static RingVector of(HaloPlan plan, int rings, LongToDoubleFunction element) {
        double factor = 1 + plan.communicator().rank() / 3.0;
        RingVector vector = plan.vector();
        vector.elements().copyFrom(HostVector.of(plan.precision(), vector.elements().length(),
                i -> element.applyAsDouble(plan.globalIndex(i)) * factor));
        ReverseExchange reverse = new ReverseExchange(plan, rings);
        reverse.add(vector);
        reverse.add(vector);
        assertEquals(2, reverse.count());
        assertEquals(0, vector.validRings());
        return vector;
    }
}
