package org.trellis.distributed.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.mesh.Division;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.fem.FormRanks;

/**
 * Finite elements over ranks: systems, preconditioners and solvers that are made with a backend of this run on all of
 * them, unchanged.
 *
 * <pre>{@code
 * ThreadRanks.run(4, communicator -> {
 *     try (Backend own = Backends.open("threads", configuration);
 *             Backend backend = DistributedForms.on(own, communicator);
 *             FormSystem system = FormSystem.of(form, constraints, conditions, options, backend)) {
 *         system.assemble();
 *         HostVector b = system.rightHandSide(load);      // what this rank owns
 *         ...
 *         return system.unknowns().expand(x);             // all nodes, on every rank
 *     }
 * });
 * }</pre>
 *
 * <p>Every rank has the whole mesh and makes the same calls, in the same order, with the same arguments. Each has a
 * backend of its own, of any kind: on the host, or on a device with messages between ranks.
 */
public final class DistributedForms {
    private DistributedForms() {}

    /**
     * Makes the backend of a rank, for forms whose meshes are divided by {@link Division#usual}. Collective.
     *
     * @param own          what this rank computes with; not closed with what is returned, and used by nothing else
     *                     while that is
     * @param communicator the ranks; not closed with what is returned
     * @return the backend, which the caller closes after all that is made with it
     * @throws IllegalArgumentException if the backend's memory is a device's that has no messages
     */
    @MustBeClosed
    public static Backend on(Backend own, Communicator communicator) {
        return on(own, communicator, Division.usual());
    }

    /**
     * Makes the backend of a rank. Collective.
     *
     * @param own          what this rank computes with; not closed with what is returned, and used by nothing else
     *                     while that is
     * @param communicator the ranks; not closed with what is returned
     * @param division     how the cells of meshes are divided, alike on all ranks
     * @return the backend, which the caller closes after all that is made with it
     * @throws IllegalArgumentException if the backend's memory is a device's that has no messages
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public static Backend on(Backend own, Communicator communicator, Division division) {
        Communicator group = communicator.split(0, communicator.rank());
        RankForms forms = new RankForms(group, own, division);
        RankBackend backend = RankBackend.around(group, own, Map.of(FormRanks.class, forms));
        forms.sumsOf(backend);
        return backend;
    }
}
