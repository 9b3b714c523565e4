/**
 * Sparse matrices, the parametrised sparse matrix-vector product, solvers and the CPU backends of Trellis.
 *
 * <p>The module has no dependency outside the JDK at run time; ErrorProne's annotations are for compilers that look at
 * them. The incubating Vector API is optional: without {@code --add-modules jdk.incubator.vector} the {@code simd}
 * backend reports why it is not available, the {@code cpu} backend stays with scalar code, and everything else works.
 */
module org.trellis.core {
    requires static com.google.errorprone.annotations;
    requires static jdk.incubator.vector;

    exports org.trellis.common;
    exports org.trellis.file;
    exports org.trellis.kernel;
    exports org.trellis.memory;
    exports org.trellis.mesh.order;
    exports org.trellis.mesh.partition;
    exports org.trellis.backend;
    exports org.trellis.mesh;
    exports org.trellis.mesh.checkpoint;
    exports org.trellis.mesh.device;
    exports org.trellis.mesh.loop;
    exports org.trellis.mesh.plan;
    exports org.trellis.mesh.tile;
    exports org.trellis.mesh.assembly;
    exports org.trellis.mesh.matrix;
    exports org.trellis.sparse;
    exports org.trellis.sparse.algebra;
    exports org.trellis.solve;
    exports org.trellis.solve.assembled;
    exports org.trellis.solve.direct;
    exports org.trellis.solve.eigen;
    exports org.trellis.solve.multigrid;
    exports org.trellis.solve.krylov;
    exports org.trellis.solve.smooth;
    exports org.trellis.systems;

    uses org.trellis.backend.BackendProvider;
    uses org.trellis.backend.KernelExtension;
    uses org.trellis.mesh.partition.Partitioner;
    uses org.trellis.solve.dense.TilesProvider;

    provides org.trellis.backend.BackendProvider with
            org.trellis.internal.cpu.CpuBackendProvider,
            org.trellis.internal.reference.ReferenceBackendProvider,
            org.trellis.internal.threads.ThreadsBackendProvider,
            org.trellis.internal.simd.SimdBackendProvider;
    provides org.trellis.mesh.partition.Partitioner with
            org.trellis.internal.nativepartitioners.MetisPartitioner,
            org.trellis.internal.nativepartitioners.ScotchPartitioner;
    provides org.trellis.solve.dense.TilesProvider with org.trellis.internal.simd.VectorTilesProvider;
}
