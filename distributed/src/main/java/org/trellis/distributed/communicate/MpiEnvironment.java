package org.trellis.distributed.communicate;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the launcher of this process says in environment variables: how many processes it has started, and which library
 * belongs to it. A library of another family would find itself alone in each process, without a word.
 *
 * @param launcher  the family, for messages
 * @param rank      the number of this process, -1 if that is not said
 * @param size      the number of processes
 * @param localSize how many of them are on this machine, {@code size} if that is not known
 * @param libraries names under which the system's loader may have the library, the likeliest first
 */
record MpiEnvironment(String launcher, int rank, int size, int localSize, List<String> libraries) {
    private static final List<String> OPEN_MPI = List.of("libmpi.so.40", "libmpi.so.80", "libmpi.so");
    private static final List<String> MPICH =
            List.of("libmpich.so.12", "libmpi.so.12", "libmpich.so", "libmpi_abi.so.0");
    private static final List<String> ANY = List.of("libmpi_abi.so.0", "libmpi.so.12", "libmpich.so.12", "libmpi.so.40",
            "libmpi.so");

    /**
     * Reads the environment of a process that a launcher has started.
     *
     * @param environment the environment variables
     * @return what they say, or empty if no launcher was at work
     */
    static Optional<MpiEnvironment> of(Map<String, String> environment) {
        return from(environment, "Open MPI's mpirun", List.of("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                "OMPI_COMM_WORLD_LOCAL_SIZE"), OPEN_MPI)
                .or(() -> from(environment, "a launcher of MPICH's family",
                        List.of("PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"), MPICH))
                .or(() -> from(environment, "srun",
                        List.of("SLURM_PROCID", "SLURM_NTASKS", "SLURM_NTASKS_PER_NODE"), ANY)
                        .filter(found -> environment.containsKey("SLURM_PROCID")
                                && (environment.containsKey("PMI_RANK") || environment.containsKey("PMIX_RANK"))));
    }

    /** The names are those of rank, size and local size. */
    private static Optional<MpiEnvironment> from(Map<String, String> environment, String launcher, List<String> names,
            List<String> libraries) {
        int processes = number(environment.get(names.get(1)));
        if (processes < 1) {
            return Optional.empty();
        }
        int local = number(environment.get(names.get(2)));
        return Optional.of(new MpiEnvironment(launcher, number(environment.get(names.getFirst())), processes,
                local < 1 ? processes : local, libraries));
    }

    private static int number(String text) {
        return text != null && text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
    }
}
