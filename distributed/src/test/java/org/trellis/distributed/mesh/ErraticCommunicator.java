package org.trellis.distributed.mesh;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;

/**
 * Ranks that are late at random places: before any collective operation and before a message is sent or awaited. Long
 * delays are rare, and a rank that has had one has its messages and numbers late while the others are ahead.
 */
final class ErraticCommunicator {
    /** What is done between the calls of a communicator. */
    private static final long LONG_DELAY = 20_000_000;
    private static final long SHORT_DELAY = 200_000;

    private ErraticCommunicator() {}

    /**
     * Delays what a rank calls.
     *
     * @param inner   what messages go through
     * @param random  where, and for how long; of this rank alone
     * @param oneIn   one in so many calls is delayed for long
     */
    static Communicator of(Communicator inner, SplittableRandom random, int oneIn) {
        return wrap(Communicator.class, inner, new Delays(random, oneIn));
    }

    private static <T> T wrap(Class<T> type, T inner, Delays delays) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                new Handler(inner, delays)));
    }

    private record Delays(SplittableRandom random, int oneIn) {
        private void pause() {
            int drawn = random.nextInt(4 * oneIn);
            if (drawn < 4) {
                LockSupport.parkNanos(random.nextLong(LONG_DELAY));
            } else if (drawn < oneIn) {
                LockSupport.parkNanos(random.nextLong(SHORT_DELAY));
            }
        }
    }

    private record Handler(Object inner, Delays delays) implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            switch (method.getName()) {
                case "rank", "size", "buffer", "timeline", "toString", "patience", "innermost" -> {}
                default -> delays.pause();
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
                        : wrap(Communicator.class, communicator, delays);
                case SendChannel channel -> wrap(SendChannel.class, channel, delays);
                case ReceiveChannel channel -> wrap(ReceiveChannel.class, channel, delays);
                default -> result;
            };
        }
    }
}
