/** Smoothers on CUDA devices: sweeps stage by stage, as steps that can be part of graphs. */
package org.trellis.cuda.smooth;
