package org.trellis.cuda.driver;

/** Facts about a device that Trellis asks the driver for, with the driver's numbers for them. */
public enum DeviceAttribute {
    /** The most threads in a block. */
    MAXIMUM_BLOCK_THREADS(1),
    /** The most bytes of static shared memory in a block. */
    SHARED_MEMORY_PER_BLOCK(8),
    /** Threads in a warp. */
    WARP_SIZE(10),
    /** Streaming multiprocessors. */
    MULTIPROCESSORS(16),
    /** The number of its PCI bus. */
    PCI_BUS(33),
    /** Its number on the PCI bus. */
    PCI_DEVICE(34),
    /** The number of its PCI domain. */
    PCI_DOMAIN(50),
    /** Bytes of the level-2 cache. */
    L2_BYTES(38),
    /** The most threads resident on a multiprocessor. */
    MULTIPROCESSOR_THREADS(39),
    /** The first number of the compute capability. */
    CAPABILITY_MAJOR(75),
    /** The second number of the compute capability. */
    CAPABILITY_MINOR(76),
    /** The most bytes of shared memory in a block that asks for it. */
    SHARED_MEMORY_PER_BLOCK_OPTIN(97),
    /** 32-bit registers of a multiprocessor. */
    MULTIPROCESSOR_REGISTERS(82);

    private final int code;

    DeviceAttribute(int code) {
        this.code = code;
    }

    /**
     * Returns the driver's number.
     *
     * @return a value of {@code CUdevice_attribute}
     */
    public int code() {
        return code;
    }
}
