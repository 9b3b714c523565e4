/**
 * What every other package may use: exceptions, {@link org.trellis.common.Precision}, argument checks, permutations,
 * progress callbacks, bounded and checked input, text fit for messages, and the configuration.
 */
package org.trellis.common;
