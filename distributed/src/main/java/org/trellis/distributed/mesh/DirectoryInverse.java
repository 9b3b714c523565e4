package org.trellis.distributed.mesh;

/** Which elements lead to each element that is at home here through a map. */
final class DirectoryInverse {
    private final int first;
    private final int[] offsets;
    private final int[] elements;

    private DirectoryInverse(int first, int[] offsets, int[] elements) {
        this.first = first;
        this.offsets = offsets;
        this.elements = elements;
    }

    /** Informs homes who leads to them. Called by all ranks. */
    static DirectoryInverse of(DirectoryRows rows, Directory homes) {
        IntAllToAll mail = new IntAllToAll(homes);
        Directory.Finder finder = homes.finder(rows.map().to());
        int[] targets = rows.targets();
        for (int row = 0; row < rows.rows(); row++) {
            for (int p = rows.start(row); p < rows.start(row + 1); p++) {
                mail.put(finder.of(targets[p]), targets[p], rows.element(row));
            }
        }
        int[][] received = mail.send();
        int first = homes.first(rows.map().to());
        int[] offsets = new int[homes.end(rows.map().to()) - first + 1];
        for (int[] pairs : received) {
            for (int i = 0; i < pairs.length; i += 2) {
                offsets[pairs[i] - first + 1]++;
            }
        }
        Directory.accumulate(offsets);
        int[] next = offsets.clone();
        int[] elements = new int[offsets[offsets.length - 1]];
        for (int[] pairs : received) {
            for (int i = 0; i < pairs.length; i += 2) {
                elements[next[pairs[i] - first]++] = pairs[i + 1];
            }
        }
        return new DirectoryInverse(first, offsets, elements);
    }

    /** Where the elements that lead to one start; also for the first that is not at home here. */
    int start(int target) {
        return offsets[target - first];
    }

    int element(int place) {
        return elements[place];
    }
}
