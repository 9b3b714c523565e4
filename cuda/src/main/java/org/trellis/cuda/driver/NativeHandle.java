package org.trellis.cuda.driver;

/** Something that the driver gave out: a context, a stream, an event, a module or a function. */
public interface NativeHandle {
    /**
     * Returns the value of the handle.
     *
     * @return the address that the driver knows it by
     */
    long address();
}
