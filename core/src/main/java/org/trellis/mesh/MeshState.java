package org.trellis.mesh;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Whether a mesh is open, being changed, and how often its structure has; and what follows from that structure. */
final class MeshState {
    private final Map<Object, Object> derived = new HashMap<>();
    private int structure;
    private boolean changing;
    private boolean closed;

    /** Differs after everything that prepared loops are bound to. */
    int structure() {
        return structure;
    }

    <T> T derived(Object key, Class<T> type, Supplier<T> make) {
        Object found = derived.get(key);
        if (found == null) {
            found = make.get();
            derived.put(key, found);
        }
        return type.cast(found);
    }

    void forgetDerived() {
        derived.clear();
    }

    void layoutChanged() {
        structure++;
    }

    void structureChanged() {
        structure++;
        derived.clear();
    }

    boolean isClosed() {
        return closed;
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException("mesh is closed");
        }
    }

    /** Refuses what a change in progress does not expect. */
    void requireSettled() {
        requireOpen();
        if (changing) {
            throw new IllegalStateException(
                    "mesh is being changed, expected nothing to be declared, renumbered, closed "
                            + "or changed before Mesh.change returns");
        }
    }

    /** Does something during which {@link #requireSettled} refuses everything else. */
    void whileChanging(Runnable change) {
        changing = true;
        try {
            change.run();
        } finally {
            changing = false;
        }
    }

    /** Returns false if the mesh was closed before. */
    boolean close() {
        boolean first = !closed;
        closed = true;
        structureChanged();
        return first;
    }
}
