package org.trellis.mesh;

import java.util.List;
import java.util.Optional;
import org.trellis.mesh.loop.RanksReport;

/** Whether and how a mesh is divided over ranks. */
final class MeshDivision {
    private final Mesh mesh;
    private final MeshRanks ranks;
    private LocalMesh local;

    /**
     * Makes the division of a mesh that is whole.
     *
     * @param mesh  the mesh
     * @param ranks what divides it, or null on one rank
     * @throws IllegalArgumentException if there are ranks and a tuner, which they cannot follow
     */
    MeshDivision(Mesh mesh, MeshRanks ranks) {
        if (ranks != null && mesh.options().tuner().isPresent()) {
            throw new IllegalArgumentException("a mesh over " + ranks.ranks() + " ranks was given a tuner of loops, "
                    + "which would choose otherwise on each; expected none");
        }
        this.mesh = mesh;
        this.ranks = ranks;
    }

    Optional<MeshRanks> ranks() {
        return Optional.ofNullable(ranks);
    }

    /** Says whether loops run on several ranks, now or once the mesh has been divided. */
    boolean ranked() {
        return ranks != null;
    }

    boolean divided() {
        return local != null;
    }

    /** Returns this rank's mesh, and divides the mesh before if need be. */
    LocalMesh local() {
        if (local == null) {
            mesh.running().settle(); // which divides the mesh if something waits
        }
        if (local == null) {
            split();
        }
        return local;
    }

    /** Divides the mesh, unless it has been, or there is one rank. */
    void divide() {
        if (ranked()) {
            local();
        }
    }

    private void split() {
        mesh.requireOpen();
        mesh.running().passage().opening();
        MeshDeclarations declared = mesh.declarations();
        local = ranks.divide(mesh);
        declared.dats().forEach(dat -> dat.divide(local.dat(dat, dat.undivided())));
        if (ranks.dividesAgain()) {
            ranks.divided(this::again);
        } else {
            declared.maps().forEach(MeshMap::divided);
        }
        mesh.structureChanged();
    }

    /** Divides the mesh otherwise: every rank gathers all values and keeps what it has of them then. */
    private void again() {
        mesh.requireOpen();
        if (!mesh.declarations().patterns().isEmpty()) {
            throw new IllegalStateException("another division of a mesh with "
                    + mesh.declarations().patterns().getFirst() + ", whose rows each rank has derived from its first "
                    + "one, expected a mesh without patterns");
        }
        List<Dat> dats = mesh.dats();
        List<double[]> values = dats.stream().map(dat -> dat.onRank().orElseThrow().toArray()).toList();
        mesh.running().forgetChains();
        mesh.loops().forEach(ParallelLoop::release);
        local.close();
        local = ranks.divide(mesh);
        for (int d = 0; d < values.size(); d++) {
            dats.get(d).divide(local.dat(dats.get(d), values.get(d)));
        }
        mesh.structureChanged();
    }

    /** Refuses what can be done to a whole mesh only. */
    void requireWhole(String what) {
        if (divided()) {
            throw new IllegalStateException(what + " of a mesh that has been divided over " + ranks.ranks()
                    + " ranks, expected it before the first loop is prepared");
        }
    }

    /** Refuses what a mesh over ranks cannot do, divided or not. */
    void requireOneRank(String what) {
        if (ranked()) {
            throw new IllegalArgumentException(what + " of a mesh over ranks, expected a mesh on one rank");
        }
    }

    Optional<RanksReport> report() {
        return local == null ? Optional.empty() : Optional.of(local.report());
    }

    void resetTimes() {
        if (local != null) {
            local.resetTimes();
        }
    }

    void close() {
        if (local != null) {
            local.close();
        }
        if (ranks != null) {
            ranks.close();
        }
    }
}
