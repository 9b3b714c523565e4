package org.trellis.bench.adapters.ranks;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A program that starts processes under MPI.
 *
 * @param command its file
 * @param family  {@value #OPEN_MPI} or {@value #MPICH}
 */
record MpiLauncher(Path command, String family) {
    /** Open MPI. */
    static final String OPEN_MPI = "openmpi";
    /** MPICH and its relatives. */
    static final String MPICH = "mpich";

    /** What a launcher hands to its processes; those that are started from here must not take it for theirs. */
    private static final Pattern OF_ANOTHER_JOB =
            Pattern.compile("OMPI_(?!MCA_).*|PMIX_(?!MCA_).*|PMI_.*|MPI_LOCAL.*|ORTE_.*");

    /**
     * Looks for a launcher.
     *
     * @param family the family
     * @param path   folders as in the environment variable PATH
     * @return its first program that is there
     */
    static Optional<MpiLauncher> find(String family, String path) {
        for (String name : List.of("mpirun." + family, "mpiexec." + family, "mpirun", "mpiexec")) {
            for (String folder : path.split(File.pathSeparator, -1)) {
                if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) {
                    return Optional.of(new MpiLauncher(Path.of(folder, name), family));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the words before those of the program. */
    List<String> line(int processes) {
        List<String> line = new ArrayList<>(List.of(command.toString()));
        if (family.equals(OPEN_MPI)) {
            // More processes than cores is the user's wish; and each has the processors that its neighbours leave.
            line.addAll(List.of("--oversubscribe", "--bind-to", "none"));
        }
        // Open MPI's launcher rewrites commands whose program is "java".
        line.addAll(List.of("-n", Integer.toString(processes), "env"));
        return line;
    }

    /**
     * Prepares the environment of processes, with or without a launcher: one thread each, memory on large pages as
     * Java's heap is, and nothing of a network that a single machine does not need.
     */
    static void prepare(Map<String, String> environment) {
        environment.keySet().removeIf(name -> OF_ANOTHER_JOB.matcher(name).matches());
        environment.put("OMP_NUM_THREADS", "1");
        environment.put("OPENBLAS_NUM_THREADS", "1");
        environment.putIfAbsent("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");
        // UCX would take over the signal by which the JVM checks for null.
        environment.put("UCX_ERROR_SIGNALS", "");
        Map<String, String> usual = Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
                "OMPI_MCA_pml", "ob1", "OMPI_MCA_btl", "self,vader", "OMPI_MCA_osc", "^ucx", "OMPI_MCA_plm", "isolated",
                "OMPI_MCA_mca_base_component_show_load_errors", "0", "OMPI_MCA_ess_singleton_isolated", "1");
        usual.forEach(environment::putIfAbsent);
        // A process that waits gives its processor to one that computes: on a machine with other work a busy one would
        // keep it for a whole time slice, hundreds of times an iteration's length.
        environment.putIfAbsent("OMPI_MCA_mpi_yield_when_idle", "1");
    }
}
