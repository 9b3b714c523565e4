package org.trellis.distributed.mesh;

import java.util.Arrays;
import org.trellis.common.Permutation;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.SetParts;

/**
 * What a rank has of a set, in its own numbering: interior, rest of owned, and for each ring what it runs and what it
 * only reads; within each in the order that the whole set had when it was divided.
 */
final class LocalSet {
    private final MeshSet whole;
    private final MeshSet set;
    private final SetParts parts;
    /** The user's number of each element. */
    private final int[] users;
    /** The owner of each element behind the owned ones. */
    private final int[] haloRanks;
    private final IndexMap places;

    /**
     * Declares a set.
     *
     * @param mesh    this rank's mesh
     * @param whole   the set that it is a part of
     * @param parts   where parts end
     * @param current for each element its number in the whole set, as that is numbered now
     * @param owners  the owner of each element of the whole set; null if every rank has it
     */
    LocalSet(Mesh mesh, MeshSet whole, SetParts parts, int[] current, int[] owners) {
        this.whole = whole;
        this.parts = parts;
        this.set = mesh.set(whole.name(), parts);
        this.users = new int[current.length];
        this.haloRanks = new int[current.length - parts.owned()];
        this.places = new IndexMap(current.length);
        Permutation back = whole.order().inverse();
        for (int i = 0; i < current.length; i++) {
            users[i] = back.newIndex(current[i]);
            places.add(users[i]);
            if (i >= parts.owned()) {
                haloRanks[i - parts.owned()] = owners[current[i]];
            }
        }
        if (owners == null) {
            set.replicate();
        }
        if (whole.hasBlocks()) {
            set.blocks(blocks(whole.blockOffsets(), current));
        }
    }

    /** Cuts where elements of another block of the whole set begin. */
    private static int[] blocks(int[] offsets, int[] current) {
        int[] starts = new int[current.length + 1];
        int count = 0;
        int before = -1;
        for (int i = 0; i < current.length; i++) {
            int found = Arrays.binarySearch(offsets, current[i]);
            int block = found >= 0 ? found : -found - 2;
            // Empty blocks have the same offset; all of their elements count as one block's.
            block = Arrays.binarySearch(offsets, offsets[block]);
            if (block != before) {
                starts[count++] = i;
                before = block;
            }
        }
        starts[count++] = current.length;
        return current.length == 0 ? new int[]{0} : Arrays.copyOf(starts, count);
    }

    MeshSet whole() {
        return whole;
    }

    MeshSet set() {
        return set;
    }

    SetParts parts() {
        return parts;
    }

    boolean replicated() {
        return whole.isReplicated();
    }

    /** Returns the user's numbers of the owned elements. */
    int[] owned() {
        return Arrays.copyOf(users, parts.owned());
    }

    int user(int place) {
        return users[place];
    }

    /** Returns where this rank has an element, or {@link IndexMap#ABSENT}. */
    int place(int user) {
        return places.get(user);
    }

    int haloRank(int place) {
        return haloRanks[place - parts.owned()];
    }

    int[] haloRanks() {
        return haloRanks;
    }
}
