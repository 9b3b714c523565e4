package org.trellis.bench.report;

import org.trellis.sparse.MatrixStatistics;

/**
 * A matrix of a run.
 *
 * @param name       its name
 * @param origin     where it comes from
 * @param statistics facts about its structure
 */
public record MatrixFacts(String name, String origin, MatrixStatistics statistics) {}
