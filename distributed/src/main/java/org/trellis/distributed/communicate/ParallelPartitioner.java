package org.trellis.distributed.communicate;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Checks;

/**
 * Parallel partitioners, where they are installed: they divide a graph whose vertices are spread over the ranks, so
 * that no rank has it whole. They call MPI themselves, on the ranks' own communicator; so ranks have to be processes
 * under the MPI library that the partitioner was built for. Ranks wait for one another before one begins, and while it
 * works they have {@value #PATIENCES} times their patience: what it computes counts as well. Parts may differ from run
 * to run, by the order in which messages come.
 */
public enum ParallelPartitioner {
    /** PT-Scotch 6 or 7. */
    PTSCOTCH("PT-Scotch", PtScotch.FILE, "the package is called libptscotch-7.0 in Debian") {
        @Override
        int[] partition(PartitionerLibrary library, int[] offsets, int[] neighbours, int parts, double tolerance) {
            return new PtScotch(library).partition(offsets, neighbours, parts, tolerance);
        }
    },
    /** ParMETIS 4, or a library with the same function. */
    PARMETIS("ParMETIS", ParMetis.FILE, "Debian has it in its section non-free, as libparmetis4.0") {
        @Override
        int[] partition(PartitionerLibrary library, int[] offsets, int[] neighbours, int parts, double tolerance) {
            return new ParMetis(library).partition(offsets, neighbours, parts, tolerance);
        }
    },
    /** The hypergraph partitioner of Zoltan 3. */
    ZOLTAN("Zoltan", Zoltan.FILE, "the package is called libtrilinos-zoltan-13.2 in Debian") {
        @Override
        int[] partition(PartitionerLibrary library, int[] offsets, int[] neighbours, int parts, double tolerance) {
            return new Zoltan(library).partition(offsets, neighbours, parts, tolerance);
        }
    };

    /** How many times the patience of ranks a library has for computing and waiting. */
    private static final int PATIENCES = 20;

    private final String title;
    private final String file;
    private final String remark;

    ParallelPartitioner(String title, String file, String remark) {
        this.title = title;
        this.file = file;
        this.remark = remark;
    }

    abstract int[] partition(PartitionerLibrary library, int[] offsets, int[] neighbours, int parts,
            double tolerance);

    /**
     * Returns the name on the command line.
     *
     * @return in lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Lists the names on the command line.
     *
     * @return all labels
     */
    public static List<String> labels() {
        return Arrays.stream(values()).map(ParallelPartitioner::label).toList();
    }

    /**
     * Finds one by its name.
     *
     * @param label a name
     * @return the partitioner, installed or not; empty if there is none of that name
     */
    public static Optional<ParallelPartitioner> labelled(String label) {
        return Arrays.stream(values()).filter(one -> one.label().equals(label)).findFirst();
    }

    /**
     * Finds out whether these ranks can use it, as far as that shows without loading it.
     *
     * @param ranks the ranks
     * @return the answer with a reason
     */
    public Availability probe(Communicator ranks) {
        if (!(ranks.innermost() instanceof MpiCommunicator)) {
            return Availability.no("ranks communicate by " + ranks.transport() + ", and " + title
                    + " calls MPI: expected processes of MpiRanks");
        }
        return installed();
    }

    /**
     * Finds out whether it is installed, as far as that shows without loading it: not whether it was built for the MPI
     * library that ranks will have.
     *
     * @return the answer with a reason, the file's path if there is one
     */
    public Availability installed() {
        return PartitionerLibrary.installed(file, remark);
    }

    /**
     * Divides a graph. Collective.
     *
     * @param ranks      processes of MPI
     * @param offsets    where the neighbours of each vertex of this rank start, and the number of neighbours; vertices
     *                   of lower ranks have lower numbers
     * @param neighbours numbers of the neighbours in the whole graph; none twice, none a vertex's own, and each edge in
     *                   both directions
     * @param parts      number of parts, at least 1
     * @param tolerance  the size of the largest part may be this times that of parts of equal size, 1 or more; kept
     *                   unless the method fails to
     * @return a part for each vertex of this rank
     * @throws IllegalArgumentException    if {@code parts} or {@code tolerance} is less than 1
     * @throws BackendUnavailableException if these ranks cannot use it; says why
     * @throws org.trellis.common.TrellisException if one of its functions fails; names it
     */
    public int[] partition(Communicator ranks, int[] offsets, int[] neighbours, int parts, double tolerance) {
        Checks.positive("number of parts", parts);
        if (!(tolerance >= 1)) {
            throw new IllegalArgumentException("tolerance is " + tolerance + ", expected at least 1");
        }
        Availability available = probe(ranks);
        if (!available.available()) {
            throw new BackendUnavailableException("partitioner " + label() + " cannot be used here: "
                    + available.reason());
        }
        if (parts == 1 || ranks.greatest(offsets.length - 1) == 0) {
            return new int[offsets.length - 1];
        }
        PartitionerLibrary library = PartitionerLibrary.load(ranks, available);
        ranks.barrier(); // so that no rank is in the library for one that never comes
        int[][] partOf = new int[1][];
        library.communicator().job().within(title + "'s partitioning",
                ranks.patience().multipliedBy(PATIENCES),
                () -> partOf[0] = partition(library, offsets, neighbours, parts, tolerance));
        return partOf[0];
    }
}
