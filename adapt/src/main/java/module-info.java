/**
 * Adaptation of meshes of triangles and tetrahedra to metrics: smoothing, splitting, collapsing, exchanging edges.
 * Files of meshes and metrics need module {@code matrices}, nothing else does.
 */
module org.trellis.adapt {
    requires static com.google.errorprone.annotations;
    requires static transitive org.trellis.matrices;
    requires transitive org.trellis.core;

    exports org.trellis.adapt;
    exports org.trellis.adapt.file;
    exports org.trellis.adapt.geometry;
    exports org.trellis.adapt.metric;
}
