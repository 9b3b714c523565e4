package org.trellis.cuda.runtime;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.trellis.cuda.driver.LaunchShape;

/**
 * Launches of one kernel with arguments that stay where they are between launches: setting one is a store, and a launch
 * is one native call that allocates nothing, two if an argument has changed. A kernel that is launched often is
 * prepared as a graph of one node after its tenth launch, which costs 6 to 60 µs once and halves what later launches
 * take the host. The arguments must have the types of the kernel's parameters; nothing checks that.
 */
public final class KernelLaunch extends CudaChild {
    /** The most arguments. */
    public static final int MAXIMUM_ARGUMENTS = 32;

    private final CudaKernel kernel;
    private final int count;
    private final MemorySegment block;
    private final MemorySegment values;
    private final RepeatedLaunch repeated;
    private LaunchShape shape;
    private int missing;
    private KernelLaunch before;
    private long sharedSlot;
    private long beforeSlot;

    KernelLaunch(CudaKernel kernel, LaunchShape shape, int count) {
        super(kernel.context(), "launch of " + kernel);
        if (count < 0 || count > MAXIMUM_ARGUMENTS) {
            throw new IllegalArgumentException(
                    kernel + " with " + count + " arguments, expected 0 to " + MAXIMUM_ARGUMENTS);
        }
        this.kernel = kernel;
        this.shape = shape;
        this.count = count;
        this.missing = count == MAXIMUM_ARGUMENTS ? -1 : (1 << count) - 1;
        this.block = kernel.context().parameterBlocks().take();
        this.values = block.asSlice(0, (long) count * Long.BYTES);
        this.repeated = new RepeatedLaunch(kernel, values, ParameterBlocks.pointers(block));
        kernel.context().adopt(this);
    }

    private long slot(int index) {
        requireOpen();
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException(
                    "argument " + index + " of " + kernel + ", expected 0 to " + (count - 1));
        }
        missing &= ~(1 << index);
        return (long) index * Long.BYTES;
    }

    /**
     * Sets a pointer argument.
     *
     * @param index  the argument's number, from 0
     * @param buffer what it points to; must stay open while launches may run
     * @return this launch
     */
    public KernelLaunch set(int index, CudaBuffer buffer) {
        return setAddress(index, buffer.address());
    }

    /**
     * Sets a pointer argument.
     *
     * @param index  the argument's number, from 0
     * @param vector what it points to; must stay open while launches may run
     * @return this launch
     */
    public KernelLaunch set(int index, CudaVector vector) {
        return setAddress(index, vector.address());
    }

    /**
     * Sets a pointer argument.
     *
     * @param index   the argument's number, from 0
     * @param address a device address, or 0 for none
     * @return this launch
     * @throws IndexOutOfBoundsException if the kernel has no such argument
     */
    public KernelLaunch setAddress(int index, long address) {
        block.set(ValueLayout.JAVA_LONG, slot(index), address);
        return this;
    }

    /**
     * Sets an argument of type {@code int}.
     *
     * @param index the argument's number, from 0
     * @param value its value
     * @return this launch
     * @throws IndexOutOfBoundsException if the kernel has no such argument
     */
    public KernelLaunch setInt(int index, int value) {
        block.set(ValueLayout.JAVA_INT, slot(index), value);
        return this;
    }

    /**
     * Sets an argument of type {@code long long}.
     *
     * @param index the argument's number, from 0
     * @param value its value
     * @return this launch
     * @throws IndexOutOfBoundsException if the kernel has no such argument
     */
    public KernelLaunch setLong(int index, long value) {
        block.set(ValueLayout.JAVA_LONG, slot(index), value);
        return this;
    }

    /**
     * Sets an argument of type {@code float}.
     *
     * @param index the argument's number, from 0
     * @param value its value
     * @return this launch
     * @throws IndexOutOfBoundsException if the kernel has no such argument
     */
    public KernelLaunch setFloat(int index, float value) {
        block.set(ValueLayout.JAVA_FLOAT, slot(index), value);
        return this;
    }

    /**
     * Sets an argument of type {@code double}.
     *
     * @param index the argument's number, from 0
     * @param value its value
     * @return this launch
     * @throws IndexOutOfBoundsException if the kernel has no such argument
     */
    public KernelLaunch setDouble(int index, double value) {
        block.set(ValueLayout.JAVA_DOUBLE, slot(index), value);
        return this;
    }

    /**
     * Changes how many threads later launches start.
     *
     * @param newShape grid and block
     * @return this launch
     */
    public KernelLaunch shape(LaunchShape newShape) {
        this.shape = newShape;
        return this;
    }

    /**
     * Has another kernel run just before this one, each time, with one of this one's arguments.
     *
     * @param first         the launch of the other kernel, which is closed with this one
     * @param argument      this kernel's argument
     * @param firstArgument the other kernel's argument that has its value
     * @return this launch
     */
    public KernelLaunch after(KernelLaunch first, int argument, int firstArgument) {
        before = first;
        sharedSlot = (long) argument * Long.BYTES;
        beforeSlot = first.slot(firstArgument);
        return this;
    }

    /**
     * Queues the kernel on the context's own stream. The arguments may be changed as soon as this returns.
     *
     * @throws IllegalStateException              if an argument was never set or this launch is closed
     * @throws org.trellis.common.DeviceException if the device cannot run it
     */
    public void run() {
        run(context().stream());
    }

    /**
     * Queues the kernel. The arguments may be changed as soon as this returns.
     *
     * @param stream a stream of the same context
     * @throws IllegalStateException              if an argument was never set or this launch is closed
     * @throws org.trellis.common.DeviceException if the device cannot run it
     */
    public void run(CudaStream stream) {
        requireComplete();
        if (before != null) {
            passOn();
            before.run(stream);
        }
        CudaBatch batch = context().keeping(stream);
        if (batch == null) {
            repeated.run(shape, stream);
        } else {
            batch.keep(kernel, shape, values, false);
        }
    }

    /** Gives the kernel that runs before this one the argument that both have. */
    private void passOn() {
        before.block.set(ValueLayout.JAVA_LONG, beforeSlot, block.get(ValueLayout.JAVA_LONG, sharedSlot));
    }

    /**
     * Returns the launch that runs just before each of this one.
     *
     * @return the launch given to {@link #after}, with the common argument as it is now, or null
     */
    public KernelLaunch before() {
        if (before != null) {
            passOn();
        }
        return before;
    }

    /**
     * Returns the number of kernels that a run starts.
     *
     * @return 1, or more if another kernel runs before this one
     */
    public int launchCount() {
        return before == null ? 1 : 1 + before.launchCount();
    }

    private void requireComplete() {
        requireOpen();
        if (missing != 0) {
            throw new IllegalStateException("argument " + Integer.numberOfTrailingZeros(missing) + " of " + kernel
                    + " was not set");
        }
    }

    CudaKernel kernel() {
        return kernel;
    }

    LaunchShape shape() {
        return shape;
    }

    /** Returns the values of the arguments, 8 bytes each, for a graph. */
    MemorySegment values() {
        requireComplete();
        return values;
    }

    @Override
    void releaseNative() {
        if (before != null) {
            before.close();
        }
        try {
            repeated.releaseNative();
        } finally {
            context().parameterBlocks().giveBack(block);
        }
    }
}
