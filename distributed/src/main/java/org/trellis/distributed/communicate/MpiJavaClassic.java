package org.trellis.distributed.communicate;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The interface of mpiJava 1.2, as MPJ Express has it: messages are Java arrays, so that they are copied from and to
 * the direct buffers that channels promise.
 */
final class MpiJavaClassic extends MpiJavaDialect {
    private final int rank;
    private final int size;
    private final Method isend;
    private final Method irecv;
    private final Method test;
    private final Method count;
    private final Method abort;

    MpiJavaClassic(Class<?> mpi) {
        super(mpi);
        Class<?> communicator = sibling("Comm");
        Class<?> datatype = sibling("Datatype");
        rank = (int) call(world(), method(communicator, "Rank"));
        size = (int) call(world(), method(communicator, "Size"));
        isend = method(communicator, "Isend", Object.class, int.class, int.class, datatype, int.class, int.class);
        irecv = method(communicator, "Irecv", Object.class, int.class, int.class, datatype, int.class, int.class);
        test = method(sibling("Request"), "Test");
        count = method(sibling("Status"), "Get_count", datatype);
        abort = method(communicator, "Abort", int.class);
    }

    /** A request and, of a message that comes, where it goes. */
    private record Pending(Object request, byte[] array, ByteBuffer message) {}

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
        byte[] array = new byte[length];
        message.get(0, array);
        return new Pending(call(world(), isend, array, 0, length, bytes(), to, tag), array, null);
    }

    @Override
    Object receive(ByteBuffer message, int length, int from, int tag) {
        byte[] array = new byte[length];
        return new Pending(call(world(), irecv, array, 0, length, bytes(), from, tag), array, message);
    }

    @Override
    int test(Object request) {
        Pending pending = (Pending) request;
        Object status = call(pending.request, test);
        if (status == null) {
            return -1;
        }
        if (pending.message == null) {
            return 0;
        }
        pending.message.put(0, pending.array);
        return (int) call(status, count, bytes());
    }

    @Override
    void abort(int code) {
        call(world(), abort, code);
    }

    @Override
    String label() {
        return "mpiJava 1.2";
    }
}
