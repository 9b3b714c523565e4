/**
 * Finite elements: spaces, forms, assembly, operators without a matrix, and multigrid over degrees and meshes. GPUs and
 * several ranks come with modules {@code cuda} and {@code distributed}, which programs need not name. Files of meshes
 * need module {@code matrices}, nothing else does.
 */
module org.trellis.fem {
    requires static com.google.errorprone.annotations;
    requires static jdk.incubator.vector;
    requires static org.trellis.matrices;
    requires transitive org.trellis.core;

    exports org.trellis.fem;
    exports org.trellis.fem.element;
    exports org.trellis.fem.file;
    exports org.trellis.fem.integrate;
    exports org.trellis.fem.space;

    provides org.trellis.backend.KernelExtension with
            org.trellis.fem.simd.SimdRowsExtension;
}
