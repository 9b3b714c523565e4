package org.trellis.distributed.mesh;

import java.util.Arrays;
import org.trellis.common.Permutation;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.SetParts;

/**
 * What a rank has of a set, in its own numbering: interior, rest of owned, and for each ring what it runs and what it
 * only reads; within each in the order that the whole set had when it was divided.
 */
final class LocalSet {
    /** The place of an element that this rank has not. */
    static final int ABSENT = -1;

    private final MeshSet whole;
    private final MeshSet set;
    private final SetParts parts;
    /** The user's number of each element. */
    private final int[] users;
    /** The owner of each element behind the owned ones. */
    private final int[] haloRanks;
    /** All places, in the order of the users' numbers: a list to search takes less room than a table. */
    private final int[] byUser;

    /**
     * Declares a set.
     *
     * @param mesh      this rank's mesh
     * @param whole     the set that it is a part of
     * @param parts     where parts end
     * @param current   for each element its number in the whole set, as that is numbered now
     * @param haloRanks the owner of each element behind the owned ones
     */
    LocalSet(Mesh mesh, MeshSet whole, SetParts parts, int[] current, int[] haloRanks) {
        this.whole = whole;
        this.parts = parts;
        this.set = mesh.set(whole.name(), parts);
        this.haloRanks = haloRanks;
        this.users = inUserOrder(whole, current);
        this.byUser = sorted(users);
        if (whole.isReplicated()) {
            set.replicate();
        }
        if (whole.hasBlocks()) {
            set.blocks(blocks(whole.blockOffsets(), current));
        }
    }

    /**
     * Takes a set of this rank's mesh that has been declared there.
     *
     * @param own       the set, in rings
     * @param whole     the set that it is a part of
     * @param users     the user's number of each element
     * @param haloRanks the owner of each element behind the owned ones
     */
    LocalSet(MeshSet own, MeshSet whole, int[] users, int[] haloRanks) {
        this.whole = whole;
        this.parts = own.rings().orElseThrow();
        this.set = own;
        this.haloRanks = haloRanks;
        this.users = users;
        this.byUser = sorted(users);
    }

    private static int[] inUserOrder(MeshSet whole, int... current) {
        if (whole.inUserOrder()) {
            return current;
        }
        Permutation back = whole.order().inverse();
        return Arrays.stream(current).map(back::newIndex).toArray();
    }

    private static int[] sorted(int[] users) {
        long[] keys = new long[users.length];
        for (int place = 0; place < keys.length; place++) {
            keys[place] = ((long) users[place] << Integer.SIZE) | place;
        }
        Arrays.sort(keys);
        int[] places = new int[keys.length];
        Arrays.setAll(places, i -> (int) keys[i]);
        return places;
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

    /** Returns the user's numbers of all elements. */
    int[] users() {
        return users.clone();
    }

    int user(int place) {
        return users[place];
    }

    /** Returns where this rank has an element, or {@link #ABSENT}. */
    int place(int user) {
        int low = 0;
        int high = byUser.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int found = users[byUser[middle]];
            if (found == user) {
                return byUser[middle];
            }
            if (found < user) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return ABSENT;
    }

    int haloRank(int place) {
        return haloRanks[place - parts.owned()];
    }

    int[] haloRanks() {
        return haloRanks;
    }
}
