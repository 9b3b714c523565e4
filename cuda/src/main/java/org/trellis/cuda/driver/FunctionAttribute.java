package org.trellis.cuda.driver;

/** Facts about a compiled kernel, with the driver's numbers for them. */
public enum FunctionAttribute {
    /** The most threads in a block with which it can be launched. */
    MAXIMUM_BLOCK_THREADS(0),
    /** Bytes of static shared memory of a block. */
    SHARED_BYTES(1),
    /** Bytes of local memory of a thread: what was spilled, and arrays indexed at run time. */
    LOCAL_BYTES(3),
    /** Registers of a thread. */
    REGISTERS(4);

    private final int code;

    FunctionAttribute(int code) {
        this.code = code;
    }

    /**
     * Returns the driver's number.
     *
     * @return a value of {@code CUfunction_attribute}
     */
    public int code() {
        return code;
    }
}
