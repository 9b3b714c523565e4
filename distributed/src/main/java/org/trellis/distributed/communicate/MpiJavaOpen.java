package org.trellis.distributed.communicate;

import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The interface of Open MPI's Java bindings, whose non-blocking messages are direct buffers. */
final class MpiJavaOpen extends MpiJavaDialect {
    private final int rank;
    private final int size;
    private final Method isend;
    private final Method irecv;
    private final Method test;
    private final Method count;
    private final Method abort;

    MpiJavaOpen(Class<?> mpi) {
        super(mpi);
        Class<?> communicator = sibling("Comm");
        Class<?> datatype = sibling("Datatype");
        rank = (int) call(world(), method(communicator, "getRank"));
        size = (int) call(world(), method(communicator, "getSize"));
        isend = method(communicator, "iSend", Buffer.class, int.class, datatype, int.class, int.class);
        irecv = method(communicator, "iRecv", Buffer.class, int.class, datatype, int.class, int.class);
        test = method(sibling("Request"), "testStatus");
        count = method(sibling("Status"), "getCount", datatype);
        abort = method(communicator, "abort", int.class);
    }

    /** A request, and whether it is one of a message that comes. */
    private record Pending(Object request, boolean receives) {}

    @Override
    int rank() {
        return rank;
    }

    @Override
    int size() {
        return size;
    }

    @Override
    ByteBuffer allocate(int length) {
        return ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
    }

    @Override
    Object send(ByteBuffer message, int length, int to, int tag) {
        return new Pending(call(world(), isend, message, length, bytes(), to, tag), false);
    }

    @Override
    Object receive(ByteBuffer message, int length, int from, int tag) {
        return new Pending(call(world(), irecv, message, length, bytes(), from, tag), true);
    }

    @Override
    int test(Object request) {
        Pending pending = (Pending) request;
        Object status = call(pending.request, test);
        if (status == null) {
            return -1;
        }
        return pending.receives ? (int) call(status, count, bytes()) : 0;
    }

    @Override
    void abort(int code) {
        call(world(), abort, code);
    }

    @Override
    String label() {
        return "Open MPI's Java bindings";
    }
}
