package org.trellis.distributed.solve;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.trellis.common.TrellisException;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.solve.direct.FactorisationException;

/**
 * Work that a rank does by itself, without messages, and that may turn out impossible on some ranks: then it fails on
 * all, with what the first of them says, so that all can go on together with something else.
 */
final class CollectiveFailure {
    private CollectiveFailure() {}

    /**
     * Does work. Collective; a reduction, and a broadcast if it fails.
     *
     * @param <T>          what is made
     * @param communicator the ranks
     * @param work         throws an {@link IllegalArgumentException} or a {@link TrellisException} where it cannot be
     *                     done
     * @param undo         of what was made here though others could not
     * @return what was made
     * @throws IllegalArgumentException if the first rank that failed threw one
     * @throws FactorisationException   if it threw another exception of this library
     */
    static <T> T onAll(Communicator communicator, Supplier<T> work, Consumer<T> undo) {
        T made = null;
        RuntimeException failure = null;
        try {
            made = work.get();
        } catch (IllegalArgumentException | TrellisException e) {
            failure = e;
        }
        long[] first = {failure == null ? communicator.size() : communicator.rank()};
        communicator.allReduce(Reduction.MIN, first);
        if (first[0] == communicator.size()) {
            return made;
        }
        if (made != null) {
            undo.accept(made);
        }
        boolean own = first[0] == communicator.rank();
        byte[] told = communicator.broadcast((int) first[0], own ? told(failure) : new byte[0]);
        if (own) {
            throw failure;
        }
        throw heard(ByteBuffer.wrap(told));
    }

    private static byte[] told(RuntimeException failure) {
        byte[] words = String.valueOf(failure.getMessage()).getBytes(StandardCharsets.UTF_8);
        FactorisationException factors = failure instanceof FactorisationException one ? one : null;
        return ByteBuffer.allocate(2 * Integer.BYTES + Double.BYTES + words.length)
                .putInt(failure instanceof IllegalArgumentException ? 1 : 0)
                .putInt(factors == null ? -1 : factors.row())
                .putDouble(factors == null ? Double.NaN : factors.pivot()).put(words).array();
    }

    private static RuntimeException heard(ByteBuffer message) {
        boolean argument = message.getInt() == 1;
        int row = message.getInt();
        double pivot = message.getDouble();
        String words = StandardCharsets.UTF_8.decode(message).toString();
        return argument ? new IllegalArgumentException(words) : new FactorisationException(words, row, pivot);
    }
}
