package org.trellis.distributed.exchange;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.ScalarType;

/**
 * An exchange turned round: what ranks have computed for copies of elements goes to the owners, who add it. Own
 * contributions come first, then those of the neighbours by rank, so that the bits are the same in every run with as
 * many ranks, wherever these are. One message to each owner. Allocates nothing once it has run for the first time.
 */
public abstract sealed class SumExchange implements AutoCloseable permits SumExchange.OnHost, DeviceSums {
    SumExchange() {}

    /**
     * Opens the channels. Collective.
     *
     * @param communicator the ranks
     * @param tag          distinguishes its messages from those of others
     * @param carrier      where this rank's elements are
     * @param links        which elements have copies where, as for bringing them
     * @param precision    of the elements
     * @param owned        how many elements this rank owns, which come first
     * @return what adds, which the caller closes before its communicator; on the host that does nothing
     * @throws IllegalArgumentException if a message exceeds 2³¹ − 1 bytes
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    @MustBeClosed
    public static SumExchange of(Communicator communicator, int tag, ExchangeMemory carrier, ExchangePattern links,
            Precision precision,
            int owned) {
        return carrier.onDevice()
                ? new DeviceSums(communicator, tag, carrier, links, precision, owned)
                : new OnHost(communicator, tag, carrier, links, precision, owned);
    }

    /**
     * Sends contributions to elements of others; on a device that is queued. They may be overwritten by what follows.
     *
     * @param contributions as many elements as links lead to; only the copies are read
     */
    public abstract void start(DatStorage contributions);

    /**
     * Computes {@code y = own + } what comes from others; on a device that is queued.
     *
     * @param own own contributions, one for each owned element, or more
     * @param y   another vector of as many elements, or more; the first are overwritten
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public abstract void finish(DenseVector own, DenseVector y);

    /**
     * Adds what comes from others; on a device that is queued, and costs a copy.
     *
     * @param y the owned elements with own contributions, added to
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public abstract void finish(DenseVector y);

    /** Waits on a device until neighbours have what was sent, and releases its memory. Idempotent. */
    @Override
    public abstract void close();

    /** On the host. */
    static final class OnHost extends SumExchange {
        private static final int FROM = 0;
        private static final int INTO = 1;

        private final Exchange exchange;
        private final int owned;

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        private OnHost(Communicator communicator, int tag, ExchangeMemory carrier, ExchangePattern links,
                Precision precision,
                int owned) {
            this.owned = owned;
            this.exchange = Exchange.of(communicator, tag)
                    .part(FROM, INTO, links.reversed(), 1, ScalarType.of(precision)).adding().open(carrier);
        }

        @Override
        public void start(DatStorage contributions) {
            exchange.bind(FROM, contributions);
            exchange.start();
        }

        @Override
        public void finish(DenseVector own, DenseVector y) {
            ((HostVector) own).copyRange(0, (HostVector) y, 0, owned);
            finish(y);
        }

        @Override
        public void finish(DenseVector y) {
            exchange.bind(INTO, (HostVector) y);
            exchange.finish();
        }

        @Override
        public void close() {
            exchange.close();
        }
    }
}
