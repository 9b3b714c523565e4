/**
 * What every other package may use: exceptions, {@link org.trellis.common.Precision}, argument checks, permutations,
 * progress callbacks and the configuration.
 */
package org.trellis.common;
