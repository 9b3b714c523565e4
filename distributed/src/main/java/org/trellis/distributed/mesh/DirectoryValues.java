package org.trellis.distributed.mesh;

import java.util.Arrays;
import org.trellis.mesh.ContributedValues;
import org.trellis.mesh.Dat;

/** The values of a dat whose elements are at home here, in the user's order. */
final class DirectoryValues {
    private final Dat dat;
    private final Directory homes;
    private final double[] values;

    private DirectoryValues(Dat dat, Directory homes, double[] values) {
        this.dat = dat;
        this.homes = homes;
        this.values = values;
    }

    /** Brings values home. Called by all ranks. */
    static DirectoryValues of(Dat dat, Directory homes) {
        int first = homes.first(dat.set());
        int components = dat.components();
        if (dat.brought().isEmpty()) {
            return new DirectoryValues(dat, homes, Arrays.copyOfRange(dat.toArray(), first * components,
                    homes.end(dat.set()) * components));
        }
        ContributedValues brought = dat.brought().get();
        int[][] elements = homes.byHome(dat.set(), brought.elements());
        double[][] sent = new double[homes.ranks()][];
        Arrays.setAll(sent, rank -> new double[elements[rank].length * components]);
        int[] next = new int[homes.ranks()];
        Directory.Finder finder = homes.finder(dat.set());
        for (int row = 0; row < brought.elements().length; row++) {
            int home = finder.of(brought.elements()[row]);
            System.arraycopy(brought.values(), row * components, sent[home], next[home], components);
            next[home] += components;
        }
        int[][] from = IntAllToAll.exchange(homes.communicator(), elements);
        double[][] received = IntAllToAll.exchange(homes.communicator(), sent);
        DirectoryCheck check = new DirectoryCheck(dat.toString(), dat.set(), homes);
        double[] values = new double[(homes.end(dat.set()) - first) * components];
        for (int rank = 0; rank < from.length; rank++) {
            for (int row = 0; row < from[rank].length; row++) {
                check.brought(from[rank][row], rank);
                System.arraycopy(received[rank], row * components, values, (from[rank][row] - first) * components,
                        components);
            }
        }
        check.run();
        return new DirectoryValues(dat, homes, values);
    }

    /** The values of what is at home here; the array itself. */
    double[] here() {
        return values;
    }

    /** Returns the values of some elements, wherever they are at home. Called by all ranks. */
    double[] of(int... elements) {
        int components = dat.components();
        int first = homes.first(dat.set());
        int[][] asked = IntAllToAll.exchange(homes.communicator(), homes.byHome(dat.set(), elements));
        double[][] answers = new double[homes.ranks()][];
        for (int rank = 0; rank < asked.length; rank++) {
            answers[rank] = new double[asked[rank].length * components];
            for (int row = 0; row < asked[rank].length; row++) {
                System.arraycopy(values, (asked[rank][row] - first) * components, answers[rank], row * components,
                        components);
            }
        }
        double[][] back = IntAllToAll.exchange(homes.communicator(), answers);
        double[] found = new double[elements.length * components];
        int[] next = new int[homes.ranks()];
        Directory.Finder finder = homes.finder(dat.set());
        for (int row = 0; row < elements.length; row++) {
            int home = finder.of(elements[row]);
            System.arraycopy(back[home], next[home], found, row * components, components);
            next[home] += components;
        }
        return found;
    }
}
