package org.trellis.distributed.communicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class BoundProcessorsTest {
    @Test
    void listsOfProcessorsAreCounted() {
        assertEquals(1, BoundProcessors.count(List.of("Name:\tjava", "Cpus_allowed:\t2", "Cpus_allowed_list:\t1")));
        assertEquals(6, BoundProcessors.count(List.of("Cpus_allowed_list:\t0-3,8,10")));
        assertEquals(0, BoundProcessors.count(List.of("Name:\tjava")));
        assertEquals(0, BoundProcessors.count(List.of("Cpus_allowed_list:\tall")));
    }

    @Test
    void aBoundProcessTakesItsLaunchersProcessors() {
        assertEquals(8, BoundProcessors.combined(1, 1, 8));
        assertEquals(2, BoundProcessors.combined(2, 2, 2));
        // A quota, not a binding, and what is not known.
        assertEquals(1, BoundProcessors.combined(1, 2, 8));
        assertEquals(1, BoundProcessors.combined(1, 0, 8));
        assertEquals(1, BoundProcessors.combined(1, 1, 0));
        assertTrue(BoundProcessors.ofJob() >= 1);
    }
}
