/**
 * What ranks on a network would take that is not at hand: halos of any number of parts, analysed on one machine, kernel
 * times measured there, and a network of two levels.
 */
package org.trellis.bench.prediction;
