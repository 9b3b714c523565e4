package org.trellis.distributed.mesh;

import java.util.Arrays;
import org.trellis.mesh.MeshSet;

/** Whether each element that is at home here has been brought by one rank. */
final class DirectoryCheck {
    private static final int NONE = -1;

    private final String what;
    private final MeshSet set;
    private final Directory homes;
    private final int[] broughtBy;
    private final int first;
    private String problem;

    DirectoryCheck(String what, MeshSet set, Directory homes) {
        this.what = what;
        this.set = set;
        this.homes = homes;
        this.first = homes.first(set);
        this.broughtBy = new int[homes.end(set) - homes.first(set)];
        Arrays.fill(broughtBy, NONE);
    }

    /** Notes who has brought an element. */
    void brought(int element, int rank) {
        int at = element - first;
        if (broughtBy[at] != NONE && problem == null) {
            problem = "element " + element + " of " + set + " was brought by rank " + broughtBy[at] + " and by rank "
                    + rank + " for " + what + ", expected by one rank";
        }
        broughtBy[at] = rank;
    }

    /** Refuses on all ranks what was brought twice or not at all. Called by all ranks. */
    void run() {
        int missing = 0;
        int example = -1;
        for (int at = 0; at < broughtBy.length; at++) {
            if (broughtBy[at] == NONE) {
                example = missing == 0 ? homes.first(set) + at : example;
                missing++;
            }
        }
        if (missing > 0 && problem == null) {
            problem = "element " + example + " of " + set + " was brought by none of the " + homes.ranks()
                    + " ranks for " + what
                    + (missing == 1
                            ? ""
                            : ", nor were " + (missing - 1) + " others of " + broughtBy.length
                                    + " behind and before it")
                    + "; expected each element from one rank";
        }
        homes.require(problem);
    }
}
