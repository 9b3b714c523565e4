package org.trellis.cuda.runtime;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.cuda.driver.CudaDriver;
import org.trellis.cuda.driver.DeviceAttribute;

/**
 * Facts about a device.
 *
 * @param number                the driver's number, from 0
 * @param name                  for example {@code NVIDIA H200}
 * @param memoryBytes           the size of its memory
 * @param capabilityMajor       first number of the compute capability
 * @param capabilityMinor       second number of the compute capability
 * @param multiprocessors       streaming multiprocessors
 * @param l2Bytes               bytes of the level-2 cache
 * @param multiprocessorThreads the most threads resident on a multiprocessor
 */
public record CudaDevice(int number, String name, long memoryBytes, int capabilityMajor, int capabilityMinor,
        int multiprocessors, int l2Bytes, int multiprocessorThreads) {
    /**
     * Asks the driver.
     *
     * @param driver the driver
     * @param number the device's number
     * @return the facts
     * @throws org.trellis.common.DeviceException if there is no such device
     */
    public static CudaDevice of(CudaDriver driver, int number) {
        return new CudaDevice(number, driver.deviceName(number), driver.deviceMemory(number),
                driver.deviceAttribute(number, DeviceAttribute.CAPABILITY_MAJOR),
                driver.deviceAttribute(number, DeviceAttribute.CAPABILITY_MINOR),
                driver.deviceAttribute(number, DeviceAttribute.MULTIPROCESSORS),
                driver.deviceAttribute(number, DeviceAttribute.L2_BYTES),
                driver.deviceAttribute(number, DeviceAttribute.MULTIPROCESSOR_THREADS));
    }

    /**
     * Lists all devices.
     *
     * @param driver the driver
     * @return the devices by number
     */
    public static List<CudaDevice> all(CudaDriver driver) {
        int count = driver.deviceCount();
        List<CudaDevice> devices = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            devices.add(of(driver, number));
        }
        return devices;
    }

    /**
     * Returns the architecture that kernels are compiled for.
     *
     * @return for example {@code sm_90}
     */
    public String architecture() {
        return "sm_" + capabilityMajor + capabilityMinor;
    }

    /**
     * Returns the facts for reports.
     *
     * @return names and values in a fixed order
     */
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("device", Integer.toString(number));
        properties.put("memoryBytes", Long.toString(memoryBytes));
        properties.put("computeCapability", capabilityMajor + "." + capabilityMinor);
        properties.put("multiprocessors", Integer.toString(multiprocessors));
        properties.put("l2Bytes", Integer.toString(l2Bytes));
        return properties;
    }
}
