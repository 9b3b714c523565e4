package org.trellis.distributed.halo;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.device.DeviceTransport;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.distributed.device.SideQueue;
import org.trellis.distributed.device.TransportComparison;
import org.trellis.distributed.exchange.Exchange;
import org.trellis.distributed.exchange.ExchangeMemory;
import org.trellis.distributed.exchange.ExchangePattern;
import org.trellis.distributed.exchange.SumExchange;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.ScalarType;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.PreparedBasis;
import org.trellis.sparse.PreparedRelaxation;
import org.trellis.sparse.PreparedRows;
import org.trellis.sparse.SparseKernels;

/**
 * The halo of one rank with as many rings as are asked for. Let S₀ be the rows that the rank owns and S₍ᵣ₎ those and
 * all columns of the rows of S₍ᵣ₋₁₎; ring r is what S₍ᵣ₎ has more than S₍ᵣ₋₁₎. After one exchange of k rings, k
 * products follow without another: the first computes the rows of S₍ₖ₋₁₎, the next those of S₍ₖ₋₂₎, the last those that
 * the rank owns. The rows of rings 1 to k − 1 are there for that; for an unsymmetric pattern the dependencies of A
 * itself count.
 *
 * <p>Local elements are numbered: owned interior, owned boundary, then ring by ring, in each the neighbours by rank and
 * their elements in their own order. So {@link #rowsWithin} are prefixes, and messages need no sorting in.
 *
 * <p>The plan has a communicator of its own, so that its messages meet no others.
 */
public final class HaloPlan implements AutoCloseable {
    private final PartitionedMatrix matrix;
    private final int rings;
    private final Communicator communicator;
    private final int[] ends;
    private final long[] globalIndices;
    private final List<ReceiveList> receives;
    private final List<SendList> sends;
    private final long[] nonZeros;
    private final LocalRows localRows;
    /** By number of rings; null where none was asked for yet. */
    private final ExchangePattern[] links;
    /** By number of rings and of vectors; null where there was none yet. */
    private final HaloExchange[][] exchanges;
    /** Where vectors are unless on the host, else null. */
    private final HaloDevice device;
    /** What multiplies the rows of a rank on the host, null if only this module does. */
    private final SparseKernels products;
    /** Null until they are asked for. */
    private OwnedProducts ownedProducts;
    /** Whether some rank has its vectors on a device. */
    private final boolean anyDevices;
    private int activeRings;
    private String transport;
    /** Which transport messages between devices take; null on the host. */
    private DeviceTransports transports;
    private SideQueue side;

    private HaloPlan(PartitionedMatrix matrix, int rings, HaloPlanBuilder builder, Communicator communicator,
            HaloDevice device, SparseKernels products, boolean mixed) {
        this.device = device;
        this.products = products;
        this.anyDevices = mixed;
        this.matrix = matrix;
        this.rings = rings;
        this.communicator = communicator;
        this.ends = builder.ends();
        this.globalIndices = builder.globalIndices();
        this.receives = builder.receives();
        this.sends = builder.sends();
        this.nonZeros = builder.nonZeros();
        this.localRows = builder.localRows();
        this.links = new ExchangePattern[rings + 1];
        this.exchanges = new HaloExchange[rings + 1][HaloExchange.MOST_VECTORS + 1];
        this.activeRings = rings;
        this.side = device == null ? SideQueue.none() : device.side();
        this.transports = device == null
                ? null
                : DeviceTransports.of(device.halos())
                        .orElseGet(() -> DeviceTransports.only(DeviceTransport.DIRECT, null));
    }

    /**
     * Makes a plan. Collective.
     *
     * @param matrix the matrix
     * @param rings  number of rings, the same on all ranks, at least 1
     * @return the plan, which the caller closes
     * @throws IllegalArgumentException if there are no rings, or the rows of a rank and its rings do not fit arrays
     */
    public static HaloPlan of(PartitionedMatrix matrix, int rings) {
        return of(matrix, rings, null, null, false);
    }

    /**
     * Makes a plan whose vectors and rows are where the backend of this rank has its memory: on the host, or on a
     * device if the backend has {@link HaloKernels}. Ranks may differ. On the host owned rows are multiplied as
     * {@link ConfigurationKeys#DISTRIBUTED_PRODUCT} says. Collective.
     *
     * @param matrix  the matrix
     * @param rings   number of rings, the same on all ranks, at least 1
     * @param backend of this rank; not closed with the plan, which is closed before it
     * @return the plan, which the caller closes
     * @throws IllegalArgumentException if there are no rings, or the rows of a rank and its rings do not fit arrays
     */
    public static HaloPlan of(PartitionedMatrix matrix, int rings, Backend backend) {
        return of(matrix, rings, backend,
                ProductMode.of(Configuration.load().get(ConfigurationKeys.DISTRIBUTED_PRODUCT)));
    }

    /**
     * Makes a plan whose vectors and rows are where the backend of this rank has its memory. Ranks may differ.
     * Collective.
     *
     * @param matrix  the matrix
     * @param rings   number of rings, the same on all ranks, at least 1
     * @param backend of this rank; not closed with the plan, which is closed before it
     * @param mode    how owned rows are multiplied on the host; not used on a device
     * @return the plan, which the caller closes
     * @throws IllegalArgumentException if there are no rings, or the rows of a rank and its rings do not fit arrays
     */
    public static HaloPlan of(PartitionedMatrix matrix, int rings, Backend backend, ProductMode mode) {
        Communicator parent = matrix.communicator();
        long[] sums = {backend.optionalKernels(HaloKernels.class).isPresent() ? 1 : 0, matrix.rows().nonZeros()};
        boolean here = sums[0] > 0;
        parent.allReduce(Reduction.SUM, sums);
        HaloDevice device =
                here ? new HaloDevice(backend, (double) sums[1] / Math.max(1, matrix.globalRows())) : null;
        SparseKernels products =
                here || mode == ProductMode.REPRODUCIBLE ? null : backend.kernels(SparseKernels.class);
        return of(matrix, rings, device, products, sums[0] > 0);
    }

    private static HaloPlan of(PartitionedMatrix matrix, int rings, HaloDevice device, SparseKernels products,
            boolean anyDevices) {
        HaloPlanBuilder builder = new HaloPlanBuilder(matrix, Checks.positive("number of rings", rings));
        builder.run();
        Communicator parent = matrix.communicator();
        return new HaloPlan(matrix, rings, builder, parent.split(0, parent.rank()), device, products,
                anyDevices);
    }

    /**
     * Says where vectors and rows are.
     *
     * @return false if they are on the host
     */
    public boolean isOnDevice() {
        return device != null;
    }

    HaloDevice device() {
        return device;
    }

    /**
     * Says how this rank multiplies the rows that it owns.
     *
     * @return the mode that was asked for; reproducible on a device and where the plan was given no backend
     */
    public ProductMode productMode() {
        return products == null ? ProductMode.REPRODUCIBLE : ProductMode.TUNED;
    }

    /**
     * Returns the backend's products with the rows that this rank owns. Prepared by the first call.
     *
     * @return closed with the plan; empty on a device, and where rows are summed in the order of their global columns
     */
    @SuppressWarnings("MustBeClosed") // closed with the plan
    public Optional<OwnedProducts> ownedProducts() {
        if (ownedProducts == null && products != null) {
            ownedProducts = OwnedProducts.prepare(this, products);
        }
        return Optional.ofNullable(ownedProducts);
    }

    /**
     * Returns the rows that this rank multiplies on its device. Made by the first call.
     *
     * @return those of {@link #localRows}, closed with the plan
     * @throws IllegalStateException if the plan is on the host
     */
    public PreparedRows deviceRows() {
        return requireDevice().rows(localRows);
    }

    /**
     * Returns what updates vectors on the device.
     *
     * @return those of this rank's backend, for its own elements
     * @throws IllegalStateException if the plan is on the host
     */
    public ElementKernels deviceElements() {
        return requireDevice().elements();
    }

    /**
     * Returns what multiplies and combines many vectors on the device. Made by the first call.
     *
     * @return closed with the plan
     * @throws IllegalStateException if the plan is on the host
     */
    public PreparedBasis deviceBasis() {
        return requireDevice().basis(precision());
    }

    /**
     * Returns how many threads of a device share a row.
     *
     * @param rowEntries the mean number of entries of a row of the whole matrix, the same on all ranks
     * @return a power of two up to 32
     */
    public static int threadsOfRow(double rowEntries) {
        return HaloDevice.threadsOfRow(rowEntries);
    }

    /**
     * Copies further rows to the device, for products that are no exchange's.
     *
     * @param offsets where each row starts, and behind the last where it ends
     * @param columns the column of each entry
     * @param values  the value of each entry
     * @param ordered whether each row is summed in the order of its entries, by one thread
     * @return the rows, closed with the plan
     * @throws IllegalStateException if the plan is on the host
     */
    public PreparedRows deviceRows(int[] offsets, int[] columns, HostVector values, boolean ordered) {
        return requireDevice().rows(offsets, columns, values, ordered);
    }

    /**
     * Copies rows that are relaxed in place to the device. Closed with the plan.
     *
     * @param rows    the rows, without their diagonals
     * @param targets the local element of each
     * @param inverse one divided by the diagonal element of each
     * @return the rows, with as many threads for each as the plan's own
     * @throws IllegalStateException if the plan is on the host
     */
    public PreparedRelaxation deviceRelaxation(LocalRows rows, int[] targets, HostVector inverse) {
        return requireDevice().relaxation(rows, targets, inverse);
    }

    /**
     * Makes a further vector on the device.
     *
     * @param length its length
     * @return zeros, closed with the plan
     * @throws IllegalStateException if the plan is on the host
     */
    public DenseVector deviceVector(int length) {
        return requireDevice().vector(precision(), length);
    }

    /**
     * Returns the memory of a vector, as exchanges want it.
     *
     * @param vector a vector on the host, or of the plan's backend
     * @return its memory
     */
    public DatStorage storage(DenseVector vector) {
        return device == null ? HostStorage.on((HostVector) vector) : device.storage(vector);
    }

    /**
     * Returns which elements travel.
     *
     * @param ofRings how many rings are brought, 0 to {@link #rings}
     * @return the links to the neighbours, always the same
     */
    public ExchangePattern links(int ofRings) {
        if (links[ofRings] == null) {
            int[][] out = new int[communicator.size()][0];
            int[][] in = new int[communicator.size()][0];
            for (SendList list : sends) {
                out[list.rank()] = Arrays.copyOf(list.places(), list.offsets()[ofRings]);
            }
            for (ReceiveList list : receives) {
                in[list.rank()] = list.places(ofRings);
            }
            links[ofRings] = ExchangePattern.of(out, in);
        }
        return links[ofRings];
    }

    /**
     * Says where the vectors of this rank are.
     *
     * @return what exchanges of other messages than those of the rings want to know
     */
    public ExchangeMemory carrier() {
        return device == null ? ExchangeMemory.host(anyDevices) : ExchangeMemory.device(device.backend(), transports);
    }

    /**
     * Opens an exchange of the plan's vectors. Collective.
     *
     * @param messages what travels
     * @return the exchange, closed with the plan
     * @throws IllegalArgumentException if a message exceeds 2³¹ − 1 bytes
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    @SuppressWarnings("MustBeClosed") // closed with the plan
    public Exchange open(Exchange.Builder messages) {
        Exchange made = messages.open(carrier());
        if (device != null) {
            device.whenClosed(made::close);
            transport = made.transport();
        }
        return made;
    }

    /**
     * Opens what adds at their owners what ranks have for elements of the first rings. Collective.
     *
     * @param ofRings how many rings contribute
     * @param tag     beyond those of exchanges
     * @return the sums, closed with the plan
     * @throws IllegalArgumentException if a message exceeds 2³¹ − 1 bytes
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    @SuppressWarnings("MustBeClosed") // closed with the plan
    public SumExchange sums(int ofRings, int tag) {
        SumExchange made = SumExchange.of(communicator, tag, carrier(), links(ofRings), precision(), rowsWithin(0));
        if (device != null) {
            device.whenClosed(made::close);
        }
        return made;
    }

    private HaloDevice requireDevice() {
        if (device == null) {
            throw new IllegalStateException(this + " is on the host, expected one on a device");
        }
        return device;
    }

    /**
     * Closes something with the plan, before what it uses.
     *
     * @param close closes it
     * @throws IllegalStateException if the plan is on the host
     */
    public void whenClosed(Runnable close) {
        requireDevice();
        device.whenClosed(close);
    }

    /** Waits until what was asked of the device is done; does nothing on the host. */
    public void synchronize() {
        if (device != null) {
            device.synchronize();
        }
    }

    /**
     * Says how messages between devices travel, as far as exchanges have been made.
     *
     * @return some words; empty on the host and before the first exchange
     */
    public Optional<String> transport() {
        return Optional.ofNullable(transport).map(words -> side.isUsed() ? words + ", on a second stream" : words);
    }

    /**
     * Returns the second queue of this rank's device, for what has to wait for messages.
     *
     * @return a queue that is never used on the host
     */
    public SideQueue side() {
        return side;
    }

    /**
     * Lets another queue be used for what has to wait for messages. Each rank may do as it likes, between two steps.
     *
     * @param queue of the backend that the plan is on
     * @return this plan
     * @throws IllegalStateException if the plan is on the host
     */
    public HaloPlan beside(SideQueue queue) {
        requireDevice();
        side = queue;
        device.beside(queue);
        return this;
    }

    /**
     * Lets each message between devices take the transport that was measured to be the fastest for its size: straight
     * ({@link DeviceTransport#DIRECT}) or by copies where devices reach each other, or through the host. Without this,
     * messages take the transports that {@link DeviceTransports#start} has left with the backend, or go straight
     * wherever they can. Called by all ranks, before the first exchange.
     *
     * @param times the same on all ranks
     * @return this plan
     */
    public HaloPlan byWays(TransportComparison times) {
        return byWays(DeviceTransports.measured(times, null));
    }

    /**
     * Lets messages between devices take other transports than those that were left with the backend. Called by all
     * ranks, before the first exchange.
     *
     * @param choice the same on all ranks
     * @return this plan
     */
    public HaloPlan byWays(DeviceTransports choice) {
        transports = choice;
        return this;
    }

    /**
     * Opens the messages of the first ring for a vector whose owned elements and whose ring are in two places of a
     * device: operands 0 and 1, the latter numbered from the first element of the ring. Neighbours may exchange a
     * vector of the plan, one ring deep, at the same time. Instead of {@code exchange(1)} with one active ring, not
     * besides. Collective.
     *
     * @return the exchange, closed with the plan
     * @throws IllegalStateException if the plan is on the host
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public Exchange exchangeOfTwo() {
        requireDevice();
        int owned = rowsWithin(0);
        return open(
                Exchange.of(communicator, HaloExchange.tag(1, 1)).part(0, 1, links(1).landing(place -> place - owned),
                        1, ScalarType.of(precision())));
    }

    /**
     * Copies the boundary rows of this rank to its device.
     *
     * @return the owned rows behind the interior ones, with local columns; closed with the plan
     * @throws IllegalStateException if the plan is on the host
     */
    public PreparedRows deviceBoundaryRows() {
        return requireDevice().boundaryRows(localRows, matrix.interiorRows(), rowsWithin(0));
    }

    /**
     * Makes a vector of zeros in double precision on the device, for sums.
     *
     * @param count its length
     * @return the vector, closed with the plan
     * @throws IllegalStateException if the plan is on the host
     */
    public DenseVector deviceScalars(int count) {
        return requireDevice().scalars(count);
    }

    /**
     * Returns the matrix.
     *
     * @return the matrix whose halo this is
     */
    public PartitionedMatrix matrix() {
        return matrix;
    }

    /**
     * Returns the number of rings.
     *
     * @return at least 1
     */
    public int rings() {
        return rings;
    }

    /**
     * Returns how many rings an exchange brings up to date.
     *
     * @return 1 to {@link #rings}; all of them from the beginning
     */
    public int activeRings() {
        return activeRings;
    }

    /**
     * Says how many rings exchanges bring up to date from the next one on. All ranks call it alike, between two steps.
     * Results keep their bits; vectors keep the rings that they have.
     *
     * @param count 1 to {@link #rings}
     * @throws IllegalArgumentException if it is out of range
     */
    public void useRings(int count) {
        if (count < 1 || count > rings) {
            throw new IllegalArgumentException("number of rings to exchange is " + count + ", expected 1 to " + rings
                    + ", which the plan has");
        }
        activeRings = count;
    }

    /**
     * Returns the communicator of this plan.
     *
     * @return closed with the plan
     */
    public Communicator communicator() {
        return communicator;
    }

    /**
     * Returns the type of the elements.
     *
     * @return the precision of the matrix
     */
    public Precision precision() {
        return matrix.precision();
    }

    /**
     * Returns the number of owned rows and those of the first rings.
     *
     * @param ring how many rings, 0 to {@link #rings}
     * @return the size of S₍ring₎
     * @throws IndexOutOfBoundsException if there are not as many rings
     */
    public int rowsWithin(int ring) {
        return ends[Checks.index("ring", ring, ends.length)];
    }

    /**
     * Returns the number of local elements.
     *
     * @return owned ones and those of all rings
     */
    public int localElements() {
        return ends[rings];
    }

    /**
     * Returns the global index of a local element.
     *
     * @param local the local index
     * @return its global index
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public long globalIndex(int local) {
        return globalIndices[Checks.index("local element", local, globalIndices.length)];
    }

    /**
     * Returns what comes from other ranks.
     *
     * @return a list for each neighbour, by rank
     */
    public List<ReceiveList> receives() {
        return receives;
    }

    /**
     * Returns what goes to other ranks.
     *
     * @return a list for each neighbour, by rank
     */
    public List<SendList> sends() {
        return sends;
    }

    /**
     * Returns the rows that this rank multiplies.
     *
     * @return those of all but the last ring, with local columns
     */
    public LocalRows localRows() {
        return localRows;
    }

    /**
     * Returns what the plan costs this rank.
     *
     * @return numbers of rows, non-zeros, neighbours and elements
     */
    public HaloStatistics statistics() {
        int[] ringRows = new int[rings];
        Arrays.setAll(ringRows, r -> ends[r + 1] - ends[r]);
        int sent = sends.stream().mapToInt(list -> list.places().length).sum();
        return new HaloStatistics(rings, matrix.ownedRows(), matrix.interiorRows(), nonZeros[0], ringRows,
                Arrays.copyOfRange(nonZeros, 1, rings), sends.size(), receives.size(), sent);
    }

    /**
     * Makes a vector of zeros with room for all rings. On a device it is closed with the plan.
     *
     * @return the vector, valid on owned elements
     */
    public RingVector vector() {
        return new RingVector(this, device == null
                ? HostVector.zeros(precision(), localElements())
                : device.vector(this));
    }

    /**
     * Makes a vector of this rank's elements, by their global indices.
     *
     * @param function gives an element
     * @return the vector, valid on owned elements
     */
    public RingVector vector(PartitionedMatrix.ElementFunction function) {
        RingVector vector = vector();
        vector.set(function);
        return vector;
    }

    /**
     * Returns the exchange of a number of vectors at once, with as many rings as are active. The first call for a
     * number of vectors and rings opens channels.
     *
     * @param vectors how many vectors travel in one message, 1 to 8
     * @return the exchange, always the same for the same numbers
     * @throws IllegalArgumentException if the number is out of range or a message would exceed 2³¹ − 1 bytes
     */
    public HaloExchange exchange(int vectors) {
        if (vectors < 1 || vectors > HaloExchange.MOST_VECTORS) {
            throw new IllegalArgumentException("number of vectors in an exchange is " + vectors + ", expected 1 to "
                    + HaloExchange.MOST_VECTORS);
        }
        HaloExchange exchange = exchanges[activeRings][vectors];
        if (exchange == null) {
            exchange = new HaloExchange(this, vectors, activeRings);
            exchanges[activeRings][vectors] = exchange;
        }
        return exchange;
    }

    private Stream<HaloExchange> opened() {
        return Arrays.stream(exchanges).flatMap(Arrays::stream).filter(Objects::nonNull);
    }

    /**
     * Counts the messages to one neighbour so far, of whatever size.
     *
     * @param neighbour its place among {@link #sends}
     * @return at least 0
     */
    public long messages(int neighbour) {
        return opened().mapToLong(exchange -> exchange.messages(neighbour)).sum();
    }

    /**
     * Counts the exchanges so far, of whatever number of vectors: in each, one message goes to each neighbour.
     *
     * @return at least 0
     */
    public long exchanges() {
        return opened().mapToLong(HaloExchange::count).sum();
    }

    /** Closes the channels, and on a device all vectors. Idempotent. */
    @Override
    public void close() {
        if (device != null) {
            device.close();
        }
        if (ownedProducts != null) {
            ownedProducts.close();
        }
        communicator.close();
    }

    @Override
    public String toString() {
        return "halo plan of rank " + communicator.rank() + ": " + statistics();
    }
}
