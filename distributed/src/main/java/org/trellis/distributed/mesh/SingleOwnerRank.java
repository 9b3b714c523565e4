package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.PublishedValues;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;

/**
 * One rank that has everything of a mesh, while the others are threads of the same process. It runs loops and sequences
 * as on a mesh without ranks: no message, no meeting, and a device is given a sequence at once. The others run nothing;
 * they learn the values of globals when the program looks at them there.
 */
final class SingleOwnerRank implements AutoCloseable {
    private final int rank;
    private final boolean here;
    private final int own;
    private final PublishedValues bulletin;
    private final List<RankGlobal> globals = new ArrayList<>();
    private final Runnable offering = this::offer;

    private SingleOwnerRank(int rank, int own, PublishedValues bulletin) {
        this.rank = rank;
        this.own = own;
        this.here = rank == own;
        this.bulletin = bulletin;
        if (here) {
            bulletin.beforeWaiting(offering);
        }
    }

    /**
     * Finds the rank that can run alone. Called by all ranks.
     *
     * @param whole        the whole mesh
     * @param division     how it is divided
     * @param communicator the ranks
     * @return empty if several ranks have something, or {@link #objection} has one
     */
    static Optional<SingleOwnerRank> of(Mesh whole, Division division, Communicator communicator) {
        int[] with = division.ranksWithSomething(communicator.size());
        if (with.length != 1 || communicator.size() == 1 || objection(whole).isPresent()) {
            return Optional.empty();
        }
        return PublishedValues.of(communicator, with[0])
                .map(made -> new SingleOwnerRank(with[0], communicator.rank(), made));
    }

    /**
     * Says why the others have to take part although one rank has everything.
     *
     * @param whole the whole mesh
     * @return what of the mesh needs them; empty if nothing does
     */
    static Optional<String> objection(Mesh whole) {
        if (whole.options().chains().isActive()) {
            return Optional.of("loops of the mesh are run in chains");
        }
        if (whole.options().checkpoints().isPresent()) {
            return Optional.of("the mesh has checkpoints");
        }
        return whole.sets().stream().filter(MeshSet::isReplicated).findFirst()
                .map(set -> set + " is on every rank");
    }

    /** Says whether this is the rank. */
    boolean isHere() {
        return here;
    }

    int rank() {
        return rank;
    }

    /** Returns this rank's number, that of another rank unless {@link #isHere}. */
    int own() {
        return own;
    }

    /** Takes in a global; returns where its values are brought. */
    PublishedValues.Slot add(RankGlobal global, int components) {
        globals.add(global);
        return bulletin.slot(globals.size() - 1, components);
    }

    private void offer() {
        for (int g = 0; g < globals.size(); g++) {
            globals.get(g).offer();
        }
    }

    /** Brings what others may still want. */
    @Override
    public void close() {
        if (here) {
            bulletin.waitsWithout(offering);
            offer();
        }
    }
}
