package org.trellis.cuda.driver;

/** Something that the driver gave out: a context, a stream, an event, a module, a function, a graph. */
public interface NativeHandle {
    /**
     * Returns the value of the handle.
     *
     * @return the address that the driver knows it by
     */
    long address();
}
