package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.device.DeviceReduction;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.distributed.device.SideQueue;
import org.trellis.distributed.exchange.ExchangeMemory;
import org.trellis.distributed.exchange.ExchangePattern;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/**
 * The lists and messages of a mesh, each made when it is needed first. All ranks need the same at the same time, since
 * what is up to date depends on the program only.
 */
final class HaloMessages implements AutoCloseable {
    /** The tag of reductions, the greatest that a channel can have. */
    static final int TAG_OF_REDUCTIONS = 32_767;
    /** The tag of what hosts send each other before and after they queue sequences. */
    static final int TAG_OF_BATCHES = TAG_OF_REDUCTIONS - 1;

    private final Communicator communicator;
    private final Map<MeshSet, LocalSet> sets;
    private final Map<MeshMap, MeshMap> maps;
    private final Map<HaloKey, ExchangePattern> links = new HashMap<>();
    private final Map<List<HaloNeed>, HaloMessage> messages = new LinkedHashMap<>();
    private final ExchangeMemory carrier;
    private final SideQueue side;
    private final RankBatches batches;

    /**
     * Prepares for messages: finds out which transports they have, if that has not been done for the backend. Called by
     * all ranks.
     *
     * @param communicator the ranks
     * @param backend      of this rank, whose dats are on a device if it has kernels for messages from there
     * @param sets         what this rank has of each set
     * @param maps         what this rank has of each map
     */
    HaloMessages(Communicator communicator, Backend backend, Map<MeshSet, LocalSet> sets,
            Map<MeshMap, MeshMap> maps) {
        HaloKernels kernels = backend.optionalKernels(HaloKernels.class).orElse(null);
        boolean anyDevices = communicator.greatest(kernels == null ? 0 : 1) > 0;
        if (communicator.greatest(kernels == null || DeviceTransports.of(kernels).isPresent() ? 0 : 1) > 0) {
            DeviceTransports.start(communicator, backend);
        }
        this.carrier = kernels == null ? ExchangeMemory.host(anyDevices) : ExchangeMemory.device(backend);
        this.communicator = communicator;
        this.side = SideQueue.of(backend);
        this.batches = new RankBatches(communicator, backend, anyDevices);
        this.sets = sets;
        this.maps = maps;
    }

    /** Returns the message that brings some things; those that are within others have been left out. */
    @SuppressWarnings("MustBeClosed") // closed with this
    HaloMessage of(List<HaloNeed> needs) {
        HaloMessage message = messages.get(needs);
        if (message == null) {
            List<ExchangePattern> chosen = new ArrayList<>();
            for (HaloNeed need : needs) {
                chosen.add(links(need.key()));
            }
            Checks.index("number of a message of the mesh", messages.size(), TAG_OF_BATCHES);
            message = new HaloMessage(communicator, messages.size(), carrier, needs, chosen, side, batches);
            messages.put(List.copyOf(needs), message);
        }
        return message;
    }

    /** Says whether this rank neither sends nor receives what a message with some things would bring. */
    boolean isEmpty(List<HaloNeed> needs) {
        boolean empty = true;
        for (HaloNeed need : needs) {
            ExchangePattern found = links(need.key()); // all ranks ask for all of them
            empty &= found.sent(communicator.rank()) + found.received(communicator.rank()) == 0;
        }
        return empty;
    }

    /** Makes what combines globals on devices, if all ranks have some that reach each other. Called by all ranks. */
    Optional<DeviceReduction> reduction(Backend backend) {
        return carrier.anyDevices()
                ? DeviceReduction.of(communicator, TAG_OF_REDUCTIONS, backend, DeviceReduction.MAX_NUMBERS)
                : Optional.empty();
    }

    /** Returns what gives the device sequences. */
    RankBatches batches() {
        return batches;
    }

    /** Says how messages between devices travel; empty on the host and as long as there are none. */
    Optional<String> transport() {
        return messages.values().stream().filter(message -> carrier.onDevice() && message.messages() > 0)
                .map(HaloMessage::transport).findFirst();
    }

    @Override
    public void close() {
        // A message that did not come leaves the device aside.
        side.join();
        batches.close();
        messages.values().forEach(HaloMessage::close);
        messages.clear();
    }

    private ExchangePattern links(HaloKey key) {
        ExchangePattern found = links.get(key);
        if (found == null) {
            LocalSet from = sets.get(key.map() == null ? key.set() : key.map().from());
            found = key.links(sets.get(key.set()), from, maps.get(key.map()), runs(key, from), communicator);
            links.put(key, found);
        }
        return found;
    }

    /** The elements of the set that is run whose run has to be right: owned ones, and those that lead to others. */
    private BitSet runs(HaloKey key, LocalSet from) {
        BitSet runs = new BitSet();
        int end = from.parts().executed(key.ring());
        runs.set(0, key.through().isEmpty() ? end : from.parts().owned());
        for (MeshMap written : key.through()) {
            int right = sets.get(written.to()).parts().ends().get(2 * (key.ring() - 1));
            MapRows.each(maps.get(written), end, (element, target) -> {
                if (target < right) {
                    runs.set(element);
                }
            });
        }
        return runs;
    }
}
