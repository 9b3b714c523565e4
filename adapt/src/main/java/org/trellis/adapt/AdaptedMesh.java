package org.trellis.adapt;

import org.trellis.adapt.geometry.SimplexMesh;

/**
 * The outcome of an adaptation.
 *
 * @param mesh    the adapted mesh
 * @param metric  the metric at its vertices
 * @param quality how well they fit
 * @param report  what was done
 */
public record AdaptedMesh(SimplexMesh mesh, double[] metric, MeshQuality quality, AdaptReport report) {}
