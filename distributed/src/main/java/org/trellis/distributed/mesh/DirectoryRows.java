package org.trellis.distributed.mesh;

import java.util.Arrays;
import java.util.Optional;
import org.trellis.mesh.ContributedRows;
import org.trellis.mesh.MeshMap;

/** The rows of a map whose elements are at home here, in the numbering of homes. */
final class DirectoryRows {
    private final MeshMap map;
    private final int first;
    private final int rows;
    /** Where rows start; null if all have as many targets. */
    private final int[] offsets;
    private final int[] targets;

    private DirectoryRows(MeshMap map, int first, int rows, int[] offsets, int[] targets) {
        this.map = map;
        this.first = first;
        this.rows = rows;
        this.offsets = offsets;
        this.targets = targets;
    }

    /** Brings rows home. Called by all ranks. */
    static DirectoryRows of(MeshMap map, Directory homes) {
        if (homes.isWhole()) {
            return whole(map);
        }
        Optional<ContributedRows> brought = map.brought();
        return brought.isPresent() ? gathered(map, brought.get(), homes) : cut(map, homes);
    }

    /** Every rank has the whole map, of which it keeps what is at home. */
    private static DirectoryRows cut(MeshMap map, Directory homes) {
        int first = homes.first(map.from());
        int rows = homes.end(map.from()) - first;
        int[] all = map.toArray();
        int[] starts = map.rowOffsets();
        if (starts == null) {
            return new DirectoryRows(map, first, rows, null,
                    Arrays.copyOfRange(all, first * map.arity(), (first + rows) * map.arity()));
        }
        int[] offsets = new int[rows + 1];
        Arrays.setAll(offsets, row -> starts[first + row] - starts[first]);
        return new DirectoryRows(map, first, rows, offsets,
                Arrays.copyOfRange(all, starts[first], starts[first + rows]));
    }

    private static DirectoryRows whole(MeshMap map) {
        int rows = map.from().size();
        if (map.arity() == MeshMap.VARIABLE) {
            return new DirectoryRows(map, 0, rows, map.offsets(), map.entries());
        }
        int arity = map.arity();
        int[] targets = new int[Math.multiplyExact(rows, arity)];
        for (int entry = 0; entry < arity; entry++) {
            int[] column = map.column(entry);
            for (int row = 0; row < rows; row++) {
                targets[row * arity + entry] = column[row];
            }
        }
        return new DirectoryRows(map, 0, rows, null, targets);
    }

    private static DirectoryRows gathered(MeshMap map, ContributedRows brought, Directory homes) {
        int[][] received = runs(map, brought, homes).send();
        int first = homes.first(map.from());
        int rows = homes.end(map.from()) - first;
        DirectoryCheck check = new DirectoryCheck(map.toString(), map.from(), homes);
        int[] offsets = map.arity() == MeshMap.VARIABLE ? new int[rows + 1] : null;
        for (int rank = 0; rank < received.length; rank++) {
            int[] mine = received[rank];
            for (int at = 0; at < mine.length;) {
                int element = mine[at];
                int count = mine[at + 1];
                at = lengths(map.arity(), mine, at, offsets, element - first);
                for (int i = 0; i < count; i++) {
                    check.brought(element + i, rank);
                }
            }
        }
        check.run();
        if (offsets != null) {
            Directory.accumulate(offsets);
        }
        int[] targets = new int[offsets == null ? Math.multiplyExact(rows, map.arity()) : offsets[rows]];
        DirectoryRows made = new DirectoryRows(map, first, rows, offsets, targets);
        Arrays.stream(received).forEach(made::take);
        return made;
    }

    /** Elements travel as runs of consecutive ones with the same home, which is all of a share read from a file. */
    private static IntAllToAll runs(MeshMap map, ContributedRows brought, Directory homes) {
        IntAllToAll mail = new IntAllToAll(homes);
        Directory.Finder finder = homes.finder(map.from());
        int[] elements = brought.elements();
        for (int begin = 0; begin < elements.length;) {
            int home = finder.of(elements[begin]);
            int end = begin + 1;
            while (end < elements.length && elements[end] == elements[end - 1] + 1
                    && finder.of(elements[end]) == home) {
                end++;
            }
            int from = brought.start(begin, map.arity());
            int count = brought.start(end, map.arity()) - from;
            boolean variable = map.arity() == MeshMap.VARIABLE;
            mail.put(home, elements[begin], end - begin);
            for (int row = begin; row < end && variable; row++) {
                mail.put(home, brought.start(row + 1, map.arity()) - brought.start(row, map.arity()));
            }
            mail.put(home, brought.targets(), from, count);
            begin = end;
        }
        return mail;
    }

    /** Notes the lengths of a run's rows if they have any of their own; returns where the next run begins. */
    private static int lengths(int arity, int[] message, int at, int[] offsets, int row) {
        int count = message[at + 1];
        if (offsets == null) {
            return at + 2 + count * arity;
        }
        int targets = 0;
        for (int i = 0; i < count; i++) {
            offsets[row + i + 1] = message[at + 2 + i];
            targets += message[at + 2 + i];
        }
        return at + 2 + count + targets;
    }

    /** Takes the targets of the rows in a message. */
    private void take(int... message) {
        for (int at = 0; at < message.length;) {
            int row = message[at] - first;
            int count = message[at + 1];
            int length = start(row + count) - start(row);
            at += 2 + (offsets == null ? 0 : count);
            System.arraycopy(message, at, targets, start(row), length);
            at += length;
        }
    }

    MeshMap map() {
        return map;
    }

    /** The number of rows. */
    int rows() {
        return rows;
    }

    /** The element of a row. */
    int element(int row) {
        return first + row;
    }

    /** Where the targets of a row start. */
    int start(int row) {
        return offsets == null ? row * map.arity() : offsets[row];
    }

    /** The targets of all rows; the array itself. */
    int[] targets() {
        return targets;
    }

    /** Writes the rows of some elements that are at home here: targets, behind their number if rows differ in that. */
    void write(int[] elements, IntAllToAll mail, int rank) {
        if (offsets != null) {
            for (int element : elements) {
                int from = offsets[element - first];
                int count = offsets[element - first + 1] - from;
                mail.put(rank, count);
                mail.put(rank, targets, from, count);
            }
            return;
        }
        mail.expect(rank, elements.length * map.arity());
        for (int i = 0; i < elements.length;) {
            int begin = i++;
            while (i < elements.length && elements[i] == elements[i - 1] + 1) {
                i++;
            }
            mail.put(rank, targets, start(elements[begin] - first), (i - begin) * map.arity());
        }
    }
}
