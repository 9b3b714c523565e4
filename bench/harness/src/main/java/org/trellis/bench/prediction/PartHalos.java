package org.trellis.bench.prediction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.trellis.common.Checks;
import org.trellis.distributed.halo.HaloStatistics;
import org.trellis.mesh.partition.Partition;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * The halos that as many ranks as a partition has parts would have, found on one machine: the parts are analysed one
 * after the other, by the dependencies that {@link org.trellis.distributed.halo.HaloPlan} follows on ranks, and with
 * its results, number for number. Nothing is kept of a part but these numbers. Takes the time of a pass over the
 * entries of all parts and their rings but the last.
 */
public final class PartHalos {
    private final int rings;
    private final List<Part> parts;
    private final long globalNonZeros;

    /**
     * The halo of one part.
     *
     * @param ownedRows        rows of the part
     * @param interiorRows     those whose columns are all of the part
     * @param ownedNonZeros    entries of its rows
     * @param interiorNonZeros those of interior rows
     * @param ringRows         elements of each ring, the first ring first. Not to be changed
     * @param ringNonZeros     entries of the rows of each ring but the last. Not to be changed
     * @param sources          the parts that elements come from, increasing. Not to be changed
     * @param received         for each source, the elements of each ring that come from it. Not to be changed
     */
    public record Part(int ownedRows, int interiorRows, long ownedNonZeros, long interiorNonZeros, int[] ringRows,
            long[] ringNonZeros, int[] sources, int[][] received) {
        /**
         * Counts the elements that come from a source in an exchange of one vector.
         *
         * @param source its place among the sources
         * @param count  how many rings are exchanged
         * @return the sum over these rings
         */
        public long received(int source, int count) {
            long sum = 0;
            for (int ring = 0; ring < count; ring++) {
                sum += received[source][ring];
            }
            return sum;
        }

        /**
         * Counts the entries of the rows of the first rings.
         *
         * @param count how many rings, fewer than were analysed
         * @return their entries, those of the owned rows left out
         */
        public long nonZerosOfRings(int count) {
            long sum = 0;
            for (int ring = 0; ring < count; ring++) {
                sum += ringNonZeros[ring];
            }
            return sum;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }

        @Override
        public String toString() {
            return ownedRows + " rows (" + interiorRows + " interior, " + ownedNonZeros + " non-zeros) with rings of "
                    + Arrays.toString(ringRows) + " elements of " + sources.length + " parts";
        }
    }

    private PartHalos(int rings, List<Part> parts, long globalNonZeros) {
        this.rings = rings;
        this.parts = List.copyOf(parts);
        this.globalNonZeros = globalNonZeros;
    }

    /**
     * Analyses the parts of a matrix.
     *
     * @param matrix    a square matrix
     * @param partition the part of each row
     * @param rings     number of rings, at least 1
     * @return the halos of all parts
     * @throws IllegalArgumentException if the matrix is not square, the partition has another number of rows, or there
     *                                  are no rings
     */
    public static PartHalos of(CsrMatrix matrix, Partition partition, int rings) {
        Checks.positive("number of rings", rings);
        Checks.length("columns of a matrix to partition", matrix.columns(), matrix.rows());
        Checks.length("rows of the partition", partition.vertices(), matrix.rows());
        return new Analysis(matrix, partition, rings).run();
    }

    /**
     * Returns the number of rings.
     *
     * @return at least 1
     */
    public int rings() {
        return rings;
    }

    /**
     * Returns the parts.
     *
     * @return one for each rank
     */
    public List<Part> parts() {
        return parts;
    }

    /**
     * Returns the entries of the matrix.
     *
     * @return the sum over the owned rows of all parts
     */
    public long globalNonZeros() {
        return globalNonZeros;
    }

    /**
     * Returns what a plan on the rank of a part says of itself.
     *
     * @param part the part
     * @return its statistics
     * @throws IndexOutOfBoundsException if there is no such part
     */
    public HaloStatistics statistics(int part) {
        Part own = parts.get(part);
        int sent = 0;
        int targets = 0;
        for (Part other : parts) {
            int at = Arrays.binarySearch(other.sources, part);
            if (at >= 0) {
                targets++;
                sent += (int) other.received(at, rings);
            }
        }
        return new HaloStatistics(rings, own.ownedRows, own.interiorRows, own.ownedNonZeros, own.ringRows,
                own.ringNonZeros, targets, own.sources.length, sent);
    }

    @Override
    public String toString() {
        return "halos of " + parts.size() + " parts with " + rings + " rings";
    }

    /** Follows the dependencies of one part after the other. */
    private static final class Analysis {
        private final CsrMatrix matrix;
        private final int[] partOf;
        private final int rings;
        private final int[] starts;
        private final int[] members;
        /** The part whose local element a row was last found to be, plus one. */
        private final int[] found;
        private int[] list = new int[1024];
        private int count;

        Analysis(CsrMatrix matrix, Partition partition, int rings) {
            this.matrix = matrix;
            this.partOf = partition.partOf();
            this.rings = rings;
            this.starts = new int[partition.parts() + 1];
            this.members = new int[partOf.length];
            this.found = new int[partOf.length];
            for (int part : partOf) {
                starts[part + 1]++;
            }
            for (int part = 0; part < partition.parts(); part++) {
                starts[part + 1] += starts[part];
            }
            int[] at = starts.clone();
            for (int row = 0; row < partOf.length; row++) {
                members[at[partOf[row]]++] = row;
            }
        }

        PartHalos run() {
            List<Part> parts = new ArrayList<>();
            for (int part = 0; part + 1 < starts.length; part++) {
                parts.add(analyse(part));
            }
            return new PartHalos(rings, parts, matrix.nonZeros());
        }

        private Part analyse(int part) {
            count = 0;
            int interior = 0;
            long interiorNonZeros = 0;
            long owned = 0;
            for (int i = starts[part]; i < starts[part + 1]; i++) {
                found[members[i]] = part + 1;
            }
            for (int i = starts[part]; i < starts[part + 1]; i++) {
                int length = matrix.rowLength(members[i]);
                owned += length;
                if (follow(members[i], part)) {
                    interior++;
                    interiorNonZeros += length;
                }
            }
            int[] ringRows = new int[rings];
            long[] ringNonZeros = new long[rings - 1];
            TreeMap<Integer, int[]> sources = new TreeMap<>();
            int from = 0;
            for (int ring = 0; ring < rings; ring++) {
                int end = count;
                ringRows[ring] = end - from;
                for (int i = from; i < end; i++) {
                    sources.computeIfAbsent(partOf[list[i]], p -> new int[rings])[ring]++;
                    if (ring < rings - 1) {
                        ringNonZeros[ring] += matrix.rowLength(list[i]);
                        follow(list[i], part);
                    }
                }
                from = end;
            }
            return new Part(starts[part + 1] - starts[part], interior, owned, interiorNonZeros, ringRows, ringNonZeros,
                    sources.keySet().stream().mapToInt(Integer::intValue).toArray(),
                    sources.values().toArray(int[][]::new));
        }

        /** Adds to the list what a row needs and is not there yet; returns whether all of it is the part's own. */
        private boolean follow(int row, int part) {
            CsrSegment segment = matrix.segmentOf(row);
            int[] columns = segment.columnIndices();
            int end = segment.rowOffsets()[row - segment.firstRow() + 1];
            boolean inside = true;
            for (int k = segment.rowOffsets()[row - segment.firstRow()]; k < end; k++) {
                int column = columns[k];
                inside &= partOf[column] == part;
                if (found[column] != part + 1) {
                    found[column] = part + 1;
                    if (count == list.length) {
                        list = Arrays.copyOf(list, 2 * count);
                    }
                    list[count++] = column;
                }
            }
            return inside;
        }
    }
}
