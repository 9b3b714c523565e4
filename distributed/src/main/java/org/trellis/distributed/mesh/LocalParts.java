package org.trellis.distributed.mesh;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/**
 * What a rank has of sets and maps, and how that came about.
 *
 * @param sets    this rank's part of each set of the whole mesh
 * @param maps    this rank's map for each of the whole mesh
 * @param firsts  sets that were divided first
 * @param edgeCut of their graphs, if they were divided by graphs
 */
record LocalParts(Map<MeshSet, LocalSet> sets, Map<MeshMap, MeshMap> maps, List<String> firsts, OptionalLong edgeCut) {}
