package org.trellis.common;

/**
 * A call to a device's driver failed: out of memory, a launch that cannot run, a fault in a kernel.
 */
public final class DeviceException extends TrellisException {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int code;
    private final String text;

    /**
     * Creates an exception.
     *
     * @param call the driver's function that failed
     * @param code the code it returned
     * @param text the driver's own words for the code
     */
    public DeviceException(String call, int code, String text) {
        super(call + " failed with code " + code + ": " + text);
        this.call = call;
        this.code = code;
        this.text = text;
    }

    /**
     * Creates an exception that says what was being done.
     *
     * @param doing what was being done, with the values concerned
     * @param cause the failed call
     */
    public DeviceException(String doing, DeviceException cause) {
        super(doing + ": " + cause.getMessage(), cause);
        this.call = cause.call;
        this.code = cause.code;
        this.text = cause.text;
    }

    /**
     * Returns the driver's function that failed.
     *
     * @return its name, for example {@code cuMemAlloc}
     */
    public String call() {
        return call;
    }

    /**
     * Returns what the function returned.
     *
     * @return the driver's code, for CUDA a {@code CUresult}
     */
    public int code() {
        return code;
    }

    /**
     * Returns the driver's own words for the code.
     *
     * @return name and description of the code
     */
    public String text() {
        return text;
    }
}
