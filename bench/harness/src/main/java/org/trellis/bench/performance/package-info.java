/** The page of performance, made from a list of figures and from documents of measurements. */
package org.trellis.bench.performance;
