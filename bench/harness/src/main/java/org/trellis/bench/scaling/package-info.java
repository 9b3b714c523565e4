/** Strong and weak scaling: the same programs on more and more ranks, beside what the model of rings predicts. */
package org.trellis.bench.scaling;
