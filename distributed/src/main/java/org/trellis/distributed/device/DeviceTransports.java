package org.trellis.distributed.device;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.trellis.backend.Backend;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.mesh.GroupKernels;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.device.DeviceGroup;

/**
 * The transports that messages between the devices of ranks have, and which one a message takes, by its size.
 * {@link #start} finds them out and measures them once, when a job begins, and leaves the result with the backend:
 * exchanges that are made with it later follow it. All ranks have the same, since times are those of the slowest.
 */
public final class DeviceTransports {
    /** By the kernels of a backend, as long as that lives. */
    private static final Map<HaloKernels, DeviceTransports> STARTED = Collections.synchronizedMap(new WeakHashMap<>());
    /** What was measured before in this process, by transports and devices. */
    private static final Map<String, TransportComparison> MEASURED = new ConcurrentHashMap<>();

    private final String only;
    private final TransportComparison times;
    private final DeviceGroup group;
    private final String note;
    private final double seconds;

    private DeviceTransports(String only, TransportComparison times, DeviceGroup group, String note, double seconds) {
        this.only = only;
        this.times = times;
        this.group = group;
        this.note = note;
        this.seconds = seconds;
    }

    /**
     * Lets all messages take one transport, where it is there.
     *
     * @param transport   one of {@link DeviceTransport#NAMES}
     * @param group what carries messages by {@link DeviceTransport#NCCL}; null unless that is the transport
     * @return the choice
     * @throws IllegalArgumentException if there is no such transport, or it needs a group and there is none
     */
    public static DeviceTransports only(String transport, DeviceGroup group) {
        if (!DeviceTransport.NAMES.contains(transport)) {
            throw new IllegalArgumentException(
                    "messages between devices are to go by transport '" + transport + "', expected one of "
                            + DeviceTransport.NAMES);
        }
        if (transport.equals(DeviceTransport.NCCL) && group == null) {
            throw new IllegalArgumentException(
                    "messages are to go by " + transport + ", expected a group of all ranks");
        }
        return new DeviceTransports(transport, null, group, "", 0);
    }

    /**
     * Lets each message take the transport that was the fastest for its size.
     *
     * @param times the same on all ranks; a transport that is not there for two neighbours is replaced by the next of
     *              {@code direct}, {@code staged}
     * @param group what carries messages by {@link DeviceTransport#NCCL}; null if that was not measured
     * @return the choice
     */
    public static DeviceTransports measured(TransportComparison times, DeviceGroup group) {
        return new DeviceTransports(null, times, group, "", 0);
    }

    /**
     * Finds out which transports there are, as {@link ConfigurationKeys#DISTRIBUTED_TRANSPORTS} says, measures them if
     * there are several, and leaves the result with the backend. Called by all ranks. Takes 4 ms at most for each
     * transport and size of {@link TransportComparison#USUAL_SIZES} besides what preparing messages takes, and nothing
     * if the same devices were measured in this process before; NCCL, where it is requested, takes some tenths of a
     * second to join the ranks.
     *
     * @param communicator the ranks
     * @param backend      of this rank
     * @return what was found out; empty on all ranks if there is one rank only, or one is on the host
     * @throws BackendUnavailableException if a transport is requested that is not there; says why, on all ranks
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public static Optional<DeviceTransports> start(Communicator communicator, Backend backend) {
        return start(communicator, backend, Configuration.load().get(ConfigurationKeys.DISTRIBUTED_TRANSPORTS));
    }

    /**
     * Does so with transports that the caller names.
     *
     * @param communicator the ranks
     * @param backend      of this rank
     * @param wanted       names of {@link DeviceTransport#NAMES}, the same on all ranks; none for what is usual
     * @return what was found out; empty on all ranks if there is one rank only, or one is on the host
     * @throws BackendUnavailableException if a transport is requested that is not there; says why, on all ranks
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public static Optional<DeviceTransports> start(Communicator communicator, Backend backend, List<String> wanted) {
        if (communicator.size() == 1 || communicator.greatest(isOnDevice(backend) ? 0 : 1) > 0) {
            return Optional.empty();
        }
        try (Communicator own = communicator.split(0, communicator.rank())) {
            DeviceTransports transports = new Start(own, backend, wanted).run();
            STARTED.put(backend.kernels(HaloKernels.class), transports);
            return Optional.of(transports);
        }
    }

    /**
     * Returns what {@link #start} left with a backend.
     *
     * @param backend of this rank
     * @return the transports; empty if they were not looked for, and messages go straight wherever they can
     */
    public static Optional<DeviceTransports> of(Backend backend) {
        return backend.optionalKernels(HaloKernels.class).flatMap(DeviceTransports::of);
    }

    /**
     * Returns what {@link #start} left with the kernels of a backend.
     *
     * @param kernels of this rank
     * @return the transports; empty if they were not looked for
     */
    public static Optional<DeviceTransports> of(HaloKernels kernels) {
        return Optional.ofNullable(STARTED.get(kernels));
    }

    /**
     * Says which transport a message takes, where it is there.
     *
     * @param bytes the size of the message, positive
     * @return a name of {@link DeviceTransport#NAMES}
     * @throws IllegalArgumentException if the size is not positive
     */
    public String transport(int bytes) {
        return times == null ? only : times.fastest(bytes);
    }

    /**
     * Returns what carries messages by NCCL between some ranks.
     *
     * @param communicator the ranks
     * @return the group; empty if there is none, or it is one of other ranks
     * @throws IllegalStateException if the ranks have other numbers there
     */
    public Optional<DeviceGroup> group(Communicator communicator) {
        if (group == null || group.ranks() != communicator.size()) {
            return Optional.empty();
        }
        if (group.rank() != communicator.rank()) {
            throw new IllegalStateException("rank " + communicator.rank() + " is rank " + group.rank()
                    + " of those that " + group.library() + " joins, expected the same");
        }
        return Optional.of(group);
    }

    /** Says whether NCCL is to combine numbers, too: where it is the only transport. */
    boolean isGroupOnly() {
        return DeviceTransport.NCCL.equals(only);
    }

    /**
     * Returns the times.
     *
     * @return what was measured; empty if there is one transport only
     */
    public Optional<TransportComparison> times() {
        return Optional.ofNullable(times);
    }

    /**
     * Returns how long {@link #start} took.
     *
     * @return seconds on this rank, 0 if nothing was looked for
     */
    public double seconds() {
        return seconds;
    }

    /**
     * Says why a transport is missing that is usual where devices do not reach each other.
     *
     * @return a sentence; empty if none is
     */
    public String note() {
        return note;
    }

    /**
     * Leaves the ranks that NCCL has joined, after the last exchange. Called by all ranks, or by none: a backend that
     * is closed leaves by itself. Idempotent.
     */
    public void close() {
        if (group != null) {
            group.close();
        }
    }

    /**
     * Returns the table of times and the choice.
     *
     * @return some lines, with what carries messages by NCCL and how long it took to find out
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(times == null ? "taken: " + only + " for all sizes" : times.toString());
        if (group != null) {
            text.append("\nnccl is ").append(group.library());
        }
        if (!note.isEmpty()) {
            text.append("\nnccl is not there: ").append(note);
        }
        return text.append(String.format(Locale.ROOT, "%nfound out in %.3f s", seconds)).toString();
    }

    /** Says whether messages can begin on a rank's device. */
    static boolean isOnDevice(Backend backend) {
        return backend != null && backend.optionalKernels(HaloKernels.class).isPresent();
    }

    /**
     * All transports that ranks on devices have.
     *
     * @param transports  the transports
     * @param group what carries messages by NCCL; null if nothing does
     * @param note  why; empty if something does
     */
    record All(List<DeviceTransport> transports, DeviceGroup group, String note) {
        /** Of ranks that are on the host. */
        static final All NONE = new All(List.of(), null, "");
    }

    /** Finds all transports there are. Called by all ranks, each with a device; the group is closed by the caller. */
    static All all(Communicator communicator, Backend backend) {
        Start start = new Start(communicator, backend, List.of());
        List<String> names = new ArrayList<>();
        if (start.reached() > 0) {
            names.add(DeviceTransport.DIRECT);
            names.add(DeviceTransport.COPIED);
        }
        names.add(DeviceTransport.STAGED);
        DeviceGroup group = start.join(true);
        if (group != null) {
            names.add(DeviceTransport.NCCL);
        }
        if (communicator.greatest(communicator.takesDeviceMemory() ? 0 : 1) == 0) {
            names.add(DeviceTransport.MPI);
        }
        return new All(names.stream().map(transport -> new DeviceTransport(backend, only(transport, group))).toList(),
                group,
                start.note);
    }

    /** The steps of {@link #start}, on every rank alike. */
    private static final class Start {
        private final Communicator communicator;
        private final Backend backend;
        private final List<String> wanted;
        private final GroupKernels groups;
        private final String[] names;
        private String note = "";

        Start(Communicator communicator, Backend backend, List<String> wanted) {
            this.communicator = communicator;
            this.backend = backend;
            this.wanted = wanted;
            this.groups = backend.optionalKernels(GroupKernels.class).orElse(null);
            this.names = all(groups == null ? "" : groups.deviceName());
        }

        DeviceTransports run() {
            long began = System.nanoTime();
            List<String> candidates = new ArrayList<>(wanted);
            boolean optional = false;
            if (wanted.isEmpty()) {
                int direct = reached();
                optional = direct < communicator.size();
                candidates.addAll(direct > 0
                        ? List.of(DeviceTransport.DIRECT, DeviceTransport.COPIED, DeviceTransport.STAGED)
                        : List.of(DeviceTransport.STAGED));
            }
            DeviceGroup group = optional || wanted.contains(DeviceTransport.NCCL) ? join(optional) : null;
            if (optional && group != null) {
                candidates.add(DeviceTransport.NCCL);
            }
            boolean mpi = communicator.greatest(communicator.takesDeviceMemory() ? 0 : 1) == 0;
            if (optional && mpi) {
                candidates.add(DeviceTransport.MPI);
            }
            if (wanted.contains(DeviceTransport.MPI) && !mpi) {
                throw new BackendUnavailableException("messages between devices are to go by " + DeviceTransport.MPI
                        + ", which cannot be: " + communicator.transport() + " does not say that it takes their "
                        + "memory, expected processes of a library that does, or trellis.mpi.cuda=yes");
            }
            TransportComparison times = candidates.size() == 1 ? null : times(candidates, group);
            return new DeviceTransports(times == null ? candidates.getFirst() : null, times, group, note,
                    (System.nanoTime() - began) * 1e-9);
        }

        /** Counts the ranks whose devices reach that of the next rank. */
        private int reached() {
            DeviceTransport straight = new DeviceTransport(backend, only(DeviceTransport.DIRECT, null));
            boolean direct = straight.reaches(communicator, 0);
            return (int) communicator.sum(direct ? 1 : 0);
        }

        private TransportComparison times(List<String> candidates, DeviceGroup group) {
            String key = communicator.transport() + candidates + Arrays.toString(names);
            if (communicator.greatest(MEASURED.containsKey(key) ? 0 : 1) == 0) {
                return MEASURED.get(key);
            }
            List<DeviceTransport> transports =
                    candidates.stream().map(transport -> new DeviceTransport(backend, only(transport, group))).toList();
            TransportComparison measured =
                    TransportComparison.measure(communicator, 1, transports, TransportComparison.USUAL_SIZES);
            // Ranks that are threads have measured the same.
            MEASURED.putIfAbsent(key, measured);
            return MEASURED.get(key);
        }

        private String[] all(String text) {
            byte[][] outgoing = new byte[communicator.size()][];
            Arrays.fill(outgoing, text.getBytes(StandardCharsets.UTF_8));
            return Arrays.stream(communicator.exchange(outgoing))
                    .map(bytes -> new String(bytes, StandardCharsets.UTF_8)).toArray(String[]::new);
        }

        /** Joins all ranks, or notes or says why that cannot be. */
        @SuppressWarnings("MustBeClosed") // closed with the backend
        private DeviceGroup join(boolean optional) {
            note = obstacle();
            if (!note.isEmpty() && optional) {
                return null;
            }
            if (!note.isEmpty()) {
                throw new BackendUnavailableException("messages between devices are to go by " + DeviceTransport.NCCL
                        + ", which cannot be: " + note);
            }
            byte[] name = communicator.broadcast(0, communicator.rank() == 0 ? groups.newGroup() : null);
            return groups.join(name, communicator.rank(), communicator.size());
        }

        private String obstacle() {
            String[] missing = all(groups == null
                    ? "backend '" + backend.name() + "' has no such library"
                    : groups.missing().orElse(""));
            for (int rank = 0; rank < missing.length; rank++) {
                if (!missing[rank].isEmpty()) {
                    return "rank " + rank + ": " + missing[rank];
                }
                int first = Arrays.asList(names).indexOf(names[rank]);
                if (first < rank) {
                    return "ranks " + first + " and " + rank + " share a device, expected one for each";
                }
            }
            return "";
        }
    }
}
