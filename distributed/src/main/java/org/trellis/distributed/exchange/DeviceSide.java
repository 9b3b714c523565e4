package org.trellis.distributed.exchange;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.device.DeviceExchange;
import org.trellis.memory.HostVector;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.device.DatStorage;

/** An exchange of a rank whose operands are on a device. */
final class DeviceSide extends Exchange {
    private final DeviceExchange exchange;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    DeviceSide(Communicator communicator, int tag, ExchangeMemory carrier, Messages messages, int operands) {
        super(messages);
        exchange = new DeviceExchange(communicator, tag, carrier.backend().kernels(HaloKernels.class),
                messages.sends(), messages.receives(), operands, carrier.transports());
    }

    @Override
    public void bind(int operand, DatStorage storage, int elementStride, int componentStride) {
        exchange.bind(operand, storage, elementStride, componentStride);
    }

    @Override
    public void bind(int operand, HostVector vector) {
        throw misplaced(operand, vector);
    }

    @Override
    public void bind(int operand, long[] values) {
        throw misplaced(operand, values.length + " whole numbers");
    }

    private static IllegalStateException misplaced(int operand, Object what) {
        return new IllegalStateException("operand " + operand + " of an exchange on a device was to be " + what
                + " on the host, expected memory of the device");
    }

    @Override
    void send() {
        exchange.start();
    }

    @Override
    public long finish() {
        return exchange.finish();
    }

    @Override
    public boolean isSelfOrdered() {
        return exchange.isSelfOrdered();
    }

    @Override
    public void pack() {
        exchange.pack();
    }

    @Override
    public void unpack() {
        exchange.unpack();
    }

    @Override
    long messagesOf(int send) {
        return exchange.messages(send);
    }

    @Override
    public String transport() {
        return exchange.transport();
    }

    @Override
    public void close() {
        exchange.close();
    }
}
