package org.trellis.distributed.communicate;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.DoubleBuffer;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Times exchanges of two ranks of MPI through the channels of this module and through a C program that does the same
 * (test/c/exchange.c), in turns within one run.
 */
final class MessageTiming {
    private static final int[] ELEMENTS = {1, 128, 1024};
    private static final int STRIDE = 3;
    private static final int REPETITIONS = 50;
    private static final int TAG = 18;

    private final Communicator communicator;
    private final MethodHandle function;
    private final int rounds;

    private MessageTiming(Communicator communicator, MethodHandle function, int rounds) {
        this.communicator = communicator;
        this.rounds = rounds;
        this.function = function;
    }

    /**
     * Times both.
     *
     * @param communicator two ranks of MPI
     * @param library      what has been made of the C program
     * @param rounds       how often each is timed, fifty exchanges at a time; Java is compiled after about a hundred
     * @return a line for each size: bytes, the least seconds of both and their ratio; the same on both ranks
     */
    @SuppressWarnings("restricted") // a C program is what is to be timed
    static String run(Communicator communicator, Path library, int rounds) {
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle function = Linker.nativeLinker().downcallHandle(
                    SymbolLookup.libraryLookup(library, arena).find("exchange_seconds").orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
            MessageTiming timing = new MessageTiming(communicator, function, rounds);
            StringBuilder lines = new StringBuilder();
            for (int size = 0; size < ELEMENTS.length; size++) {
                lines.append(timing.line(size)).append('\n');
            }
            return lines.toString();
        }
    }

    private String line(int size) {
        double[] least = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
        double[] vector = new double[ELEMENTS[size] * (STRIDE + 1)];
        for (int i = 0; i < vector.length; i++) {
            vector[i] = communicator.rank() + i;
        }
        SendChannel send = communicator.sendTo(1 - communicator.rank(), TAG + size, ELEMENTS[size] * Double.BYTES);
        ReceiveChannel receive =
                communicator.receiveFrom(1 - communicator.rank(), TAG + size, ELEMENTS[size] * Double.BYTES);
        for (int round = 0; round < rounds; round++) {
            double[] seconds = {inC(ELEMENTS[size]), inJava(ELEMENTS[size], vector, send, receive)};
            communicator.allReduce(Reduction.MAX, seconds);
            // The first rounds are before compiled code.
            for (int i = 0; i < 2 && round >= rounds / 3; i++) {
                least[i] = Math.min(least[i], seconds[i]);
            }
        }
        return String.format(Locale.ROOT, "exchange of %d bytes: C %.3g s, here %.3g s, ratio %.2f",
                ELEMENTS[size] * Double.BYTES, least[0], least[1], least[1] / least[0]);
    }

    @SuppressWarnings("checkstyle:IllegalCatch") // what a method handle declares
    private double inC(int elements) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sum = arena.allocate(ValueLayout.JAVA_DOUBLE);
            double seconds = (double) function.invokeExact(elements, STRIDE, REPETITIONS, sum);
            require(elements, sum.get(ValueLayout.JAVA_DOUBLE, 0));
            return seconds;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call threw a checked exception", e);
        }
    }

    /** What came is what the other rank has at these places. */
    private void require(int elements, double sum) {
        double expected = (double) elements * (1 - communicator.rank()) + STRIDE * (elements - 1.0) * elements / 2;
        if (sum != expected) {
            throw new IllegalStateException("elements that came sum up to " + sum + ", expected " + expected);
        }
    }

    private double inJava(int elements, double[] vector, SendChannel send, ReceiveChannel receive) {
        int[] places = new int[elements];
        for (int i = 0; i < elements; i++) {
            places[i] = i * STRIDE;
        }
        DoubleBuffer outgoing = send.buffer().asDoubleBuffer();
        DoubleBuffer incoming = receive.buffer().asDoubleBuffer();
        communicator.barrier();
        long began = System.nanoTime();
        for (int r = 0; r < REPETITIONS; r++) {
            receive.start();
            send.await();
            for (int i = 0; i < elements; i++) {
                outgoing.put(i, vector[places[i]]);
            }
            send.start();
            receive.await();
            incoming.get(0, vector, elements * STRIDE, elements);
            receive.release();
        }
        double seconds = (System.nanoTime() - began) * 1e-9 / REPETITIONS;
        send.await();
        double sum = 0;
        for (int i = 0; i < elements; i++) {
            sum += vector[elements * STRIDE + i];
        }
        require(elements, sum);
        return seconds;
    }
}
