/**
 * Ranks and what they share: communicators over threads and MPI, partitioned matrices and vectors, halos of several
 * rings, and products, powers of matrices and smoothers that exchange once for several steps.
 */
module org.trellis.distributed {
    requires static com.google.errorprone.annotations;
    requires static org.trellis.fem;
    requires transitive org.trellis.core;

    uses org.trellis.distributed.partitioned.SolverProvider;

    provides org.trellis.distributed.partitioned.SolverProvider with
            org.trellis.distributed.solve.PartitionedSystems;

    exports org.trellis.distributed.balance;
    exports org.trellis.distributed.communicate;
    exports org.trellis.distributed.device;
    exports org.trellis.distributed.exchange;
    exports org.trellis.distributed.fem;
    exports org.trellis.distributed.halo;
    exports org.trellis.distributed.mesh;
    exports org.trellis.distributed.multigrid;
    exports org.trellis.distributed.partitioned;
    exports org.trellis.distributed.powers;
    exports org.trellis.distributed.solve;
}
