package org.trellis.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.mesh.device.DeviceGroup;

/**
 * A library that carries messages among the devices of all ranks, in one process or many and on one host or many, such
 * as NCCL. Implemented by backends whose devices have one.
 */
public interface GroupKernels {
    /**
     * Looks for the library, and loads it.
     *
     * @return why it cannot be used here; empty if it can
     */
    Optional<String> missing();

    /**
     * Distinguishes devices, since a group cannot have one twice.
     *
     * @return text that no other device of all ranks' hosts has
     */
    String deviceName();

    /**
     * Makes the name of a new group, on one of its ranks.
     *
     * @return bytes for {@link #join}
     * @throws org.trellis.common.BackendUnavailableException if the library cannot be used here; says why
     * @throws org.trellis.common.DeviceException             if the library fails
     */
    byte[] newGroup();

    /**
     * Joins a group. Called by all ranks of it, which wait for each other; takes some tenths of a second.
     *
     * @param name  what {@link #newGroup} gave on one rank
     * @param rank  this rank
     * @param ranks how many there are
     * @return the group, closed with the backend at the latest
     * @throws org.trellis.common.BackendUnavailableException if the library cannot be used here; says why
     * @throws org.trellis.common.DeviceException             if the library fails
     */
    @MustBeClosed
    DeviceGroup join(byte[] name, int rank, int ranks);

    /**
     * Prepares the combination of some numbers of all ranks of a group. It needs no {@link PreparedReduction#connect}.
     *
     * @param group the ranks
     * @param most  the most numbers that are combined at a time
     * @return the combination, which the caller closes before the group
     */
    @MustBeClosed
    PreparedReduction reduction(DeviceGroup group, int most);
}
