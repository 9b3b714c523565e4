package org.trellis.distributed.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.PendingReduction;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;

/**
 * Ranks that are late at random places, or do something else before any collective operation and before a message is
 * sent or awaited. Long delays are rare, and a rank that has had one has its messages and numbers late while the others
 * are ahead.
 */
public final class ErraticCommunicator {
    private static final long LONG_DELAY = 20_000_000;
    private static final long SHORT_DELAY = 200_000;

    private ErraticCommunicator() {}

    /**
     * Delays what a rank calls.
     *
     * @param inner  what messages go through
     * @param random where, and for how long; of this rank alone
     * @param oneIn  one in so many calls is delayed for long
     * @return the communicator of the late rank
     */
    public static Communicator of(Communicator inner, SplittableRandom random, int oneIn) {
        return of(inner, () -> {
            int drawn = random.nextInt(4 * oneIn);
            if (drawn < 4) {
                LockSupport.parkNanos(random.nextLong(LONG_DELAY));
            } else if (drawn < oneIn) {
                LockSupport.parkNanos(random.nextLong(SHORT_DELAY));
            }
        });
    }

    /**
     * Does something before each call of a rank that other ranks may wait for, or in which it waits for others.
     *
     * @param inner  what messages go through
     * @param before what is done
     * @return the communicator of that rank
     */
    public static Communicator of(Communicator inner, Runnable before) {
        return wrap(Communicator.class, inner, before);
    }

    private static <T> T wrap(Class<T> type, T inner, Runnable before) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                new Handler(inner, before)));
    }

    private record Handler(Object inner, Runnable before) implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            switch (method.getName()) {
                case "rank", "size", "buffer", "timeline", "toString", "patience", "innermost", "transport", "close",
                        "messages", "hashCode", "equals", "takesDeviceMemory" ->
                    {}
                default -> before.run();
            }
            Object result;
            try {
                result = method.invoke(inner, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            return switch (result) {
                case null -> null;
                case Communicator communicator -> method.getName().equals("innermost")
                        ? communicator
                        : wrap(Communicator.class, communicator, before);
                case SendChannel channel -> wrap(SendChannel.class, channel, before);
                case ReceiveChannel channel -> wrap(ReceiveChannel.class, channel, before);
                case PendingReduction pending -> wrap(PendingReduction.class, pending, before);
                default -> result;
            };
        }
    }
}
