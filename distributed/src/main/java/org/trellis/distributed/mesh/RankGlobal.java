package org.trellis.distributed.mesh;

import org.trellis.mesh.Global;
import org.trellis.mesh.Mesh;

/**
 * What a rank on a device has of a real global of the whole mesh: a global of the rank's mesh, in which devices combine
 * what loops reduce. The whole global gets its value from there when somebody looks; until then loops that read it
 * find it on the device, and the host waits for nothing.
 */
final class RankGlobal {
    private final Global whole;
    private final Global own;
    private final Runnable fetch = this::fetch;

    /**
     * Declares the rank's global.
     *
     * @param mesh  the rank's mesh
     * @param whole a real global of the whole mesh
     * @param name  a name for the global
     */
    RankGlobal(Mesh mesh, Global whole, String name) {
        this.whole = whole;
        this.own = mesh.global(name, new double[whole.components()]);
    }

    Global own() {
        return own;
    }

    /** Says whether the rank's global has a total that nobody has looked at. */
    boolean isNewer() {
        return whole.awaits(fetch);
    }

    /** Notes that the rank's global has, or is going to have, a total. */
    void combined() {
        whole.pending(fetch);
    }

    private void fetch() {
        System.arraycopy(own.doubles(), 0, whole.doubles(), 0, whole.components());
    }
}
