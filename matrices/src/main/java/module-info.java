/**
 * Matrix files, generators and the catalogue of named matrices.
 */
module org.trellis.matrices {
    requires transitive org.trellis.core;
    requires static com.google.errorprone.annotations;
    requires java.xml;

    exports org.trellis.matrices;
    exports org.trellis.matrices.cache;
    exports org.trellis.matrices.catalogue;
    exports org.trellis.matrices.edges;
    exports org.trellis.matrices.generate;
    exports org.trellis.matrices.harwellboeing;
    exports org.trellis.matrices.io;
    exports org.trellis.matrices.market;
    exports org.trellis.matrices.mesh;
    exports org.trellis.matrices.numpy;

    uses org.trellis.matrices.io.MatrixFormat;
    uses org.trellis.matrices.mesh.MeshFormat;
}
