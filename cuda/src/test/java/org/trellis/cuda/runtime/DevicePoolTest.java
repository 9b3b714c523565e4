package org.trellis.cuda.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.trellis.common.DeviceException;

/** The pool on a driver in plain Java. */
class DevicePoolTest {
    private static final long MIB = 1 << 20;

    private static FakeDriver driver(long capacity) {
        FakeDriver driver = new FakeDriver().withCapacity(capacity);
        driver.setCurrentContext(driver.retainPrimaryContext(0));
        return driver;
    }

    @Test
    void classesWasteLittle() {
        assertEquals(256, DevicePool.classOf(0));
        assertEquals(256, DevicePool.classOf(256));
        assertEquals(512, DevicePool.classOf(257));
        assertEquals(64 * MIB, DevicePool.classOf(64 * MIB));
        assertEquals(66 * MIB, DevicePool.classOf(64 * MIB + 1));
        long previous = 0;
        for (long bytes = 1; bytes < 1L << 34; bytes = bytes * 5 / 4 + 1) {
            long size = DevicePool.classOf(bytes);
            assertTrue(size >= bytes && size <= bytes + Math.max(256, bytes / 7) && size >= previous,
                    bytes + ": " + size);
            assertEquals(size, DevicePool.classOf(size), "the class of a class");
            previous = size;
        }
    }

    @Test
    void handsFreedBlocksOutAgain() {
        FakeDriver driver = driver(Long.MAX_VALUE);
        DevicePool pool = new DevicePool(driver, "here", 10 * MIB);
        long first = pool.allocate(1000);
        pool.free(first, 1000);
        assertEquals(first, pool.allocate(1001));
        assertEquals(new PoolStatistics(1024, 0, 1024, 1, 1), pool.statistics());
        pool.free(first, 1001);
        pool.trim();
        assertEquals(0, driver.blocks());
        assertEquals(0, pool.statistics().cachedBytes());
    }

    @Test
    void keepsNoMoreThanItMay() {
        FakeDriver driver = driver(Long.MAX_VALUE);
        DevicePool pool = new DevicePool(driver, "here", MIB);
        pool.free(pool.allocate(2 * MIB), 2 * MIB);
        assertEquals(0, driver.blocks());
        pool.free(pool.allocate(MIB), MIB);
        assertEquals(1, driver.blocks());
    }

    @Test
    void givesBackWhatItKeepsBeforeItFails() {
        FakeDriver driver = driver(4 * MIB);
        DevicePool pool = new DevicePool(driver, "here", 8 * MIB);
        long small = pool.allocate(MIB);
        pool.free(pool.allocate(2 * MIB), 2 * MIB);
        long large = pool.allocate(3 * MIB);
        DeviceException e = assertThrows(DeviceException.class, () -> pool.allocate(5 * MIB));
        assertEquals(FakeDriver.OUT_OF_MEMORY, e.code());
        assertEquals("allocating 5242880 bytes on here, where 4194304 are in use by this context and 0 are free: "
                + "cuMemAlloc failed with code 2: CUDA_ERROR_OUT_OF_MEMORY", e.getMessage());
        pool.free(small, MIB);
        pool.free(large, 3 * MIB);
        pool.trim();
        assertEquals(0, driver.blocks());
    }
}
